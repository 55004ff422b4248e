"""The proof that holds."""

from dpaudit.claims.writing import *

from .printed import BETA, ETA, LAM, RP, Y0, C, D, G, H, L, T, Y, square

RATE = "(sqrt(d)/(beta*T) + 1/sqrt(T))"

OURS = (
    "4*rp**2/(eta*h) + 2*L*rp/h + 4*L**2*eta*d/(beta**2*h) + 2/3*eta*L**2 + L**2*eta*sqrt(d)/(beta*h**2) + "
    "lam/2*(L*eta/(beta*h**2))**2*d"
)
A0, AN, SUM = real("a0", "[0, oo)", "E|y_0 - u|^2"), real("an", "[0, oo)", "E|y_n - u|^2"), real("S", "(-oo, oo)")
F0, FN = real("f0", "(-oo, oo)", "E F(y_0) - F(u)"), real("fn", "(-oo, oo)", "E F(y_n) - F(u)")
N, M = integer("n", "[1, oo)", "T_i"), real("m", "[0, oo)", "E|y_n - u|")
W = real("w", "[0, oo)", "how much better than u the start may be")
PHASE = ("2*eta*S + an <= a0 + 3*eta**2*L**2*n", "fn <= L*m", "m**2 <= an", "0 <= f0 + w")
ONE_STEP = "2*eta*f + anext <= an + 3*eta**2*L**2"
OPTIMAL = "0 <= dot(eta*g + (y - y0) + eta*lam*(y - c), u - y)"
START = ("Fx - Fu <= L*norm(a)", "lam*norm(b) <= L")

