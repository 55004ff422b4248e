"""Row 1 of Table 1: block sampling with any probabilities.

The Sigma_S^2 of Theorem 4.2 is written out in blocks, with the probabilities, and ||L_A||^2 coordinate by coordinate;
that the two are equal is ID-SIG-BS. A family of blocks is the sequence `chi`, as there.
"""

from dpaudit.claims.writing import *

from .modulus import MODULUS
from .symbols import *

MEMBER = "chi[d*(k - 1) + j]"
CHI = sequence("chi", "[0, 1]", "chi[d*(k - 1) + j] is 1 where j lies in the block k, else 0")
Q, LIPSCHITZ = sequence("q", "(0, 1]", "Prob(S = A_k)"), sequence("L", "(0, oo)", "Lipschitz constant of the block k")
PARTITION = (COORDINATES, BLOCKS, Q, CHI, LIPSCHITZ, M)
IN_BLOCKS = f"sum(k, 1, b, q[k]*L[k]**2*sum(j, 1, d, {MEMBER}/(q[k]*M[j])))"
"""Sigma_S^2."""
VECTOR = f"sum(j, 1, d, sum(k, 1, b, L[k]**2*{MEMBER})/M[j])"
"""||L_A||^2."""
BEFORE, NEXT = f"sum(k, 1, i, L[k]**2*{MEMBER})", "chi[d*(i + 1 - 1) + j]"
ROWS = (
    f"all(i, 1, b - 1, sum(j, 1, d, ({BEFORE} + L[i + 1]**2*{NEXT})/M[j]) == sum(j, 1, d, {BEFORE}/M[j]) + "
    f"L[i + 1]**2*sum(j, 1, d, {NEXT}/M[j]))"
)
"""One block more adds its own sum."""
BY_BLOCKS = Have(f"{IN_BLOCKS} == {VECTOR}", (ByTheorem("rbcd/ID-SIG-BS"),))
AT = "d=2 b=2 q=[1,1/2,1/2] chi=[0,1,0,0,1] L=[1] M=[1]"

GENERAL = table_row(
    1,
    "block sampling, any probabilities",
    "First cell: Sigma_S R_{MP^-1} = ||L_A|| R_{MP^-1}, Sigma_S^2 written out in blocks (ID-SIG-BS).",
    rf"{BLOCK_NORM}_{{\mathbf{{M}}^{{-1}}}} R_{{\mathbf{{M}}\mathbf{{P}}^{{-1}}}}",
    f"sqrt({IN_BLOCKS})*R_MP == sqrt({VECTOR})*R_MP",
    (*PARTITION, R_WEIGHTED),
    (
        second(
            1,
            "second cell: Sigma_S^2 max{M_i/p_i}/mu = ||L_A||^2 max{M_i/p_i}/mu, Sigma_S^2 written out in blocks",
            rf"{BLOCK_NORM}^2_{{\mathbf{{M}}^{{-1}}}} \frac1\mu "
            rf"\max_{{i\in[d]}}\left\{{\frac{{M_i}}{{p_i}}\right\}}",
            f"{IN_BLOCKS}*(1/mu)*top == {VECTOR}*(1/mu)*top",
            (*PARTITION, MU, TOP),
            given={"rbcd/ID-SIG-BS/row": ROWS},
            rests_on=("rbcd/ID-SIG-BS",),
            candidates=(point(f"{AT} mu=1 top=1"),),
            argument=(BY_BLOCKS, Combine(terms=(("top/mu", f"{IN_BLOCKS} == {VECTOR}"),))),
            mutants=(
                mutant(
                    "no-cancel",
                    "the probabilities left in Sigma_S^2",
                    f"sum(k, 1, b, L[k]**2*sum(j, 1, d, {MEMBER}/(q[k]*M[j])))*(1/mu)*top == {VECTOR}*(1/mu)*top",
                    f"{AT} mu=1 top=1",
                ),
            ),
        ),
        *units("sqrt(norm2)*sqrt(radius2)", "norm2 radius2", "norm2*(1/mu)*top", "norm2 mu top"),
        MODULUS,
    ),
    (ROWS,),
    origins=(Condition(ROWS, Origin.GIVEN, "rbcd/ID-SIG-BS/row"),),
    rests_on=("rbcd/ID-SIG-BS",),
    candidates=(point(f"{AT} R_MP=1"),),
    argument=(BY_BLOCKS, Power("2"), Combine(terms=(("R_MP**2", f"{IN_BLOCKS} == {VECTOR}"),))),
    mutants=(
        mutant(
            "square", "Sigma_S^2", f"{IN_BLOCKS}*R_MP == sqrt({VECTOR})*R_MP", AT.replace("L=[1]", "L=[2]") + " R_MP=1"
        ),
    ),
)
