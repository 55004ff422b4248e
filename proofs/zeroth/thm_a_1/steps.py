"""The proof of Theorem A.1. M, M1, M2 are E exp(t X) and its derivatives; g = M1/M - E X that of K."""

from dpaudit.claims.writing import *

from .symbols import *

T, X = positive("t", "argument of the generating function"), real("x", "(0, 1)", "a value of X")
ANY = real("t", meaning="argument of the generating function, of either sign")
M, M1, M2 = (positive(name, f"E X^{k} exp(t X)") for k, name in enumerate(("M", "M1", "M2")))
G, G1 = real("g", meaning="the derivative of K"), real("g1", meaning="its derivative")
H, H1 = real("h", meaning="the function that is compared with g"), real("h1", meaning="its derivative")
KUMMER = "t*M2 + (a + b - t)*M1 == a*M"
DERIVATIVE = f"(M1/M - {MEAN})"
VARIANCE, SCALE = positive("v", "variance"), positive("theta", "c/2")
R, SCALE_0 = real("r", "[0, oo)", "t/(1 - theta t)"), real("theta", "[0, oo)", "c/2")
AT_R = "(r/(1 + theta*r))"
EQUATION, ABOVE = "t*g1 + s*g == t*(w + k*g - g**2)", "t*(w + k*h - h**2) <= t*h1 + s*h"
CUMULANT = "integral(z, 0, eps/v, v*z/(1 + theta*z)**2)"
AT_BEST = "eps/v/(1 + theta*eps/v)"
BERNSTEIN = "(theta*eps/v)**2/(2*(1 + 2*(theta*eps/v)/3)) <= theta*eps/v - log(1 + theta*eps/v)"

