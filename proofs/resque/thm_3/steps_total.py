"""All oracles together, Corollary 1, and the preconditions of the oracles. Steps s17 and s18."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *

PLACE = f"{PROOF}, privacy, last sentence"
PARTS = {f"{THM}/s14-sum": "", f"{THM}/s16-second": ""}
PRINTED = r"\left(\alpha,\frac{\epsilon_{\textup{dp}}}{2},\frac{\delta}{6}\right)\text{-RDP}"
LARGEST_ORDER = f"1/(C_priv*{BETA_AT}**2*(2*log(n/delta))**2)"
"""Of Proposition 10 with its logarithm at most 2 log(n/delta)."""
LARGEST_ORDER_BALL = f"1/(C_priv*{BETA_AT}**2*log(n/delta)**2)"
"""Of Proposition 8 with its logarithm at most log(n/delta)."""

TOTAL_STEPS = (
    step(
        "s17-total",
        "in part, the third parameters: delta/9 + delta/18 = delta/6",
        "delta/9 + delta/18 == delta/6",
        (DELTA,),
        given={f"{THM}/s14-delta": "", f"{THM}/s17-event": ""},
        expects=Outcome.CONSISTENT,
        place=PLACE,
        printed=PRINTED,
    ),
    step(
        "s17-eps",
        "in part, the second parameters: eps/3 + eps/6 = eps/2",
        "eps_dp/3 + eps_dp/6 == eps_dp/2",
        (EPS,),
        given=PARTS,
        expects=Outcome.CONSISTENT,
        place=PLACE,
        printed=PRINTED,
    ),
    step(
        "s17",
        "Corollary 1 at delta' = delta/4, even with the event counted apart, n >= 100 (the choice delta/2, which alpha "
        "= 4 log(2/delta)/eps suggests, fails for eps > log 2)",
        "(1 + exp(eps_dp))*(delta/6 + delta/n) + delta/4 <= delta",
        (EPS, DELTA, RECORDS),
        enough=("100 <= n",),
        rests_on=("resque/COR-1",),
        kind=ClaimKind.PRIVACY,
        reads=Reads.READING,
        place=f"{PLACE}: `applying Corollary 1`, without the delta'",
        printed=r"\text{applying Corollary 1}",
        argument=(Scale("1/delta"), Rewrite(left="(1 + exp(eps_dp))*(1/6 + 1/n) + 1/4", right="1"), Boxes()),
        mutants=(
            mutant(
                "variant",
                "delta' = delta/2",
                "(1 + exp(eps_dp))*(delta/6 + delta/n) + delta/2 <= delta",
                "eps_dp=9/10 delta=1/10 n=1000000",
            ),
        ),
    ),
    step(
        "s17-order",
        "and eps/2 + log(4/delta)/(alpha - 1) <= eps for the alpha of (30)",
        f"eps_dp/2 + log(4/delta)/({ORDER} - 1) <= eps_dp",
        (EPS, DELTA),
        kind=ClaimKind.PRIVACY,
        reads=Reads.READING,
        place=f"{PLACE}: `applying Corollary 1`, without the delta'",
        printed=r"\text{applying Corollary 1}",
        argument=(
            Have("eps_dp/2 <= log(1/delta)", (Bound(left="1/2", argument=plain(("1/2", "eps_dp <= 1"))), Boxes())),
            Have("0 < 4*log(2/delta) - eps_dp", (Boxes(),)),
            Have("log(4/delta) <= 2*log(2/delta) - eps_dp/2", plain(("1", "eps_dp/2 <= log(1/delta)"))),
            Name("log_4_delta", "log(4/delta)"),
            Name("log_2_delta", "log(2/delta)"),
            Scale("(4*log_2_delta - eps_dp)/eps_dp"),
            *plain(("1", "log_4_delta <= 2*log_2_delta - eps_dp/2")),
        ),
        mutants=(
            mutant(
                "variant",
                "half the order",
                f"eps_dp/2 + log(4/delta)/({ORDER}/2 - 1) <= eps_dp",
                "eps_dp=9/10 delta=1/10",
            ),
        ),
    ),
    step(
        "s18-lower",
        "the order, lower end: the alpha of (30) is above 1",
        f"1 < {ORDER}",
        (EPS, DELTA),
        kind=ClaimKind.PRIVACY,
        place=f"{PROOF}, privacy, after the first display",
        printed=r"\text{our } \alpha \text{ is in the acceptable range}",
        argument=(
            Have("2 <= log(2/delta)", (Boxes(),)),
            Name("log_2_delta", "log(2/delta)"),
            Scale("eps_dp"),
            *plain(("4", "2 <= log_2_delta"), ("1", "eps_dp <= 1"), ("1", "0 < 7")),
        ),
        mutants=(mutant("constant", "11 in place of 1", f"11 < {ORDER}", "eps_dp=99/100 delta=16/100"),),
    ),
    step(
        "s18",
        "the order, upper end: the alpha of (30) is below the largest order of Proposition 10 with the beta of (30), "
        "for C^2 >= 32 C_priv",
        f"{ORDER} <= {LARGEST_ORDER}",
        (CONSTANT, C_PRIV, EPS, DELTA, RECORDS),
        given={f"{THM}/s11-log": ""},
        enough=("32*C_priv <= C**2",),
        kind=ClaimKind.PRIVACY,
        place=f"{PROOF}, privacy, after the first display",
        printed=r"\text{our } \alpha \text{ is in the acceptable range}",
        argument=(
            *TWICE,
            *LOGS,
            Scale("4*C_priv*eps_dp**2"),
            *added(
                ("log(1/delta)", "32*C_priv <= C**2"),
                ("32*C_priv*log(1/delta)", "eps_dp <= 1"),
                ("16*C_priv*eps_dp", "log(2/delta) <= 2*log(1/delta)"),
            ),
        ),
        candidates=(point("C=6 C_priv=1 eps_dp=99/100 delta=1/7 n=10"),),
        mutants=(
            mutant(
                "variant",
                "ten times alpha",
                f"10*{ORDER} <= {LARGEST_ORDER}",
                "C=6 C_priv=1 eps_dp=99/100 delta=1/7 n=10",
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
        "the order for the ball oracle: the alpha of (30) is below the largest order of Proposition 8 as it is "
        "printed, with the beta of (30) and the paper's log(n/delta) for its logarithm (s18-loglog), for C^2 >= 8 "
        "C_priv",
        f"{ORDER} <= {LARGEST_ORDER_BALL}",
        (CONSTANT, C_PRIV, EPS, DELTA, RECORDS),
        enough=("8*C_priv <= C**2",),
        kind=ClaimKind.PRIVACY,
        place=f"{PROOF}, privacy, after the second display: `our alpha is again acceptable`",
        printed=r"\text{our } \alpha \text{ is again acceptable}",
        argument=(
            *TWICE,
            *LOGS,
            Scale("C_priv*eps_dp**2"),
            *added(
                ("log(1/delta)", "8*C_priv <= C**2"),
                ("8*C_priv*log(1/delta)", "eps_dp <= 1"),
                ("4*C_priv*eps_dp", "log(2/delta) <= 2*log(1/delta)"),
            ),
        ),
        candidates=(point("C=3 C_priv=1 eps_dp=99/100 delta=1/7 n=10"),),
        mutants=(
            mutant(
                "variant",
                "ten times alpha",
                f"10*{ORDER} <= {LARGEST_ORDER_BALL}",
                "C=3 C_priv=1 eps_dp=99/100 delta=1/7 n=10",
            ),
        ),
    ),
    step(
        "s18-radius",
        "in part, the radius (the rate T_1/n is s18-steps with s18-rate~repaired): rho/r = sqrt(C) log^2(n/delta) >= "
        "C_priv (2 log(n/delta))^2, for C >= (4 C_priv)^2",
        f"C_priv*(2*log(n/delta))**2 <= {RHO}/{BALL}",
        (CONSTANT, C_PRIV, LIPSCHITZ, RADIUS, KAPPA, DIMENSION, RECORDS, DELTA),
        given={f"{THM}/s11-log": ""},
        enough=("4*C_priv <= sqrt(C)",),
        place=f"{PROOF}, privacy, after the first display",
        printed=r"\text{The preconditions of Proposition 10 are met}",
        argument=(*LOGS, *added(("log(n/delta)**2", "4*C_priv <= sqrt(C)"))),
        candidates=(point("C=16 C_priv=1 L=1 R=1 kappa=2 d=1 n=10 delta=1/10"),),
        mutants=(
            mutant(
                "variant",
                "0.9 of the right side",
                f"C_priv*(2*log(n/delta))**2 <= 0.9*{RHO}/{BALL}",
                "C=16 C_priv=1 L=1 R=1 kappa=2 d=1 n=10 delta=1/10",
            ),
        ),
    ),
)
