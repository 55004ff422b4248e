"""The preconditions of the oracles: the order, the radius and the rate. Step s18."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *

PLACE = f"{PROOF}, privacy"
SEARCH_ORDER = f"{ORDER}*C_priv*{BETA_AT}**2*(2*log(n/delta))**2"
"""The order over the largest one of Proposition 10 with its logarithm at most 2 log(n/delta)."""
BALL_ORDER = f"{ORDER}*C_priv*{BETA_AT}**2*log(n/delta)**2"
"""The order over the largest one of Proposition 8 with its logarithm at most log(n/delta)."""
SETTING_OF_ORDER = (CONSTANT, C_PRIV, EPS, DELTA, RECORDS)
RATIO = f"{BALL}/{RHO}"
BALL_NOISE, BALL_RADIUS = f"C_priv*{BETA_AT}**2*log(n/delta)**2", f"C_priv*log(n/delta)**2*{RATIO}"


def within(order, *terms):
    """The argument for 1 < alpha and for the largest order to be above it."""
    return (
        Have("1 <= log(2/delta)", (Boxes(),)),
        *TWICE,
        *LOGS,
        Have(
            "1/(4*log_2_delta/eps_dp) < 1",
            (Scale("4*log_2_delta"), *plain(("1", "eps_dp < 1"), ("4", "1 <= log_2_delta"), ("1", "0 <= 3"))),
        ),
        Have(named(f"{order} < 1"), (Scale("C**2*log_1_delta"), *added(*terms))),
        Name("least_share", "1/(4*log_2_delta/eps_dp)"),
        Name("largest_share", named(order)),
        Solve(),
    )


ORDER_STEPS = (
    step(
        "s18",
        "the order: the alpha of (30) is above 1 and below the largest order of Proposition 10 with the beta of (30) "
        "and its logarithm at most 2 log(n/delta), for C^2 >= 32 C_priv: both shares are below 1",
        f"max(1/{ORDER}, {SEARCH_ORDER}) < 1",
        SETTING_OF_ORDER,
        given={f"{THM}/s11-log": ""},
        enough=("32*C_priv <= C**2",),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, after the first display",
        printed=r"\text{our } \alpha \text{ is in the acceptable range}",
        argument=within(
            SEARCH_ORDER,
            ("log(1/delta)", "32*C_priv <= C**2"),
            ("32*C_priv*log(1/delta)", "eps_dp < 1"),
            ("16*C_priv*eps_dp", "log(2/delta) <= 2*log(1/delta)"),
        ),
        candidates=(point("C=6 C_priv=1 eps_dp=99/100 delta=1/7 n=10"),),
        mutants=(
            mutant(
                "variant",
                "ten times alpha",
                f"max(1/{ORDER}, 10*{SEARCH_ORDER}) < 1",
                "C=6 C_priv=1 eps_dp=99/100 delta=1/7 n=10",
            ),
            mutant(
                "lower",
                "twelve times the lower end",
                f"max(12/{ORDER}, {SEARCH_ORDER}) < 1",
                "C=6 C_priv=1 eps_dp=99/100 delta=16/100 n=10",
            ),
        ),
    ),
    step(
        "s18-loglog",
        "log(log log T_2/delta) <= log(n/delta), for T_2 >= 3 (at delta as it is printed; at the delta/(18 C_ba K log "
        "kappa) of a call it is s18-call)",
        "log(log(log(T_2))/delta) <= log(n/delta)",
        (real("T_2", "[3, oo)", "(33)"), T_3, RECORDS, DELTA),
        given={f"{THM}/s18-steps-ball": "T_2 <= T_3", f"{THM}/s11-steps": "T_3 <= n**2"},
        kind=ClaimKind.PRIVACY,
        place=f"{PROOF}, privacy, after the second display",
        printed=r"\log\left(\frac{\log\log T}{\delta}\right)\leq\log\frac{n}{\delta}",
        argument=(
            Have(
                "log(T_2) <= 2*log(n)",
                plain(("1", "log(T_2/n**2) <= T_2/n**2 - 1"), ("1/n**2", "T_2 <= T_3"), ("1/n**2", "T_3 <= n**2")),
            ),
            Have(
                "1 < log(T_2)",
                plain(("1", "log(exp(1)/T_2) <= exp(1)/T_2 - 1"), ("1/T_2", "3 <= T_2"), ("1/T_2", "exp(1) < 3")),
            ),
            Have("2*log(n) - 1 <= n", plain(("2", "log(n/2) <= n/2 - 1"), ("1", "2*log(2) <= 3"))),
            Name("log_steps", "log(T_2)"),
            Have("log(log_steps) <= log_steps - 1"),
            Have(
                "0 < log(log_steps)",
                plain(("1", "log(1/log_steps) <= 1/log_steps - 1"), ("1/log_steps", "1 < log_steps")),
            ),
            Name("log_log_steps", "log(log_steps)"),
            *plain(
                ("1", "log(log_log_steps/n) <= log_log_steps/n - 1"),
                ("1/n", "log_log_steps <= log_steps - 1"),
                ("1/n", "log_steps <= 2*log(n)"),
                ("1/n", "2*log(n) - 1 <= n"),
            ),
        ),
        candidates=(point("T_2=10 T_3=10 n=10 delta=1/10"),),
        mutants=(
            mutant(
                "variant",
                "1 in place of n",
                "log(log(log(T_2))/delta) <= log(1/delta)",
                "T_2=20 T_3=20 n=10 delta=1/10",
            ),
        ),
    ),
    step(
        "s18-ball",
        "the order for the ball oracle: the alpha of (30) is above 1 and below the largest order of Proposition 8 as "
        "it is printed, with the beta of (30) and the paper's log(n/delta) for its logarithm (s18-loglog), for C^2 >= "
        "8 C_priv: both shares are below 1",
        f"max(1/{ORDER}, {BALL_ORDER}) < 1",
        SETTING_OF_ORDER,
        given={f"{THM}/s18-loglog": ""},
        enough=("8*C_priv <= C**2",),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, after the second display: `our alpha is again acceptable`",
        printed=r"\text{our } \alpha \text{ is again acceptable}",
        argument=within(
            BALL_ORDER,
            ("log(1/delta)", "8*C_priv <= C**2"),
            ("8*C_priv*log(1/delta)", "eps_dp < 1"),
            ("4*C_priv*eps_dp", "log(2/delta) <= 2*log(1/delta)"),
        ),
        candidates=(point("C=3 C_priv=1 eps_dp=99/100 delta=1/7 n=10"),),
        mutants=(
            mutant(
                "variant",
                "ten times alpha",
                f"max(1/{ORDER}, 10*{BALL_ORDER}) < 1",
                "C=3 C_priv=1 eps_dp=99/100 delta=1/7 n=10",
            ),
        ),
    ),
    step(
        "s18-radius",
        "the radius and the rate: rho/r = sqrt(C) log^2(n/delta) >= C_priv (2 log(n/delta))^2, for C >= (4 C_priv)^2, "
        "and T_1/n <= 1/C_priv, for kappa >= 64 C_priv^3 C (below it see s18-rate): both shares are at most 1",
        f"max(C_priv*(2*log(n/delta))**2*{RATIO}, C_priv*T_1/n) <= 1",
        (CONSTANT, C_PRIV, LIPSCHITZ, RADIUS, KAPPA, T_1, T_3, DIMENSION, RECORDS, DELTA),
        given={
            f"{THM}/s11-log": "",
            f"{THM}/s18-steps": "T_1 <= T_3",
            f"{THM}/s18-rate~repaired": "T_3 <= n/(2*C_priv)",
        },
        enough=("4*C_priv <= sqrt(C)",),
        ours=("64*C_priv**3*C <= kappa",),
        place=f"{PLACE}, after the first display",
        printed=r"\text{The preconditions of Proposition 10 are met}",
        argument=(
            *LOGS,
            Have(
                f"C_priv*(2*log_n_delta)**2*{named(RATIO)} <= 1",
                (Scale("sqrt(C)"), *plain(("1", "4*C_priv <= sqrt(C)"))),
            ),
            Have(
                "C_priv*T_1/n <= 1",
                plain(("C_priv/n", "T_1 <= T_3"), ("C_priv/n", "T_3 <= n/(2*C_priv)"), ("1/2", "0 <= 1")),
            ),
            Name("radius_share", f"C_priv*(2*log_n_delta)**2*{named(RATIO)}"),
            Name("rate_share", "C_priv*T_1/n"),
            Solve(),
        ),
        candidates=(point("C=16 C_priv=1 L=1 R=1 kappa=2000 T_1=1 T_3=1 d=1 n=10 delta=1/10"),),
        mutants=(
            mutant(
                "variant",
                "0.9 of the right side",
                f"max(C_priv*(2*log(n/delta))**2*{RATIO}, C_priv*T_1/n) <= 0.9",
                "C=16 C_priv=1 L=1 R=1 kappa=2000 T_1=1 T_3=1 d=1 n=10 delta=1/10",
            ),
        ),
    ),
    step(
        "s18-radius-ball",
        "the noise, the radius and the rate for the ball oracle, with the delta/(18 C_ba K log kappa) of a call in the "
        "logarithms (s18-call, s18-call-log): beta^2 log^2(n/delta) <= 1/C_priv, rho/r >= C_priv log^2(n/delta) and "
        "T_2/n <= 1/C_priv, for C >= C_priv^2 and kappa >= 64 C_priv^3 C: all shares are at most 1",
        f"max({BALL_NOISE}, max({BALL_RADIUS}, C_priv*T_2/n)) <= 1",
        (CONSTANT, C_PRIV, LIPSCHITZ, RADIUS, KAPPA, T_2, T_3, DIMENSION, RECORDS, EPS, DELTA),
        given={
            f"{THM}/s18-call": "",
            f"{THM}/s18-call-log": "",
            f"{THM}/s18-steps-ball": "T_2 <= T_3",
            f"{THM}/s18-rate~repaired": "T_3 <= n/(2*C_priv)",
        },
        enough=("C_priv <= sqrt(C)",),
        ours=("64*C_priv**3*C <= kappa",),
        place=f"{PLACE}, after the second display",
        printed=r"\text{The preconditions of Proposition 8 are met}",
        argument=(
            *LOGS,
            Have("C_priv <= C**2", plain(("1", "C_priv <= sqrt(C)"), ("sqrt(C)", "1 <= C**(3/2)"))),
            Have(
                named(f"{BALL_NOISE} <= 1"),
                (
                    Scale("C**2*log_1_delta"),
                    *added(
                        ("C_priv*(1 + eps_dp)", "eps_dp < 1"),
                        ("1", "C_priv <= C**2"),
                        ("C**2*100/179", "179/100 <= log(1/delta)"),
                        ("C**2*79/179*log(1/delta)", "0 <= 1"),
                    ),
                ),
            ),
            Have(named(f"{BALL_RADIUS} <= 1"), (Scale("sqrt(C)"), *plain(("1", "C_priv <= sqrt(C)")))),
            Have(
                "C_priv*T_2/n <= 1",
                plain(("C_priv/n", "T_2 <= T_3"), ("C_priv/n", "T_3 <= n/(2*C_priv)"), ("1/2", "0 <= 1")),
            ),
            Name("noise_share", named(BALL_NOISE)),
            Name("radius_share", named(BALL_RADIUS)),
            Name("rate_share", "C_priv*T_2/n"),
            Solve(),
        ),
        candidates=(point("C=4 C_priv=2 L=1 R=1 kappa=4000 T_2=1 T_3=1 d=1 n=10 eps_dp=1/2 delta=1/10"),),
        mutants=(
            mutant(
                "variant",
                "0.9 of the right side",
                f"max({BALL_NOISE}, max({BALL_RADIUS}, C_priv*T_2/n)) <= 0.9",
                "C=4 C_priv=2 L=1 R=1 kappa=4000 T_2=1 T_3=1 d=1 n=10 eps_dp=1/2 delta=1/10",
            ),
        ),
    ),
)
