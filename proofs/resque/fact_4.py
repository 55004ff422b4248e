"""Fact 4: the triangle inequality of the p-th mean for a nonnegative Z and a constant C.

The printed proof expands the power (s1) and compares term by term (s2). The argument here is one
pointwise inequality, linear in z^p: with A^p = E Z^p > 0,

    (z + C)^p <= (A + C)^(p-1) (z^p/A^(p-1) + C),

whose mean is E(Z + C)^p <= (A + C)^p. It holds for every real p >= 1, encoded for p >= 2. At C = 0 it is an
equality, and its slope in C is 1 - p r^(p-1) + (p-1) r^p >= 0 at r = (z + C)/(A + C). For A = 0 there is nothing
to show: Z = 0 almost surely.
"""

from dpaudit.claims.writing import *

P, WHOLE = real("p", "[2, oo)", "order"), integer("p", "[2, oo)", "order")
A, C = positive("A", "(E Z^p)^(1/p)"), real("C", "[0, oo)", "the constant")
Z = positive("z", "a value of Z; both sides at z = 0: step `zero`")
# In units of A: x = z/A and B = (A + C)/A; then r = (x + B - 1)/B and s = r^p.
SLOPE = (
    Substitute((positive("r", "(z + C)/(A + C)"),), (("x", "r*B - B + 1"),), (("r", "(x + (B - 1))/B"),)),
    Rewrite(right="1 - p*r**(p - 1) + (p - 1)*r**p"),
    Substitute((positive("s", "r^p"),), where("r=s**(1/p)"), where("s=r**p")),
    Rewrite(right="1 - p*s**(1 - 1/p) + (p - 1)*s"),
    Tangent("s", "1", because="s^(1 - 1/p) is concave"),
)

CLAIM = Claim(
    id="resque/FACT-4",
    title="triangle inequality of the p-th mean with a constant",
    words=(
        "Z >= 0 random, C >= 0, p >= 2 an integer: (E(Z + C)^p)^(1/p) <= (E Z^p)^(1/p) + C. Encoded: the inequality "
        "between the integrands whose mean is E(Z + C)^p <= (A + C)^p (step `mean`), A = (E Z^p)^(1/p)."
    ),
    place="Fact 4, Appendix A",
    kind=ClaimKind.MOMENT,
    statement=Statement("(z + C)**p/(A + C)**(p - 1) <= z**p/A**(p - 1) + C", (P, A, C, Z)),
    rests_on=("monotone-mean", "resque/FACT-4/mean", "resque/FACT-4/zero"),
    argument=(
        Substitute(
            (positive("x", "z/A"), real("B", "[1, oo)", "(A + C)/A")),
            (("z", "x*A"), ("C", "(B - 1)*A")),
            (("x", "z/A"), ("B", "(A + C)/A")),
        ),
        Scale("1/A"),
        Rewrite(left="(x + B - 1)**p/B**(p - 1)", right="x**p + B - 1"),
        Monotone("B", "low", SLOPE, because="the slope is 1 - p r^(p-1) + (p-1) r^p"),
        Identical(),
    ),
    mutants=(
        mutant(
            "constant",
            "9/10 C in place of C",
            "(z + C)**p/(A + C)**(p - 1) <= z**p/A**(p - 1) + 9/10*C",
            "p=2 A=1 C=1 z=1",
        ),
        mutant(
            "order",
            "the weight A^p in place of A^(p-1)",
            "(z + C)**p/(A + C)**(p - 1) <= z**p/A**p + C",
            "p=2 A=2 C=1 z=2",
        ),
    ),
    steps=(
        step(
            "s1",
            "binomial expansion: (A + C)^p - (z + C)^p is the sum of C(p,q) C^(p-q) (A^q - z^q), q = 0..p",
            "(A + C)**p - (z + C)**p == sum(q, 0, p, binomial(p, q)*C**(p - q)*(A**q - z**q))",
            (WHOLE, A, C, Z),
            argument=(
                Rewrite(
                    left=(
                        "sum(q, 0, p, binomial(p, q)*C**(p - q)*A**q) - sum(q, 0, p, binomial(p, q)*C**(p - q)*z**q)"
                    ),
                    by="binomial-theorem",
                ),
                Identical(),
            ),
            candidates=(point("p=3 A=2 C=1/2 z=1/3"), point("p=2 A=2 C=3 z=5")),
        ),
        step(
            "s1-ends",
            "the terms q = 0 and q = p cancel: together they are A^p - z^p, of mean 0",
            "binomial(p, 0)*C**p*(A**0 - z**0) + binomial(p, p)*C**0*(A**p - z**p) == A**p - z**p",
            (WHOLE, A, C, Z),
        ),
        step(
            "s2",
            "Jensen, E Z^q <= A^q: the concave t^h, h = q/p, lies below its tangent at a = A^p; t = Z^p has mean a",
            "t**h <= a**h + h*a**(h - 1)*(t - a)",
            (real("h", "(0, 1]", "q/p"), positive("t", "Z^p"), positive("a", "E Z^p")),
            rests_on=("monotone-mean",),
            argument=(Tangent("t", "a"),),
            mutants=(mutant("slope", "twice the slope", "t**h <= a**h + 2*h*a**(h - 1)*(t - a)", "h=1/2 t=1/4 a=1"),),
        ),
        step(
            "mean",
            "the mean of the right side times (A + C)^(p-1) is (A + C)^p, since E Z^p = A^p",
            "(A + C)**(p - 1)*(A**p/A**(p - 1) + C) == (A + C)**p",
            (P, A, C),
        ),
        step(
            "zero",
            "where Z = 0: C^p/(A + C)^(p-1) <= C",
            "C*C**(p - 1) <= C*(A + C)**(p - 1)",
            (P, A, C),
            argument=(Monotone("A", "low", (Combine(terms=(("(p - 1)*C*(A + C)**(p - 2)", "0 <= 1"),)),)), Identical()),
            mutants=(mutant("order", "C (A + C)^(p-2)", "C*C**(p - 1) <= C*(A + C)**(p - 2)", "p=3 A=1/8 C=8"),),
        ),
    ),
)
