"""The two terms of the number of gradients against the four of the bound of the theorem. All of this is ours."""

from dpaudit.claims.writing import *

from .notation import *
from .steps_privacy import FROM_PRIVACY_SQUARED, with_beta
from .symbols import *

FIRST = with_beta(f"{K_AT}*(sqrt(C)*kappa*sqrt(d)/(sqrt({K_AT})*beta))*log(n)**2*log(n/delta)")
"""The first part of K T_3 log^2(n) log(n/delta)."""
LAST = "sqrt(C)*kappa**2*log(n)**2*log(n/delta)"
"""The second part of it."""
LINEAR, OTHER = "C**(1/3)*(n*d)**(2/3)/eps_dp", "C**(1/3)*n**(4/3)*eps_dp**(1/3)"
CORNERS = (
    "C**(1/3)*log(n/delta)**6*((n*d)**(2/3)/eps_dp)",
    "C**(1/3)*log(n/delta)**6*(n**(4/3)*eps_dp**(1/3))",
    "log(n/delta)**6*n",
    "log(n/delta)**6*(n**2*eps_dp**2/d)",
)
"""The four terms of the bound of the theorem."""
BIG = point(f"kappa={10**5} C=1 d=1 n={10**12} eps_dp=1/2 delta=1/10")

P, Q = "sqrt(C)*kappa*sqrt(d)/(sqrt(K)*beta)", "sqrt(C)*kappa**2/K"
"""The two summands of T_3."""