REPAIRED_STEPS = (
    step(
        "r1",
        "the composite step: y minimises eta <g, .> + |. - y0|^2/2 + (eta lambda/2)|. - c|^2 over the ball, so "
        "that for u in the ball eta <g, y0 - u> + (eta lambda/2)(|y - c|^2 - |u - c|^2) <= |y0 - u|^2/2 - |y - "
        "u|^2/2 + eta^2 |g|^2/2",
        f"eta*dot(g, y0 - u) + eta*lam/2*({square('y - c')} - {square('u - c')}) <= "
        f"{square('y0 - u')}/2 - {square('y - u')}/2 + eta**2*dot(g, g)/2",
        (ETA, LAM, Y, Y0, G, C, vector("u", "comparator")), (OPTIMAL,),
        rests_on=("first-order-optimality",),
        argument=(
            Combine(
                terms=(
                    ("1", OPTIMAL), ("1/2", "0 <= dot(y - y0 + eta*g, y - y0 + eta*g)"),
                    ("eta*lam/2", "0 <= dot(y - u, y - u)"),
                )
            ),
        ),
        candidates=(
            point("eta=1 lam=1 y=(0,) y0=(1,) g=(1,) c=(0,) u=(-1,)"), point("eta=1 lam=1 y=(9,) y0=(0,) g=(0,) c=(0,) "
                                                                       "u=(0,)"),
            point("eta=1 lam=1/1000 y=(0,) y0=(1,) g=(1,) c=(0,) u=(0,)"),
        ),
        mutants=(
            Mutant("factor", "eta^2/4 in place of eta^2/2",
                   f"eta*dot(g, y0 - u) + eta*lam/2*({square('y - c')} - {square('u - c')}) <= "
                   f"{square('y0 - u')}/2 - {square('y - u')}/2 + eta**2*dot(g, g)/4"),
            Mutant("not-optimal", "y any point", conditions=()),
        ),
    ),
    step(
        "r2",
        "the sum over a phase, by induction: S sums f_{j-1} + p_j (F at y_{j-1}, the regulariser at y_j, each less "
        "its value at u), the mean of r1 is the second hypothesis",
        "2*eta*(S + f) + anext <= a0 + 3*eta**2*L**2*(n + 1)",
        (L, ETA, N, A0, AN, SUM, real("f"), real("anext", "[0, oo)")), (PHASE[0], ONE_STEP),
        argument=(Combine(terms=(("1", PHASE[0]), ("1", ONE_STEP))),),
        candidates=(point("L=1 eta=1 n=1 a0=1 an=4 S=0 f=0 anext=7"), point("L=1 eta=1 n=1 a0=1 an=4 S=0 f=9 anext=7")),
        mutants=(
            Mutant("no-growth", "3 eta^2 L^2 n", "2*eta*(S + f) + anext <= a0 + 3*eta**2*L**2*n"),
            Mutant("no-step", "nothing known of the next step", conditions=(PHASE[0],)),
        ),
    ),
    step(
        "r2-start",
        "E|G|^2 <= 3 L^2 also at the start of a later phase, outside of the ball: t^(d/2) exp(x^2 t) with x = "
        "r/rho <= 1/2 and 1/t = 1 - 2 sigma^2/rho^2; sigma sqrt d <= r'/4 <= rho/4",
        "t**(d/2)*exp(x**2*t) <= 3", (D, real("x", "[0, 1/2]"), real("t", "[1, 8/7]")),
        ("8*d*(t - 1) <= t",),
        rests_on=("noncentral-chi-square",),
        kind=ClaimKind.MOMENT,
        argument=(
            Logarithm(),
            Rewrite(left="d/2*log(t) + x**2*t"),
            Bound(left="d/2*(t - 1) + x**2*t", argument=(Scale("2/d"), Tangent("t", "1"))),
            Bound(left="(1/16 + x**2)*t", argument=(Combine(terms=(("1/16", "8*d*(t - 1) <= t"),)),)),
            Boxes(),
        ),
        candidates=(point("d=100 x=1/2 t=8/7"), point("d=1 x=1/2 t=8/7")),
        mutants=(
            Mutant("constant", "1.4", "t**(d/2)*exp(x**2*t) <= 1.4"),
            Mutant("more-noise", "t up to 8/7 in every dimension", conditions=()),
        ),
    ),
    step(
        "r3",
        "the phase as the algorithm averages it: (S - f_0 + f_n)/n <= a_0/(2 eta n) + 2 eta L^2 + w/n, if the "
        "start is at most w better than u: w = L r' in the first phase, 0 later (LEM-4~repaired/r6)",
        "(S - f0 + fn)/n <= a0/(2*eta*n) + 2*eta*L**2 + "
        "w/n", (L, ETA, N, A0, AN, SUM, F0, FN, M, W), PHASE,
        rests_on=(
            "jensen", "resque/LEM-4~repaired/r1", "resque/LEM-4~repaired/r6",
            *(f"resque/COR-2~repaired/{name}" for name in ("r1", "r2", "r2-start")),
        ),
        argument=(
            Combine(
                terms=(
                    ("1/(2*eta*n)", PHASE[0]), ("1/n", PHASE[1]), ("1/(2*eta*n)", PHASE[2]), ("1/n", PHASE[3]),
                    ("1/(2*eta*n)", "0 <= (m - eta*L)**2"), ("eta*L**2/(2*n)", "1 <= n"),
                )
            ),
        ),
        candidates=(
            point("L=1 eta=1 n=1 a0=0 an=1 S=1 f0=-1 fn=1 m=1 w=1"), point("L=1 eta=1 n=1 a0=0 an=1 S=1 f0=-9 fn=1 m=1 "
                                                                     "w=1"),
        ),
        mutants=(
            Mutant("printed", "3/2 in place of 2", "(S - f0 + fn)/n <= a0/(2*eta*n) + 3/2*eta*L**2 + w/n"),
            Mutant("downhill", "the start better than u by any amount", conditions=PHASE[:3]),
            Mutant("free-start", "without w", "(S - f0 + fn)/n <= a0/(2*eta*n) + 2*eta*L**2"),
        ),
    ),
    step(
        "r4",
        "in the first phase F(u) - E F(x0) <= L E|x0 - u| <= L r', as (E|x0 - u|)^2 <= E|x0 - u|^2 <= r'^2",
        "L*m <= L*rp", (L, RP, M, A0), ("m**2 <= a0", "a0 <= rp**2"),
        rests_on=("jensen",),
        argument=(Combine(terms=(("L/(m + rp)", "m**2 <= a0"), ("L/(m + rp)", "a0 <= rp**2"))),),
        candidates=(point("L=1 rp=1 m=1 a0=1"), point("L=1 rp=1 m=9 a0=1"), point("L=1 rp=1 m=9 a0=81")),
        mutants=(
            Mutant("factor", "0.95 r'", "L*m <= 0.95*L*rp"),
            Mutant("no-moment", "no second moment", conditions=("a0 <= rp**2",)),
            Mutant("far", "any start", conditions=("m**2 <= a0",)),
        ),
    ),
    step(
        "r5",
        "the noise of the last phase: zeta is as likely as -zeta, and |u + z - c|^2 averages to |u - c|^2 + |z|^2; "
        "so it costs at most L sigma sqrt d + (lambda/2) sigma^2 d",
        f"({square('u + z - c')} + {square('u - z - c')})/2 == {square('u - c')} + {square('z')}",
        (vector("u"), vector("z", "zeta"), C),
        rests_on=("resque/LEM-4/s5",),
        candidates=(point("u=(1,) z=(3,) c=(7,)"),),
    ),
    step(
        "r6",
        "the phases together, with A = 1 - 2^-(k-1), B = (1 - 4^-k)/3 and sigma_k = L eta/(beta That^2), as "
        "LEM-4~repaired/r8",
        "rp**2/(2*(eta/4)*(h/2)) + L*rp/(h/2) + 4*d*A*L**2*eta/(beta**2*h) + 2*eta*L**2*B + "
        f"L*(L*eta/(beta*h**2))*sqrt(d) + lam/2*(L*eta/(beta*h**2))**2*d <= {OURS}",
        (L, RP, LAM, BETA, ETA, D, H, real("A", "[0, oo)"), real("B", "[0, oo)")), ("A <= 1", "B <= 1/3"),
        rests_on=("resque/LEM-4~repaired/r7", "resque/LEM-4~repaired/r7-halves",
                  *(f"resque/COR-2~repaired/{name}" for name in ("r3", "r4", "r5"))),
        argument=(Combine(terms=(("4*L**2*eta*d/(beta**2*h)", "A <= 1"), ("2*eta*L**2", "B <= 1/3"))),),
        candidates=(point("L=1 rp=1 lam=1 beta=1 eta=1 d=1 h=2 A=1 B=1/3"), point("L=1 rp=1 lam=1 beta=1 eta=1 d=1 h=2 "
                                                                            "A=9 B=0")),
        mutants=(
            Mutant("first-phase", "T_1 = That/4",
                   "rp**2/(2*(eta/4)*(h/4)) + L*rp/(h/2) + 4*d*A*L**2*eta/(beta**2*h) + 2*eta*L**2*B + "
                   f"L*(L*eta/(beta*h**2))*sqrt(d) + lam/2*(L*eta/(beta*h**2))**2*d <= {OURS}"),
            Mutant("long-sum", "A any number", conditions=("B <= 1/3",)),
        ),
    ),
    step(
        "r7",
        "sqrt T <= That for T >= 2, from T <= 2 That and That >= 2",
        "sqrt(T) <= h", (T, H), ("T <= 2*h",),
        argument=(Combine(terms=(("1/(h + sqrt(T))", "T <= 2*h"), ("h/(h + sqrt(T))", "2 <= h"))),),
        candidates=(point("T=4 h=2"), point("T=9 h=2")),
        mutants=(
            Mutant("factor", "0.95 That", "sqrt(T) <= 0.95*h"),
            Mutant("any-That", "That any number from 2 on", conditions=()),
        ),
    ),
    step(
        "r8",
        "T < 2: no phase is run (That = 1), x0 is returned; with a = x0 - u, b = u - xbar, lambda|b| <= L "
        "(LEM-8/r1) its gap is at most 2 L|a| + (lambda/2)|a|^2, in the mean 2 L r' + (lambda/2) r'^2 by r4",
        f"Fx + lam/2*{square('a + b')} - (Fu + lam/2*{square('b')}) <= 2*L*norm(a) + lam/2*{square('a')}",
        (L, LAM, real("Fx"), real("Fu"), vector("a", "x0 - u"), vector("b", "u - xbar")), START,
        rests_on=("resque/LEM-8/r1",),
        argument=(
            Combine(terms=(("1", START[0]), ("lam", "dot(a, b) <= norm(a)*norm(b)"), ("norm(a)", START[1]))),
        ),
        candidates=(
            point("L=1 lam=1 Fx=1 Fu=0 a=(1,) b=(1,)"), point("L=1 lam=1 Fx=1 Fu=0 a=(1,) b=(9,)"),
            point("L=1 lam=1 Fx=9 Fu=0 a=(1,) b=(1,)"),
        ),
        mutants=(
            Mutant("factor", "1.9 L", f"Fx + lam/2*{square('a + b')} - (Fu + lam/2*{square('b')}) <= "
                                      f"1.9*L*norm(a) + "
                   f"lam/2*{square('a')}"),
            Mutant("far-minimiser", "u anywhere", conditions=START[:1]),
            Mutant("not-lipschitz", "F any function", conditions=START[1:]),
        ),
    ),
    step(
        "r8-rate",
        "and 2 L r' <= 16 L r' (sqrt(d)/(beta T) + 1/sqrt(T)) for T < 2, so that the claim holds there with That = "
        "1",
        f"2*L*rp <= 16*L*rp*{RATE}", (L, RP, BETA, D, real("T", "[1, 2]")),
        argument=(
            Bound(right="16*L*rp/sqrt(T)", argument=(Combine(terms=(("16*L*rp*sqrt(d)/(beta*T)", "0 <= 1"),)),)),
            Scale("1/(L*rp)"),
            Rewrite(left="2", right="16/sqrt(T)"),
            Boxes(),
        ),
        mutants=(
            mutant("noise-only", "the noise term alone", "2*L*rp <= 16*L*rp*sqrt(d)/(beta*T)",
                   "L=1 rp=1 beta=99 d=1 T=1"),
        ),
    ),
    step(
        "r9",
        "a projected output p of x: it is in the ball, no further from xs, and no further from xbar, so that the "
        "regulariser does not grow; F grows by at most L|zeta| over F(ybar). Here |p - xbar| <= |x - xbar|, by the "
        "nearest-point property",
        f"{square('p - c')} <= {square('x - c')}", (vector("p"), vector("x"), C),
        ("dot(x - p, c - p) <= 0",),
        rests_on=("projection-onto-a-convex-set",),
        argument=(Combine(terms=(("2", "dot(x - p, c - p) <= 0"), ("1", "0 <= dot(x - p, x - p)"))),),
        candidates=(point("p=(1,) x=(3,) c=(0,)"), point("p=(9,) x=(1,) c=(0,)"), point("p=(1,) x=(1,) c=(0,)")),
        mutants=(
            Mutant("nearer", "0.95 of it", f"{square('p - c')} <= 0.95*{square('x - c')}"),
            Mutant("any-point", "p any point", conditions=()),
        ),
    ),
)  # fmt: skip
