"""Lemma 9: Lemma 8 with the regulariser centred at any point x', and the start at its projection x0 onto the ball.

The projection x0 is the point of the ball nearest to x', which is all that is new (s1). As in Lemma 8 the printed
constant 2 is four times the best: the angle at a projection is obtuse, |xs - x'|^2 >= |xs - x0|^2 + |x0 - x'|^2, so
that the gap is at most L t - (lambda/2) t^2 with t = |xs - x0|.
"""

from dpaudit.claims.writing import *

L, LAM = positive("L", "Lipschitz constant of F"), positive("lam", "strength of the regulariser")
F0, FSTAR = real("F0", "(-oo, oo)", "F(x0)"), real("Fstar", "(-oo, oo)", "F(xs)")
U, V = vector("u", "x0 - x', from the centre of the regulariser to its projection"), vector("v", "xs - x0")
GAP = "F0 + lam/2*dot(u, u) - (Fstar + lam/2*dot(u + v, u + v))"
LIPSCHITZ = "F0 - Fstar <= L*norm(v)"
OBTUSE = "0 <= dot(u, v)"
# F(x) = L x on the line with x' = x0 = 0 inside the ball: as in Lemma 8.
LINEAR = point("L=1 lam=1 F0=0 Fstar=-1 u=(0,) v=(-1,)")
STEEP = point("L=1 lam=1 F0=9 Fstar=0 u=(0,) v=(-1,)")
FLAT = point("L=1/8 lam=1 F0=0 Fstar=-1/64 u=(0,) v=(-1/8,)")
# x0 is not the projection of x' = -3: the regulariser pulls towards the minimiser as well.
ACUTE = point("L=1 lam=1 F0=0 Fstar=-1 u=(3,) v=(-1,)")
SQUARE = "0 <= (L - lam*norm(v))**2"
BEST = (("1", LIPSCHITZ), ("lam", OBTUSE), ("1/(2*lam)", SQUARE))

CLAIM = Claim(
    id="resque/LEM-9",
    title="initial gap when the regulariser is centred anywhere",
    words=(
        "x' in R^d arbitrary, x0 its projection onto the ball, xs the minimiser over the ball of F + (lambda/2)|. - "
        "x'|^2: the gap at x0 is at most 2 L^2/lambda."
    ),
    place="Lemma 9",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{GAP} <= 2*L**2/lam", (L, LAM, F0, FSTAR, U, V), (LIPSCHITZ, OBTUSE)),
    rests_on=("projection-onto-a-convex-set",),
    argument=(Combine(terms=(*BEST, ("3*L**2/(2*lam)", "0 <= 1"))),),
    candidates=(LINEAR, STEEP, ACUTE, FLAT),
    mutants=(
        Mutant("not-projected", "x0 any point of the ball", conditions=(LIPSCHITZ,), candidates=(ACUTE,)),
        Mutant("not-lipschitz", "F not Lipschitz", conditions=(OBTUSE,), candidates=(STEEP,)),
        mutant(
            "other-sign", "the regulariser at xs added", f"{GAP} + lam*dot(u + v, u + v) <= 2*L**2/lam",
            "L=1 lam=1 F0=0 Fstar=-3 u=(0,) v=(-3,)",
        ),
    ),
    tightness=(
        Tightness("factor", "2", GAP + " <= {c}*L**2/lam", proved="0.5", refuted="0.49", candidates=(LINEAR,),
                  argument=(Combine(terms=BEST),)),
    ),
    steps=(
        step(
            "s1",
            "(lambda/2)|x0 - x'|^2 <= (lambda/2)|xs - x'|^2, since x0 is the point of the ball nearest to x'",
            "lam/2*dot(u, u) <= lam/2*dot(u + v, u + v)", (LAM, U, V), (OBTUSE,),
            rests_on=("projection-onto-a-convex-set",),
            argument=(Combine(terms=(("lam", OBTUSE), ("lam/2", "0 <= dot(v, v)"))),),
            candidates=(tuple(pair for pair in ACUTE if pair[0] in ("lam", "u", "v")),),
            mutants=(
                Mutant("not-projected", "x0 any point", conditions=()),
                Mutant("reversed", "xs nearer than x0", "lam/2*dot(u + v, u + v) <= lam/2*dot(u, u)",
                       candidates=(tuple(pair for pair in LINEAR if pair[0] in ("lam", "u", "v")),)),
            ),
        ),
        step(
            "s1-lemma-8",
            "the rest is Lemma 8: with s1 the gap is at most F(x0) - F(xs) <= L|xs - x0|",
            f"{GAP} <= L*norm(v)", (L, LAM, F0, FSTAR, U, V), (LIPSCHITZ, OBTUSE),
            rests_on=("projection-onto-a-convex-set",),
            argument=(
                Combine(terms=(("1", LIPSCHITZ), ("lam", OBTUSE), ("lam/2", "0 <= dot(v, v)"))),
            ),
            candidates=(LINEAR, STEEP, ACUTE),
            mutants=(
                Mutant("factor", "0.45 in place of 1", f"{GAP} <= 0.45*L*norm(v)", candidates=(LINEAR,)),
            ),
        ),
    ),
)  # fmt: skip
