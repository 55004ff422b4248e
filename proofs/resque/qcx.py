"""Quasi-convexity of the Renyi divergence (section 1.3), for every order alpha > 1.

The integrand u^alpha v^(1-alpha) of (4) lies above its tangent planes (step `plane`), of which the one at the
ratio t of the two mixtures gives u^alpha v^(1-alpha) itself. A mean over the mixing variable keeps the
inequality, so that exp((alpha-1) D) of the mixtures is at most the mean, hence at most the largest,
of exp((alpha-1) D) of the parts. "max" over a family of laws is to be read as a supremum.
"""

from dpaudit.claims.writing import *

ALPHA = real("alpha", "(1, oo)", "order")
T = positive("t", "likelihood ratio of the mixtures")
M = real("m", "[0, 1]", "weight of the first part")
PARTS = (
    *(positive(name, "density of a part of mu") for name in ("a", "b")),
    *(positive(name, "density of a part of nu") for name in ("c", "e")),
)
RATIO = "t*(m*c + (1 - m)*e) <= m*a + (1 - m)*b"


def plane(u, v):
    """The tangent plane of u^alpha v^(1-alpha) along the ray u = t v."""
    return f"(alpha*t**(alpha - 1)*{u} - (alpha - 1)*t**alpha*{v})"


def moment(u, v):
    """The integrand of exp((alpha - 1) D_alpha)."""
    return f"{u}**alpha*{v}**(1 - alpha)"


MIXED = f"m*{moment('a', 'c')} + (1 - m)*{moment('b', 'e')}"
APART = point("alpha=2 t=1 m=1/2 a=3/2 b=1/2 c=1/2 e=3/2")
EQUAL = point("alpha=2 t=2 m=1/2 a=2 b=2 c=1 e=1")

CLAIM = Claim(
    id="resque/QCX",
    title="quasi-convexity of the Renyi divergence",
    words=(
        "mu = E mu_xi and nu = E nu_xi: D_alpha(mu || nu) <= max over xi of D_alpha(mu_xi || nu_xi), alpha > 1. "
        "Encoded at one outcome, for two parts with densities a, b of mu and c, e of nu: the integrand "
        "t^alpha nu = mu^alpha nu^(1-alpha) of the mixtures, t = mu/nu (or less), is at most the mean of those of the "
        "parts."
    ),
    place="section 1.3, after (4)",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(f"t**alpha*(m*c + (1 - m)*e) <= {MIXED}", (ALPHA, T, M, *PARTS), (RATIO,)),
    rests_on=("monotone-mean", "resque/QCX/plane", "resque/QCX/integrand", "resque/QCX/largest"),
    argument=(
        Bound(right=f"m*{plane('a', 'c')} + (1 - m)*{moment('b', 'e')}", argument=(Tangent("a", "t*c"),)),
        Bound(right=f"m*{plane('a', 'c')} + (1 - m)*{plane('b', 'e')}", argument=(Tangent("b", "t*e"),)),
        Combine(terms=(("alpha*t**(alpha - 1)", RATIO),)),
    ),
    candidates=(APART, EQUAL),
    mutants=(
        Mutant("constant", "99/100 of the mean", f"t**alpha*(m*c + (1 - m)*e) <= 99/100*({MIXED})"),
        mutant(
            "one-part",
            "the first part in place of the mean",
            f"t**alpha*(m*c + (1 - m)*e) <= {moment('a', 'c')}",
            "alpha=2 t=2 m=1/2 a=1 b=3 c=1 e=1",
        ),
    ),
    steps=(
        step(
            "plane",
            "u^alpha v^(1-alpha) lies above its tangent plane at every ratio t (for u = 0: 0 >= -(alpha-1) t^alpha v)",
            f"{plane('u', 'v')} <= {moment('u', 'v')}",
            (ALPHA, T, positive("u", "density of mu_xi"), positive("v", "density of nu_xi")),
            argument=(Tangent("u", "t*v"),),
            mutants=(
                mutant(
                    "slope",
                    "slope alpha + 1",
                    f"(alpha + 1)*t**(alpha - 1)*u - (alpha - 1)*t**alpha*v <= {moment('u', 'v')}",
                    "alpha=2 t=1 u=1 v=1",
                ),
            ),
        ),
        step(
            "integrand",
            "at the means u = t v the plane is the integrand of the mixtures",
            f"{plane('(t*v)', 'v')} == {moment('(t*v)', 'v')}",
            (ALPHA, T, positive("v")),
        ),
        step(
            "largest",
            "what is at most a mean of two numbers is at most the larger; D is increasing in the moment",
            "x <= max(y, z)",
            (M, real("x", meaning="moment of the mixtures"), real("y", meaning="of a part"), real("z")),
            ("x <= m*y + (1 - m)*z",),
            argument=(Solve(),),
            mutants=(mutant("smallest", "the smaller", "x <= min(y, z)", "m=1 x=2 y=2 z=1"),),
        ),
    ),
)
