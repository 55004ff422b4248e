"""Proposition 7 for alpha tau <= 0.06, proved: all that Lemma 7 needs of the quoted theorem.

p = P/R, q = Q/R, U = 1 + s (p - 1), V = 1 + s (q - 1), x = U/V and M = E_V x^alpha = exp((alpha - 1) D). The
hypothesis says that E_R p^a <= exp(tau a (a - 1)) for every real a outside (0, 1) (a > 1: P against R at order a;
a < 0: R against P at order 1 - a), and likewise q. Orders up to 2 are PROP-7~two, orders from 2 to 3 follow from
order 3 (D_alpha grows with alpha; step `three`). From order 3 on, with k = alpha - 2 and n = 4 k:

    M <= 1 + (alpha (alpha-1)/2) s^2/(1-s) (2 E_R(p-q)^2 + E_R(p-q)^2 x^k)/3      (`convex`, Taylor to second order)
    E_R(p-q)^2 <= 8 tau exprel(2 tau), E_R(p-q)^4 <= 16 * 45 tau^2                (`square`; `halves` to `fourth`)
    E_R V^(-n) <= E_R q^(-n s), E_R U^n <= E_R exp(n s y + n y^2/8), y = log p    (`means`, `hoeffding`)
    E_R(p-q)^2 x^k <= 27.4 tau exp(8.6 alpha (alpha-1) s^2 tau)                   (`growth`, `twist`)

and what comes out is below exp(13 alpha (alpha-1) s^2 tau) (`final`).
"""

from dpaudit.claims.writing import *

HERE = "resque/PROP-7~small"
TAU, SHARE = real("tau", "(0, 3/100]"), real("s", "(0, 1/40)", "sampling rate")
ALPHA, M = real("alpha", "[3, oo)", "order"), real("M", "[1, oo)", "exp((alpha - 1) D)")
Y, RATE = real("y", "(-oo, oo)", "log p or log q"), real("s", "(0, 1)", "sampling rate")
SQUARE, TILTED = real("W", "[0, oo)", "E_R(p - q)^2"), real("Wx", "[0, oo)", "E_R(p - q)^2 x^(alpha - 2)")
SIZE = "(alpha*(alpha - 1)*s**2*tau)"
TAYLOR = "M <= 1 + alpha*(alpha - 1)/2*s**2/(1 - s)*(2*W + Wx)/3"
SECOND = "W <= 8.25*tau"
TWISTED = f"Wx <= 27.4*tau*exp(8.6*{SIZE})"
SMALL = "alpha*tau <= 6/100"
GIVEN = (TAYLOR, SECOND, TWISTED, SMALL)
THREE = ("M <= 1 + s**2/(1 - s)*(2*W + Wx)", SECOND, "Wx <= 27.4*tau*exp(51.6*s**2*tau)")
BOUND = "1 + X*(2.83 + 4.69*exp(8.6*X))"


