"""What holds at each point of the sample space."""

from dpaudit.claims.writing import *

TAU, SHARE = real("tau", "(0, 3/100]"), real("s", "(0, 1/40)", "sampling rate")
Y, RATE = real("y", "(-oo, oo)", "log p or log q"), real("s", "(0, 1)", "sampling rate")

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
