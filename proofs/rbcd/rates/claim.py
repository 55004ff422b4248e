"""Section 4.2.1: which probabilities to draw blocks with, and the rates for block, single and full sampling.

All of these are inferences from Theorem 4.2, convex case, and they are valid: what the theorem gives is put in as a
condition. They hold as far as the theorem does.
"""

from dpaudit.claims.writing import *

from .corollaries import COROLLARIES
from .symbols import *

RADIUS_2 = "sum(j, 1, d, M[j]*w[j]**2/p[j])"
TWICE = "2*sum(i, 1, b, r[i])*r[j] - sum(i, 1, b, r[i])**2*q[j]"
BELOW = f"sum(j, 1, b, {TWICE}) <= sum(j, 1, b, r[j]**2/q[j])"
ROOTS, Q = sequence("r", "[0, oo)", "r[i]^2: the sum of M_j w_j^2 over A_i"), sequence("q", "(0, 1]", "Prob(S = A_i)")
UNITS_AT = "d=1 M=[1] p=[1] w=[1] R_sq=1 value_unit=4 length_unit=1 coordinate_unit=[1]"


def in_units(power):
    """That a power of R_{MP^-1} has the unit of ||w^0 - w*||^2 in the norm of M P^-1; R_sq: its square."""
    units = {"R_sq": (1, 0), "M": (1, 0, -2), "w": (0, 0, 1)}
    return homogeneous(f"{power} == {RADIUS_2}", (COORDINATES, M, P, W, positive("R_sq", "R_{MP^-1}^2")), units)


BEST_CHOICE = Claim(
    id="rbcd/REM-OPTQ",
    title="the best probabilities minimise R_{MP^-1}",
    words=(
        "For fixed blocks the rate is least where R_{MP^-1} is. Ours, as the paper says only that w* is not known: the "
        "smallest R^2 is the square of the sum of r_i, r_i^2 the sum of M_j w_j^2 over A_i (attained at q_i "
        "proportional to r_i, step `attained`). That R^2 is the sum of r_i^2/q_i, as p_j = q_i on A_i, is put in."
    ),
    place="Section 4.2.1, after the rate for block sampling",
    printed=r"\text{Ideally, the best choice would minimize the term } R_{\mathbf{M}\mathbf{P}^{-1}} = "
    r"\|w^0-w^\star\|^2_{\mathbf{M}\mathbf{P}^{-1}}",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        "sum(j, 1, b, r[j])**2 <= sum(j, 1, b, r[j]**2/q[j])", (BLOCKS, ROOTS, Q), ("sum(j, 1, b, q[j]) == 1",)
    ),
    reads=Reads.OURS,
    rests_on=("rbcd/ID-P-BS",),
    candidates=(point("b=2 r=[1] q=[1/2]"),),
    argument=(
        Have(BELOW, (Termwise((Combine(terms=(("1/q[j]", "0 <= (r[j] - sum(i, 1, b, r[i])*q[j])**2"),)),)),)),
        Combine(terms=(("1", BELOW), ("sum(i, 1, b, r[i])**2", "sum(j, 1, b, q[j]) == 1"))),
    ),
    mutants=(
        mutant(
            "more",
            "1.1 times the left side",
            "1.1*sum(j, 1, b, r[j])**2 <= sum(j, 1, b, r[j]**2/q[j])",
            "b=2 r=[1] q=[1/2]",
        ),
    ),
    steps=(
        erratum(
            "s1",
            "R_{MP^-1} = ||w^0 - w*||^2 in the norm of M P^-1, where Theorem 4.2 has R_{MP^-1}^2",
            f"R_MP == {RADIUS_2}",
            (COORDINATES, M, P, W, R_WEIGHTED),
            (f"R_MP**2 == {RADIUS_2}",),
            place="Section 4.2.1, after the rate for block sampling",
            printed=r"R_{\mathbf{M}\mathbf{P}^{-1}} = \left\|w^0-w^\star\right\|^2_{\mathbf{M}\mathbf{P}^{-1}}",
            candidates=(point("d=1 M=[1] p=[1] w=[2] R_MP=2"),),
            finding=(
                "The square on R_{MP^-1} is missing, so that the two sides have different units; Theorem 4.2 has it. "
                "The probabilities that minimise the number and its square are the same, and the rates use it "
                "without the square: nothing else changes."
            ),
            repair="rbcd/REM-OPTQ/s1-square",
        ),
        Step(
            "s1-square",
            "with the square, as in Theorem 4.2, R_{MP^-1}^2 = ||w^0 - w*||^2 in the norm of M P^-1 has one unit on "
            "both sides, that of f: R_{MP^-1} has that of its root, as the rate Sigma_S R_{MP^-1} asks",
            in_units("sqrt(R_sq)**2"),
            kind=ClaimKind.HOMOGENEITY,
            argument=(Identical(),),
            place="Theorem 4.2, convex case",
            printed=r"R^2_{\mathbf{M}\mathbf{P}^{-1}} = \left\|w^0-w^\star\right\|^2_{\mathbf{M}\mathbf{P}^{-1}}",
            candidates=(point(UNITS_AT),),
            mutants=(
                mutant(
                    "no-square",
                    "R_{MP^-1} without its square, as in s1",
                    in_units("sqrt(R_sq)").expression,
                    UNITS_AT,
                    own_sentence=True,
                ),
            ),
        ),
        step(
            "attained",
            "q_i = r_i over the sum of all attains it",
            "sum(j, 1, b, r[j]**2/(r[j]/sum(i, 1, b, r[i]))) == sum(j, 1, b, r[j])**2",
            (BLOCKS, sequence("r", "(0, oo)")),
        ),
    ),
)

