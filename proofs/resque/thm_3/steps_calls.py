"""The privacy of all line searches and ball oracles. Step s14, and a run."""

from dpaudit.claims.writing import *

from .attacks import many_calls
from .notation import *
from .ours_search import CALLS, ITERATIONS, WEIGHTS
from .symbols import *

CALL_STEPS = (
    erratum(
        "s14",
        "The reason given: all of the at most C_ba K log kappa calls to O_ls and O_bo: the line searches are at "
        "most C_ba K log kappa, for some C_ba > 0",
        f"({ITERATIONS})*({CALLS}) <= {ITERATIONS}",
        (constant("C_ba", "(0, oo)", "of Proposition 1"), K, KAPPA),
        reads=Reads.REASON,
        place=f"{PROOF}, privacy, after the third display",
        printed=r"\text{all of the at most } C_{\textup{ba}}K\log\kappa\text{ calls to }\mathcal{O}_{\textup{ls}}"
        r"\text{ and }\mathcal{O}_{\textup{bo}}",
        argument=(many_calls("C_ba*root_n*log(10)"),),
        finding=(
            "The slip of s5 again, and not shown to harm the conclusion: Proposition 1 has up to C_ba log(R kappa/r) "
            "line searches in each iteration, so the budget eps/(6 C_ba K log kappa) per call adds up to more than "
            "eps/6. (31) leaves a factor log^2 n, so that with the budget divided by that logarithm too the display "
            "holds (s14-room)."
        ),
        repair=f"{THM}/s14~repaired",
    ),
    step(
        "s14-sum",
        "so many calls of each of the two, with eps/(6 C_ba K log kappa) and delta/(18 C_ba K log kappa) each, have "
        "eps/3 and delta/9: both parameters, as the coefficients of any real a and b",
        f"2*{ITERATIONS}*(a*eps_dp/(6*{ITERATIONS}) + b*delta/(18*{ITERATIONS})) == a*eps_dp/3 + b*delta/9",
        (C_BA, K, KAPPA, EPS, DELTA, *WEIGHTS),
        given={f"{THM}/s14": "", f"{THM}/s11-call": ""},
        rests_on=("resque/LEM-3",),
        expects=Outcome.CONSISTENT,
        place=f"{PROOF}, privacy, after the third display",
        printed=r"\left(\alpha,\frac{\epsilon_{\textup{dp}}}{3},\frac{\delta}{9}\right)\text{-RDP}",
        argument=(*OF_KAPPA, Identical()),
    ),
    Step(
        "r14-run",
        "A run of ours: the shipped algorithm stays within the C_ba log(R kappa/r) line searches an iteration of "
        "Proposition 1, and needs more than one in some iterations",
        None,
        reads=Reads.OURS,
        kind=ClaimKind.COST,
        empirical=(Count("searches", "<=", near_miss=0.14, cases=10),),
        expects=Outcome.CONSISTENT,
    ),
)
