"""The abstract: DP-SkGD generalises DP-CD and DP-SGD "while preserving the same utility guarantees".

As a sentence about methods it holds in one reading: with the smoothness matrix M_max I, which every M-smooth f has too,
full sampling has the guarantees of DP-SGD; and uniform single coordinates have those of DP-CD, in the strongly convex
case by a sharper proof (TAB-1.7). As a sentence about the cells of Table 1 it fails in three of four places: there,
with the same M and with mu, the printed guarantees are worse by factors without bound.
"""

from dpaudit.claims.writing import *

M_1, M_2 = positive("M_1", "the larger smoothness constant"), positive("M_2", "the smaller one")
SEPARABLE = "f = (M_1 w_1^2 + M_2 w_2^2)/2, for which mu = M_2 and mu_M = 1"
ORDER = "M_2 <= M_1"
ANY = constant("C")
SINGLE, BOTH = "sum(j, 1, d, L[j]**2/M[j])", "(1/M_1 + 1/M_2)"
SEQUENCES = (
    integer("d", "[1, oo)", "number of coordinates"),
    sequence("L", "(0, oo)", "Lipschitz constant of the coordinate j"),
    sequence("M", "(0, oo)", "smoothness of the coordinate j"),
)


def cell(name, words, expression, symbols, at, finding, repair, argument=(), conditions=((),)):
    """That a cell of DP-SkGD is at most a constant times that of the other method: it is not."""
    return erratum(
        name,
        f"one reading, the cells of Table 1 with one M: {words}",
        expression,
        (ANY, *symbols),
        (ORDER,),
        argument=(ForEvery(where(at), argument, conditions),),
        reads=Reads.READING,
        place="abstract, with Table 1",
        printed=r"\text{while preserving the same utility guarantees}",
        finding=finding,
        repair=repair,
    )


STEPS = (
    step(
        "cd",
        "one reading, the cells of Table 1 with one M: row 5 is row 7, ||L|| sqrt(d) R_M, DP-CD, convex case",
        f"sqrt({SINGLE})*sqrt(sum(j, 1, d, M[j]*w[j]**2/(1/d))) == sqrt({SINGLE})*sqrt(d)*sqrt(sum(j, 1, d, "
        f"M[j]*w[j]**2))",
        (*SEQUENCES, sequence("w")),
        reads=Reads.READING,
        place="abstract, with Table 1, rows 5 and 7, Convex",
        printed=r"\text{while preserving the same utility guarantees}",
        candidates=(point("d=2 L=[1,1,2] M=[1,1,2] w=[1]"),),
    ),
    cell(
        "cd-strong",
        f"row 5 is at most a constant times row 7, strongly convex case: M_max d/mu against d/mu_M for {SEPARABLE}",
        "M_1*2/M_2 <= C*2/1",
        (M_1, M_2),
        "M_1=2*C+1 M_2=1",
        "For this f the cell of DP-SkGD is M_max/M_min times that of DP-CD, which is the same algorithm: Theorem 4.2 "
        "uses strong convexity in the Euclidean norm, Mangold et al. in that of M, and mu <= mu_M M_max. With mu_M "
        "the proof of Theorem 4.2 gives the cell of DP-CD for uniform single coordinates (TAB-1.7/s2).",
        "rbcd/TAB-1.7/s2",
    ),
    cell(
        "sgd",
        "row 8 is at most a constant times row 9, convex case: sqrt(Tr(M^-1)) R_M against sqrt(d) R_I for d = 2 and "
        "w^0 - w* = (1, 0)",
        f"sqrt({BOTH}*M_1) <= C*sqrt(2)",
        (M_1, M_2),
        "M_1=2*C**2+1 M_2=1",
        "Where w^0 is wrong in a coordinate with large M_j, sqrt(Tr(M^-1)) R_M is up to sqrt(M_max/M_min) times "
        "sqrt(d) R_I: the cell of full sampling is worse than that of DP-SGD without bound. With M_max I in the "
        "place of M they are equal (sgd-beta).",
        "rbcd/CLM-GEN/sgd-beta",
        (Power("2"),),
    ),
    cell(
        "sgd-strong",
        "row 8 is at most a constant times row 9, strongly convex case: Tr(M^-1) M_max/mu against d/mu for d = 2",
        f"{BOTH}*M_1/mu <= C*2/mu",
        (M_1, M_2, positive("mu")),
        "M_1=2*C+1 M_2=1 mu=1",
        "Tr(M^-1) M_max >= d, with equality for equal M_j only: here the cell of full sampling is never better than "
        "that of DP-SGD, and worse without bound. With M_max I in the place of M they are equal (sgd-beta-strong).",
        "rbcd/CLM-GEN/sgd-beta-strong",
    ),
    step(
        "sgd-beta",
        "DP-SGD, convex case: row 8 with M_max I is row 9, L sqrt(d) R_I",
        "L_d*sqrt(sum(j, 1, d, 1/M_max))*sqrt(sum(j, 1, d, M_max*w[j]**2)) == L_d*sqrt(d)*sqrt(sum(j, 1, d, w[j]**2))",
        (SEQUENCES[0], positive("L_d"), positive("M_max"), sequence("w")),
        rests_on=("rbcd/CLM-GEN",),
        candidates=(point("d=2 L_d=1 M_max=2 w=[1]"),),
    ),
    step(
        "sgd-beta-strong",
        "DP-SGD, strongly convex case: row 8 with M_max I is row 9, L^2 d/mu",
        "L_d**2*sum(j, 1, d, 1/M_max)*M_max/mu == L_d**2*d/mu",
        (SEQUENCES[0], positive("L_d"), positive("M_max"), positive("mu")),
        rests_on=("rbcd/CLM-GEN",),
        candidates=(point("d=2 L_d=1 M_max=2 mu=1"),),
    ),
)

GUARANTEES = Claim(
    id="rbcd/CLM-GEN",
    title="the guarantees of DP-CD and DP-SGD are preserved",
    words=(
        "The method generalises DP-CD and DP-SGD while preserving the same utility guarantees. One reading, of the "
        "method and not of the cells of Table 1, and in part: what is checked here is that an M-smooth f is M_max "
        "I-smooth. With M_max I in the place of M full sampling has the cells of DP-SGD (steps sgd-beta, "
        "sgd-beta-strong), and uniform single coordinates have those of DP-CD (steps cd and TAB-1.7/s2, itself in "
        "part)."
    ),
    place="abstract",
    printed=r"\text{Our algorithm generalizes both DP-CD and the classical DP-SGD, "
    r"while preserving the same utility guarantees}",
    kind=ClaimKind.INEQUALITY,
    reads=Reads.READING,
    statement=Statement(
        "sum(j, 1, d, M[j]*v[j]**2) <= M_max*sum(j, 1, d, v[j]**2)",
        (SEQUENCES[0], SEQUENCES[2], positive("M_max"), sequence("v", meaning="w - v of Assumption 3.6")),
        ("all(j, 1, d, M[j] <= M_max)",),
    ),
    candidates=(point("d=2 M=[1] M_max=1 v=[1]"),),
    argument=(
        Rewrite(right="sum(j, 1, d, M_max*v[j]**2)"),
        Termwise((AtIndex("j"), Combine(terms=(("v[j]**2", "M[j] <= M_max"),)))),
    ),
    mutants=(
        mutant(
            "less",
            "0.9 M_max",
            "sum(j, 1, d, M[j]*v[j]**2) <= 0.9*M_max*sum(j, 1, d, v[j]**2)",
            "d=2 M=[1] M_max=1 v=[1]",
        ),
    ),
    steps=STEPS,
)
