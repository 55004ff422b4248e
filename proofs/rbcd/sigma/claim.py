"""Section 4.2: the number Sigma_S of Theorem 4.2, in general and for block sampling.

Sigma_S^2 = E||C L_S 1||^2 in the norm of P M^-1 is a sum over all sets that S can be. For block sampling the
probabilities cancel, and what is left is the weighted norm of one vector, the Lipschitz constant of its block for each
coordinate.
"""

from dpaudit.claims.writing import *

from .blocks import BLOCK_STEPS, EXPANDED, IN_BLOCKS, ROWS, SIZE, VECTOR
from .symbols import *

SKETCHED = f"sum(k, 1, N, prob[k]*sum(j, 1, d, ({member()}*L[k]/p[j])**2*p[j]/M[j]))"
INDICATOR = f"sum(k, 1, N, prob[k]*L[k]**2*sum(j, 1, d, {member()}**2/(p[j]*M[j])))"
TWO_SETS = "N=1 d=2 prob=[1] chi=[0,1,1] L=[1] p=[1,1/2,1/2] M=[1]"

SIGMA = Claim(
    id="rbcd/ID-SIG-1",
    title="Sigma_S with the indicator of the set in place of the sketch",
    words=(
        "Sigma_S^2 = E||C L_S 1||^2 in the norm of P M^-1 = E[L_S^2 ||I_S 1||^2] in that of P^-1 M^-1, for any finite "
        "family of sets, any probabilities and any number of coordinates."
    ),
    place="Section 4.2, after Theorem 4.2",
    printed=r"\Sigma_S^2 = \mathbb{E}\left[\|\mathbf{C}L_S\mathbf{1}\|^2_{\mathbf{P}\mathbf{M}^{-1}}\right] = "
    r"\mathbb{E}\left[L_S^2\|\mathbf{I}_S\mathbf{1}\|^2_{\mathbf{P}^{-1}\mathbf{M}^{-1}}\right]",
    kind=ClaimKind.IDENTITY,
    statement=Statement(f"{SKETCHED} == {INDICATOR}", (COORDINATES, SETS, PROB, CHI, LIPSCHITZ, P, M)),
    argument=(Identical(),),
    candidates=(point(TWO_SETS),),
    mutants=(
        mutant(
            "weight",
            "the norm of P M^-1 for I_S 1 too",
            f"{SKETCHED} == sum(k, 1, N, prob[k]*L[k]**2*sum(j, 1, d, {member()}**2*p[j]/M[j]))",
            TWO_SETS,
            own_sentence=True,
        ),
    ),
    steps=(
        step(
            "nice",
            "S uniform among the sets of tau coordinates: with p_j = tau/d, which is put in, Sigma_S^2 = (d/tau) "
            "E[L_S^2 sum over S of 1/M_j]",
            f"sum(k, 1, N, prob[k]*L[k]**2*sum(j, 1, d, {member()}/((tau/d)*M[j]))) == "
            f"d/tau*sum(k, 1, N, prob[k]*L[k]**2*sum(j, 1, d, {member()}/M[j]))",
            (COORDINATES, SETS, SHARE, PROB, CHI, LIPSCHITZ, M),
            candidates=(point("N=1 d=2 tau=1 prob=[1] chi=[0,1,1] L=[1] M=[1]"),),
        ),
    ),
)

IN_BLOCK = "all(k, 1, b, chi[k]*q[k] == chi[k]*q_own)"
TOTAL = "sum(k, 1, b, q[k]*chi[k]) == q_own*sum(k, 1, b, chi[k])"
ONE_BLOCK = f"sum(k, 1, b, {member()}) == 1"
OF_BLOCKS = f"sum(j, 1, d, sum(k, 1, b, {member()}))"
TWO_BLOCKS = "b=2 q=[1/2,1/4,1/2] chi=[0,1,0] q_own=1/4"