POINTWISE = (
    step(
        "convex",
        "(1 + t (x - 1))^k <= (1 - t) + t x^k for k >= 1, that is b^k <= (1 - t) u^k + t x^k at u = 1: with the "
        "weights 1 - t of Taylor's integral, 1/3 + x^k/6",
        "b**k <= (1 - t)*u**k + t*x**k",
        (
            real("k", "[1, oo)", "alpha - 2"),
            real("t", "[0, 1]"),
            positive("x", "U/V"),
            positive("u", "1"),
            positive("b", "1 + t (x - 1)"),
        ),
        ("b <= (1 - t)*u + t*x",),
        rests_on=("taylor-integral",),
        argument=(
            Bound(right="(1 - t)*u**k + t*(b**k + k*b**(k - 1)*(x - b))", argument=(Tangent("x", "b"),)),
            Bound(
                right="(1 - t)*(b**k + k*b**(k - 1)*(u - b)) + t*(b**k + k*b**(k - 1)*(x - b))",
                argument=(Tangent("u", "b"),),
            ),
            Combine(terms=(("k*b**(k - 1)", "b <= (1 - t)*u + t*x"),)),
        ),
        candidates=(point("k=2 t=1/2 x=3 u=1 b=2"),),
        mutants=(mutant("constant", "9/10 of it", "b**k <= 9/10*((1 - t)*u**k + t*x**k)", "k=1 t=1/2 x=1 u=1 b=1"),),
    ),
    step(
        "means",
        "V = (1 - s) + s q >= q^s: weighted means, at q = e^y",
        "s*y <= log(1 - s + s*exp(y))",
        (RATE, Y),
        argument=(Tangent("y", "0"),),
        mutants=(mutant("slope", "slope 2 s", "2*s*y <= log(1 - s + s*exp(y))", "s=1/2 y=1"),),
    ),
    step(
        "hoeffding",
        "log U = log(1 - s + s e^y) <= s y + y^2/8 (Hoeffding's lemma)",
        "log(1 - s + s*exp(y)) <= s*y + y**2/8",
        (RATE, Y),
        argument=(Tangent("y", "0"),),
        mutants=(mutant("constant", "y^2/9", "log(1 - s + s*exp(y)) <= s*y + y**2/9", "s=1/2 y=1/2"),),
    ),
    step(
        "linear",
        "exp(n y^2/8) is the mean of exp(sqrt(n) y z/2) over a standard normal z = <e, xi>: a power of p again",
        "E(exp(sqrt(n)/2*y*dot(e, xi))) == exp(n*y**2*dot(e, e)/8)",
        (positive("n", "4 (alpha - 2)"), Y, vector("e", "a unit vector"), gaussian("xi", "1")),
    ),
    step(
        "orders",
        "E p^a <= exp(tau (a - 1/2)^2) for every real a: a (a - 1) outside (0, 1), and 0 inside",
        "max(a*(a - 1), 0) <= (a - 1/2)**2",
        (real("a"),),
        argument=(Solve(),),
        mutants=(mutant("constant", "(a - 1/2)^2/2", "max(a*(a - 1), 0) <= (a - 1/2)**2/2", "a=4"),),
    ),
    step(
        "square",
        "(p - q)^2 <= 2 (p - 1)^2 + 2 (q - 1)^2 has mean at most 4 (e^(2 tau) - 1) = 8 tau exprel(2 tau) <= 8.25 tau; "
        "(p - q)^4 <= 8 (p - 1)^4 + 8 (q - 1)^4 likewise",
        "8*exprel(2*tau) <= 8.25",
        (TAU,),
        rests_on=("resque/PROP-7~two/square",),
        argument=(Boxes(),),
        mutants=(mutant("constant", "8.24 in place of 8.25", "8*exprel(2*tau) <= 8.24", "tau=3/100"),),
    ),
    step(
        "halves",
        "|e^y - 1| <= |y| (1 + e^y)/2: a convex function is below its chord (for y < 0 divide by e^|y|)",
        "exp(y) - 1 <= y*(1 + exp(y))/2",
        (real("y", "[0, oo)"),),
        argument=(Tangent("y", "0"),),
        mutants=(mutant("constant", "0.49 in place of 1/2", "exp(y) - 1 <= 0.49*y*(1 + exp(y))", "y=1/10"),),
    ),
    step(
        "power",
        "((1 + w)/2)^4 <= (1 + w^4)/2 at w = e^y",
        "((1 + w)/2)**4 <= (1 + w**4)/2",
        (real("w", "[0, oo)"),),
        argument=(Combine(terms=(("(7*w**2 + 10*w + 7)/16", "0 <= (w - 1)**2"),)),),
        mutants=(mutant("constant", "0.49 in place of 1/2", "((1 + w)/2)**4 <= 0.49*(1 + w**4)", "w=1"),),
    ),
    step(
        "tail",
        "y^4 <= (4/lam)^4 e^(-4) (e^(lam y) + e^(-lam y)): x^4 <= (4/lam)^4 e^(lam x - 4) at x = |y|",
        "x**4 <= (4/lam)**4*exp(-4)*exp(lam*x)",
        (positive("lam"), positive("x", "|y|")),
        argument=(
            Logarithm(),
            Rewrite(left="4*log(x)", right="4*log(4/lam) - 4 + lam*x"),
            Tangent("x", "4/lam", because="log is below its tangent"),
        ),
        mutants=(mutant("constant", "99/100 of it", "x**4 <= 99/100*(4/lam)**4*exp(-4)*exp(lam*x)", "lam=2 x=2"),),
    ),
)