EQUATIONS = (
    step(
        "kummer",
        "the derivative of x^a (1 - x)^b e^(t x), divided by x^(a - 1) (1 - x)^(b - 1) e^(t x), in powers of x: its "
        "mean is 0, which is the assumed t M'' + (a + b - t) M' = a M. Encoded: these powers",
        "a*(1 - x) - b*x + t*x*(1 - x) == a - (a + b)*x + t*(x - x**2)",
        (A, B, ANY, X),
        rests_on=("beta-kummer",),
    ),
    step(
        "riccati",
        "so g = M'/M - E X solves t g' + (a + b) g = t (E X (1 - E X) + (1 - 2 E X) g - g^2), where E X (1 - E X) is "
        "(a + b + 1) v",
        f"t*(M2/M - (M1/M)**2) + {S}*{DERIVATIVE} == t*({V}*({S} + 1) + {SKEW}*{DERIVATIVE} - {DERIVATIVE}**2)",
        (A, B, ANY, M, M1, M2),
        given={f"{HERE}/kummer": KUMMER},
        argument=(Combine((("1/M", KUMMER),)),),
        candidates=(point("a=1 b=2 t=1 M=1 M1=1/4 M2=1/2"),),
        mutants=(
            mutant(
                "sign",
                "+ g^2",
                f"t*(M2/M - (M1/M)**2) + {S}*{DERIVATIVE} == t*({V}*({S} + 1) + {SKEW}*{DERIVATIVE} + {DERIVATIVE}**2)",
                "a=1 b=2 t=1 M=1 M1=1/4 M2=1/2",
            ),
        ),
    ),
    step(
        "mean",
        "E X (1 - E X) = (a + b + 1) v",
        f"{MEAN}*(1 - {MEAN}) == ({S} + 1)*{V}",
        (A, B),
    ),
    step("skewness", "1 - 2 E X = (a + b + 2) c/2", f"1 - 2*{MEAN} == ({S} + 2)*({C}/2)", (A, B)),
    step(
        "candidate",
        "v t/(1 - theta t), theta = c/2, satisfies this equation with t^3 v (theta^2 + v)/(1 - theta t)^2 more on the "
        "left; r is t/(1 - theta t), so that t = r/(1 + theta r), and s is a + b",
        f"{AT_R}*(v*(1 + theta*r)**2) + s*(v*r) == {AT_R}*((s + 1)*v + (s + 2)*theta*(v*r) - (v*r)**2)"
        f" + {AT_R}**3*v*(theta**2 + v)*(1 + theta*r)**2",
        (VARIANCE, SCALE_0, positive("s", "a + b"), R),
        rests_on=ids(HERE, "mean skewness"),
    ),
    step(
        "difference",
        "the difference D = h - g of two such functions satisfies t D' + s D >= t (k - h - g) D, and so is never "
        "negative, by the assumed theorem; K(t), the integral of g from 0 to t, is then at most that of h. Encoded: "
        "the differential inequality",
        "t*(k - h - g)*(h - g) <= t*(h1 - g1) + s*(h - g)",
        (T, positive("s"), real("w"), real("k"), G, G1, H, H1),
        given={f"{HERE}/riccati": EQUATION, f"{HERE}/candidate": ABOVE},
        rests_on=("comparison-at-a-singular-point",),
        argument=(Combine((("-1", EQUATION), ("1", ABOVE))),),
        candidates=(point("t=1 s=1 w=1 k=0 g=0 g1=1 h=1 h1=0"),),
        mutants=(
            mutant(
                "sign",
                "k + h + g",
                "t*(k + h + g)*(h - g) <= t*(h1 - g1) + s*(h - g)",
                "t=1 s=1 w=1 k=0 g=0 g1=1 h=1 h1=-1",
            ),
        ),
    ),
)
TAIL_STEPS = (
    step(
        "bernstein",
        "y - log(1 + y) >= y^2/(2 (1 + 2 y/3)): the two sides and their slopes agree at 0",
        "y**2/(2*(1 + 2*y/3)) <= y - log(1 + y)",
        (real("y", "[0, oo)"),),
        argument=(Monotone("y", "low"),),
        mutants=(mutant("constant", "1/3 in place of 2/3", "y**2/(2*(1 + 1*y/3)) <= y - log(1 + y)", "y=1/10"),),
    ),
    step(
        "exponent",
        "the bound on K is the integral of v t/(1 - theta t), in r = t/(1 - theta t) with dt = dr/(1 + theta r)^2; at "
        "r = eps/v, which is t = eps/(v + theta eps), what Markov's inequality for exp(t X) gives is at most the "
        "printed exponent",
        f"{CUMULANT} - {AT_BEST}*eps <= -eps**2/(2*(v + 2*theta/3*eps))",
        (VARIANCE, SCALE_0, DEVIATION),
        argument=(
            Cases(
                (
                    (
                        "0 < theta",
                        (
                            Narrow(),
                            Antiderivative(CUMULANT, "v/theta**2*(log(1 + theta*z) - theta*z/(1 + theta*z))"),
                            Have(BERNSTEIN, (ByTheorem(f"{HERE}/bernstein", at=(("y", "theta*eps/v"),)),)),
                            Combine((("v/theta**2", BERNSTEIN),)),
                        ),
                    ),
                    (
                        "otherwise",
                        (
                            Have("theta == 0", (Solve(),)),
                            Substitute((), where("theta=0"), ()),
                            Antiderivative("integral(z, 0, eps/v, v*z/(1 + 0*z)**2)", "v*z**2/2"),
                            Identical(),
                        ),
                    ),
                )
            ),
        ),
        mutants=(
            mutant(
                "scale",
                "theta/2 in place of 2 theta/3",
                f"{CUMULANT} - {AT_BEST}*eps <= -eps**2/(2*(v + 1*theta/3*eps))",
                "v=1 theta=1 eps=1/10",
            ),
        ),
    ),
)
LOWER_STEPS = (
    step(
        "lower-candidate",
        "the lower tail: for t = -r, G(r) = -g(-r) solves r G' + s G = r ((s + 1) v - (s + 2) theta G - G^2), and v r "
        "does so with r ((s + 2) theta v r + v^2 r^2) >= 0 more on the left; so K(-r) <= v r^2/2, as in difference. "
        "Encoded: the equation that v r solves",
        "r*v + s*(v*r) == r*((s + 1)*v - (s + 2)*theta*(v*r) - (v*r)**2) + r*((s + 2)*theta*(v*r) + (v*r)**2)",
        (VARIANCE, SCALE_0, positive("s", "a + b"), R),
        rests_on=(f"{HERE}/difference",),
    ),
    step(
        "lower-exponent",
        "at r = eps/v the exponent of the lower tail is -eps^2/(2 v), which is at most the printed one",
        "v*(eps/v)**2/2 - eps/v*eps <= -eps**2/(2*(v + 2*theta/3*eps))",
        (VARIANCE, SCALE_0, DEVIATION),
        mutants=(
            mutant(
                "more",
                "v eps/2 in the place of eps^2",
                "v*(eps/v)**2/2 - eps/v*eps <= -2*eps**2/(2*(v + 2*theta/3*eps))",
                "v=1 theta=0 eps=1",
            ),
        ),
    ),
)
STEPS = (*EQUATIONS, *TAIL_STEPS, *LOWER_STEPS)
