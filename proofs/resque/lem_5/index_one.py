"""s16 to s20: the drift at the index that is replaced."""

from dpaudit.claims.writing import *

from .symbols import *

WEIGHT = "exp((2*dot(v, xi) - dot(v, v))/(2*rho**2))"

MOMENT = (
    Rewrite(left="exp(((2*q)**2 - 2*q)*dot(v, v)/(2*rho**2))", because="completing the square"),
    Substitute(
        (real("a", "(0, 1/2]", "1/(2q)"), real("y", "[0, 1]", "2q|v|/rho")),
        (("q", "1/(2*a)"), ("dot(v, v)", "(y*rho*a)**2")),
        where("a=1/(2*q) y=norm(v)*2*q/rho"),
    ),
    Rewrite(left="exp((1 - a)*y**2/2)"),
    Boxes(),
)

INDEX_ONE = (
    step(
        "s16",
        "(22): at index 1, Phi_j <= (1 + 1/b) Phi_(j-1) + 2b E_j before the projection, x = y - y', g = G - G'",
        "dot(x - eta*g, x - eta*g) <= (1 + 1/b)*dot(x, x) + 2*b*eta**2*dot(g, g)",
        (ETA, HITS, vector("x"), vector("g")),
        argument=(
            Combine(terms=(("1/b", "0 <= dot(x + b*eta*g, x + b*eta*g)"), ("(b - 1)*eta**2", "0 <= dot(g, g)"))),
        ),
        mutants=(
            mutant(
                "young",
                "b in place of 2b",
                "dot(x - eta*g, x - eta*g) <= (1 + 1/b)*dot(x, x) + b*eta**2*dot(g, g)",
                "eta=1 b=1 x=(1,) g=(-1,)",
            ),
        ),
        tightness=(
            Tightness(
                "young",
                printed="2",
                form="dot(x - eta*g, x - eta*g) <= (1 + 1/b)*dot(x, x) + {c}*b*eta**2*dot(g, g)",
                proved="2",
                refuted="1.9",
                candidates=(point("eta=1 b=1 x=(1,) g=(-1,)"),),
            ),
        ),
    ),
    step(
        "s17",
        "E_j^q <= eta^(2q) 2^(2q-1) (|G|^(2q) + |G'|^(2q)), by (1 + s)^n <= 2^(n-1) (1 + s^n) at n = 2q; s is the "
        "smaller of |G|, |G'| as a share of the larger",
        "(1 + s)**n <= 2**(n - 1)*(1 + s**n)",
        (integer("n", "[1, oo)", "2q"), real("s", "[0, 1]")),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "n",
                base=(Identical(),),
                step=(
                    Combine(
                        terms=(("1 + s", "(1 + s)**n <= 2**(n - 1)*(1 + s**n)"), ("2**(n - 1)*(1 - s)", "s**n <= 1"))
                    ),
                ),
            ),
        ),
        mutants=(mutant("power", "2^(n-2)", "(1 + s)**n <= 2**(n - 2)*(1 + s**n)", "n=2 s=1"),),
    ),
    step(
        "s18",
        "E|G|^(2q) <= 2 L^(2q) for q <= p: the moment of the weight within rho/(2q) of xbar",
        f"E({WEIGHT}**(2*q)) <= 2",
        (integer("q", "[1, oo)"), RHO, vector("v", "y_(j-1) - xbar"), gaussian("xi", "rho")),
        ("norm(v) <= rho/(2*q)",),
        kind=ClaimKind.MOMENT,
        rests_on=(f"{HERE}/s2-distance~repaired",),
        argument=MOMENT,
        mutants=(
            Mutant("radius", "radius rho/q", conditions=("norm(v) <= rho/q",), candidates=(point("q=1 rho=1 v=(1,)"),)),
        ),
    ),
    erratum(
        "s18-start",
        "What the proof needs: the same at the first step of a phase, where y_0 = x_(i-1) is an average plus "
        "Gaussian noise, not projected",
        f"E({WEIGHT}**(2*q)) <= 2",
        (integer("q", "[1, oo)"), RHO, vector("v", "y_0 - xbar"), gaussian("xi", "rho")),
        reads=Reads.GAP,
        kind=ClaimKind.MOMENT,
        candidates=(point("q=1 rho=1 v=(1,)"),),
        finding="A gap. The proof conditions on the starting point and claims the phase to be private for each; y_0 "
        "of a phase i >= 2 is not in the ball, and if its first index is 1 the weight at y_0 has moments "
        "exp((2q^2 - q)|v|^2/rho^2) without bound. The lemma survives: far starts are rare enough to be paid "
        "for from delta (step far-start). Projecting x_(i-1) first, which is post-processing, removes the "
        "problem.",
        repair=f"{HERE}/far-start",
    ),
    step(
        "s19",
        "(23): E E_j^q <= (9 eta L)^(2q): 2^(2q-1) (2 + 2) <= 81^q",
        "2**(2*q + 1) <= 9**(2*q)",
        (integer("q", "[1, oo)"),),
        rests_on=(f"{HERE}/s17", f"{HERE}/s18"),
        argument=(Scale("1/9**(2*q)"), Rewrite(left="2*(4/81)**q", right="1"), Boxes()),
        mutants=(mutant("constant", "2.8 in place of 9", "2**(2*q + 1) <= 2.8**(2*q)", "q=1"),),
        tightness=(
            Tightness(
                "nine",
                printed="9",
                form="2**(2*q + 1) <= {c}**(2*q)",
                proved="2.83",
                refuted="2.82",
                argument=(Scale("1/2.83**(2*q)"), Rewrite(left="2*(4/2.83**2)**q", right="1"), Boxes()),
                candidates=(point("q=1"),),
            ),
        ),
    ),
    step(
        "s20",
        "(24): given the past, the mean of ((1 + 1/b) Phi + 2b E_j)^p is at most (X + C)^p, X = (1 + 1/b) Phi and "
        "C = 2b (9 eta L)^2; the roots of the means then add up by Fact 4. In part: the binomial sum",
        "(X + C)**p == sum(q, 0, p, binomial(p, q)*X**(p - q)*C**q)",
        (P, positive("X"), positive("C")),
        rests_on=("resque/FACT-4", f"{HERE}/s16", f"{HERE}/s19"),
        argument=(ByTheorem("binomial-theorem", because="a = X, b = -C"),),
        candidates=(point("p=3 X=1 C=2"), point("p=4 X=3 C=2")),
        mutants=(
            Mutant("no-binomial", "without C(p, q)", "(X + C)**p == sum(q, 0, p, X**(p - q)*C**q)"),
            Mutant("sign", "X - C", "(X - C)**p == sum(q, 0, p, binomial(p, q)*X**(p - q)*C**q)"),
        ),
    ),
)
