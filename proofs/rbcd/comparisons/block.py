"""Section 4.3.1, Block Sampling: against DP-SGD and DP-SVRG.

The block A_1 has a coordinates with M_max and the Lipschitz constant L_1; `rest` is what the other blocks add to
||L_A||^2, the sum of L_i^2 |A_i|/M_min. So ||L_A||^2 = a L_1^2/M_max + rest.
"""

from dpaudit.claims.writing import *

from .symbols import *

SIZE = integer("a", "[1, oo)", "|A_1|")
L_1, REST = positive("L_1", "L_max"), real("rest", "[0, oo)", "sum over i != 1 of L_i^2 |A_i|/M_min")
BLOCKS_N = integer("b", "[1, oo)", "number of blocks")
L = sequence("L", "(0, oo)", "Lipschitz constant of the block i")
R_I, R_M = real("R_I", "[0, oo)", "R_I"), real("R_M", "[0, oo)", "R_M")
NORM = "(a*L_1**2/M_max + rest)"
SIZES = sequence("size", "[1, oo)", "size[i] = |A_i|, whole numbers")
OTHERS = "sum(i, 2, b, L[i]**2*size[i]/M_min)"
IN_BLOCKS = f"(a*L_1**2/M_max + {OTHERS})"
"""||L_A||^2, block by block; `rest` is OTHERS."""
OTHERS_SMALL = f"{OTHERS} <= h*L_1**2/M_max"
BY_BLOCKS = (SIZE, L_1, M_MAX, M_MIN, BLOCKS_N, L, SIZES)
BLOCKS_AT = "h=1/2 a=1 b=2 L_1=2 M_max=2 M_min=1 L=[1] size=[1]"
DOMINATES = "rest <= h*L_1**2/M_max"
PRINTED = (
    r"\left\|L_{\{A_1,\ldots,A_b\}}\right\|_{\mathbf{M}^{-1}} \approx \frac{L_{\max}}{M_{\max}} \approx "
    r"\frac{L}{M_{\max}}"
)
PLACE = "Section 4.3.1, Block Sampling, first display"
START = "sqrt(norm2)*R_M <= (1 + h)*(sqrt(M_min/M_max)*L_d*R_I)"
AHEAD = (
    r"\|L_{\{A_1,\ldots,A_b\}}\|_{\mathbf{M}^{-1}} R_{\mathbf{M}} \approx "
    r"\sqrt{\frac{M_{\min}}{M_{\max}}}LR_{\mathbf{I}}"
)
INSTANCE = "sqrt(1*1**2/(1/h**2) + (h**2)**2/1)"
"""||L_A|| for two blocks of one coordinate, M = (1/h^2, 1), L = (1, h^2)."""

