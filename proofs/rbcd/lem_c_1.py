"""Lemma C.1: block gradients are bounded by the block Lipschitz constant.

The gradient g at w is u + r, with u = I_U g its part in the block and r the rest, which is orthogonal to u; l_w and l_u
are the losses at w and w + u. Convexity (A4) is used in s1 but not needed: a differentiable function that is
L-Lipschitz along the block has a block gradient of norm at most L (`smooth-only`).
"""

from dpaudit.claims.writing import *

L, U, R = positive("L", "L_U"), vector("u", "I_U g"), vector("r", "g - I_U g")
W, AT_W, AT_U = vector("w"), real("l_w", "(-oo, oo)", "l(w)"), real("l_u", "(-oo, oo)", "l(w + I_U g)")
APART = "dot(u, r) == 0"
CONVEX = "l_w + dot(u + r, u) <= l_u"
ALONG = "l_u - l_w <= L*norm(u)"
BELOW, ABOVE = "dot(u, u) <= l_u - l_w", "dot(u, u) <= L*norm(u)"
HERE = "rbcd/LEM-C.1"
SHARP = "L=1 u=(1,0) r=(0,1) l_w=0 l_u=1"

CLAIM = Claim(
    id=HERE,
    title="block gradients are bounded",
    words="Under A3, A4, A7: |I_U grad l(w; zeta)| <= L_U for all w, zeta and U.",
    place="Lemma C.1",
    printed=r"\left\|\mathbf{I}_U\nabla\ell(w;\zeta)\right\|\leq L_U",
    kind=ClaimKind.SENSITIVITY,
    statement=Statement("norm(u) <= L", (L, U, R, AT_W, AT_U), (APART, CONVEX, ALONG)),
    rests_on=(f"{HERE}/s5",),
    argument=(
        Have(BELOW, (Combine(terms=(("1", CONVEX), ("1", APART))),)),
        Have(ABOVE, (Combine(terms=(("1", BELOW), ("1", ALONG))),)),
        ByTheorem(f"{HERE}/s5"),
    ),
    candidates=(point(SHARP),),
    mutants=(
        mutant("half", "half the constant", "norm(u) <= L/2", SHARP),
        Mutant(
            "no-lipschitz",
            "A7 dropped",
            conditions=(APART, CONVEX),
            candidates=(point("L=1 u=(2,0) r=(0,0) l_w=0 l_u=4"),),
        ),
    ),
    tightness=(Tightness("factor", "1", "norm(u) <= {c}*L", "1", "99/100", candidates=(point(SHARP),)),),
    steps=(
        step(
            "s1",
            "convexity at w and w + I_U g: l(w + I_U g) >= l(w) + <g, I_U g>",
            "l_w + dot(u + r, u) <= l_u",
            (W, U, R, AT_W, AT_U),
            ("l_w + dot(u + r, (w + u) - w) <= l_u",),
            kind=ClaimKind.IMPLICATION,
            printed=r"\ell\left(w+\mathbf{I}_U\nabla\ell(w;\zeta);\zeta\right)\geq\ell(w;\zeta)+\langle\nabla\ell"
            r"(w;\zeta),\mathbf{I}_U\nabla\ell(w;\zeta)\rangle",
            argument=(Combine(terms=(("1", "l_w + dot(u + r, (w + u) - w) <= l_u"),)),),
            candidates=(point("w=(0,) u=(1,) r=(0,) l_w=0 l_u=1"),),
            mutants=(
                mutant(
                    "twice",
                    "twice the slope",
                    "l_w + 2*dot(u + r, u) <= l_u",
                    "w=(0,) u=(1,) r=(0,) l_w=0 l_u=1",
                ),
            ),
        ),
        step(
            "s2",
            "<g, I_U g> = |I_U g|^2: the rest r is orthogonal to the block",
            "dot(r + u, u) == norm(u)**2",
            (U, R),
            (APART,),
            argument=(Combine((("1", APART),)),),
            candidates=(point("u=(1,0) r=(0,1)"),),
            printed=r"\langle\nabla\ell(w;\zeta),\mathbf{I}_U\nabla\ell(w;\zeta)\rangle=\left\|\mathbf{I}_U\nabla\ell"
            r"(w;\zeta)\right\|^2",
        ),
        step(
            "s3",
            "Assumption 3.7 with v = g, without its absolute value",
            "l_u - l_w <= L*norm(u)",
            (L, U, AT_W, AT_U),
            ("abs(l_u - l_w) <= L*norm(u)",),
            kind=ClaimKind.IMPLICATION,
            printed=r"\ell\left(w+\mathbf{I}_U\nabla\ell(w;\zeta);\zeta\right)-\ell(w;\zeta)\leq L_U\left\|\mathbf{I}_U"
            r"\nabla\ell(w;\zeta)\right\|",
            argument=(Combine(terms=(("1", "l_u - l_w <= abs(l_u - l_w)"), ("1", "abs(l_u - l_w) <= L*norm(u)"))),),
            candidates=(point("L=1 u=(1,) l_w=0 l_u=1"),),
            mutants=(mutant("half", "half of it", "l_u - l_w <= L*norm(u)/2", "L=1 u=(1,) l_w=0 l_u=1"),),
        ),
        step(
            "s4",
            "s1 to s3 together: |I_U g|^2 <= L_U |I_U g|",
            ABOVE,
            (L, U, R, AT_W, AT_U),
            (APART,),
            given={f"{HERE}/s1": CONVEX, f"{HERE}/s2": "", f"{HERE}/s3": ALONG},
            argument=(Combine(terms=(("1", CONVEX), ("1", APART), ("1", ALONG))),),
            printed=r"\left\|\mathbf{I}_U\nabla\ell(w;\zeta)\right\|^2\leq L_U\left\|\mathbf{I}_U\nabla\ell(w;\zeta)"
            r"\right\|",
            candidates=(point(SHARP),),
            mutants=(mutant("half", "half the constant", "dot(u, u) <= L*norm(u)/2", SHARP),),
        ),
        step(
            "s5",
            "dividing by |I_U g|; where it is 0 there is nothing to show",
            "norm(u) <= L",
            (L, U),
            given={f"{HERE}/s4": ABOVE},
            printed=r"\text{dividing both sides by }\left\|\mathbf{I}_U\nabla\ell(w;\zeta)\right\|",
            argument=(Solve(),),
            candidates=(point("L=1 u=(1,)"),),
            mutants=(mutant("half", "half the constant", "norm(u) <= L/2", "L=1 u=(1,)"),),
        ),
        step(
            "smooth-only",
            "convexity is not needed: for h small the loss rises by at least h |u|^2 - h e along h u (A3) and by at "
            "most L h |u| (A7), so that |u|^2 <= L |u| + e, for any e > 0",
            "dot(u, u) <= L*norm(u) + e",
            (L, U, positive("h", "length of the move"), positive("e", "slack"), real("rise")),
            ("h*dot(u, u) - h*e <= rise", "rise <= L*h*norm(u)"),
            argument=(
                Scale("h"),
                Combine(terms=(("1", "h*dot(u, u) - h*e <= rise"), ("1", "rise <= L*h*norm(u)"))),
            ),
            candidates=(point("L=1 u=(1,) h=1 e=1/100 rise=1"),),
            mutants=(
                mutant("half", "half the constant", "dot(u, u) <= L*norm(u)/2 + e", "L=1 u=(1,) h=1 e=1/100 rise=1"),
            ),
        ),
    ),
)
