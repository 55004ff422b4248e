"""The privacy of each call of a line search and of a ball oracle. Steps s11 to s13."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *

PLACE = f"{PROOF}, privacy"
SHAPE = "(kappa**2*d/(K*beta**2*log(kappa)) + kappa**4/(K**2*log(kappa)**2))"
INNER = "18*C_ba*K*log(kappa)/delta*log(T_1/zeta)"
BUDGET = "eps_dp/(6*C_ba*K*log(kappa))"
LOG_SIZE = f"log({INNER}) <= 2*log(n/delta)"
CALL = (C_PRIV, BETA, CONSTANT, KAPPA, K, DIMENSION, RECORDS, DELTA, EPS)
SETTLED_CALL = (C_PRIV, C_BA, KAPPA, K, *SETTING)
FROM_PRIVACY_SQUARED = "C**2*kappa**2*d*log(1/delta)*log(n/delta)**3*log(n)**2 <= n**2*eps_dp**2"
FROM_ROOT_FOURTH = "C**4*kappa**4 <= n**2"
SQUARES = (
    Have(FROM_PRIVACY_SQUARED, (*LOGS, Power("1/2"), *added(("1", FROM_PRIVACY)))),
    Have(FROM_ROOT_FOURTH, (Power("1/4"), *plain(("1", FROM_ROOT)))),
)
"""The squares of (31)."""
LOG_OF_STEPS = "1 <= log(T_1/zeta)"
LARGE_K = "kappa**(2/3)*log(n/delta) <= K"
LOG_SQUARED = (
    Have("log(n) <= 12*n**(1/12)/exp(1)", plain(("12", "log(n**(1/12)/exp(1)) <= n**(1/12)/exp(1) - 1"))),
    Have(
        "15552/exp(2) <= n**(2/3)",
        (Power("3/2"), *plain(("1", "exp(12) <= n"), ("1", "(15552/exp(2))**(3/2) <= exp(12)"))),
    ),
    Have(
        "108*log(n)**2 <= n**(5/6)",
        plain(
            ("108*(log(n) + 12*n**(1/12)/exp(1))", "log(n) <= 12*n**(1/12)/exp(1)"),
            ("n**(1/6)", "15552/exp(2) <= n**(2/3)"),
        ),
    ),
)
"""108 log^2(n) <= n^(5/6) from n = e^12 on."""
P, Q = "kappa*sqrt(d)/(sqrt(K)*beta)", "kappa**2/K"
"""The two summands of T_1, T_2, T_3 but for logarithms."""


def spent(factor, power):
    """The middle of the displays: factor C C_priv beta^2 log^power(n/delta) log(1/delta)/(n^2 eps_dp) times `SHAPE`."""
    return f"{factor}*C*C_priv*beta**2*log(n/delta)**{power}*log(1/delta)/(n**2*eps_dp)*{SHAPE}"


def with_beta(text):
    """`text` with the beta of (30)."""
    return text.replace("beta", BETA_AT)


PRIVACY_STEPS = (
    step(
        "s11",
        "Proposition 10 at T_1 and delta/(18 C_ba K log kappa): alpha tau is at most the left side of the display. For "
        "every positive alpha, beta and T_1",
        f"alpha*(C_priv*log(1/zeta)*(beta*log({INNER})*T_1/n)**2) <= 8*alpha*C_priv*beta**2*T_1**2*log(n/delta)**3/n**2",
        (positive("alpha"), C_PRIV, FAILURE, BETA, C_BA, K, KAPPA, DELTA, T_1, RECORDS),
        ("1/n**2 <= zeta",),
        given={f"{THM}/s11-log": LOG_SIZE},
        ours=(E_AT_LEAST, LOG_OF_STEPS),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, first display, and `by Proposition 10 it suffices to note`",
        printed=r"\left(\alpha,\frac{\epsilon_{\textup{dp}}}{6C_{\textup{ba}}K\log\kappa},"
        r"\frac{\delta}{18C_{\textup{ba}}K\log\kappa}\right)\text{-RDP}",
        argument=(
            Have(
                "log(1/zeta) <= 2*log(n/delta)",
                plain(
                    ("1", "log(1/(n**2*zeta)) <= 1/(n**2*zeta) - 1"),
                    ("1/zeta", "1/n**2 <= zeta"),
                    ("2", "0 <= log(1/delta)"),
                ),
            ),
            Have(
                f"1 <= {INNER}",
                plain(
                    ("18*C_ba*K*log(kappa)/delta", LOG_OF_STEPS),
                    ("18*C_ba*K/delta", E_AT_LEAST),
                    ("1", "1 <= 18*C_ba*K/delta"),
                ),
            ),
            Have(f"0 <= log({INNER})"),
            Have("0 <= log(1/zeta)"),
            *LOGS,
            Name("log_inner", f"log({INNER})"),
            Name("log_zeta", "log(1/zeta)"),
            *added(
                ("4*log(n/delta)**2*alpha*C_priv*beta**2*T_1**2/n**2", "log_zeta <= 2*log_n_delta"),
                ("log_zeta*(2*log(n/delta) + log_inner)*alpha*C_priv*beta**2*T_1**2/n**2", "log_inner <= 2*log_n_delta"),
            ),
        ),
        candidates=(point("alpha=1 C_priv=1 zeta=1/4 beta=1 C_ba=1 K=1 kappa=3 delta=1/100000 T_1=1 n=1000"),),
        mutants=(
            mutant(
                "constant",
                "7.7 in place of 8",
                f"alpha*(C_priv*log(1/zeta)*(beta*log({INNER})*T_1/n)**2) <= "
                "7.7*alpha*C_priv*beta**2*T_1**2*log(n/delta)**3/n**2",
                f"alpha=1 C_priv=1 zeta=1/{10**80} beta=1 C_ba=1 K={10**77} kappa=3 delta=10/61 T_1=1 n={10**40}",
            ),
        ),
    ),
    step(
        "s11-log",
        "the logarithm of Proposition 10 is at most 2 log(n/delta), by K <= 3 n^(2/3) (s11-size), log kappa <= log n/2, "
        "log(T_1/zeta) <= 4 log n and C_ba <= C <= sqrt(n), from log n = 12 on",
        LOG_SIZE,
        (C_BA, K, KAPPA, DELTA, T_1, FAILURE, RECORDS),
        given={f"{THM}/s11-size": "K <= 3*n**(2/3)", f"{THM}/s1": "kappa <= sqrt(n)"},
        enough=("C_ba <= sqrt(n)", "exp(12) <= n"),
        ours=("log(T_1/zeta) <= 4*log(n)", LOG_OF_STEPS),
        place=f"{PLACE}, after the first display",
        printed=r"\log\left(\frac{18C_{\textup{ba}}K\log\kappa}{\delta}\log\left(\frac{T}{\zeta}\right)\right)\leq "
        r"2\log\frac{n}{\delta}",
        argument=(
            Have(
                "log(kappa) <= log(n)/2",
                plain(("1", "log(kappa/sqrt(n)) <= kappa/sqrt(n) - 1"), ("1/sqrt(n)", "kappa <= sqrt(n)")),
            ),
            *LOG_SQUARED,
            Have(
                f"{INNER} <= (n/delta)**2",
                (
                    Name("log_steps", "log(T_1/zeta)"),
                    *plain(
                        ("18*K*log(kappa)/delta*log_steps", "C_ba <= sqrt(n)"),
                        ("18*sqrt(n)*log(kappa)/delta*log_steps", "K <= 3*n**(2/3)"),
                        ("54*n**(7/6)/delta*log_steps", "log(kappa) <= log(n)/2"),
                        ("27*n**(7/6)*log(n)/delta", "log_steps <= 4*log(n)"),
                        ("n**(7/6)/delta", "108*log(n)**2 <= n**(5/6)"),
                        ("n**2/delta", "1 <= 1/delta"),
                    ),
                ),
            ),
            *plain(
                ("1", f"log(({INNER})/(n/delta)**2) <= ({INNER})/(n/delta)**2 - 1"),
                ("1/(n/delta)**2", f"{INNER} <= (n/delta)**2"),
            ),
        ),
        candidates=(point("C_ba=1 K=1 kappa=3 delta=1/10 T_1=1 zeta=1/4 n=1000000"),),
        mutants=(
            mutant(
                "factor",
                "log(n/delta) in place of 2 log(n/delta)",
                f"log({INNER}) <= log(n/delta)",
                "C_ba=100 K=10000 kappa=3 delta=1/7 T_1=1 zeta=1/4 n=1000000",
            ),
        ),
    ),
    step(
        "s12",
        "line search display, first inequality, for log kappa >= 1. For every K >= 1 and beta > 0",
        f"8*{ORDER}*C_priv*beta**2*{T_1_AT}**2*log(n/delta)**3/n**2 <= {spent(128, 3)}",
        CALL,
        ours=(E_AT_LEAST,),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, second display, first inequality",
        printed=r"\frac{8\alpha C_{\textup{priv}}\beta^{2}T_{1}^{2}\log^{3}\left(\frac{n}{\delta}\right)}{n^{2}}\leq"
        r"\frac{128CC_{\textup{priv}}\beta^{2}\log^{3}(\frac{n}{\delta})\log\frac{1}{\delta}}"
        r"{n^{2}\epsilon_{\textup{dp}}}\cdot\left(\frac{\kappa^{2}d}{K\beta^{2}\log\kappa}+"
        r"\frac{\kappa^{4}}{K^{2}\log^{2}\kappa}\right)",
        argument=(
            *TWICE,
            *LOGS,
            *OF_KAPPA,
            *scaled("n**2*eps_dp/(32*C*C_priv*beta**2*log(n/delta)**3)"),
            *added(
                (f"({P}/log(kappa)**2 + {Q}/(log(kappa)**3*log(n/delta)))**2", "log(2/delta) <= 2*log(1/delta)"),
                ("2*log(1/delta)", f"0 <= ({P}/log(kappa)**2 - {Q}/(log(kappa)**3*log(n/delta)))**2"),
                (f"4*log(1/delta)*({P})**2/log(kappa)**4", "1 <= log(kappa)**3"),
                (f"4*log(1/delta)*({Q})**2/log(kappa)**6", "1 <= log(kappa)**4"),
                (f"4*log(1/delta)*({Q})**2/log(kappa)**6", "1/log(n/delta)**2 <= 1"),
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "40 in place of 128",
                f"8*{ORDER}*C_priv*beta**2*{T_1_AT}**2*log(n/delta)**3/n**2 <= {spent(40, 3)}",
                "C_priv=1 beta=1/10000 C=1 kappa=272/100 K=1 d=1 n=2 delta=10/61 eps_dp=1/2",
            ),
        ),
    ),
    step(
        "s12-second",
        "line search display, second inequality by (31), for log kappa >= 1 and C >= 3000 C_ba C_priv, with the beta of "
        "(30). It uses K >= log(n/delta) as well (s19-large)",
        with_beta(f"{spent(128, 3)} <= {BUDGET}"),
        SETTLED_CALL,
        given={f"{THM}/s1": (FROM_PRIVACY, FROM_ROOT), f"{THM}/s19-large": LARGE_K},
        enough=("3000*C_ba*C_priv <= C",),
        ours=(E_AT_LEAST,),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, second display, second inequality",
        argument=(
            *SQUARES,
            *LOGS,
            *OF_KAPPA,
            Have("log_n_delta <= K", plain(("1", named(LARGE_K)), ("log_n_delta", "1 <= kappa**(2/3)"))),
            *added(
                ("128*C_priv/(C*log(n)**2*n**2*eps_dp*K*log(kappa))", FROM_PRIVACY_SQUARED),
                ("128*C_priv*eps_dp*log(n/delta)/(C**5*n**2*K**2*log(kappa)**2)", FROM_ROOT_FOURTH),
                ("128*C_priv*eps_dp/(C**5*K**2*log(kappa)**2)", "log(n/delta) <= K"),
                ("128*C_priv*eps_dp/(C**5*K*log(kappa)**2)", E_AT_LEAST),
                ("128*C_priv*eps_dp/(C*K*log(kappa))", "1/log(n)**2 <= 2.11"),
                ("128*C_priv*eps_dp/(C*K*log(kappa))", "1/C**4 <= 1"),
                ("eps_dp/(6*C_ba*C*K*log(kappa))", "3000*C_ba*C_priv <= C"),
                ("C_priv*eps_dp/(C*K*log(kappa))", "0 <= 500 - 128*3.11"),
            ),
        ),
        candidates=(point(f"C_priv=1 C_ba=1 kappa=3 K=60 C=3000 d=1 n={10**9} eps_dp=1/2 delta=1/10"),),
        mutants=(
            Mutant(
                "small-C",
                "without C >= 3000 C_ba C_priv",
                conditions=(FROM_PRIVACY, FROM_ROOT, LARGE_K, E_AT_LEAST),
                candidates=(point(f"C_priv=1000000 C_ba=1 kappa=3 K=60 C=3000 d=1 n={10**9} eps_dp=1/2 delta=1/10"),),
            ),
        ),
    ),
    step(
        "s13",
        "ball oracle display, first inequality. For every kappa > 1, K >= 1 and beta > 0",
        f"{ORDER}*C_priv*beta**2*{T_2_AT}**2*log(n/delta)**2/n**2 <= {spent(16, 2)}",
        CALL,
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, third display, first inequality",
        printed=r"\frac{\alpha C_{\textup{priv}}\beta^{2}T_{2}^{2}\log^{2}(\frac{n}{\delta})}{n^{2}}\leq"
        r"\frac{16CC_{\textup{priv}}\beta^{2}\log^{2}(\frac{n}{\delta})\log\frac{1}{\delta}}"
        r"{n^{2}\epsilon_{\textup{dp}}}\cdot\left(\frac{\kappa^{2}d}{K\beta^{2}\log\kappa}+"
        r"\frac{\kappa^{4}}{K^{2}\log^{2}\kappa}\right)",
        argument=(
            *TWICE,
            *LOGS,
            *OF_KAPPA,
            *scaled("n**2*eps_dp/(4*C*C_priv*beta**2*log(n/delta)**2)"),
            *added(
                (f"({P}/sqrt(log(kappa)) + {Q}/log(kappa))**2", "log(2/delta) <= 2*log(1/delta)"),
                ("2*log(1/delta)", f"0 <= ({P}/sqrt(log(kappa)) - {Q}/log(kappa))**2"),
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "10 in place of 16",
                f"{ORDER}*C_priv*beta**2*{T_2_AT}**2*log(n/delta)**2/n**2 <= {spent(10, 2)}",
                "C_priv=1 beta=1/3 C=1 kappa=3 K=1 d=1 n=2 delta=10/61 eps_dp=1/2",
            ),
        ),
    ),
    step(
        "s13-second",
        "ball oracle display, second inequality by (31), for log kappa >= 1 and C >= 3000 C_ba C_priv, with the beta of "
        "(30)",
        with_beta(f"{spent(16, 2)} <= {BUDGET}"),
        SETTLED_CALL,
        given={f"{THM}/s1": (FROM_PRIVACY, FROM_ROOT)},
        enough=("3000*C_ba*C_priv <= C",),
        ours=(E_AT_LEAST,),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, third display, second inequality",
        argument=(
            *SQUARES,
            *LOGS,
            *OF_KAPPA,
            *added(
                ("16*C_priv/(C*log(n/delta)*log(n)**2*n**2*eps_dp*K*log(kappa))", FROM_PRIVACY_SQUARED),
                ("16*C_priv*eps_dp/(C**5*n**2*K**2*log(kappa)**2)", FROM_ROOT_FOURTH),
                ("16*C_priv*eps_dp/(C**5*K**2*log(kappa)**2)", "1 <= K"),
                ("16*C_priv*eps_dp/(C**5*K*log(kappa)**2)", E_AT_LEAST),
                ("16*C_priv*eps_dp/(C*K*log(kappa))", "1/(log(n/delta)*log(n)**2) <= 1"),
                ("16*C_priv*eps_dp/(C*K*log(kappa))", "1/C**4 <= 1"),
                ("eps_dp/(6*C_ba*C*K*log(kappa))", "3000*C_ba*C_priv <= C"),
                ("C_priv*eps_dp/(C*K*log(kappa))", "0 <= 500 - 32"),
            ),
        ),
        candidates=(point(f"C_priv=1 C_ba=1 kappa=3 K=60 C=3000 d=1 n={10**9} eps_dp=1/2 delta=1/10"),),
        mutants=(
            Mutant(
                "small-C",
                "without C >= 3000 C_ba C_priv",
                conditions=(FROM_PRIVACY, FROM_ROOT, E_AT_LEAST),
                candidates=(
                    point(f"C_priv=1000000000 C_ba=1 kappa=3 K=60 C=3000 d=1 n={10**9} eps_dp=1/2 delta=1/10"),
                ),
            ),
        ),
    ),
)
