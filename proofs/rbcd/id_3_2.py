"""Definition 3.2 and what follows it: the sketch C(S) = I_S P^-1 is unbiased.

Any distribution over the subsets of [d] is meant: its sets are numbered so that the first r contain the coordinate j,
and p_j is the sum of their probabilities; where S does not contain j, the coordinate j of C x is 0 and adds nothing to
the mean. Of Assumption 3.1 only "proper" (p_j > 0) is used, "nonvacuous" is not.
"""

from dpaudit.claims.writing import *

CHANCE = sequence("q", "[0, 1]", "q[k]: the probability that S is the k-th set")
HOLDING = integer("r", "[1, oo)", "how many of the sets contain j")
P_J = "sum(i, 1, r, q[i])"
PROPER = f"0 < {P_J}"
SYMBOLS = (CHANCE, HOLDING)
X = real("x", "(-oo, oo)", "x_j")
TWO = "r=2 q=[0,1/6,1/3]"

CLAIM = Claim(
    id="rbcd/ID-3.2",
    title="the sketch is unbiased",
    words="E[C x] = x for all x: the coordinate j of C x is x_j/p_j where S contains j and 0 where it does not.",
    place="Section 3.3, after Definition 3.2",
    printed=r"\mathbb{E}\left[\mathbf{C}x\right]=x",
    kind=ClaimKind.IDENTITY,
    statement=Statement(f"sum(k, 1, r, q[k]*(x/{P_J})) == x", (*SYMBOLS, X), (PROPER,)),
    argument=(Identical(),),
    candidates=(point(f"{TWO} x=1"),),
    mutants=(
        mutant("not-divided", "x_j itself in place of x_j/p_j", "sum(k, 1, r, q[k]*x) == x", f"{TWO} x=1"),
        mutant(
            "other-sets",
            "p_j without the first set that contains j",
            "sum(k, 1, r, q[k]*(x/sum(i, 2, r, q[i]))) == x",
            f"{TWO} x=1",
        ),
    ),
    steps=(
        step(
            "s1",
            "E[c_j] = p_j (1/p_j) = 1",
            f"sum(k, 1, r, q[k]*(1/{P_J})) == 1",
            SYMBOLS,
            (PROPER,),
            reads=Reads.OURS,
            candidates=(point(TWO),),
        ),
        step(
            "s2",
            "E[c_j^2] = 1/p_j, which Lemma E.2 uses",
            f"sum(k, 1, r, q[k]*(1/{P_J})**2) == 1/{P_J}",
            SYMBOLS,
            (PROPER,),
            reads=Reads.OURS,
            candidates=(point(TWO),),
        ),
        Step(
            "met",
            "Assumption 3.1 can be met, not only by S = [d]: d = 2, m sets that are not empty, of which the first r "
            "are {1} and the others {2}; both coordinates have a positive probability and the empty set none",
            Statement(
                "sum(k, 1, m, q[k]) == 1 - none",
                (
                    *SYMBOLS,
                    integer("m", "[1, oo)", "number of sets"),
                    real("none", "[0, 1]", "probability of the empty set"),
                ),
                (PROPER, "0 < sum(k, r + 1, m, q[k])", "none == 0"),
                exists=True,
            ),
            (Exhibit(point("m=2 r=1 q=[0,1/3,2/3] none=0")),),
            kind=ClaimKind.NON_VACUITY,
            mutants=(Mutant("negative", "probabilities that add up to -1", "sum(k, 1, m, q[k]) == -1"),),
        ),
    ),
)
