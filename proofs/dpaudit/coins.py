"""Coins that are right no more often than p, one by one, and the exceptions of delta (`estimators.nested_guesses`)."""

from dpaudit.claims.writing import *

HERE, NESTED, ATOMS = "dpaudit/COINS", "dpaudit/NESTED", "dpaudit/ATOMS"
P, LARGEST = real("p", "[0, 1]", "chance that the guess is right"), real("r", "[0, 1]", "e^eps/(1 + e^eps)")
WITH, WITHOUT = real("a", "[0, 1]", "probability of the event if it is right"), real("b", "[0, 1]", "if it is wrong")
GUESSES = integer("n", "[1, oo)", "guesses")
CHANCE = sequence("e", "[0, 1]", "e[i]: probability of the event with i guesses replaced by coins of probability r")
REACHED = real("reached", "[0, 1]", "probability that some threshold is reached")
MANY = real("many", "[0, 1]", "P(X >= m)")
EXCEPTIONS = integer("m", "[1, oo)", "exceptions that are followed one by one")
JOINT = sequence("joint", "[0, 1]", "joint[x]: P(a threshold is reached and X = x)")
LAW = sequence("f", "[0, 1]", "f[x]: P(X = x)")
COINS = sequence("c", "[0, 1]", "c[x]: probability that coins reach a threshold lowered by x")
FAILS = tuple(real(name, "[0, 1]") for name in ("printed", "nested", "pooled"))
ALPHA = real("alpha", "[0, 1]")

CLAIMS = (
    Claim(
        id=HERE,
        title="guesses that are right no more often than coins reach a threshold no more often",
        words=(
            "An event that one more right guess does not undo, such as reaching a threshold at one of three nested "
            "numbers of guesses, has probability a if this guess is right and b <= a if it is wrong. Given the others, "
            "the guess is right with probability p <= r: a coin of probability r in its place makes the event no less "
            "likely. With all guesses replaced, one after the other: `all`."
        ),
        place="dpaudit/estimators/nested_guesses.py",
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        statement=Statement("p*a + (1 - p)*b <= r*a + (1 - r)*b", (P, LARGEST, WITH, WITHOUT), ("p <= r", "b <= a")),
        argument=(Combine((("a - b", "p <= r"),)),),
        candidates=(point("p=0 r=1 a=1 b=0"),),
        mutants=(
            Mutant("undone", "b may be larger", conditions=("p <= r",), candidates=(point("p=0 r=1 a=0 b=1"),)),
            Mutant("any", "p may be larger", conditions=("b <= a",), candidates=(point("p=1 r=0 a=1 b=0"),)),
        ),
        steps=(
            step(
                "all",
                "where no replacement makes the event less likely, all of them together do not",
                "e[0] <= e[n]",
                (GUESSES, CHANCE),
                ("all(i, 0, n - 1, e[i] <= e[i + 1])",),
                kind=ClaimKind.TAIL,
                argument=(Induct("n", base=(AtIndex("0"), Combine((("1", "e[0] <= e[0 + 1]"),)))),),
                candidates=(point("n=2 e=[0,1/2,1]"),),
                mutants=(mutant("half", "half of it", "e[0] <= e[n]/2", "n=1 e=[1/2,1/2]"),),
            ),
        ),
    ),
    Claim(
        id=NESTED,
        title="X trials are exceptions of probability delta: what that adds to the tail",
        words=(
            "X, the number of trials that delta makes an exception, has probabilities f[x]. Given X = x the right "
            "guesses are at most those of coins, plus x, so that a threshold is reached with probability at most "
            "c[x], that of coins that reach it lowered by x. Then some threshold is reached with probability at most "
            "P(X >= m) plus the sum of f[x] c[x] over x < m. How many sizes are looked at plays no role: c[x] is of "
            "any of them."
        ),
        place="dpaudit/estimators/nested_guesses.py",
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        statement=Statement(
            "reached <= many + sum(x, 0, m - 1, f[x]*c[x])",
            (REACHED, MANY, EXCEPTIONS, JOINT, LAW, COINS),
            ("reached <= many + sum(x, 0, m - 1, joint[x])", "all(x, 0, m - 1, joint[x] <= f[x]*c[x])"),
        ),
        argument=(
            Have(
                "sum(x, 0, m - 1, joint[x]) <= sum(x, 0, m - 1, f[x]*c[x])",
                (Termwise((AtIndex("x"), Combine((("1", "joint[x] <= f[x]*c[x]"),)))),),
            ),
            Combine(
                (
                    ("1", "reached <= many + sum(x, 0, m - 1, joint[x])"),
                    ("1", "sum(x, 0, m - 1, joint[x]) <= sum(x, 0, m - 1, f[x]*c[x])"),
                )
            ),
        ),
        candidates=(point("reached=1/2 many=0 m=1 joint=[1/2] f=[1] c=[1/2]"),),
        mutants=(
            mutant(
                "without",
                "without the exceptions that are not followed",
                "reached <= 0*many + sum(x, 0, m - 1, f[x]*c[x])",
                "reached=1 many=1 m=1 joint=[0] f=[0] c=[0]",
            ),
        ),
    ),
    Claim(
        id=ATOMS,
        title="two bounds, chosen between by what they are computed of, fail with probability at most 2 alpha",
        words=(
            "Held-out scores that take part in the guesses at fixed ranks say whether these are printed, or the "
            "pooled guesses. Each of the two bounds fails with probability at most alpha; the one that is printed "
            "fails with probability at most 2 alpha, however the choice depends on the scores. With alpha = 5 % that "
            "is 10 %, and it cannot be less where nothing is known of the choice (mutant)."
        ),
        place="dpaudit/estimators/nested_guesses.py",
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        statement=Statement(
            "printed <= 2*alpha", (*FAILS, ALPHA), ("printed <= nested + pooled", "nested <= alpha", "pooled <= alpha")
        ),
        candidates=(point("printed=1/10 nested=1/20 pooled=1/20 alpha=1/20"),),
        mutants=(
            mutant("once", "alpha", "printed <= 1*alpha", "printed=1/10 nested=1/20 pooled=1/20 alpha=1/20"),
            mutant("less", "199/100", "printed <= 199/100*alpha", "printed=1/10 nested=1/20 pooled=1/20 alpha=1/20"),
        ),
    ),
)
