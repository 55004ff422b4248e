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
CALL_INNER = "18*C_ba*K*log(kappa)*log(log(T_2))/delta"
LOG_LOG = (
    Have(
        "log(T_2) <= 2*log(n)",
        plain(("1", "log(T_2/n**2) <= T_2/n**2 - 1"), ("1/n**2", "T_2 <= T_3"), ("1/n**2", "T_3 <= n**2")),
    ),
    Have(
        "1 < log(T_2)",
        plain(("1", "log(exp(1)/T_2) <= exp(1)/T_2 - 1"), ("1/T_2", "3 <= T_2"), ("1/T_2", "exp(1) < 3")),
    ),
    Have("0 < log(log(T_2))", plain(("1", "log(1/log(T_2)) <= 1/log(T_2) - 1"), ("1/log(T_2)", "1 < log(T_2)"))),
    Have(
        "log(log(T_2)) <= 2*log(n)",
        plain(("1", "log(log(T_2)) <= log(T_2) - 1"), ("1", "log(T_2) <= 2*log(n)"), ("1", "0 <= 1")),
    ),
)
"""For 3 <= T_2 <= T_3 <= n^2."""

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
    step(
        "s18-call",
        "the line of s18-loglog at the delta/(18 C_ba K log kappa) of a call of the ball oracle, from log n = 64 on",
        f"log({CALL_INNER}) <= log(n/delta)",
        (C_BA, K, KAPPA, real("T_2", "[3, oo)", "(33)"), T_3, RECORDS, DELTA),
        given={
            f"{THM}/s1": "kappa <= sqrt(n)",
            f"{THM}/s11-size": "K <= 3*n**(2/3)",
            f"{THM}/s18-steps-ball": "T_2 <= T_3",
            f"{THM}/s11-steps": "T_3 <= n**2",
        },
        enough=("C_ba <= n**(1/12)", "exp(64) <= n"),
        reads=Reads.OURS,
        kind=ClaimKind.PRIVACY,
        argument=(
            Have(
                "log(kappa) <= log(n)/2",
                plain(("1", "log(kappa/sqrt(n)) <= kappa/sqrt(n) - 1"), ("1/sqrt(n)", "kappa <= sqrt(n)")),
            ),
            *LOG_LOG,
            Have("log(n) <= 16*n**(1/16)/exp(1)", plain(("16", "log(n**(1/16)/exp(1)) <= n**(1/16)/exp(1) - 1"))),
            Have(
                "54*(16/exp(1))**2 <= n**(1/8)",
                (Power("8"), *plain(("1", "exp(64) <= n"), ("1", "(54*(16/exp(1))**2)**8 <= exp(64)"))),
            ),
            Have("0 < log(kappa)"),
            Have(
                f"{CALL_INNER} <= n/delta",
                (
                    Name("log_kappa", "log(kappa)"),
                    Name("log_log", "log(log(T_2))"),
                    Have("0 <= log(n)"),
                    *plain(
                        ("18*K*log_kappa*log_log/delta", "C_ba <= n**(1/12)"),
                        ("18*n**(1/12)*log_kappa*log_log/delta", "K <= 3*n**(2/3)"),
                        ("54*n**(3/4)*log_log/delta", "log_kappa <= log(n)/2"),
                        ("27*n**(3/4)*log(n)/delta", "log_log <= 2*log(n)"),
                        ("54*n**(3/4)*(log(n) + 16*n**(1/16)/exp(1))/delta", "log(n) <= 16*n**(1/16)/exp(1)"),
                        ("n**(7/8)/delta", "54*(16/exp(1))**2 <= n**(1/8)"),
                    ),
                ),
            ),
            *plain(
                ("1", f"log(({CALL_INNER})/(n/delta)) <= ({CALL_INNER})/(n/delta) - 1"),
                ("delta/n", f"{CALL_INNER} <= n/delta"),
            ),
        ),
        candidates=(point(f"C_ba=1 K=100 kappa=3 T_2=10 T_3=10 n={10**30} delta=1/10"),),
        mutants=(
            mutant(
                "variant",
                "half the right side",
                f"log({CALL_INNER}) <= log(n/delta)/2",
                f"C_ba=1 K={10**19} kappa=3 T_2=20 T_3=20 n={10**30} delta=1/10",
            ),
        ),
    ),
)
