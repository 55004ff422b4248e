"""The sizes of T_1, T_2 and T_3 against each other and against n, and the logarithms with them. All of this is ours."""

from dpaudit.claims.writing import *

from .notation import *
from .ours_search import T_1_REPAIRED
from .steps_count import LEAST_FAILURE
from .steps_privacy import with_beta
from .symbols import *

P, Q = "sqrt(C)*kappa*sqrt(d)/(sqrt(K)*beta)", "sqrt(C)*kappa**2/K"
"""The two summands of T_3."""
LINE = (CONSTANT, KAPPA, K, BETA, DIMENSION)
SIZE_STEPS = (
    step(
        "s18-steps",
        "T_1 of (32) is at most T_3 of (34), for log kappa >= 1. For every K >= 1 and beta > 0",
        f"{T_1_AT} <= {T_3_AT}",
        (*LINE, RECORDS, DELTA),
        ours=(E_AT_LEAST,),
        reads=Reads.OURS,
        argument=(
            *LOGS,
            *OF_KAPPA,
            *added((P, "1/log(kappa)**2 <= 1"), (Q, "1/(log(kappa)**3*log(n/delta)) <= 1")),
        ),
        mutants=(
            mutant(
                "variant",
                "0.9 of the right side",
                f"{T_1_AT} <= 0.9*{T_3_AT}",
                "C=1 kappa=272/100 K=1 beta=1/1000000 d=1 n=2 delta=1/7",
            ),
        ),
    ),
    step(
        "s18-steps~repaired",
        "so is the T_1 of s4~repaired",
        f"{T_1_REPAIRED} <= {T_3_AT}",
        LINE,
        ours=(E_AT_LEAST,),
        argument=(*OF_KAPPA, *added((P, "1/log(kappa)**2 <= 1"), (Q, "1/log(kappa)**4 <= 1"))),
        mutants=(
            mutant(
                "variant",
                "0.9 of the right side",
                f"{T_1_REPAIRED} <= 0.9*{T_3_AT}",
                "C=1 kappa=272/100 K=1 beta=1/1000000 d=1",
            ),
        ),
    ),
    step(
        "s18-steps-ball",
        "and the T_2 of (33)",
        f"{T_2_AT} <= {T_3_AT}",
        LINE,
        ours=(E_AT_LEAST,),
        reads=Reads.OURS,
        argument=(*OF_KAPPA, *added((P, "1/sqrt(log(kappa)) <= 1"), (Q, "1/log(kappa) <= 1"))),
        mutants=(
            mutant(
                "variant",
                "0.9 of the right side",
                f"{T_2_AT} <= 0.9*{T_3_AT}",
                "C=1 kappa=272/100 K=1 beta=1/1000000 d=1",
            ),
        ),
    ),
    step(
        "s11-steps",
        "T_3 is at most n^2, with the beta of (30), by (31)",
        f"{with_beta(T_3_AT)} <= n**2",
        (KAPPA, K, *SETTING),
        given={f"{THM}/s1": (FROM_PRIVACY, FROM_ROOT)},
        enough=("16 <= n",),
        reads=Reads.OURS,
        argument=(
            Have("C**2*kappa**2 <= n", (Power("1/2"), *plain(("1", FROM_ROOT)))),
            Have("C <= sqrt(n)", plain(("1", FROM_ROOT), ("C", "1 <= kappa"))),
            Have("sqrt(C) <= n**(1/4)", (Power("2"), *plain(("1", "C <= sqrt(n)")))),
            Have("2 <= n**(3/4)", (Power("4/3"), *plain(("1", "16 <= n"), ("1", "2**(4/3) <= 16")))),
            *LOGS,
            *added(
                ("sqrt(C)/(sqrt(log(n/delta))*log(n)*eps_dp*sqrt(K))", FROM_PRIVACY),
                ("n*sqrt(C)/sqrt(K)", "1/(sqrt(log(n/delta))*log(n)) <= 1"),
                ("n*sqrt(C)", "1/sqrt(K) <= 1"),
                ("n", "sqrt(C) <= n**(1/4)"),
                ("1/(C**(3/2)*K)", "C**2*kappa**2 <= n"),
                ("n/K", "1/C**(3/2) <= 1"),
                ("n", "1/K <= 1"),
                ("n", "1 <= n**(1/4)"),
                ("n**(5/4)", "2 <= n**(3/4)"),
            ),
        ),
        candidates=(point(f"kappa=300 K=10000 C=4 d=1 n={10**12} eps_dp=1/2 delta=1/10"),),
        mutants=(
            Mutant(
                "variant",
                "without the second part of (31)",
                conditions=(FROM_ROOT, "16 <= n"),
                candidates=(point(f"kappa=2 K=1 C=1 d={10**12} n=16 eps_dp=1/2 delta=1/10"),),
            ),
        ),
    ),
    step(
        "s11-ratio",
        "so log(T_1/zeta) is at most 4 log n",
        "log(T_1/zeta) <= 4*log(n)",
        (T_1, T_3, FAILURE, RECORDS),
        given={
            f"{THM}/s18-steps": "T_1 <= T_3",
            f"{THM}/s11-steps": "T_3 <= n**2",
            f"{THM}/s20-zeta": LEAST_FAILURE,
        },
        reads=Reads.OURS,
        argument=plain(
            ("1", "log(T_1/(zeta*n**4)) <= T_1/(zeta*n**4) - 1"),
            ("1/(zeta*n**4)", "T_1 <= T_3"),
            ("1/(zeta*n**4)", "T_3 <= n**2"),
            ("1/zeta", LEAST_FAILURE),
        ),
        candidates=(point("T_1=1 T_3=1 zeta=1/4 n=10"),),
        mutants=(mutant("constant", "3 log n", "log(T_1/zeta) <= 3*log(n)", "T_1=100 T_3=100 zeta=1/100 n=10"),),
    ),
)