BLOCK = Claim(
    id="rbcd/CMP-3",
    title="block sampling can be arbitrarily better than DP-SGD and DP-SVRG",
    words=(
        "If ||L_A|| R_M is about sqrt(M_min/M_max) L R_I, at most 1 + h times it, uniform block sampling has a rate, "
        "row 2 of Table 1, of at most (1 + h) sqrt(b/d) sqrt(M_min/M_max) times that of DP-SGD, row 9: arbitrarily "
        "better as M_min/M_max falls. Such instances are there (steps s2, s2-better). With the importance of the "
        "paper the gain is at most sqrt(d) L/L_max (step importance)."
    ),
    place="Section 4.3.1, Block Sampling, last sentence",
    printed=r"\text{if } w^0 \text{ is such that } "
    rf"{AHEAD}, "
    r"\text{ then DP-SkGD-BS with block sampling can significantly outperform DP-SGD or DP-SVRG, achieving arbitrarily "
    r"better results in certain cases}",
    rests_on=("rbcd/CMP-3/s2", "rbcd/CMP-3/s2-better"),
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        "sqrt(norm2)*R_M*sqrt(b) <= (1 + h)*sqrt(b/d)*sqrt(M_min/M_max)*(L_d*sqrt(d)*R_I)",
        (COORDINATES, BLOCKS_N, H, positive("norm2", "||L_A||^2"), R_M, R_I, M_MIN, M_MAX, L_FULL),
        (START,),
    ),
    candidates=(point("d=1 b=1 h=1/2 norm2=1 R_M=3/2 R_I=1 M_min=1 M_max=1 L_d=1"),),
    argument=(Combine(terms=(("sqrt(b)", START),)),),
    mutants=(
        mutant(
            "less",
            "without the factor 1 + h",
            "sqrt(norm2)*R_M*sqrt(b) <= sqrt(b/d)*sqrt(M_min/M_max)*(L_d*sqrt(d)*R_I)",
            "d=1 b=1 h=1/2 norm2=1 R_M=3/2 R_I=1 M_min=1 M_max=1 L_d=1",
        ),
    ),
    steps=(
        erratum(
            "s1",
            "||L_A|| is about L_max/M_max, as L_1^2/M_max dominates. Encoded: there is h, and a constant C, with "
            "||L_A|| <= C L_max/M_max wherever the other terms are at most h times L_1^2/M_max",
            f"sqrt({NORM}) <= C*L_1/M_max",
            (ANY, constant("h", "(0, 1)"), SIZE, L_1, M_MAX, REST),
            (DOMINATES,),
            argument=(ForEvery(where("a=1 L_1=1 M_max=(2*C)**2 rest=0"), (), ((),)),),
            place=PLACE,
            printed=PRINTED,
            finding=(
                "The root of M_max is missing: ||L_A||^2 is about |A_1| L_1^2/M_max, so that ||L_A|| is about "
                "sqrt(|A_1|) L_max/sqrt(M_max). As printed the two sides have different units (step unit), and no "
                "factor, however small the other terms, makes them comparable. The condition in the same sentence, "
                "that L_1^2/M_max dominates, has it right, and so has the next display, which has the root of M_max."
            ),
            repair="rbcd/CMP-3/s1-root",
        ),
        step(
            "s1-root",
            "what the sentence before the display says, that L_1^2/M_max dominates in ||L_A||^2: with the root, and "
            "with the size of A_1, which the paper leaves out, ||L_A||^2 is at most |A_1| + h times L_1^2/M_max",
            f"{IN_BLOCKS} <= (a + h)*L_1**2/M_max",
            (H, *BY_BLOCKS),
            (OTHERS_SMALL,),
            place="Section 4.3.1, Block Sampling, before the first display",
            printed=r"\text{If } L_1^2/M_{\max} \text{ dominates the other terms}",
            candidates=(point(BLOCKS_AT),),
            argument=(Combine(terms=(("1", OTHERS_SMALL),)),),
            mutants=(mutant("less", "without h", f"{IN_BLOCKS} <= a*L_1**2/M_max", BLOCKS_AT),),
        ),
        step(
            "s1-below",
            "and it is not less than |A_1| times L_1^2/M_max",
            f"a*L_1**2/M_max <= {IN_BLOCKS}",
            BY_BLOCKS,
            place="Section 4.3.1, Block Sampling, before the first display",
            printed=r"\text{If } L_1^2/M_{\max} \text{ dominates the other terms}",
            candidates=(point(BLOCKS_AT.removeprefix("h=1/2 ")),),
            argument=(Positive(),),
            mutants=(
                mutant(
                    "more",
                    "9 times it",
                    f"9*a*L_1**2/M_max <= {IN_BLOCKS}",
                    BLOCKS_AT.removeprefix("h=1/2 "),
                ),
            ),
        ),
        Step(
            "unit",
            "the two sides of s1, ||L_A|| and L_max/M_max, have one unit",
            homogeneous(
                "sqrt(norm2) == L_1/M_max",
                (positive("norm2", "||L_A||^2"), L_1, M_MAX),
                {"norm2": (1, 0), "L_1": (1, -1), "M_max": (1, -2)},
            ),
            kind=ClaimKind.HOMOGENEITY,
            expects=Outcome.REFUTED,
            candidates=(point("norm2=1 L_1=1 M_max=1 value_unit=4 length_unit=1"),),
            finding=(
                "If the loss is multiplied by 4 the left side doubles and the right side stays: the root of M_max is "
                "missing. See s1."
            ),
            repair="rbcd/CMP-3/s1-root",
        ),
        erratum(
            "s1-size",
            "one reading, the root put back: ||L_A|| is about L_max/sqrt(M_max) whatever the size of A_1",
            f"sqrt({NORM}) <= C*L_1/sqrt(M_max)",
            (ANY, constant("h", "(0, 1)"), SIZE, L_1, M_MAX, REST),
            (DOMINATES,),
            argument=(ForEvery(where("a=1+ceil(C**2) L_1=1 M_max=1 rest=0"), (Power("2"),), ((),)),),
            reads=Reads.READING,
            place=PLACE,
            printed=PRINTED,
            finding=(
                "Each coordinate of A_1 adds L_1^2/M_max: the factor sqrt(|A_1|) is no constant unless |A_1| is. "
                "Where A_1 is one coordinate, or of fixed size, it may be left out."
            ),
            repair="rbcd/CMP-3/s1-root",
        ),
        step(
            "s1-full",
            "L_max is about L: L^2 is at most 1 + (b - 1) h^2 times L_max^2, which is encoded; that it is not less, "
            "as A_1 is in [d], is not. (L^2 may be taken as at most the sum of the L_i^2: a gradient of the loss has "
            "at most this square)",
            "L_d**2 <= (1 + (b - 1)*h**2)*L_1**2",
            (H, BLOCKS_N, L_1, L, L_FULL),
            ("all(i, 2, b, L[i] <= h*L_1)",),
            ours=("L_d**2 <= L_1**2 + sum(i, 2, b, L[i]**2)",),
            place=PLACE,
            printed=PRINTED,
            candidates=(point("h=3/4 b=2 L_1=4 L=[3] L_d=5"),),
            argument=(
                Have(
                    "sum(i, 2, b, L[i]**2) <= sum(i, 2, b, h**2*L_1**2)",
                    (Termwise((AtIndex("i"), Combine(terms=(("L[i] + h*L_1", "L[i] <= h*L_1"),)))),),
                ),
                Combine(
                    terms=(
                        ("1", "L_d**2 <= L_1**2 + sum(i, 2, b, L[i]**2)"),
                        ("1", "sum(i, 2, b, L[i]**2) <= sum(i, 2, b, h**2*L_1**2)"),
                    )
                ),
            ),
            mutants=(
                Mutant(
                    "far",
                    "other blocks with Lipschitz constants up to L_max",
                    conditions=("all(i, 2, b, L[i] <= L_1)", "L_d**2 <= L_1**2 + sum(i, 2, b, L[i]**2)"),
                    candidates=(point("h=1/2 b=2 L_1=4 L=[4] L_d=5"),),
                ),
            ),
        ),
        step(
            "s2",
            "such w^0 exist, for every h: two blocks of one coordinate, M = (1/h^2, 1), L = (1, h^2), w^0 wrong in "
            "the second one by 1, so that R_I = R_M = 1, L >= 1: ||L_A|| R_M is at most 1 + h times "
            "sqrt(M_min/M_max) L R_I = h L. The paper supposes such w^0 and shows none",
            f"{INSTANCE}*1 <= (1 + h)*(sqrt(1/(1/h**2))*L_d*1)",
            (H, real("L_d", "[1, oo)", "L: at least L_1")),
            reads=Reads.READING,
            place="Section 4.3.1, Block Sampling, second display",
            printed=AHEAD,
            candidates=(point("h=1/2 L_d=1"),),
            argument=(
                Power("2"),
                Combine(terms=(("(1 + h)**2*h**2*(L_d + 1)", "1 <= L_d"), ("2*h**3", "0 <= 1"))),
            ),
            mutants=(
                mutant("less", "half of it", f"{INSTANCE}*1 <= (1 + h)*(sqrt(1/(1/h**2))*L_d*1)/2", "h=1/2 L_d=1"),
            ),
        ),
        step(
            "s2-better",
            "and there the rate of uniform block sampling, sqrt(2) ||L_A|| R_M, is at most 2 h times that of DP-SGD, "
            "sqrt(2) L R_I",
            f"{INSTANCE}*1*sqrt(2) <= 2*h*(L_d*sqrt(2)*1)",
            (H, real("L_d", "[1, oo)", "L: at least L_1")),
            place="Section 4.3.1, Block Sampling, last sentence",
            printed=r"\text{achieving arbitrarily better results in certain cases}",
            candidates=(point("h=1/2 L_d=1"),),
            argument=(
                Power("2"),
                Combine(terms=(("8*h**2*(L_d + 1)", "1 <= L_d"), ("2*h**2*(1 + h)", "h < 1"), ("4*h**2", "0 <= 1"))),
            ),
            mutants=(
                mutant(
                    "less", "h/2 in the place of 2 h", f"{INSTANCE}*1*sqrt(2) <= h/2*(L_d*sqrt(2)*1)", "h=1/2 L_d=1"
                ),
            ),
        ),
        step(
            "importance",
            "with q_i proportional to the largest M_j of A_i, row 3 of Table 1, the rate is at least L_max R_I: the "
            "gain over DP-SGD is at most sqrt(d) L/L_max",
            f"L_1*R_I <= sqrt({NORM})*R_I*sqrt(M_max + others)",
            (SIZE, L_1, M_MAX, REST, R_I, real("others", "[0, oo)", "sum of the largest M_j of the other blocks")),
            candidates=(point("a=1 L_1=1 M_max=1 rest=0 R_I=1 others=0"),),
            argument=(
                Power("2"),
                Combine(
                    terms=(
                        ("L_1**2*R_I**2", "1 <= a"),
                        ("R_I**2*(a*L_1**2/M_max*others + rest*(M_max + others))", "0 <= 1"),
                    )
                ),
            ),
            mutants=(
                mutant(
                    "more",
                    "1.1 L_max R_I",
                    f"1.1*L_1*R_I <= sqrt({NORM})*R_I*sqrt(M_max + others)",
                    "a=1 L_1=1 M_max=1 rest=0 R_I=1 others=0",
                ),
            ),
        ),
    ),
)

BLOCKS = (BLOCK,)
