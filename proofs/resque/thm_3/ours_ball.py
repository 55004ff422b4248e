"""The logarithms of the ball oracle at the budget of a call. All of this is ours."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *

CALL_INNER = "18*C_ba*K*log(kappa)*log(log(T_2))/delta"
CALL_LOG = "18*C_ba*K*log(kappa)*log(T_2)/delta"
LOG_OF_T_2 = (
    Have(
        "log(T_2) <= 2*log(n)",
        plain(("1", "log(T_2/n**2) <= T_2/n**2 - 1"), ("1/n**2", "T_2 <= T_3"), ("1/n**2", "T_3 <= n**2")),
    ),
    Have(
        "1 < log(T_2)",
        plain(("1", "log(exp(1)/T_2) <= exp(1)/T_2 - 1"), ("1/T_2", "3 <= T_2"), ("1/T_2", "exp(1) < 3")),
    ),
)
"""For 3 <= T_2 <= T_3 <= n^2."""

BALL_OURS = (
    step(
        "s18-call-log",
        "log(log T_2/delta) at the delta/(18 C_ba K log kappa) of a call of the ball oracle is at most log(n/delta), "
        "from log n = 64 on",
        f"log({CALL_LOG}) <= log(n/delta)",
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
            *LOG_OF_T_2,
            Have("log(n) <= 16*n**(1/16)/exp(1)", plain(("16", "log(n**(1/16)/exp(1)) <= n**(1/16)/exp(1) - 1"))),
            Have(
                "54*(16/exp(1))**2 <= n**(1/8)",
                (Power("8"), *plain(("1", "exp(64) <= n"), ("1", "(54*(16/exp(1))**2)**8 <= exp(64)"))),
            ),
            Have("0 < log(kappa)"),
            Have(
                f"{CALL_LOG} <= n/delta",
                (
                    Name("log_kappa", "log(kappa)"),
                    Name("log_steps", "log(T_2)"),
                    Have("0 <= log(n)"),
                    *plain(
                        ("18*K*log_kappa*log_steps/delta", "C_ba <= n**(1/12)"),
                        ("18*n**(1/12)*log_kappa*log_steps/delta", "K <= 3*n**(2/3)"),
                        ("54*n**(3/4)*log_steps/delta", "log_kappa <= log(n)/2"),
                        ("27*n**(3/4)*log(n)/delta", "log_steps <= 2*log(n)"),
                        ("54*n**(3/4)*(log(n) + 16*n**(1/16)/exp(1))/delta", "log(n) <= 16*n**(1/16)/exp(1)"),
                        ("n**(7/8)/delta", "54*(16/exp(1))**2 <= n**(1/8)"),
                    ),
                ),
            ),
            *plain(
                ("1", f"log(({CALL_LOG})/(n/delta)) <= ({CALL_LOG})/(n/delta) - 1"),
                ("delta/n", f"{CALL_LOG} <= n/delta"),
            ),
        ),
        candidates=(point(f"C_ba=1 K=100 kappa=3 T_2=10 T_3=10 n={10**30} delta=1/10"),),
        mutants=(
            mutant(
                "variant",
                "half the right side",
                f"log({CALL_LOG}) <= log(n/delta)/2",
                f"C_ba=1 K={10**19} kappa=3 T_2=20 T_3=20 n={10**30} delta=1/10",
            ),
        ),
    ),
    step(
        "s18-call",
        "so is the log(log log T_2/delta) of s18-loglog there",
        f"log({CALL_INNER}) <= log(n/delta)",
        (C_BA, K, KAPPA, real("T_2", "[3, oo)", "(33)"), RECORDS, DELTA),
        given={f"{THM}/s18-call-log": f"log({CALL_LOG}) <= log(n/delta)"},
        reads=Reads.OURS,
        kind=ClaimKind.PRIVACY,
        argument=(
            *LOG_OF_T_2[1:],
            Have(
                "0 < log(log(T_2))", plain(("1", "log(1/log(T_2)) <= 1/log(T_2) - 1"), ("1/log(T_2)", "1 < log(T_2)"))
            ),
            Have("0 < log(kappa)"),
            Have("log(log(T_2)) <= log(T_2)", plain(("1", "log(log(T_2)) <= log(T_2) - 1"), ("1", "0 <= 1"))),
            *plain(
                ("1", "log(log(log(T_2))/log(T_2)) <= log(log(T_2))/log(T_2) - 1"),
                ("1/log(T_2)", "log(log(T_2)) <= log(T_2)"),
                ("1", f"log({CALL_LOG}) <= log(n/delta)"),
            ),
        ),
        candidates=(point(f"C_ba=1 K=100 kappa=3 T_2=10 n={10**30} delta=1/10"),),
        mutants=(
            mutant(
                "variant",
                "half the right side",
                f"log({CALL_INNER}) <= log(n/delta)/2",
                f"C_ba=1 K={10**19} kappa=3 T_2=20 n={10**30} delta=1/10",
            ),
        ),
    ),
)
