"""Block sampling: the display of Sigma_S^2, equality by equality. Steps s1 to s3."""

from dpaudit.claims.writing import *

from .symbols import *

SIZE = f"sum(j, 1, d, {member()}/(q[k]*M[j]))"
IN_BLOCKS = f"sum(k, 1, b, q[k]*L[k]**2*{SIZE})"
"""p_j = q_k on the block k put in."""
WITH_P = f"sum(j, 1, d, {member()}/(p[j]*M[j]))"
"""chi = chi^2, as it is 0 or 1."""
FIRST_BLOCK = f"{WITH_P} == {SIZE}".replace("k", "1")
EACH_BLOCK = f"all(k, 1, b, {WITH_P} == {SIZE})"
EXPANDED = f"sum(k, 1, b, L[k]**2*sum(j, 1, d, {member()}/M[j]))"
VECTOR = f"sum(j, 1, d, sum(k, 1, b, L[k]**2*{member()})/M[j])"
"""||L_A||^2: the inner sum has one term, L_B(j)^2."""


def row(i):
    """One block more: each coordinate's sum, and the sum of these, in both orders."""
    before, new = f"sum(k, 1, {i}, L[k]**2*{member()})", f"L[{i} + 1]**2*{member(f'{i} + 1')}"
    return (
        f"sum(j, 1, d, ({before} + {new})/M[j]) == sum(j, 1, d, {before}/M[j]) + "
        f"L[{i} + 1]**2*sum(j, 1, d, {member(f'{i} + 1')}/M[j])"
    )


ROWS = f"all(i, 1, b - 1, {row('i')})"
EXAMPLE = point("d=2 b=2 q=[1,1/2,1/2] chi=[0,1,0,0,1] L=[1] M=[1]")
OWN_BLOCK = "all(k, 1, b, chi[k]*L[k]**2 == chi[k]*L_own**2)"
SQUARES = "sum(k, 1, b, L[k]**2*chi[k]) == L_own**2*sum(k, 1, b, chi[k])"

