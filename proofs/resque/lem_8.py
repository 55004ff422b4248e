"""Lemma 8: how far the centre of a ball is from optimal for the regularised problem.

F = the smoothed empirical risk is L-Lipschitz; xs minimises F(x) + (lambda/2)|x - xbar|^2 over the ball
around xbar, and t = |xs - xbar|. The printed proof first bounds t by 2 L/lambda and gets 2 L^2/lambda. The gap is
at most L t - (lambda/2) t^2 for whatever t, so that 1/2 may stand for 2: a quarter, attained by linear F.
"""

from dpaudit.claims.writing import *

L, LAM = positive("L", "Lipschitz constant of F"), positive("lam", "strength of the regulariser")
FBAR, FSTAR = real("Fbar", "(-oo, oo)", "F(xbar)"), real("Fstar", "(-oo, oo)", "F(xs)")
V, G = vector("v", "xs - xbar"), vector("g", "a subgradient of F at xs")
T = real("t", "[0, oo)", "|xs - xbar|")
GAP = "Fbar - (Fstar + lam/2*dot(v, v))"
LIPSCHITZ = "Fbar - Fstar <= L*norm(v)"
SUBGRADIENT = "Fstar - dot(g, v) <= Fbar"
OPTIMAL = "dot(g, v) + lam*dot(v, v) <= 0"
# F(x) = L x on the line, xbar = 0: the minimiser is -L/lambda if the ball holds it, and the gap L^2/(2 lambda).
LINEAR = point("L=1 lam=1 Fbar=0 Fstar=-1 v=(-1,)")
STEEP = point("L=1 lam=1 Fbar=9 Fstar=0 v=(-1,)")
FLAT = point("L=1/8 lam=1 Fbar=0 Fstar=-1/64 v=(-1/8,)")
LINEAR_G, STEEP_G = (*LINEAR, ("g", "(1,)")), (*STEEP, ("g", "(9,)"))

CLAIM = Claim(
    id="resque/LEM-8",
    title="initial gap of the regularised problem at the centre",
    words="F(xbar) - (F(xs) + (lambda/2)|xs - xbar|^2) <= 2 L^2/lambda.",
    place="Lemma 8",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{GAP} <= 2*L**2/lam", (L, LAM, FBAR, FSTAR, V), (LIPSCHITZ,)),
    argument=(
        Combine(
            terms=(
                ("1", LIPSCHITZ),
                ("1/(2*lam)", "0 <= (L - lam*norm(v))**2"),
                ("3*L**2/(2*lam)", "0 <= 1"),
            ),
            because="L t - (lambda/2) t^2 <= L^2/(2 lambda)",
        ),
    ),
    candidates=(LINEAR, STEEP, FLAT),
    mutants=(
        mutant("unregularised", "the regulariser left out of the minimum", "Fbar - Fstar <= 2*L**2/lam",
               "L=1 lam=1 Fbar=0 Fstar=-3 v=(3,)"),
        mutant("lost-square", "L in place of L^2", f"{GAP} <= 2*L/lam",
               "L=9 lam=9 Fbar=0 Fstar=-9 v=(1,)"),
        Mutant("not-lipschitz", "F not Lipschitz", conditions=(), candidates=(STEEP,)),
    ),
    tightness=(
        Tightness("factor", "2", GAP + " <= {c}*L**2/lam", proved="0.5", refuted="0.49", candidates=(LINEAR,),
                  argument=(Combine(terms=(("1", LIPSCHITZ), ("1/(2*lam)", "0 <= (L - lam*norm(v))**2"))),)),
    ),
    steps=(
        step(
            "s1",
            "by strong convexity, (lambda/2)|xs - xbar|^2 is at most that gap: F is above its subgradient g at xs, and "
            "xs is optimal in the ball, which holds xbar",
            f"lam/2*dot(v, v) <= {GAP}", (LAM, FBAR, FSTAR, V, G), (SUBGRADIENT, OPTIMAL),
            rests_on=("first-order-optimality",),
            argument=(Combine(terms=(("1", SUBGRADIENT), ("1", OPTIMAL))),),
            candidates=(LINEAR_G[1:], STEEP_G[1:]),
            mutants=(
                Mutant("factor", "0.55 lambda in place of lambda/2", f"0.55*lam*dot(v, v) <= {GAP}",
                       candidates=(LINEAR_G[1:],)),
                Mutant("not-optimal", "xs any point", conditions=(SUBGRADIENT,),
                       candidates=(point("lam=1 Fbar=0 Fstar=0 v=(1,) g=(0,)"),)),
            ),
        ),
        step(
            "s2",
            "that gap is at most F(xbar) - F(xs)",
            f"{GAP} <= Fbar - Fstar", (LAM, FBAR, FSTAR, V),
            argument=(Combine(terms=(("lam/2", "0 <= dot(v, v)"),)),),
            mutants=(
                Mutant("sign", "the regulariser added", "Fbar - Fstar + lam/2*dot(v, v) <= Fbar - Fstar",
                       candidates=(LINEAR[1:],)),
            ),
        ),
        step(
            "s2-lipschitz",
            "F(xbar) - F(xs) <= L|xs - xbar|, from |g| <= L for the subgradients of F at xbar",
            "Fbar - Fstar <= L*norm(v)", (L, FBAR, FSTAR, V, G),
            ("Fbar + dot(g, v) <= Fstar", "norm(g) <= L"),
            argument=(
                Combine(
                    terms=(
                        ("1", "Fbar + dot(g, v) <= Fstar"),
                        ("1", "dot(g, -v) <= norm(g)*norm(-v)"),
                        ("norm(v)", "norm(g) <= L"),
                    )
                ),
            ),
            candidates=((*LINEAR[:1], *LINEAR[2:], ("g", "(1,)")), (*STEEP[:1], *STEEP[2:], ("g", "(9,)"))),
            mutants=(
                Mutant("factor", "0.95 L", "Fbar - Fstar <= 0.95*L*norm(v)",
                       candidates=((*LINEAR[:1], *LINEAR[2:], ("g", "(1,)")),)),
            ),
        ),
        step(
            "s3",
            "rearranging, t = |xs - xbar| <= 2 L/lambda: from (lambda/2) t^2 <= L t",
            "t <= 2*L/lam", (L, LAM, T), given={"resque/LEM-8/s2-lipschitz": "lam/2*t**2 <= L*t"},
            argument=(Solve(),),
            candidates=(point("L=1 lam=1 t=2"),),
            mutants=(
                mutant("factor", "1.9 in place of 2", "t <= 1.9*L/lam",
                       "L=1 lam=1 t=2"),
                Mutant("no-hypothesis", "t any number", conditions=(),
                       candidates=(point("L=1 lam=1 t=3"),)),
            ),
        ),
        step(
            "r1",
            "the distance is at most L/lambda: optimality gives lambda t^2 <= <g, xbar - xs> <= L t (a factor 2 better "
            "than s3)",
            "t <= L/lam", (L, LAM, T), ("lam*t**2 <= L*t",),
            argument=(Solve(),),
            candidates=(point("L=1 lam=1 t=1"),),
            mutants=(
                Mutant("no-hypothesis", "t any number", conditions=(),
                       candidates=(point("L=1 lam=1 t=3"),)),
            ),
            tightness=(
                Tightness("distance", "2", "t <= {c}*L/lam", proved="1", refuted="0.99",
                          candidates=(point("L=1 lam=1 t=1"),)),
            ),
        ),
    ),
)  # fmt: skip
