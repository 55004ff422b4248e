"""How error probabilities are shared: bounds that hold whenever a game ends, and coins that give trials their sides."""

from dpaudit.claims.writing import *

LOOKS, SIDES = "dpaudit/LOOKS", "dpaudit/SIDES"
NUMBER, ALPHA = integer("K", "[1, oo)", "numbers of trials at which the game may end"), real("alpha", "[0, 1]")
PRINTED = real("printed", "[0, 1]", "P(the printed bound is too high)")
FAILS = sequence("f", "[0, 1]", "f[k]: P(the bound at the k-th number of trials is too high)")
ENDS = sequence("g", "[0, 1]", "g[k]: P(the game ends there and its bound is too high)")
TRIALS, ON_D = integer("T", "[0, oo)", "coins"), integer("a", "[0, oo)", "trials on D")
SMALLER, ROOT = real("n", "[0, oo)", "trials on the smaller side"), real("u", "[0, oo)", "square root of T")

CLAIMS = (
    Claim(
        id=LOOKS,
        title="bounds that hold whenever the game ends",
        words=(
            "A game may end at K numbers of trials, fixed beforehand. At each of them the bound has the error "
            "probability alpha/K. Whatever decides where the game ends, the printed bound is too high with "
            "probability at most alpha."
        ),
        place="docs/statistics.md, Bets",
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        statement=Statement(
            "printed <= alpha",
            (PRINTED, NUMBER, ALPHA, ENDS, FAILS),
            (
                "printed == sum(k, 1, K, g[k])",
                "all(k, 1, K, g[k] <= f[k])",
                "all(k, 1, K, f[k] <= alpha/K)",
            ),
        ),
        argument=(
            Have(
                "sum(k, 1, K, g[k]) <= sum(k, 1, K, alpha/K)",
                (Termwise((AtIndex("k"), Combine((("1", "g[k] <= f[k]"), ("1", "f[k] <= alpha/K"))))),),
            ),
            Combine((("-1", "printed == sum(k, 1, K, g[k])"), ("1", "sum(k, 1, K, g[k]) <= sum(k, 1, K, alpha/K)"))),
        ),
        candidates=(point("printed=0 K=1 alpha=1/20 g=[0,0] f=[0,0]"),),
        mutants=(
            mutant(
                "half", "half of alpha", "printed <= alpha/2", "printed=1/20 K=1 alpha=1/20 g=[1/20,1/20] f=[1/20,1/20]"
            ),
            Mutant(
                "whole",
                "each bound with alpha",
                conditions=(
                    "printed == sum(k, 1, K, g[k])",
                    "all(k, 1, K, g[k] <= f[k])",
                    "all(k, 1, K, f[k] <= alpha)",
                ),
                candidates=(point("printed=1/10 K=2 alpha=1/20 g=[1/20,1/20,1/20] f=[1/20,1/20,1/20]"),),
            ),
        ),
    ),
    Claim(
        id=SIDES,
        title="trials that are drawn without looking have sides of fair coins",
        words=(
            "T fair coins say that a trials are of D, and each of the C(T, a) ways to place these among T trials is "
            "equally likely. Then each sequence of sides has probability 2^-T: the sides are T independent fair "
            "coins. As the trials of a side are independent and alike, it does not matter which of them are taken."
        ),
        place="dpaudit/estimators/pooled_guesses.py and nested_guesses.py",
        kind=ClaimKind.IDENTITY,
        reads=Reads.OURS,
        statement=Statement("binomial(T, a)/2**T*(1/binomial(T, a)) == 2**(-T)", (TRIALS, ON_D), ("a <= T",)),
        argument=(Identical(),),
        candidates=(point("T=3 a=1"),),
        steps=(
            step(
                "room",
                "the largest T with T/2 + 2 sqrt(T) <= n: its root is sqrt(4 + 2 n) - 2",
                "(sqrt(4 + 2*n) - 2)**2/2 + 2*(sqrt(4 + 2*n) - 2) == n",
                (SMALLER,),
            ),
            step(
                "largest",
                "and a larger root leaves less room",
                "u <= sqrt(4 + 2*n) - 2",
                (SMALLER, ROOT),
                ("u**2/2 + 2*u <= n",),
                argument=(
                    Shift("2"),
                    Power("2"),
                    Combine((("2", "u**2/2 + 2*u <= n"),)),
                ),
                candidates=(point("n=6 u=2"),),
                mutants=(mutant("more", "3 in place of 2", "u <= sqrt(4 + 2*n) - 3", "n=6 u=2"),),
            ),
        ),
    ),
)
