"""Lemma C.1: block gradients are bounded by the block Lipschitz constant.

The condition s^2 <= rise is convexity (A4, the printed s1) with s2, and rise <= L s is A7 (s3).
Convexity is used in s1 but not needed: a differentiable function that is L-Lipschitz
along the block has a block gradient of norm at most L.
"""

from dpaudit.claims.writing import *

L = positive("L", "L_U")
SIZE = positive("s", "|I_U grad l|; the case 0 is trivial")

CLAIM = Claim(
    id="rbcd/LEM-C.1",
    title="block gradients are bounded",
    words="Under A3, A4, A7: |I_U grad l(w; zeta)| <= L_U for all w, zeta and U.",
    place="Lemma C.1",
    kind=ClaimKind.SENSITIVITY,
    statement=Statement(
        "s <= L", (L, SIZE, real("rise", "(-oo, oo)", "l(w + I_U g) - l(w)")), ("s**2 <= rise", "rise <= L*s")
    ),
    rests_on=("rbcd/LEM-C.1/s2",),
    argument=(Combine(terms=(("1/s", "s**2 <= rise"), ("1/s", "rise <= L*s"))),),
    mutants=(
        mutant("half", "half the constant", "s <= L/2", "L=1 s=1 rise=1"),
        Mutant("no-lipschitz", "A7 dropped", conditions=("s**2 <= rise",), candidates=(point("L=1 s=2 rise=4"),)),
    ),
    steps=(
        step(
            "s2",
            "<g, I_U g> = |I_U g|^2, with g split into its part u in the block and the orthogonal rest r",
            "dot(u + r, u) - dot(r, u) == norm(u)**2",
            (vector("u"), vector("r")),
        ),
        step(
            "s4",
            "s1 to s3 together: |I_U g|^2 <= L_U |I_U g|",
            "s**2 <= L*s",
            (L, SIZE, real("rise")),
            ("s**2 <= rise", "rise <= L*s"),
            argument=(Combine(terms=(("1", "s**2 <= rise"), ("1", "rise <= L*s"))),),
            mutants=(mutant("half", "half the constant", "s**2 <= L*s/2", "L=1 s=1 rise=1"),),
        ),
    ),
)
