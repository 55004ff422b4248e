"""What several parts of the proof of Theorem 3 use: facts, moves, and the whole of (30) to (34) written out."""

from dpaudit.claims.writing import *

from .notation import *

THM = "resque/THM-3"
PROOF = "proof of Theorem 3"
FROM_ROOT = "C*kappa <= sqrt(n)"
FROM_PRIVACY = "C*kappa*sqrt(d*log(1/delta))*log(n/delta)**(3/2)*log(n) <= n*eps_dp"
"""(31): kappa is at most sqrt(n)/C, and at most n eps_dp/(C sqrt(d log(1/delta)) log^1.5(n/delta) log n)."""
E_AT_LEAST = "1 <= log(kappa)"
"""The proof divides by log(kappa) and needs kappa >= e, which it does not say."""

# The arguments write `log_n` for log(n), and so on, so that powers and roots of logarithms are those of a symbol.
NAMES = {"log(n/delta)": "log_n_delta", "log(1/delta)": "log_1_delta", "log(2/delta)": "log_2_delta",
         "log(kappa)": "log_kappa", "log(n)": "log_n"}  # fmt: skip


def named(text):
    """`text` with the names of its logarithms."""
    for term, name in NAMES.items():
        text = text.replace(term, name)
    return text


def added(*terms):
    """The goal is the sum of these known inequalities, each times its factor."""
    return (Combine(terms=tuple((named(factor), named(fact)) for factor, fact in terms)),)


def plain(*terms):
    """The same for terms without names."""
    return (Combine(terms=terms),)


LOG_N = Have("69/100 <= log(n)", plain(("1", "log(2/n) <= 2/n - 1"), ("1/n", "2 <= n"), ("1", "69/100 <= log(2)")))
"""For n >= 2."""
AT_A_SIXTH = ("1", "log(6*delta) <= 6*delta - 1"), ("6", "delta < 1/6")
"""log(1/delta) >= log(6), for delta < 1/6."""
LOGS = (
    LOG_N,
    Have("179/100 <= log(1/delta)", plain(*AT_A_SIXTH, ("1", "179/100 <= log(6)"))),
    Have("248/100 <= log(n/delta)", plain(("1", "69/100 <= log(n)"), ("1", "179/100 <= log(1/delta)"))),
    Have("log(n) <= log(n/delta)", (Combine(terms=(("1", "179/100 <= log(1/delta)"), ("179/100", "0 <= 1"))),)),
    Have("log(1/delta) <= log(n/delta)", (Combine(terms=(("1", "69/100 <= log(n)"), ("69/100", "0 <= 1"))),)),
    *(Name(name, term) for term, name in NAMES.items() if name in ("log_n_delta", "log_1_delta", "log_n")),
)
"""For statements with n and delta: the least values of their logarithms, and their names."""
TWICE = (Have("log(2/delta) <= 2*log(1/delta)"), Name("log_2_delta", "log(2/delta)"))
"""log(2/delta) <= 2 log(1/delta), for delta <= 1/2."""
OF_KAPPA = (Have("0 < log(kappa)"), Name("log_kappa", "log(kappa)"))


def scaled(factor):
    """Both sides times a positive factor."""
    return (Scale(named(factor)),)


def settled(text):
    """`text` with K, kappa and beta as (30) has them, in terms of C, d, n, eps_dp and delta."""
    return text.replace("K", K_AT).replace("kappa", KAPPA_AT).replace("beta", BETA_AT)


def from_e(text):
    """`text` with max(1, log(kappa)) for log(kappa): the same for kappa >= e, and it has an inverse everywhere."""
    return text.replace("log(kappa)", "max(1, log(kappa))")


SETTING = (CONSTANT, DIMENSION, RECORDS, EPS, DELTA)
"""What (30) consists of."""
