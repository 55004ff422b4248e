"""The loss and the budget of each call of a line search and of a ball oracle. Step s11, for the ball oracle and as a
whole."""

from dpaudit.claims.writing import *

from .notation import *
from .ours_ball import CALL_INNER, LOG_OF_T_2
from .steps_loss import LOG_OF_STEPS, LOSS, NOTED, PLACE
from .steps_privacy import BUDGET, spent
from .symbols import *

BALL_LOSS = f"alpha*(C_priv*(beta*log({CALL_INNER})*T_2/n)**2)"
"""alpha tau of Proposition 8 for a call."""
BALL_NOTED = "alpha*C_priv*beta**2*T_2**2*log(n/delta)**2/n**2"
"""The left side of the third display."""
SEARCH_CHAIN = (f"{LOSS} <= {NOTED}", f"{NOTED} <= {spent(128, 3)}", f"{spent(128, 3)} <= {BUDGET}")
BALL_CHAIN = (f"{BALL_LOSS} <= {BALL_NOTED}", f"{BALL_NOTED} <= {spent(16, 2)}", f"{spent(16, 2)} <= {BUDGET}")
CLOSE = point(
    "alpha=1 C_priv=1 zeta=1/10000 beta=1/100 C_ba=1 K=1 kappa=3 C=1 d=1 n=10000 eps_dp=1/2 delta=1/10 T_1=2390 T_2=3"
)
STEPS_BALL = real("T_2", "[3, oo)", "(33)")

BUDGET_STEPS = (
    step(
        "s11-ball",
        "for O_bo, Proposition 8 at T_2 and delta/(18 C_ba K log kappa): alpha tau is at most the left side of the "
        "third display. For every positive alpha and beta and T_2 >= 3",
        f"{BALL_LOSS} <= {BALL_NOTED}",
        (positive("alpha"), C_PRIV, BETA, C_BA, K, KAPPA, DELTA, STEPS_BALL, RECORDS),
        given={f"{THM}/s18-call": f"log({CALL_INNER}) <= log(n/delta)"},
        ours=(E_AT_LEAST,),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, before the third display: `by Proposition 8 it suffices to note`",
        reads=Reads.READING,
        printed=r"\text{by Proposition 8 it suffices to note}",
        argument=(
            *LOG_OF_T_2[1:],
            Have("log(3) <= log(T_2)", plain(("1", "log(3/T_2) <= 3/T_2 - 1"), ("1/T_2", "3 <= T_2"))),
            Have(
                "1/12 <= log(log(T_2))",
                plain(
                    ("1", "log(1/log(T_2)) <= 1/log(T_2) - 1"),
                    ("1/(log(T_2)*log(3))", "log(3) <= log(T_2)"),
                    ("1", "1/log(3) <= 11/12"),
                ),
            ),
            Have(
                f"1 <= {CALL_INNER}",
                plain(
                    ("18*C_ba*K*log(kappa)/delta", "1/12 <= log(log(T_2))"),
                    ("3/2*C_ba*K/delta", E_AT_LEAST),
                    ("1", "1 <= 3/2*C_ba*K/delta"),
                ),
            ),
            Have(
                f"0 <= log({CALL_INNER})",
                plain(
                    ("1", f"log(1/({CALL_INNER})) <= 1/({CALL_INNER}) - 1"),
                    (f"1/({CALL_INNER})", f"1 <= {CALL_INNER}"),
                ),
            ),
            *LOGS,
            Name("log_inner", f"log({CALL_INNER})"),
            *added(("(log_inner + log(n/delta))*alpha*C_priv*beta**2*T_2**2/n**2", "log_inner <= log_n_delta")),
        ),
        candidates=(point("alpha=1 C_priv=1 beta=1 C_ba=1 K=1 kappa=3 delta=1/100000 T_2=3 n=1000"),),
        mutants=(
            mutant(
                "variant",
                "0.9 of the right side",
                f"{BALL_LOSS} <= 0.9*{BALL_NOTED}",
                f"alpha=1 C_priv=1 beta=1 C_ba=1 K={10**990} kappa=3 delta=10/61 T_2=16 n={10**1000}",
            ),
        ),
    ),
    step(
        "s11-call",
        "each call of O_ls and of O_bo has a loss alpha tau of at most eps/(6 C_ba K log kappa), at delta/(18 C_ba K "
        "log kappa), to which the logarithms in tau belong: the second and the third display from end to end, alpha, "
        "beta, T_1 and T_2 as in (30), (32) and (33)",
        f"max({LOSS}, {BALL_LOSS}) <= {BUDGET}",
        (
            positive("alpha"),
            C_PRIV,
            FAILURE,
            BETA,
            C_BA,
            CONSTANT,
            K,
            KAPPA,
            DIMENSION,
            RECORDS,
            EPS,
            DELTA,
            T_1,
            STEPS_BALL,
        ),
        given={
            f"{THM}/s11": SEARCH_CHAIN[0],
            f"{THM}/s12": SEARCH_CHAIN[1],
            f"{THM}/s12-second": SEARCH_CHAIN[2],
            f"{THM}/s11-ball": BALL_CHAIN[0],
            f"{THM}/s13": BALL_CHAIN[1],
            f"{THM}/s13-second": BALL_CHAIN[2],
        },
        ours=(LOG_OF_STEPS,),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, first display",
        printed=r"\left(\alpha,\frac{\epsilon_{\textup{dp}}}{6C_{\textup{ba}}K\log\kappa},"
        r"\frac{\delta}{18C_{\textup{ba}}K\log\kappa}\right)\text{-RDP}",
        argument=(
            Have(f"{LOSS} <= {BUDGET}", plain(*(("1", text) for text in SEARCH_CHAIN))),
            Have(f"{BALL_LOSS} <= {BUDGET}", plain(*(("1", text) for text in BALL_CHAIN))),
            Name("loss_search", LOSS),
            Name("loss_ball", BALL_LOSS),
            Name("budget", BUDGET),
            Solve(),
        ),
        candidates=(CLOSE,),
        mutants=(Mutant("variant", "a hundredth of the right side", f"max({LOSS}, {BALL_LOSS}) <= {BUDGET}/100"),),
    ),
)
