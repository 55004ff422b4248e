"""Many canaries in one training (`estimators.one_run` and `one_run_fdp`): the inequality, and the number of guesses.

The inequality behind the recursion is a mean over canaries, `dpaudit/FLIP`. The theorems of Steinke, Nasr and Jagielski
(2023) and of Mahloujifar, Melis and Chaudhuri (2024) are about a number of guesses that is fixed. dpaudit took it from
the scores of a held-out tenth once, which the same training made: `dpaudit/GUESS-NUMBER` is what that would need, and
it is false for delta > 0. The numbers follow from the number of canaries alone now.
"""

from dpaudit.claims.writing import *

FLIP, NUMBER, REPAIRED = "dpaudit/FLIP", "dpaudit/GUESS-NUMBER", "dpaudit/GUESS-NUMBER~repaired"
CANARIES = integer("m", "[1, oo)", "canaries")
EPS, DELTA = real("eps", "[0, oo)"), real("delta", "[0, 1)")
RIGHT = sequence("x", "[0, 1]", "x[j]: P(the guess of canary j is right, and at least c are)")
WRONG = sequence("y", "[0, 1]", "y[j]: P(it is wrong, and at least c - 1 are right)")
EACH = "all(j, 1, m, x[j] <= exp(eps)*y[j] + delta)"
REVEALED = real("w", "[0, 1]", "with which probability 27 random coins are told, and 27 guesses are made")
KINDS = integer("K", "[1, oo)", "numbers of guesses that can be chosen")
EITHER, ALPHA = real("refuted", "[0, 1]", "P(the claim is refuted)"), real("alpha", "[0, 1]")
LEAST = sequence("f", "[0, 1]", "f[k]: P(the guesses of the k-th number refute, were it always this one)")
ENDS = sequence("g", "[0, 1]", "g[k]: P(the k-th number is chosen, and its guesses refute)")
SURE, RESPONSE = "w", "(1 - w)*binomial_cdf(217, 900, 1/(1 + exp(1)))"
TOLD = "27*w <= 900*(133/100000)"

