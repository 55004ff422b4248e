"""Section 4.3.2, Block Sampling: the natural partition, where M is constant on blocks."""

from dpaudit.claims.writing import *

BLOCKS, SIZE = integer("b", "[1, oo)", "number of blocks"), integer("s", "[1, oo)", "coordinates of each block")
M = sequence("m", "(0, oo)", "M_j on the block k")
L_BLOCK = sequence("L", "(0, oo)", "Lipschitz constant of the block k")
L_TOTAL = sequence("t", "(0, oo)", "sum of L_j^2 over the block k")
TOTAL = "sum(k, 1, b, m[k])"
NATURAL, SINGLE = f"sum(k, 1, b, L[k]**2*s/m[k])*{TOTAL}", f"sum(k, 1, b, t[k]/m[k])*(s*{TOTAL})"
TERMS = "sum(k, 1, b, L[k]**2*s/m[k]) <= sum(k, 1, b, t[k]*s/m[k])"
EACH = "all(k, 1, b, L[k]**2 <= t[k])"
EXAMPLE = "b=2 s=1 m=[1] L=[1] t=[1]"
TEXT = (
    r"\text{Block sampling offers significant advantages when the smoothness characteristics of the objective "
    r"function are naturally partitioned into distinct blocks}"
)

PARTITION = Claim(
    id="rbcd/CMP-5",
    title="block sampling where the smoothness is constant on blocks",
    words=(
        "Block sampling helps when the smoothness is naturally partitioned into blocks. Not a formula; made one "
        "here: M is constant on blocks of equal size s. With importance the square of the rate, ||L_A||^2 times the "
        "sum of the largest M_j times R_I^2, is never above that of single coordinates, as L_A^2 is at most the sum "
        "of the L_j^2 of the block, which is assumed, and in cases below by a factor s (step gain). For unequal sizes "
        "it may be above (step sizes)."
    ),
    place="Section 4.3.2, Block Sampling",
    printed=TEXT,
    kind=ClaimKind.INEQUALITY,
    reads=Reads.READING,
    statement=Statement(f"{NATURAL} <= {SINGLE}", (BLOCKS, SIZE, M, L_BLOCK, L_TOTAL), (EACH,)),
    origins=(Condition(EACH, Origin.OURS),),
    candidates=(point(EXAMPLE),),
    argument=(
        Have(TERMS, (Termwise((AtIndex("k"), Combine(terms=(("s/m[k]", "L[k]**2 <= t[k]"),)))),)),
        Combine(terms=((TOTAL, TERMS),)),
    ),
    mutants=(mutant("less", "0.9 of it", f"{NATURAL} <= 0.9*{SINGLE}", EXAMPLE),),
    steps=(
        step(
            "gain",
            "each record has one coordinate in a block, with one Lipschitz constant: L_A is that of a coordinate, "
            "the sum over the block s times its square, and the square of the rate is 1/s of that of single "
            "coordinates",
            f"s*({NATURAL}) == sum(k, 1, b, s*L[k]**2/m[k])*(s*{TOTAL})",
            (BLOCKS, SIZE, M, L_BLOCK),
            candidates=(point("b=2 s=2 m=[1,1,2] L=[1]"),),
        ),
        step(
            "mixed",
            "against blocks that mix: two of two coordinates each, M = (m_1, m_1, m_2, m_2), one Lipschitz constant "
            "l of all coordinates, 2 l^2 = L_A^2 for each pair: with one coordinate of either kind in each block the "
            "square of the rate is never smaller",
            "4*l**2*(1/m_1 + 1/m_2)*(m_1 + m_2) <= 4*l**2*(1/m_1 + 1/m_2)*(m_1 + m_1)",
            (positive("l"), positive("m_1", "the larger one"), positive("m_2")),
            ("m_2 <= m_1",),
            candidates=(point("l=1 m_1=1 m_2=1"),),
            argument=(Combine(terms=(("4*l**2*(1/m_1 + 1/m_2)", "m_2 <= m_1"),)),),
            mutants=(
                mutant(
                    "more",
                    "1.1 times the left side",
                    "1.1*4*l**2*(1/m_1 + 1/m_2)*(m_1 + m_2) <= 4*l**2*(1/m_1 + 1/m_2)*(m_1 + m_1)",
                    "l=1 m_1=1 m_2=1",
                ),
            ),
        ),
        Step(
            "sizes",
            "the same for blocks of different sizes: one coordinate with m_1, s with m_2, L_A^2 = t_k the sum of the "
            "L_j^2 of each block",
            Statement(
                "(t_1/m_1 + t_2*s/m_2)*(m_1 + m_2) <= (t_1/m_1 + t_2/m_2)*(m_1 + s*m_2)",
                (SIZE, positive("t_1"), positive("t_2"), positive("m_1"), positive("m_2")),
            ),
            expects=Outcome.REFUTED,
            candidates=(point("s=10 t_1=1/100 t_2=1 m_1=10 m_2=1"),),
            finding=(
                "With ten coordinates of smoothness 1 in one block, one of smoothness 10 in the other, and L_A^2 the "
                "sum of the L_j^2 of each block, here 1 and 1/100, the natural partition is worse than single "
                "coordinates: the large block pays its size in ||L_A||^2 and the large M_j in the sum over blocks. "
                "For other L_A it may be better. The paper gives no condition on the sizes."
            ),
            repair="rbcd/CMP-5",
        ),
    ),
)
