"""Theorem A.1: both tails of a beta law, after Skorski (2023), proved here by a differential inequality.

The display joins the two probabilities by a wedge. Read as their minimum it bounds the smaller of the two only, and
Lemma 3.8 uses the lower tail of one sum and the upper tail of another; so "and" is meant, and the claim is about the
larger one. The printed reading follows.

The proof is ours, and shorter than the source's: the derivative g of the cumulant generating function K of X - E X
solves t g' + (a + b) g = t (E X (1 - E X) + (1 - 2 E X) g - g^2), by Kummer's equation; v t/(1 - c t/2) satisfies this
with >= in the place of =, so that it is at least g, and K(t) <= -(4 v/c^2)(log(1 - c t/2) + c t/2), the function of a
gamma law with the same second and third moments. The printed bound loses a little more.
"""

from dpaudit.claims.writing import *

from .steps import AT_BEST, CUMULANT, STEPS, VARIANCE
from .symbols import *

DEFINED = ("v == a*b/((a + b)**2*(a + b + 1))", "c == 2*(b - a)/((a + b)*(a + b + 2))")
UPPER, LOWER = "beta_tail(a, b, a/(a + b) + eps)", "(1 - beta_tail(a, b, a/(a + b) - eps))"
BEST, MOST = (text.replace("theta", "c/2") for text in (AT_BEST, CUMULANT))
MARKOV = (f"{UPPER} <= exp(K_up - {BEST}*eps)", f"{LOWER} <= exp(K_down - eps/v*eps)")
BOUND = "exp(-eps**2/(2*(v + c/3*eps)))"
UP_EXPONENT, DOWN_EXPONENT = f"K_up <= {MOST}", "K_down <= v*(eps/v)**2/2"
EXPONENT = "-eps**2/(2*(v + 2*(c/2)/3*eps))"

UNIFORM = point("a=1 b=1 eps=1/4 v=1/12 c=0 K_up=1/4 K_down=1/4")


def tail(name, cumulant, at, exponent):
    """That this tail is at most the bound."""
    return (
        Have(f"{cumulant[1]} - {at}*eps <= {EXPONENT}", (ByTheorem(f"{HERE}/{exponent}", at=(("theta", "c/2"),)),)),
        Have(
            f"exp({cumulant[0]} - {at}*eps) <= {BOUND}",
            (
                Logarithm(),
                Combine((("1", f"{cumulant[0]} <= {cumulant[1]}"), ("1", f"{cumulant[1]} - {at}*eps <= {EXPONENT}"))),
            ),
        ),
        Have(
            f"{name} <= {BOUND}",
            (
                Combine(
                    (
                        ("1", f"{name} <= exp({cumulant[0]} - {at}*eps)"),
                        ("1", f"exp({cumulant[0]} - {at}*eps) <= {BOUND}"),
                    )
                ),
            ),
        ),
    )


SHARPER = step(
    "lower",
    "the lower tail alone is at most exp(-eps^2/(2 v)), with the variance and no scale",
    f"{LOWER} <= exp(-eps**2/(2*v))",
    (A, B, DEVIATION, VARIANCE, real("K_down")),
    ("a <= b", DEFINED[0], MARKOV[1]),
    given={f"{HERE}/difference": DOWN_EXPONENT},
    kind=ClaimKind.TAIL,
    rests_on=("markov-inequality", f"{HERE}/lower-candidate"),
    argument=(
        Have(
            "exp(K_down - eps/v*eps) <= exp(-eps**2/(2*v))",
            (Logarithm(), Combine((("1", DOWN_EXPONENT),))),
        ),
        Combine((("1", MARKOV[1]), ("1", "exp(K_down - eps/v*eps) <= exp(-eps**2/(2*v))"))),
    ),
    candidates=(point("a=1 b=1 eps=1/4 v=1/12 K_down=1/4"),),
    mutants=(
        mutant(
            "quarter",
            "a quarter of the variance",
            f"{LOWER} <= exp(-eps**2/(2*(v/4)))",
            "a=1 b=1 eps=1/4 v=1/12 K_down=1/4",
        ),
    ),
)
CLAIM = Claim(
    id=HERE,
    title="each tail of a beta law with its larger parameter second is of Bernstein's form",
    words=(
        "For X ~ Beta(a, b) with a <= b, v = a b/((a + b)^2 (a + b + 1)), c = 2 (b - a)/((a + b)(a + b + 2)) and "
        "eps >= 0: P(X > E X + eps) and P(X < E X - eps) are at most exp(-eps^2/(2 (v + c eps/3))). The printed wedge "
        "is read as `and`, so that the larger probability is bounded. K_up and K_down are log E exp(t (X - E X)) at "
        "t = eps/(v + c eps/2) and t = -eps/v; that they are at most the two integrals is difference, with the theorem "
        "that it assumes, for the functions of candidate and lower-candidate."
    ),
    place="Theorem A.1, (47)",
    printed=r"\mathbb{P}(X>\mathbb{E}X+\epsilon)\wedge\mathbb{P}(X<\mathbb{E}X-\epsilon)\leq"
    r"\exp(-\frac{\epsilon^{2}}{2(v+\frac{c}{3}\epsilon)})",
    kind=ClaimKind.TAIL,
    reads=Reads.READING,
    statement=Statement(
        f"max({UPPER}, {LOWER}) <= {BOUND}",
        (
            A,
            B,
            DEVIATION,
            VARIANCE,
            real("c", "[0, oo)"),
            real("K_up"),
            real("K_down"),
        ),
        ("a <= b", *DEFINED, *MARKOV, UP_EXPONENT, DOWN_EXPONENT),
    ),
    origins=(
        Condition(UP_EXPONENT, Origin.GIVEN, f"{HERE}/difference"),
        Condition(DOWN_EXPONENT, Origin.GIVEN, f"{HERE}/difference"),
    ),
    rests_on=("markov-inequality", *ids(HERE, "riccati candidate lower-candidate")),
    argument=(
        *tail(UPPER, ("K_up", MOST), BEST, "exponent"),
        *tail(LOWER, ("K_down", "v*(eps/v)**2/2"), "eps/v", "lower-exponent"),
        Name("up", UPPER),
        Name("down", LOWER),
        Name("most", BOUND),
        Cases((("down <= up", (Solve(),)), ("otherwise", (Solve(),)))),
    ),
    candidates=(UNIFORM,),
    mutants=(
        Mutant(
            "variance",
            "a quarter of the variance",
            f"max({UPPER}, {LOWER}) <= exp(-eps**2/(2*(v/4 + c/3*eps)))",
            candidates=(UNIFORM,),
        ),
        Mutant(
            "scale",
            "a third of the skewness",
            f"max({UPPER}, {LOWER}) <= exp(-eps**2/(2*(v + c/9*eps)))",
            candidates=(point("a=1 b=100 eps=10/101 v=50/520251 c=198/10403 K_up=0 K_down=0"),),
        ),
    ),
    steps=(*STEPS, SHARPER),
)
