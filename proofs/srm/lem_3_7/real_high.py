"""Real orders above 2: between the integers m and m + 1, alpha = m + f. All of this is ours.

(alpha - 1) D_alpha is the logarithm of a moment, and so convex in alpha (Lyapunov): at alpha it is at most (1 - f)
times its value at m plus f times that at m + 1, where Theorem 9 applies. The condition (3.2) is known at alpha only;
it bounds the terms of order m and m + 1 through N = tau alpha e^(3 (alpha - 1)/(2 sigma^2)) <= 1/(1 + sigma^2)
(s9-numerator). The room for this is in the constants of the proof: 5.85 for 6 in s2, and 2 C(alpha, j) <= (2/3)
C(alpha, 2) alpha^(j - 2) for s6.
"""

from dpaudit.claims.writing import *

from .notation import TAU
from .real_tails import *
from .symbols import *

# x = 1/sigma^2, y = 1/m.
NUMBERS = (
    "2/3*((1 - f)*(1 - y)*exp(-3*f*x/2)*(1 + 13/10*(x*exp(-2*x)/(1 + x)))"
    " + f*(1 + y)**2*exp(3*(1 - f)*x/2)*(1 + 13/10*(4/3*x*exp(-3*x/2)/(1 + x))))"
    " <= (1 + f*y)*(1 + x)*(23/20*(1 - y + 2*f*y) - 7*f*(1 - f)*y**2)"
)
NUMBERS_HERE = (
    f"2/3*((1 - f)*(1 - 1/m)*exp(-3*f/(2*sigma2))*(1 + 13/10*{RATIO_MOST['m']})"
    f" + f*(1 + 1/m)**2*exp(3*(1 - f)/(2*sigma2))*(1 + 13/10*{RATIO_MOST['m + 1']}))"
    " <= (1 + f/m)*(1 + 1/sigma2)*(23/20*(1 - 1/m + 2*f/m) - 7*f*(1 - f)/m**2)"
)


def inside(order):
    """What stands in the logarithm of (3.1), less 1."""
    return at(f"({SECOND}*{MINIMUM} + {TAIL})", order)