BLOCK_STEPS = (
    step(
        "s1",
        "the mean over S = A_k with probability q_k: the sum of q_k L_k^2 ||I_A_k 1||^2 in the norm of P^-1 M^-1. "
        "Encoded from Sigma_S^2 = E||C L_S 1||^2 in the norm of P M^-1 (ID-SIG-1): the other mean is this sum by the "
        "meaning of a mean",
        f"sum(k, 1, b, q[k]*sum(j, 1, d, ({member()}*L[k]/p[j])**2*p[j]/M[j])) == "
        f"sum(k, 1, b, q[k]*L[k]**2*sum(j, 1, d, {member()}**2/(p[j]*M[j])))",
        (COORDINATES, BLOCKS, Q, CHI, LIPSCHITZ, P, M),
        rests_on=("rbcd/ID-SIG-1",),
        place="Section 4.2.1, first display, line 1",
        printed=r"\mathbb{E}\left[L_S^2\|\mathbf{I}_S\mathbf{1}\|^2_{\mathbf{P}^{-1}\mathbf{M}^{-1}}\right] = "
        r"\sum_{i=1}^b q_i L_{A_i}^2 \|\mathbf{I}_{A_i}\mathbf{1}\|^2_{\mathbf{P}^{-1}\mathbf{M}^{-1}}",
        candidates=(point("d=2 b=2 q=[1,1/2,1/2] chi=[0,1,0,0,1] L=[1] p=[1/2] M=[1]"),),
    ),
    step(
        "s2",
        "from line 1 to line 2: ||I_A_k 1||^2 in the norm of P^-1 M^-1 is the sum over A_k of 1/(q_k M_j), put in for "
        "each block",
        f"sum(k, 1, b, q[k]*L[k]**2*{WITH_P}) == {IN_BLOCKS}",
        (COORDINATES, BLOCKS, Q, CHI, LIPSCHITZ, P, M),
        given={"rbcd/ID-SIG-BS/block": EACH_BLOCK},
        place="Section 4.2.1, first display, from line 1 to line 2",
        printed=r"\sum_{i=1}^b q_i L_{A_i}^2 \|\mathbf{I}_{A_i}\mathbf{1}\|^2_{\mathbf{P}^{-1}\mathbf{M}^{-1}} = "
        r"\sum_{i=1}^b q_i L_{A_i}^2 \sum_{j\in A_i}\frac{1}{q_i M_j}",
        candidates=(point("d=2 b=2 q=[1,1/2,1/2] chi=[0,1,0,0,1] L=[1] p=[1/2] M=[1]"),),
        argument=(
            Induct(
                "b",
                base=(AtIndex("1"), Combine(terms=(("q[1]*L[1]**2", FIRST_BLOCK),))),
                step=(Combine(terms=(("q[b + 1]*L[b + 1]**2", "sum_2 == sum_4"),)),),
            ),
        ),
    ),
    step(
        "block",
        "one block: p_j = q_own where j lies in it, chi[j] = chi[j]^2 is 1 there and 0 elsewhere; by induction",
        "sum(j, 1, d, chi[j]/(p[j]*M[j])) == sum(j, 1, d, chi[j]/(q_own*M[j]))",
        (COORDINATES, CHI, P, M, OWN),
        ("all(j, 1, d, chi[j]*q_own == chi[j]*p[j])",),
        rests_on=("rbcd/ID-P-BS",),
        candidates=(point("d=2 chi=[0,1,0] p=[1,1/2,1] q_own=1/2 M=[1]"),),
        argument=(
            Induct(
                "d",
                base=(
                    AtIndex("1"),
                    Combine(terms=(("1/(p[1]*q_own*M[1])", "chi[1]*q_own == chi[1]*p[1]"),)),
                ),
                step=(
                    Combine(
                        terms=(("1/(p[d + 1]*q_own*M[d + 1])", "chi[d + 1]*q_own == chi[d + 1]*p[d + 1]"),),
                    ),
                ),
            ),
        ),
    ),
    step(
        "s2-cancel",
        "the probabilities cancel: the sum of q_k L_k^2 times the sum over A_k of 1/(q_k M_j) is that of L_k^2 times "
        "the sum over A_k of 1/M_j. The paper does not print the latter",
        f"{IN_BLOCKS} == {EXPANDED}",
        (COORDINATES, BLOCKS, Q, CHI, LIPSCHITZ, M),
        reads=Reads.OURS,
        place="Section 4.2.1, first display, line 2, first term",
        candidates=(EXAMPLE,),
    ),
    step(
        "s3",
        "each coordinate lies in one block, so that the sum over blocks and their coordinates is one over coordinates: "
        "||L_A||^2 in the norm of M^-1; by induction over the number of blocks. On the left the q_i are cancelled "
        "already (s2-cancel)",
        f"{EXPANDED} == {VECTOR}",
        (COORDINATES, BLOCKS, CHI, LIPSCHITZ, M),
        given={"rbcd/ID-SIG-BS/row": ROWS},
        rests_on=("rbcd/ID-SIG-BS/entry", "rbcd/ID-SIG-BS/s2-cancel"),
        place="Section 4.2.1, first display, line 2, last term",
        printed=r"\sum_{i=1}^b q_i L_{A_i}^2 \sum_{j\in A_i}\frac{1}{q_i M_j} = "
        r"\left\|L_{\{A_1,\ldots,A_b\}}\right\|^2_{\mathbf{M}^{-1}}",
        candidates=(EXAMPLE[:2] + EXAMPLE[3:],),
        argument=(Induct("b", step=(Combine(terms=(("-1", "sum_3 == sum_4 + L[b + 1]**2*sum_2"),)),)),),
    ),
    step(
        "row",
        "one block more adds its own sum, in both orders of summation: what the induction of s3 uses",
        row("b"),
        (COORDINATES, BLOCKS, CHI, LIPSCHITZ, M),
        candidates=(EXAMPLE[:2] + EXAMPLE[3:],),
    ),
    step(
        "entry",
        "at one coordinate the sum over k of L_k^2 chi_k is the square of its entry L_B(j) of L_A; chi is 1 for its "
        "block and 0 for the others",
        "sum(k, 1, b, L[k]**2*chi[k]) == L_own**2",
        (BLOCKS, LIPSCHITZ, CHI, positive("L_own", "L_B(j)")),
        (OWN_BLOCK, "sum(k, 1, b, chi[k]) == 1"),
        candidates=(point("b=2 L=[1,2,3] chi=[0,1,0] L_own=2"),),
        argument=(
            Have(SQUARES, (ByTheorem("rbcd/ID-SIG-BS/squares"),)),
            Combine(terms=(("1", SQUARES), ("L_own**2", "sum(k, 1, b, chi[k]) == 1"))),
        ),
    ),
    step(
        "squares",
        "only the block of the coordinate counts: the sum of L_k^2 chi_k is L_B(j)^2 times that of chi_k, by induction",
        SQUARES,
        (BLOCKS, LIPSCHITZ, CHI, positive("L_own", "L_B(j)")),
        (OWN_BLOCK,),
        candidates=(point("b=2 L=[1,2,3] chi=[0,1,0] L_own=2"),),
        argument=(
            Induct(
                "b",
                base=(AtIndex("1"), Combine(terms=(("1", "chi[1]*L[1]**2 == chi[1]*L_own**2"),))),
                step=(Combine(terms=(("1", "chi[b + 1]*L[b + 1]**2 == chi[b + 1]*L_own**2"),)),),
            ),
        ),
    ),
)