# At lam = sqrt(2/tau), w = sqrt(2 tau): lam^2 tau = 2, lam tau = w, and (1/2) (4/lam)^4 e^(-4) = 32 tau^2 e^(-4).
W = "sqrt(2*tau)"
ORDERS = f"(exp(2 - {W}) + exp(2 + {W}) + exp(2 + 7*{W} + 12*tau) + exp(2 - 7*{W} + 12*tau))"
N = positive("n", "4 (alpha - 2)")
ROOM = "(0.88 + (6/25 - n*tau)/2)"  # 1 - n tau/2, written so that it is seen to be positive
UPPER, LOWER = f"(-log{ROOM}/2 + tau*(n*s - 1/2)**2/{ROOM})", "n*s*(n*s + 1)*tau"
REST = f"-log{ROOM}/2 + tau*(n**2*s**2 + 1/4)/{ROOM} + n**2*s**2*tau"
X = real("X", "[0, oo)", "alpha (alpha - 1) s^2 tau")
FINAL = (
    Monotone(
        "X",
        "low",
        (
            Scale("exp(-8.6*X)"),
            Rewrite(left="0", right="13*exp(4.4*X) - 2.83*exp(-8.6*X) - 4.69*(1 + 8.6*X)"),
            Monotone("X", "low", (Rewrite(right="57.2*exp(4.4*X) + 24.338*exp(-8.6*X) - 40.334"), Boxes())),
            Boxes(),
        ),
    ),
    Identical(),
)
MOMENTS = (
    step(
        "fourth",
        "E_R(p - 1)^4 <= 45 tau^2: the mean of y^4 (1 + e^(4y))/2 by `tail` at lam = sqrt(2/tau), that is at the "
        "orders lam, -lam, 4 + lam and 4 - lam < 0",
        f"32*tau**2*exp(-4)*{ORDERS} <= 45*tau**2",
        (TAU,),
        rests_on=("monotone-mean", *(f"{HERE}/{name}" for name in ("halves", "power", "tail"))),
        argument=(Scale("1/tau**2"), Rewrite(left=f"32*exp(-4)*{ORDERS}", right="45"), Boxes()),
        mutants=(mutant("constant", "43 in place of 45", f"32*tau**2*exp(-4)*{ORDERS} <= 43*tau**2", "tau=3/100"),),
    ),
    step(
        "growth",
        "log (E U^n E V^(-n))^(1/4) <= log 1.02 + 0.5345 n^2 s^2 tau for n tau <= 0.24: by `hoeffding` and `linear` "
        "E U^n is at most the mean of E p^a <= exp(tau (a - 1/2)^2) over a = n s + sqrt(n) z/2, and by `means` "
        "E V^(-n) is at most E q^(-n s)",
        f"({UPPER} + {LOWER})/4 <= log(1.02) + 0.5345*n**2*s**2*tau",
        (N, TAU, SHARE),
        ("n*tau <= 6/25", "n*s*tau <= 6/1000"),
        rests_on=(
            "noncentral-chi-square",
            "monotone-mean",
            *(f"{HERE}/{name}" for name in ("hoeffding", "means", "orders", "linear")),
        ),
        argument=(
            Bound(
                left=f"({REST} + 6/1000)/4",
                argument=(Combine(terms=(("1/4", "n*s*tau <= 6/1000"), (f"tau*n*s/(4*{ROOM})", "0 <= 1"))),),
            ),
            Substitute(
                (real("v", "(0, 6/25]", "n tau"), real("Q", "[0, oo)", "n^2 s^2 tau")),
                where("n=v/tau s=sqrt(Q*tau)/v"),
                where("v=n*tau Q=n**2*s**2*tau"),
            ),
            Rewrite(left="(-log(1 - v/2)/2 + (Q + tau/4)/(1 - v/2) + Q + 6/1000)/4", right="log(1.02) + 0.5345*Q"),
            Monotone("Q", "low", (Boxes(),)),
            Boxes(),
        ),
        candidates=(point("n=8 tau=3/100 s=1/50"), point("n=100 tau=24/10000 s=1/41")),
        mutants=(
            Mutant("constant", "1.01 in place of 1.02", f"({UPPER} + {LOWER})/4 <= log(1.01) + 0.5345*n**2*s**2*tau"),
        ),
    ),
    step(
        "twist",
        "Hoelder: E_R(p - q)^2 x^k <= (E_R(p - q)^4)^(1/2) (E U^n E V^(-n))^(1/4), n = 4 k, which is at most "
        "27.4 tau exp(8.6 alpha (alpha-1) s^2 tau), for n tau <= 0.24 as `growth` asks: so at every order from 3 "
        "to 0.06/tau, and at order 3 for every tau <= 0.03 (which `three` uses)",
        f"sqrt(16*45)*tau*1.02*exp(0.5345*(4*(alpha - 2))**2*s**2*tau) <= 27.4*tau*exp(8.6*{SIZE})",
        (ALPHA, TAU, SHARE),
        ("4*(alpha - 2)*tau <= 6/25",),
        rests_on=("hoelder", f"{HERE}/fourth", f"{HERE}/growth"),
        argument=(
            Logarithm(),
            Rewrite(
                left="log(sqrt(720)*1.02) + log(tau) + 8.552*(alpha - 2)**2*s**2*tau",
                right=f"log(27.4) + log(tau) + 8.6*{SIZE}",
            ),
            Combine(
                terms=(
                    ("1", "log(sqrt(720)*1.02) <= log(27.4)"),
                    ("s**2*tau*(0.048*alpha*(alpha - 1) + 8.552*(3*alpha - 4))", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "27.3 in place of 27.4 at tau = 0",
                f"sqrt(16*45)*tau*1.02*exp(0.5345*(4*(alpha - 2))**2*s**2*tau) <= 27.3*tau*exp(8.6*{SIZE})",
                "alpha=3 tau=1/100 s=1/1000",
            ),
        ),
    ),
    step(
        "final",
        "1 + X (2.83 + 4.69 e^(8.6 X)) <= e^(13 X) for X >= 0",
        f"{BOUND} <= exp(13*X)",
        (X,),
        argument=FINAL,
        mutants=(mutant("constant", "7 in place of 13", f"{BOUND} <= exp(7*X)", "X=1/100"),),
    ),
    step(
        "three",
        "orders from 2 to 3: D_alpha <= D_3 (x^(alpha-1) as the power (alpha-1)/2 of x^2), and D_3 = log(M)/2 is "
        "at most 26 s^2 tau <= 13 s^2 alpha tau",
        "log(M) <= 52*s**2*tau",
        (TAU, SHARE, M, SQUARE, TILTED),
        THREE,
        rests_on=("resque/PROP-7~two/order", f"{HERE}/convex", f"{HERE}/square", f"{HERE}/twist"),
        argument=(
            Bound(left="M - 1", argument=(Tangent("M", "1"),)),
            Bound(left="s**2/(1 - s)*(2*W + Wx)", argument=(Combine(terms=(("1", THREE[0]),)),)),
            Bound(left="s**2/(1 - s)*(16.5*tau + Wx)", argument=(Combine(terms=(("2*s**2/(1 - s)", THREE[1]),)),)),
            Bound(
                left="s**2/(1 - s)*(16.5*tau + 27.4*tau*exp(51.6*s**2*tau))",
                argument=(Combine(terms=(("s**2/(1 - s)", THREE[2]),)),),
            ),
            Scale("1/(s**2*tau)"),
            Rewrite(left="(16.5 + 27.4*exp(51.6*s**2*tau))/(1 - s)", right="52"),
            Boxes(),
        ),
        mutants=(
            mutant(
                "constant",
                "26 in place of 52",
                "log(M) <= 26*s**2*tau",
                "tau=3/100 s=1/50 M=100048/100000 W=1/5 Wx=8/10",
            ),
        ),
    ),
)

CLAIM = Claim(
    id="resque/PROP-7~small",
    title="amplification by subsampling, orders up to 0.06/tau",
    words=(
        "s < 1/40, D_alpha(P1 || P2) <= alpha tau for all alpha > 1 and all ordered pairs of P, Q, R: "
        "D_alpha(sP + (1-s)R || sQ + (1-s)R) <= 13 s^2 alpha tau for 1 < alpha <= 0.06/tau. Encoded: orders from 3 on, "
        "for M = exp((alpha-1) D); orders up to 2 are PROP-7~two, those between 2 and 3 are the step `three`."
    ),
    place="Proposition 7, small orders",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(f"M <= exp(13*{SIZE})", (ALPHA, TAU, SHARE, M, SQUARE, TILTED), GIVEN),
    rests_on=(
        "monotone-mean",
        "resque/PROP-7~two",
        *(f"{HERE}/{name}" for name in ("convex", "square", "twist", "final", "three")),
    ),
    argument=(
        Bound(left="1 + alpha*(alpha - 1)/2*s**2/(1 - s)*(2*W + Wx)/3", argument=(Combine(terms=(("1", TAYLOR),)),)),
        Bound(
            left="1 + alpha*(alpha - 1)*s**2/(6*(1 - s))*(16.5*tau + Wx)",
            argument=(Combine(terms=(("alpha*(alpha - 1)*s**2/(3*(1 - s))", SECOND),)),),
        ),
        Bound(
            left=f"1 + alpha*(alpha - 1)*s**2/(6*(1 - s))*(16.5*tau + 27.4*tau*exp(8.6*{SIZE}))",
            argument=(Combine(terms=(("alpha*(alpha - 1)*s**2/(6*(1 - s))", TWISTED),)),),
        ),
        Bound(
            left=f"1 + {SIZE}*(2.83 + 4.69*exp(8.6*{SIZE}))",
            argument=(
                Combine(
                    terms=(
                        (f"16.5/6*{SIZE}", "1/(1 - s) <= 1.0257"),
                        (f"27.4/6*{SIZE}*exp(8.6*{SIZE})", "1/(1 - s) <= 1.0257"),
                        (f"{SIZE}*(2.83 - 16.5/6*1.0257 + (4.69 - 27.4/6*1.0257)*exp(8.6*{SIZE}))", "0 <= 1"),
                    )
                ),
            ),
        ),
        Substitute((X,), (("tau", "X/(alpha*(alpha - 1)*s**2)"),), (("X", SIZE),)),
        Rewrite(left=BOUND, right="exp(13*X)"),
        *FINAL,
    ),
    mutants=(
        mutant(
            "constant",
            "6 in place of 13",
            f"M <= exp(6*{SIZE})",
            "alpha=3 tau=1/100 s=1/50 M=100017/100000 W=8/100 Wx=26/100",
        ),
    ),
    steps=(*POINTWISE, *MOMENTS),
)