CLAIMS = (
    Claim(
        id=FLIP,
        title="flipping the coin of one random canary",
        words=(
            "To flip the coin of canary j is a step between neighbours, and makes a right guess there a wrong one: "
            "x[j] <= e^eps y[j] + delta for each of m canaries. The mean over the canaries keeps the line. With a "
            "curve in the place of the line, the mean is on the right side of each of its lines, and so of the "
            "curve, which is concave."
        ),
        place="dpaudit/estimators/one_run_fdp.py",
        kind=ClaimKind.PRIVACY,
        reads=Reads.OURS,
        statement=Statement(
            "sum(j, 1, m, x[j])/m <= exp(eps)*(sum(j, 1, m, y[j])/m) + delta",
            (CANARIES, EPS, DELTA, RIGHT, WRONG),
            (EACH,),
        ),
        argument=(
            Have(
                "sum(j, 1, m, x[j]) <= sum(j, 1, m, exp(eps)*y[j] + delta)",
                (Termwise((AtIndex("j"), Combine((("1", "x[j] <= exp(eps)*y[j] + delta"),)))),),
            ),
            Combine((("1/m", "sum(j, 1, m, x[j]) <= sum(j, 1, m, exp(eps)*y[j] + delta)"),)),
        ),
        candidates=(point("m=1 eps=0 delta=0 x=[1,1] y=[1,1]"),),
        mutants=(
            mutant(
                "half",
                "half of delta",
                "sum(j, 1, m, x[j])/m <= exp(eps)*(sum(j, 1, m, y[j])/m) + delta/2",
                "m=1 eps=0 delta=1/2 x=[1/2,1/2] y=[0,0]",
            ),
        ),
        steps=(
            step(
                "chosen",
                "with delta = 0 nothing is lost by choosing the number of guesses: given all that was released each "
                "guess is right with probability e^eps/(1 + e^eps) at most (dpaudit/GUESS), so that at each number "
                "that is chosen, the k-th with probability c[k], the claim is refuted with probability at most "
                "alpha, and so on the whole",
                "sum(k, 1, K, c[k]*f[k]) <= alpha",
                (KINDS, ALPHA, sequence("c", "[0, 1]", "c[k]: P(the k-th number is chosen)"), LEAST),
                ("sum(k, 1, K, c[k]) == 1", "all(k, 1, K, f[k] <= alpha)"),
                kind=ClaimKind.TAIL,
                argument=(
                    Have(
                        "sum(k, 1, K, c[k]*f[k]) <= sum(k, 1, K, c[k]*alpha)",
                        (Termwise((AtIndex("k"), Combine((("c[k]", "f[k] <= alpha"),)))),),
                    ),
                    Combine(
                        (
                            ("1", "sum(k, 1, K, c[k]*f[k]) <= sum(k, 1, K, c[k]*alpha)"),
                            ("alpha", "sum(k, 1, K, c[k]) == 1"),
                        )
                    ),
                ),
                candidates=(point("K=1 alpha=1/20 c=[1,1] f=[1/20,1/20]"),),
                mutants=(
                    mutant(
                        "half",
                        "half of alpha",
                        "sum(k, 1, K, c[k]*f[k]) <= alpha/2",
                        "K=1 alpha=1/20 c=[1,1] f=[1/20,1/20]",
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id=NUMBER,
        title="the number of guesses may follow from the training, at delta > 0",
        words=(
            "A claim that holds is refuted with probability at most alpha, also where the number of guesses follows "
            "from what the training released. Here for the claim (1, 0.00133), alpha = 5 %, and 900 counted "
            "canaries, of which the training, with probability w, tells 27 random coins, and else answers each coin "
            "by randomised response with epsilon 1. Each coin is told with probability 27 w/900, so that the claim "
            "holds where that is at most delta. 27 of 27 right guesses, and 683 of 900, refute the claim at 5 % (the "
            "test beside the estimator). The first are made with probability w, the second with that of the binomial "
            "tail."
        ),
        place="dpaudit/estimators/one_run_fdp.py, before this was found",
        kind=ClaimKind.PRIVACY,
        reads=Reads.PRINTED,
        statement=Statement(f"{SURE} + {RESPONSE} <= 1/20", (REVEALED,), (TOLD,)),
        expects=Outcome.REFUTED,
        candidates=(point("w=11/250"),),
        finding=(
            "Refuted at 7.4 % in place of 5 %: the theorems speak of one fixed number of guesses, and an adversary "
            "who makes few sure guesses, where the training tells coins, and many unsure ones elsewhere, collects "
            "both errors. At delta = 0 nothing is lost (dpaudit/FLIP/chosen). With K numbers to choose from, each at "
            "alpha/K, it holds (repair)."
        ),
        repair=REPAIRED,
    ),
    Claim(
        id=REPAIRED,
        title="with K numbers of guesses to choose from, each is tested at alpha/K",
        words=(
            "If the guesses of each of K numbers, were it always this one, refute a claim that holds with "
            "probability at most alpha/K, then those of the number that is chosen refute it with probability at most "
            "alpha, whatever chooses. K = 1 is the number that is fixed beforehand."
        ),
        place="dpaudit/estimators/one_run_fdp.py",
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        statement=Statement(
            "refuted <= alpha",
            (EITHER, KINDS, ALPHA, LEAST, ENDS),
            (
                "refuted == sum(k, 1, K, g[k])",
                "all(k, 1, K, g[k] <= f[k])",
                "all(k, 1, K, f[k] <= alpha/K)",
            ),
        ),
        rests_on=("dpaudit/LOOKS",),
        argument=(ByTheorem("dpaudit/LOOKS", at=where("printed=refuted")),),
        candidates=(point("refuted=0 K=1 alpha=1/20 g=[0,0] f=[0,0]"),),
        mutants=(
            Mutant(
                "whole",
                "each number with alpha",
                conditions=(
                    "refuted == sum(k, 1, K, g[k])",
                    "all(k, 1, K, g[k] <= f[k])",
                    "all(k, 1, K, f[k] <= alpha)",
                ),
                candidates=(point("refuted=1/10 K=2 alpha=1/20 g=[1/20,1/20,1/20] f=[1/20,1/20,1/20]"),),
            ),
        ),
    ),
)