SHARE = f"m[B]/{TALLEST_SUM}"
IN_ALL = "all(j, 1, d, M[j]/p[j] <= top)"
IMPORTANCE = Claim(
    id="rbcd/CLM-IS",
    title="M P^-1 for importance sampling",
    words=(
        "If q_i is proportional to the largest M_j of A_i, M P^-1 is at most the sum of these largest numbers times "
        "the identity. Both matrices are diagonal: encoded for any coordinate, its M_i and its block B."
    ),
    place="Section 4.2.1, importance sampling",
    printed=r"\mathbf{M}\mathbf{P}^{-1} \preceq \mathbf{I}\sum_{i=1}^b \max_{j\in A_i} M_j",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        f"M_i/({SHARE}) <= {TALLEST_SUM}",
        (BLOCKS, TALLEST, integer("B", "[1, oo)", "the block of the coordinate i"), positive("M_i")),
        ("B <= b", "M_i <= m[B]"),
    ),
    candidates=(point("b=2 B=1 M_i=1 m=[1]"),),
    argument=(Scale("m[B]"), Combine(terms=((TALLEST_SUM, "M_i <= m[B]"),))),
    mutants=(
        mutant("less", "0.9 times the sum", f"M_i/({SHARE}) <= 0.9*{TALLEST_SUM}", "b=2 B=1 M_i=1 m=[1]"),
        Mutant(
            "not-largest",
            "any positive weight in the place of the largest M_j",
            conditions=("B <= b",),
            candidates=(point("b=2 B=1 M_i=2 m=[1]"),),
        ),
    ),
    steps=(
        step(
            "largest",
            "with equality at the coordinates of the largest M_j of each block",
            f"m[B]/({SHARE}) == {TALLEST_SUM}",
            (BLOCKS, TALLEST, integer("B", "[1, oo)")),
            ("B <= b",),
        ),
        step(
            "radius",
            "so R_{MP^-1}^2 is at most the sum of the largest numbers times R_I^2: summed over the coordinates, for "
            "any bound `top` of all M_j/p_j",
            f"{RADIUS_2} <= top*sum(j, 1, d, w[j]**2)",
            (COORDINATES, M, P, W, positive("top")),
            (IN_ALL,),
            rests_on=("rbcd/CLM-IS",),
            candidates=(point("d=1 M=[1] p=[1] w=[1] top=1"),),
            argument=(
                Rewrite(right="sum(j, 1, d, top*w[j]**2)"),
                Termwise((AtIndex("j"), Combine(terms=(("w[j]**2", "M[j]/p[j] <= top"),)))),
            ),
            mutants=(
                mutant(
                    "less", "0.9 top", f"{RADIUS_2} <= 0.9*top*sum(j, 1, d, w[j]**2)", "d=1 M=[1] p=[1] w=[1] top=1"
                ),
            ),
        ),
        step(
            "single",
            "for single coordinates, p_j = M_j/Tr(M), with equality: R_{MP^-1}^2 = Tr(M) R_I^2",
            f"sum(j, 1, d, M[j]*w[j]**2/(M[j]/{TRACE})) == {TRACE}*sum(j, 1, d, w[j]**2)",
            (COORDINATES, M, W),
            candidates=(point("d=2 M=[1,1,2] w=[1]"),),
        ),
    ),
)

CLAIMS = (BEST_CHOICE, IMPORTANCE, *COROLLARIES)
