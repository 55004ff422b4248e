"""The preconditions of Proposition 10 and its loss: the logarithm in them. Step s11."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *

PLACE = f"{PROOF}, privacy"
INNER = "18*C_ba*K*log(kappa)/delta*log(T_1/zeta)"
LOSS = f"alpha*(C_priv*log(1/zeta)*(beta*log({INNER})*T_1/n)**2)"
"""alpha tau of Proposition 10 for a call."""
NOTED = "8*alpha*C_priv*beta**2*T_1**2*log(n/delta)**3/n**2"
"""The left side of the second display."""
LOG_SIZE = f"log({INNER}) <= 2*log(n/delta)"
LOG_OF_STEPS = "1 <= log(T_1/zeta)"
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

LOSS_STEPS = (
    step(
        "s11",
        "for O_ls, Proposition 10 at T_1 and delta/(18 C_ba K log kappa): alpha tau is at most the left side of the "
        "second display. For every positive alpha, beta and T_1",
        f"{LOSS} <= {NOTED}",
        (positive("alpha"), C_PRIV, FAILURE, BETA, C_BA, K, KAPPA, DELTA, T_1, RECORDS),
        given={f"{THM}/s11-log": LOG_SIZE, f"{THM}/s20-zeta": "1/n**2 <= zeta"},
        ours=(E_AT_LEAST, LOG_OF_STEPS),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, before the second display: `by Proposition 10 it suffices to note`",
        reads=Reads.READING,
        printed=r"\text{by Proposition 10 it suffices to note}",
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
            Have(
                f"0 <= log({INNER})",
                plain(("1", f"log(1/({INNER})) <= 1/({INNER}) - 1"), (f"1/({INNER})", f"1 <= {INNER}")),
            ),
            Have("0 <= log(1/zeta)"),
            *LOGS,
            Name("log_inner", f"log({INNER})"),
            Name("log_zeta", "log(1/zeta)"),
            *added(
                ("4*log(n/delta)**2*alpha*C_priv*beta**2*T_1**2/n**2", "log_zeta <= 2*log_n_delta"),
                (
                    "log_zeta*(2*log(n/delta) + log_inner)*alpha*C_priv*beta**2*T_1**2/n**2",
                    "log_inner <= 2*log_n_delta",
                ),
            ),
        ),
        candidates=(point("alpha=1 C_priv=1 zeta=1/4 beta=1 C_ba=1 K=1 kappa=3 delta=1/100000 T_1=1 n=1000"),),
        mutants=(
            mutant(
                "variant",
                "7.9 in place of 8",
                f"{LOSS} <= 7.9/8*{NOTED}",
                f"alpha=1 C_priv=1 zeta=1/{10**2000} beta=1 C_ba=1 K={10**1995} kappa=3 delta=10/61 T_1=1 n={10**1000}",
            ),
        ),
    ),
    step(
        "s11-log",
        "its logarithm is at most 2 log(n/delta), by K <= 3 n^(2/3) (s11-size), log kappa <= log n/2, "
        "log(T_1/zeta) <= 4 log n (s11-ratio) and C <= C kappa <= sqrt(n), for C >= C_ba and C >= e^6",
        LOG_SIZE,
        (C_BA, CONSTANT, K, KAPPA, DELTA, T_1, FAILURE, RECORDS),
        given={
            f"{THM}/s11-size": "K <= 3*n**(2/3)",
            f"{THM}/s1": FROM_ROOT,
            f"{THM}/s11-ratio": "log(T_1/zeta) <= 4*log(n)",
        },
        enough=("C_ba <= C", "exp(6) <= C"),
        ours=(LOG_OF_STEPS,),
        place=f"{PLACE}, after the first display",
        printed=r"\log\left(\frac{18C_{\textup{ba}}K\log\kappa}{\delta}\log\left(\frac{T}{\zeta}\right)\right)\leq "
        r"2\log\frac{n}{\delta}",
        argument=(
            Have("kappa <= sqrt(n)", plain(("1", FROM_ROOT), ("kappa", "1 <= C"))),
            Have("C <= sqrt(n)", plain(("1", FROM_ROOT), ("C", "1 <= kappa"))),
            Have("C_ba <= sqrt(n)", plain(("1", "C_ba <= C"), ("1", "C <= sqrt(n)"))),
            Have("exp(12) <= n", (Power("1/2"), *plain(("1", "exp(6) <= C"), ("1", "C <= sqrt(n)")))),
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
            Have(
                f"0 < {INNER}",
                plain(("18*C_ba*K*log(kappa)/delta", LOG_OF_STEPS), ("1", "0 < 18*C_ba*K*log(kappa)/delta")),
            ),
            Name("inner", INNER),
            *plain(
                ("1", "log(inner/(n/delta)**2) <= inner/(n/delta)**2 - 1"),
                ("1/(n/delta)**2", "inner <= (n/delta)**2"),
            ),
        ),
        candidates=(point(f"C_ba=1 C=500 K=1 kappa=3 delta=1/10 T_1=1 zeta=1/4 n={10**7}"),),
        mutants=(
            mutant(
                "variant",
                "log(n/delta) in place of 2 log(n/delta)",
                f"log({INNER}) <= log(n/delta)",
                f"C_ba=400 C=500 K=100000 kappa=3 delta=1/7 T_1=1 zeta=1/4 n={10**7}",
            ),
        ),
    ),
)
