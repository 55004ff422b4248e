"""Proposition 7 for alpha tau <= 0.06, proved: all that Lemma 7 needs of the quoted theorem.

p = P/R, q = Q/R, U = 1 + s (p - 1), V = 1 + s (q - 1), x = U/V and M = E_V x^alpha = exp((alpha - 1) D). The hypothesis
says that E_R p^a <= exp(tau a (a - 1)) for every real a outside (0, 1) (a > 1: P against R at order a; a < 0: R against P
at order 1 - a), and likewise q. Orders up to 2 are PROP-7~two, orders from 2 to 3 follow from order 3
(D_alpha grows with alpha; step `three`). From order 3 on, with k = alpha - 2 and n = 4 k:

    M <= 1 + (alpha (alpha-1)/2) s^2/(1-s) (2 E_R(p-q)^2 + E_R(p-q)^2 x^k)/3       (`convex`, Taylor to second order)
    E_R(p-q)^2 <= 8 tau exprel(2 tau), E_R(p-q)^4 <= 16 * 45 tau^2                  (`square`, `halves`, `power`, `fourth`)
    E_R V^(-n) <= E_R q^(-n s), E_R U^n <= E_R exp(n s y + n y^2/8), y = log p      (`means`, `hoeffding`)
    E_R(p-q)^2 x^k <= 27.4 tau exp(8.6 alpha (alpha-1) s^2 tau)                     (Hoelder's inequality, `growth`)

and what comes out is below exp(13 alpha (alpha-1) s^2 tau) (`final`).
"""

from dpaudit.claim import (
    Bound,
    Boxes,
    Cases,
    Claim,
    ClaimKind,
    Combine,
    Identical,
    Logarithm,
    Mutant,
    Rewrite,
    Scale,
    Solve,
    Statement,
    Step,
    Substitute,
    Tangent,
    real,
)

HERE = "resque/PROP-7~small"
TAU, SHARE = real("tau", "(0, 3/100]"), real("s", "(0, 1/40)", "sampling rate")
ALPHA, M = real("alpha", "[3, oo)", "order"), real("M", "[1, oo)", "exp((alpha - 1) D)")
Y, RATE = real("y", "(-oo, oo)", "log p or log q"), real("s", "(0, 1)", "sampling rate")
SQUARE, TILTED = real("W", "[0, oo)", "E_R(p - q)^2"), real("Wx", "[0, oo)", "E_R(p - q)^2 x^(alpha - 2)")
SIZE = "(alpha*(alpha - 1)*s**2*tau)"
TAYLOR = "M <= 1 + alpha*(alpha - 1)/2*s**2/(1 - s)*(2*W + Wx)/3"
SECOND = "W <= 8.25*tau"
TWISTED = f"Wx <= 27.4*tau*exp(8.6*{SIZE})"
GIVEN = (TAYLOR, SECOND, TWISTED)
BOUND = "1 + X*(2.83 + 4.69*exp(8.6*X))"


def false(name, change, expression, **values):
    """A false variant of a statement and the point that refutes it."""
    return Mutant(name, change, expression, candidates=(tuple(values.items()),))