BLOCK_PROBABILITY = Claim(
    id="rbcd/ID-P-BS",
    title="a coordinate is drawn when its block is",
    words=(
        "p_i = Prob(i in S) = q_B(i) for block sampling. Encoded for one coordinate: chi[k] is 1 for its block, 0 "
        "for the others, and the blocks are a partition."
    ),
    place="Section 4.2.1, first paragraph",
    printed=r"p_i := \mathrm{Prob}(i\in S) = q_{B(i)}",
    kind=ClaimKind.IDENTITY,
    statement=Statement(
        "sum(k, 1, b, q[k]*chi[k]) == q_own", (BLOCKS, Q, CHI, OWN), (IN_BLOCK, "sum(k, 1, b, chi[k]) == 1")
    ),
    candidates=(point(TWO_BLOCKS),),
    argument=(
        Have(TOTAL, (ByTheorem("rbcd/ID-P-BS/weights"),)),
        Combine(terms=(("1", TOTAL), ("q_own", "sum(k, 1, b, chi[k]) == 1"))),
    ),
    mutants=(
        Mutant(
            "no-partition",
            "a coordinate that may lie in several blocks",
            conditions=(IN_BLOCK,),
            candidates=(point("b=2 q=[1/2] chi=[1] q_own=1/2"),),
        ),
    ),
    steps=(
        erratum(
            "s1",
            "B(i) and p_i are defined for each i in [n], n the number of records. Encoded: each such i is a coordinate",
            "i <= d",
            (COORDINATES, integer("n", "[1, oo)", "number of records"), integer("i", "[1, oo)")),
            ("i <= n",),
            place="Section 4.2.1, first paragraph",
            printed=r"\text{For each } i\in[n], \text{ let } B(i) \text{ indicate which block } i \text{ belongs to}",
            kind=ClaimKind.IMPLICATION,
            candidates=(point("d=1 n=2 i=2"),),
            finding=(
                "The blocks are a partition of [d]: with more records than coordinates B(n) is no block, and with "
                "fewer some coordinates have no p_i. [d] is meant, as in the definition of L_{A_1,..,A_b} below it. "
                "Nothing else changes."
            ),
            repair="rbcd/ID-P-BS/s1-coordinates",
        ),
        step(
            "weights",
            "only the block of the coordinate counts: the sum of q_k chi_k is q_B(i) times that of chi_k, by induction",
            TOTAL,
            (BLOCKS, Q, CHI, OWN),
            (IN_BLOCK,),
            candidates=(point(TWO_BLOCKS),),
            argument=(
                Induct(
                    "b",
                    base=(AtIndex("1"), Combine(terms=(("1", "chi[1]*q[1] == chi[1]*q_own"),))),
                    step=(Combine(terms=(("1", "chi[b + 1]*q[b + 1] == chi[b + 1]*q_own"),)),),
                ),
            ),
        ),
        step(
            "one-each",
            "t coordinates that lie in one block each are t coordinates of the blocks: by induction over t",
            f"{OF_BLOCKS.replace('1, d', '1, t')} == t",
            (COORDINATES, BLOCKS, CHI, integer("t", "[1, oo)", "number of coordinates that are counted")),
            (f"all(j, 1, t, {ONE_BLOCK})",),
            candidates=(point("d=2 b=2 t=2 chi=[0,1,0,0,1]"),),
            argument=(
                Induct(
                    "t",
                    base=(AtIndex("1"), Combine(terms=(("1", ONE_BLOCK.replace("+ j]", "+ 1]")),))),
                    step=(AtIndex("t + 1"), Combine(terms=(("1", "sum_2 == 1"),))),
                ),
            ),
        ),
        step(
            "s1-coordinates",
            "i runs over [d]: each coordinate lies in one block, so that the blocks have d coordinates in all and "
            "B(i) is there for every i in [d]",
            f"{OF_BLOCKS} == d",
            (COORDINATES, BLOCKS, CHI),
            (f"all(j, 1, d, {ONE_BLOCK})",),
            place="Section 4.2.1, the definition after the display of Sigma_S^2",
            printed=r"L_{\{A_1,\ldots,A_b\}} := \sum_{i=1}^d L_{B(i)} e_i",
            candidates=(point("d=2 b=2 chi=[0,1,0,0,1]"),),
            argument=(ByTheorem("rbcd/ID-P-BS/one-each", at=(("t", "d"),)),),
            mutants=(
                Mutant(
                    "no-partition",
                    "blocks that leave coordinates out",
                    conditions=(),
                    candidates=(point("d=2 b=1 chi=[0,1,0]"),),
                ),
            ),
        ),
    ),
)