HIGH_STEPS = (
    step(
        "real-two",
        "orders 2 to 3: (1 - f) times the bound on (alpha - 1) D_alpha at 2 plus f times that at 3, C(3, 2) = 3, is "
        "at most (alpha - 1) 3.5 alpha tau^2/sigma^2 at alpha = 2 + f",
        f"(1 - f)*log(1 + tau**2*{MINIMUM}) + f*log(1 + 3*tau**2*{MINIMUM} + 2*tau**3*exp(3/sigma2))"
        " <= (1 + f)*(7/2*(2 + f)*tau**2/sigma2)",
        (PART, TAU, VARIANCE),
        (at(ORDER_CONDITION, "2 + f"),),
        kind=ClaimKind.DIVERGENCE,
        rests_on=("subsampled-renyi", "lyapunov"),
        argument=(
            Have(SHARP, (ByTheorem(f"{LEM}/sharp-second"),)),
            Have(
                at(f"{NUMERATOR} <= 1/(1 + sigma2)", "2 + f"),
                (ByTheorem(f"{LEM}/s9-numerator", at=(("alpha", "2 + f"),)),),
            ),
            Have(
                "117/20*(1 + 2*f) + 2*f*exp(3*(1 - f)/(2*sigma2))*sigma2/((2 + f)*(1 + sigma2)) <= 7/2*(1 + f)*(2 + f)",
                (
                    Substitute((real("x", "(0, 10/7]", "1/sigma^2"),), where("sigma2=1/x"), where("x=1/sigma2")),
                    Rewrite(left="117/20*(1 + 2*f) + 2*f*exp(3*(1 - f)*x/2)/((2 + f)*(1 + x))"),
                    Boxes(),
                ),
            ),
            Combine(
                terms=(
                    ("1 - f", f"log(1 + tau**2*{MINIMUM}) <= 1 + tau**2*{MINIMUM} - 1"),
                    (
                        "f",
                        f"log(1 + 3*tau**2*{MINIMUM} + 2*tau**3*exp(3/sigma2))"
                        f" <= 1 + 3*tau**2*{MINIMUM} + 2*tau**3*exp(3/sigma2) - 1",
                    ),
                    ("(1 + 2*f)*tau**2", SHARP),
                    (
                        "2*f*tau**2*exp(3*(1 - f)/(2*sigma2))/(2 + f)",
                        at(f"{NUMERATOR} <= 1/(1 + sigma2)", "2 + f"),
                    ),
                    (
                        "tau**2/sigma2",
                        "117/20*(1 + 2*f) + 2*f*exp(3*(1 - f)/(2*sigma2))*sigma2/((2 + f)*(1 + sigma2))"
                        " <= 7/2*(1 + f)*(2 + f)",
                    ),
                )
            ),
        ),
        mutants=(
            mutant(
                "factor",
                "3 in place of 3.5",
                f"(1 - f)*log(1 + tau**2*{MINIMUM}) + f*log(1 + 3*tau**2*{MINIMUM} + 2*tau**3*exp(3/sigma2))"
                " <= (1 + f)*(3*(2 + f)*tau**2/sigma2)",
                "f=2/5 tau=1/1000 sigma2=7/10",
            ),
        ),
    ),
    step(
        "numbers",
        "what is left for orders above 3, with x = 1/sigma^2 and y = 1/m",
        NUMBERS,
        (PART, real("x", "[0, 10/7]", "1/sigma^2"), real("y", "[0, 1/3]", "1/m")),
        argument=(Boxes(budget=100_000),),
        mutants=(mutant("constant", "1 in place of 1.15", NUMBERS.replace("23/20*", "1*"), "f=3/10 x=10/7 y=1/3"),),
    ),
    step(
        "real-high",
        "orders above 3: (1 - f) times the bound on (alpha - 1) D_alpha at m plus f times that at m + 1 is at most "
        "(alpha - 1) 3.5 alpha tau^2/sigma^2 at alpha = m + f",
        f"(1 - f)*log(1 + {inside('m')}) + f*log(1 + {inside('m + 1')}) <= (m + f - 1)*(7/2*(m + f)*tau**2/sigma2)",
        (LOW, PART, TAU, VARIANCE),
        (at(ORDER_CONDITION, "m + f"),),
        kind=ClaimKind.DIVERGENCE,
        rests_on=("subsampled-renyi", "lyapunov"),
        argument=(
            Have(SHARP, (ByTheorem(f"{LEM}/sharp-second"),)),
            Have(tail_at("m"), (ByTheorem(f"{LEM}/tail-low"),)),
            Have(tail_at("m + 1"), (ByTheorem(f"{LEM}/tail-high"),)),
            Have(NUMBERS_HERE, (ByTheorem(f"{LEM}/numbers", at=(("x", "1/sigma2"), ("y", "1/m"))),)),
            Have(f"0 <= {at(TAIL, 'm')}", (ByTheorem(f"{LEM}/tail-sign", at=(("alpha", "m"),)),)),
            Have(f"0 <= {at(TAIL, 'm + 1')}", (ByTheorem(f"{LEM}/tail-sign", at=(("alpha", "m + 1"),)),)),
            Have(f"0 <= {MINIMUM}", (Combine(terms=(("1", f"0 <= {MINIMUM}"),)),)),
            Name("U", at(TAIL, "m")),
            Name("V", at(TAIL, "m + 1")),
            Name("M", MINIMUM),
            Combine(
                terms=(
                    (
                        "1 - f",
                        f"log(1 + {inside('m')}) <= 1 + {inside('m')} - 1".replace(at(TAIL, "m"), "U").replace(
                            MINIMUM, "M"
                        ),
                    ),
                    (
                        "f",
                        f"log(1 + {inside('m + 1')}) <= 1 + {inside('m + 1')} - 1".replace(
                            at(TAIL, "m + 1"), "V"
                        ).replace(MINIMUM, "M"),
                    ),
                    ("tau**2/2*((1 - f)*m*(m - 1) + f*m*(m + 1))", "M <= 117/20/sigma2"),
                    ("1 - f", tail_at("m").replace(at(TAIL, "m"), "U")),
                    ("f", tail_at("m + 1").replace(at(TAIL, "m + 1"), "V")),
                    ("tau**2*m**3/(2*(m + f)*(1 + sigma2))", NUMBERS_HERE),
                )
            ),
        ),
        mutants=(
            mutant(
                "factor",
                "3 in place of 3.5",
                f"(1 - f)*log(1 + {inside('m')}) + f*log(1 + {inside('m + 1')})"
                " <= (m + f - 1)*(3*(m + f)*tau**2/sigma2)",
                "m=3 f=1/3 tau=1/1000 sigma2=7/10",
            ),
        ),
    ),
)