REDUCTION_OURS = (
    step(
        "s20-parts",
        "T_1 and T_2 count for little: the bracket of s20 is at most 2 T_3 log n log(n/delta), for the T_1 of (32) and "
        "log kappa >= 1. For every K >= 1 and beta > 0",
        f"{T_1_AT}*log(n) + {T_2_AT} + {T_3_AT}*log(n)*log(n/delta) <= 2*{T_3_AT}*log(n)*log(n/delta)",
        (CONSTANT, KAPPA, K, BETA, DIMENSION, RECORDS, DELTA),
        ours=(E_AT_LEAST,),
        reads=Reads.OURS,
        kind=ClaimKind.COST,
        argument=(
            *LOGS,
            *OF_KAPPA,
            *added(
                (f"{P}*log(n)", "1/log(kappa)**2 <= 1"),
                (f"{Q}*log(n)", "1/(log(kappa)**3*log(n/delta)) <= 1"),
                (P, "1/sqrt(log(kappa)) <= 1"),
                (Q, "1/log(kappa) <= 1"),
                (f"({P} + {Q})*log(n)", "248/100 <= log(n/delta)"),
                (f"({P} + {Q})*148/100", "69/100 <= log(n)"),
                (f"{P} + {Q}", "0 <= 148/100*69/100 - 1"),
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "1.9 in place of 2",
                f"{T_1_AT}*log(n) + {T_2_AT} + {T_3_AT}*log(n)*log(n/delta) <= 1.9*{T_3_AT}*log(n)*log(n/delta)",
                "C=1 kappa=272/100 K=1 beta=1/1000000 d=1 n=2 delta=100/601",
            ),
        ),
    ),
    step(
        "s20-short",
        "the first term of K T_3 log^2 n log(n/delta) is at most C^(1/3) log^6(n/delta) (n d)^(2/3)/eps",
        f"{FIRST} <= {CORNERS[0]}",
        (KAPPA, *SETTING),
        given={f"{THM}/s1": FROM_ROOT},
        kind=ClaimKind.COST,
        reads=Reads.OURS,
        argument=(
            Have("C**(4/3)*kappa**(4/3) <= n**(2/3)", (Power("3/4"), *plain(("1", FROM_ROOT)))),
            *LOGS,
            Have("sqrt(log_1_delta) <= sqrt(log_n_delta)", (Power("2"), *plain(("1", "log_1_delta <= log_n_delta")))),
            *added(
                (
                    f"{LINEAR}*log(n/delta)**(8/3)*sqrt(log(1/delta))*log(n)**2/n**(2/3)",
                    "C**(4/3)*kappa**(4/3) <= n**(2/3)",
                ),
                (f"{LINEAR}*log(n/delta)**(8/3)*log(n)**2", "sqrt(log(1/delta)) <= sqrt(log(n/delta))"),
                (f"{LINEAR}*log(n/delta)**(19/6)*(log(n) + log(n/delta))", "log(n) <= log(n/delta)"),
                (f"{LINEAR}*log(n/delta)**(31/6)", "1 <= log(n/delta)**(5/6)"),
            ),
        ),
        candidates=(BIG,),
        mutants=(
            mutant(
                "power",
                "log^4 in place of log^6",
                f"{FIRST} <= C**(1/3)*log(n/delta)**4*((n*d)**(2/3)/eps_dp)",
                f"kappa={10**5} C=1 d=1 n={10**10} eps_dp=1/2 delta=1/{10**9}",
            ),
        ),
    ),
    step(
        "s20-short-other",
        "and at most C^(1/3) log^6(n/delta) n^(4/3) eps^(1/3)",
        f"{FIRST} <= {CORNERS[1]}",
        (KAPPA, *SETTING),
        given={f"{THM}/s1": FROM_PRIVACY},
        kind=ClaimKind.COST,
        reads=Reads.OURS,
        argument=(
            *LOGS,
            Have(
                "(C*kappa*sqrt(d)*sqrt(log_1_delta)*log_n_delta**(3/2)*log_n)**(4/3) <= (n*eps_dp)**(4/3)",
                (Power("3/4"), *added(("1", FROM_PRIVACY))),
            ),
            Have("log_n**(2/3) <= log_n_delta**(2/3)", (Power("3/2"), *plain(("1", "log_n <= log_n_delta")))),
            *added(
                (
                    "C**(1/3)*log(n/delta)**(2/3)*log(n)**(2/3)/(log(1/delta)**(1/6)*eps_dp)",
                    "(C*kappa*sqrt(d)*sqrt(log_1_delta)*log_n_delta**(3/2)*log_n)**(4/3) <= (n*eps_dp)**(4/3)",
                ),
                (f"{OTHER}*log(n/delta)**(2/3)*log(n)**(2/3)", "1/log(1/delta)**(1/6) <= 1"),
                (f"{OTHER}*log(n/delta)**(2/3)", "log_n**(2/3) <= log_n_delta**(2/3)"),
                (f"{OTHER}*log(n/delta)**(4/3)", "1 <= log(n/delta)**(14/3)"),
            ),
        ),
        candidates=(BIG,),
        mutants=(
            mutant(
                "power",
                "n^1.2 in place of n^(4/3)",
                f"{FIRST} <= C**(1/3)*log(n/delta)**6*(n**1.2*eps_dp**(1/3))",
                f"kappa={10**167} C=1 d=1 n={10**174} eps_dp=1/2 delta=1/7",
            ),
        ),
    ),
    step(
        "s20-long",
        "the second term is at most log^6(n/delta) n",
        f"{LAST} <= {CORNERS[2]}",
        (KAPPA, *SETTING),
        given={f"{THM}/s1": FROM_ROOT},
        kind=ClaimKind.COST,
        reads=Reads.OURS,
        argument=(
            Have("C**2*kappa**2 <= n", (Power("1/2"), *plain(("1", FROM_ROOT)))),
            *LOGS,
            *added(
                ("log(n)**2*log(n/delta)/C**(3/2)", "C**2*kappa**2 <= n"),
                ("n*log(n)**2*log(n/delta)", "1/C**(3/2) <= 1"),
                ("n*log(n/delta)*(log(n) + log(n/delta))", "log(n) <= log(n/delta)"),
                ("n*log(n/delta)**3", "1 <= log(n/delta)**3"),
            ),
        ),
        candidates=(BIG,),
        mutants=(
            mutant(
                "power",
                "sqrt(n) in place of n",
                f"{LAST} <= log(n/delta)**6*sqrt(n)",
                f"kappa={10**10} C=1 d=1 n={10**20} eps_dp=1/2 delta=1/7",
            ),
        ),
    ),
    step(
        "s20-long-other",
        "and at most log^6(n/delta) n^2 eps^2/d",
        f"{LAST} <= {CORNERS[3]}",
        (KAPPA, *SETTING),
        given={f"{THM}/s1": FROM_PRIVACY},
        kind=ClaimKind.COST,
        reads=Reads.OURS,
        argument=(
            Have(FROM_PRIVACY_SQUARED, (*LOGS, Power("1/2"), *added(("1", FROM_PRIVACY)))),
            *LOGS,
            *added(
                ("1/(C**(3/2)*d*log(1/delta)*log(n/delta)**2)", FROM_PRIVACY_SQUARED),
                ("n**2*eps_dp**2/(d*log(1/delta)*log(n/delta)**2)", "1/C**(3/2) <= 1"),
                ("n**2*eps_dp**2/(d*log(n/delta)**2)", "1/log(1/delta) <= 1"),
                ("n**2*eps_dp**2/(d*log(n/delta)**2)", "1 <= log(n/delta)**8"),
            ),
        ),
        candidates=(BIG,),
        mutants=(
            mutant(
                "power",
                "n in place of n^2",
                f"{LAST} <= log(n/delta)**6*(n*eps_dp**2/d)",
                f"kappa={10**24} C=1 d=1 n={10**30} eps_dp=1/2 delta=1/7",
            ),
        ),
    ),
)