BLOCK_SIGMA = Claim(
    id="rbcd/ID-SIG-BS",
    title="Sigma_S for block sampling does not depend on the probabilities",
    words=(
        "For a partition into blocks drawn with any probabilities q: Sigma_S^2 = ||L_A||^2 in the norm of M^-1, L_A "
        "with the Lipschitz constant of its block for each coordinate. Encoded for any number of blocks: the square "
        "of the entry j of L_A is the sum over k of L_k^2 chi_kj (steps `entry` and s3), and p_j = q_k where j lies "
        "in the block k."
    ),
    place="Section 4.2.1, first display",
    printed=r"\Sigma_S^2 = \left\|L_{\{A_1,\ldots,A_b\}}\right\|^2_{\mathbf{M}^{-1}}",
    kind=ClaimKind.IDENTITY,
    statement=Statement(f"{IN_BLOCKS} == {VECTOR}", (COORDINATES, BLOCKS, Q, CHI, LIPSCHITZ, M), (ROWS,)),
    origins=(Condition(ROWS, Origin.GIVEN, "rbcd/ID-SIG-BS/row"),),
    rests_on=("rbcd/ID-SIG-BS/s1", "rbcd/ID-SIG-BS/s2", "rbcd/ID-SIG-BS/entry"),
    candidates=(point("d=2 b=2 q=[1,1/2,1/2] chi=[0,1,0,0,1] L=[1] M=[1]"),),
    argument=(Rewrite(left=EXPANDED), ByTheorem("rbcd/ID-SIG-BS/s3")),
    mutants=(
        mutant(
            "no-cancel",
            "the probabilities left in the sizes of the blocks",
            f"sum(k, 1, b, L[k]**2*{SIZE}) == {VECTOR}",
            "d=2 b=2 q=[1,1/2,1/2] chi=[0,1,0,0,1] L=[1] M=[1]",
        ),
    ),
    steps=BLOCK_STEPS,
)

ONE = "d=2 p=[1,1/2,1/2] L=[1,1,2] M=[1,1,2]"
SINGLE = Claim(
    id="rbcd/ID-SIG-1C",
    title="Sigma_S for single coordinates",
    words="If S is one coordinate, with any probabilities p_j > 0, Sigma_S^2 is the sum of L_j^2/M_j.",
    place="Section 4.2.1, Single Coordinate Sampling",
    printed=r"\Sigma_S^2 = \left\|L_{\{1,\ldots,d\}}\right\|^2_{\mathbf{M}^{-1}}",
    kind=ClaimKind.IDENTITY,
    statement=Statement(
        "sum(j, 1, d, p[j]*L[j]**2*(1/(p[j]*M[j]))) == sum(j, 1, d, L[j]**2/M[j])", (COORDINATES, P, LIPSCHITZ, M)
    ),
    argument=(Identical(),),
    candidates=(point(ONE),),
    mutants=(
        mutant(
            "no-root",
            "L_j in place of its square",
            "sum(j, 1, d, p[j]*L[j]**2*(1/(p[j]*M[j]))) == sum(j, 1, d, L[j]/M[j])",
            ONE,
        ),
    ),
)

FULL = Claim(
    id="rbcd/ID-SIG-FULL",
    title="Sigma_S for full sampling",
    words="If S = [d] with probability 1, Sigma_S^2 = ||L 1||^2 in the norm of M^-1 = L^2 Tr(M^-1).",
    place="Section 4.2.1, Full Sampling",
    printed=r"\Sigma_S^2 = \left\|L\mathbf{1}\right\|^2_{\mathbf{M}^{-1}} = L^2\operatorname{Tr}(\mathbf{M}^{-1})",
    kind=ClaimKind.IDENTITY,
    statement=Statement(
        "sum(j, 1, d, (1*L_d/1)**2*1/M[j]) == L_d**2*sum(j, 1, d, 1/M[j])", (COORDINATES, FULL_LIPSCHITZ, M)
    ),
    argument=(Identical(),),
    candidates=(point("d=2 L_d=2 M=[1,1,2]"),),
    mutants=(
        mutant(
            "no-square",
            "L in place of its square",
            "sum(j, 1, d, (1*L_d/1)**2*1/M[j]) == L_d*sum(j, 1, d, 1/M[j])",
            "d=2 L_d=2 M=[1,1,2]",
        ),
    ),
)

CLAIMS = (SIGMA, BLOCK_PROBABILITY, BLOCK_SIGMA, SINGLE, FULL)