POINTWISE = (
    Step(
        "convex",
        "(1 + t (x - 1))^k <= (1 - t) + t x^k for k >= 1, that is b^k <= (1 - t) u^k + t x^k at u = 1: with the weights 1 - t "
        "of Taylor's integral, 1/3 + x^k/6",
        Statement(
            "b**k <= (1 - t)*u**k + t*x**k",
            (
                real("k", "[1, oo)", "alpha - 2"), real("t", "[0, 1]"), real("x", "(0, oo)", "U/V"),
                real("u", "(0, oo)", "1"), real("b", "(0, oo)", "1 + t (x - 1)"),
            ),
            ("b <= (1 - t)*u + t*x",),
        ),
        rests_on=("taylor-integral",),
        argument=(
            Bound(right="(1 - t)*u**k + t*(b**k + k*b**(k - 1)*(x - b))", argument=(Tangent("x", "b"),)),
            Bound(
                right="(1 - t)*(b**k + k*b**(k - 1)*(u - b)) + t*(b**k + k*b**(k - 1)*(x - b))",
                argument=(Tangent("u", "b"),),
            ),
            Combine(terms=(("k*b**(k - 1)", "b <= (1 - t)*u + t*x"),)),
        ),
        candidates=((("k", "2"), ("t", "1/2"), ("x", "3"), ("u", "1"), ("b", "2")),),
        mutants=(
            false("constant", "9/10 of it", "b**k <= 9/10*((1 - t)*u**k + t*x**k)", k="1", t="1/2", x="1", u="1", b="1"),
        ),
    ),
    Step(
        "means",
        "V = (1 - s) + s q >= q^s: weighted means, at q = e^y",
        Statement("s*y <= log(1 - s + s*exp(y))", (RATE, Y)),
        argument=(Tangent("y", "0"),),
        mutants=(false("slope", "slope 2 s", "2*s*y <= log(1 - s + s*exp(y))", s="1/2", y="1"),),
    ),
    Step(
        "hoeffding",
        "log U = log(1 - s + s e^y) <= s y + y^2/8 (Hoeffding's lemma)",
        Statement("log(1 - s + s*exp(y)) <= s*y + y**2/8", (RATE, Y)),
        argument=(Tangent("y", "0"),),
        mutants=(
            false("constant", "y^2/9", "log(1 - s + s*exp(y)) <= s*y + y**2/9", s="1/2", y="1/2"),
        ),
    ),
    Step(
        "orders",
        "E p^a <= exp(tau (a - 1/2)^2) for every real a: a (a - 1) outside (0, 1), and 0 inside",
        Statement("max(a*(a - 1), 0) <= (a - 1/2)**2", (real("a"),)),
        argument=(Solve(),),
        mutants=(false("constant", "(a - 1/2)^2/2", "max(a*(a - 1), 0) <= (a - 1/2)**2/2", a="4"),),
    ),
    Step(
        "square",
        "(p - q)^2 <= 2 (p - 1)^2 + 2 (q - 1)^2 has mean at most 4 (e^(2 tau) - 1) = 8 tau exprel(2 tau) <= 8.25 tau; "
        "(p - q)^4 <= 8 (p - 1)^4 + 8 (q - 1)^4 likewise",
        Statement("8*exprel(2*tau) <= 8.25", (TAU,)),
        rests_on=("resque/PROP-7~two/square",),
        argument=(Boxes(),),
        mutants=(false("constant", "8.24 in place of 8.25", "8*exprel(2*tau) <= 8.24", tau="3/100"),),
    ),
    Step(
        "halves",
        "|e^y - 1| <= |y| (1 + e^y)/2: a convex function is below its chord (for y < 0 divide by e^|y|)",
        Statement("exp(y) - 1 <= y*(1 + exp(y))/2", (real("y", "[0, oo)"),)),
        argument=(Tangent("y", "0"),),
        mutants=(false("constant", "0.49 in place of 1/2", "exp(y) - 1 <= 0.49*y*(1 + exp(y))", y="1/10"),),
    ),
    Step(
        "power",
        "((1 + w)/2)^4 <= (1 + w^4)/2 at w = e^y",
        Statement("((1 + w)/2)**4 <= (1 + w**4)/2", (real("w", "[0, oo)"),)),
        argument=(Combine(terms=(("(7*w**2 + 10*w + 7)/16", "0 <= (w - 1)**2"),)),),
        mutants=(false("constant", "0.49 in place of 1/2", "((1 + w)/2)**4 <= 0.49*(1 + w**4)", w="1"),),
    ),
    Step(
        "tail",
        "y^4 <= (4/lam)^4 e^(-4) (e^(lam y) + e^(-lam y)): x^4 <= (4/lam)^4 e^(lam x - 4) at x = |y|",
        Statement("x**4 <= (4/lam)**4*exp(-4)*exp(lam*x)", (real("lam", "(0, oo)"), real("x", "(0, oo)", "|y|"))),
        argument=(
            Logarithm(),
            Rewrite(left="4*log(x)", right="4*log(4/lam) - 4 + lam*x"),
            Tangent("x", "4/lam", because="log is below its tangent"),
        ),
        mutants=(
            false("constant", "99/100 of it", "x**4 <= 99/100*(4/lam)**4*exp(-4)*exp(lam*x)", lam="2", x="2"),
        ),
    ),
)

# lam = sqrt(2/tau) and w = sqrt(2 tau): lam^2 tau = 2, lam tau = w; 4 - lam < 0.
FOURTH = "1/2*(4/lam)**4*exp(-4)"
ORDERS = (
    "exp(lam*(lam - 1)*tau) + exp(lam*(lam + 1)*tau) + exp((4 + lam)*(3 + lam)*tau) + exp((lam - 4)*(lam - 3)*tau)"
)
MOMENTS = (
    Step(
        "fourth",
        "E_R(p - 1)^4 <= 45 tau^2: y^4 (1 + e^(4y))/2 by `tail` at lam = sqrt(2/tau), the orders lam, -lam, 4 + lam, 4 - lam",
        Statement(f"{FOURTH}*({ORDERS}) <= 45*tau**2", (TAU, real("lam", "(0, oo)")), ("lam == sqrt(2/tau)",)),
        rests_on=("monotone-mean", *(f"{HERE}/{name}" for name in ("halves", "power", "tail"))),
    ),
)
