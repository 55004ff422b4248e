"""The printed proof: the variance of a loop and the average of the copies."""

from dpaudit.claims.writing import *

from .symbols import *

MOMENTS = (real("a", "[0, oo)", "E|x_j - x*|^2"), real("b", "[0, oo)", "E|x_(j-1) - x*|^2"))
DISTANCE = real("e", "[0, oo)", "E|x_j - x_(j-1)|^2")
SPREAD = real("v", "[0, oo)", "E|xhat_k - E xhat_k|^2")
WHOLE = real("W", "[0, oo)", "E|xhat - x*|^2")
PQW = (
    real("p", "[0, oo)", "(L/lambda) sqrt(d)/(beta T)"),
    real("q", "[0, oo)", "(L/lambda)/sqrt(T)"),
    real("w", "[0, oo)", "sqrt(T/n)"),
)


def average(bias_form, variance):
    """E|xhat - x*|^2 = variance/j_max + bias^2 <= (C_bias^2 + variance constant)(p^2 + q^2)."""
    return Statement(
        f"W <= (Cb**2 + {variance}*C)*(p**2 + q**2)",
        (LEVEL, CSC, CBIAS, WHOLE, SPREAD, BIAS, *PQW),
        ("W <= v/J + b**2", f"v <= {variance}*C*J*(p**2 + q**2)", f"b <= Cb*({bias_form})", "2*w**2 <= 1"),
    )


def origins(bias_form, variance, of_variance, of_bias):
    """What `average` takes from other steps."""
    return (
        Condition(f"v <= {variance}*C*J*(p**2 + q**2)", Origin.GIVEN, of_variance),
        Condition(f"b <= Cb*({bias_form})", Origin.GIVEN, of_bias),
    )


def added_up(bias_form, variance, rest):
    """(bias_form)^2 <= p^2 + q^2 by `rest`, then the sum."""
    return (
        Combine(
            terms=(
                ("1", "W <= v/J + b**2"),
                ("1/J", f"v <= {variance}*C*J*(p**2 + q**2)"),
                (f"b + Cb*({bias_form})", f"b <= Cb*({bias_form})"),
                *((f"Cb**2*({m})", fact) for m, fact in rest),
            )
        ),
    )


HALF = "2*w**2 <= 1"
VARIANCE_STEPS = (
    step(
        "s5", "E|xhat_k - x_0|^2: the weight of level j is Pr[J = j] 2^(2j) = 2^j", "2**(-j)*2**(2*j) == 2**j", (INDEX,)
    ),
    implication(
        "s6",
        "E|x_j - x_(j-1)|^2 <= 2^(-j) 6 C_sc Q, given the bound of s4 at levels j and j - 1",
        "e <= 2**(-j)*6*C*Q",
        (INDEX, *MOMENTS, DISTANCE, CSC, Q),
        ("e <= 2*a + 2*b",),
        (("1", "e <= 2*a + 2*b"), ("2", "a <= 2**(-j)*C*Q"), ("2", "b <= 2**(-j)*2*C*Q")),
        (mutant("constant", "5.9", "e <= 2**(-j)*5.9*C*Q", "j=1 a=1/2 b=1 e=3 C=1 Q=1"),),
        given={"resque/PROP-9/s4": ("a <= 2**(-j)*C*Q", "b <= 2**(-j)*2*C*Q")},
        expects=Outcome.CONSISTENT,
        tightness=(
            Tightness(
                "constant", "6", "e <= 2**(-j)*{c}*C*Q", "6", "5.9", candidates=(point("j=1 a=1/2 b=1 e=3 C=1 Q=1"),)
            ),
        ),
    ),
    implication(
        "s6~repaired",
        "with 2 C_sc at both levels: 12 C_sc",
        "e <= 2**(-j)*12*C*Q",
        (INDEX, *MOMENTS, DISTANCE, CSC, Q),
        ("e <= 2*a + 2*b",),
        (("1", "e <= 2*a + 2*b"), ("2", "a <= 2**(-j)*2*C*Q"), ("2", "b <= 2**(-j)*4*C*Q")),
        (mutant("constant", "11.9", "e <= 2**(-j)*11.9*C*Q", "j=1 a=1 b=2 e=6 C=1 Q=1"),),
        given={"resque/PROP-9/s4~repaired": ("a <= 2**(-j)*2*C*Q", "b <= 2**(-j)*4*C*Q")},
    ),
    implication(
        "s7",
        "variance of one loop: 2 times 6 C_sc j_max Q plus 2 C_sc Q is at most 14 C_sc j_max Q",
        "v <= 14*C*J*Q",
        (LEVEL, SPREAD, SUM, FIRST, CSC, Q),
        ("v <= 2*S + 2*m0",),
        (("1", "v <= 2*S + 2*m0"), ("2", "S <= 6*C*J*Q"), ("2", "m0 <= C*Q"), ("2*C*Q", "1 <= J")),
        (mutant("constant", "13.9", "v <= 13.9*C*J*Q", "J=1 v=14 S=6 m0=1 C=1 Q=1"),),
        given={"resque/PROP-9/s6": "S <= 6*C*J*Q", "resque/PROP-9/s4": "m0 <= C*Q"},
        expects=Outcome.CONSISTENT,
        tightness=(
            Tightness(
                "constant", "14", "v <= {c}*C*J*Q", "14", "13.9", candidates=(point("J=1 v=14 S=6 m0=1 C=1 Q=1"),)
            ),
        ),
    ),
    implication(
        "s7~repaired",
        "with the constants of s4~repaired and s6~repaired: 28",
        "v <= 28*C*J*Q",
        (LEVEL, SPREAD, SUM, FIRST, CSC, Q),
        ("v <= 2*S + 2*m0",),
        (("1", "v <= 2*S + 2*m0"), ("2", "S <= 12*C*J*Q"), ("2", "m0 <= 2*C*Q"), ("4*C*Q", "1 <= J")),
        (mutant("constant", "27.9", "v <= 27.9*C*J*Q", "J=1 v=28 S=12 m0=2 C=1 Q=1"),),
        given={"resque/PROP-9/s6~repaired": "S <= 12*C*J*Q", "resque/PROP-9/s4~repaired": "m0 <= 2*C*Q"},
    ),
    Step(
        "s8",
        "averaging j_max copies divides the variance only; with the printed bias, w^2 p + w q in these letters, "
        "C_var = C_bias^2 + 14 C_sc, as T <= n/2",
        average("w**2*p + w*q", 14),
        origins=origins("w**2*p + w*q", 14, "resque/PROP-9/s7", "resque/PROP-9"),
        expects=Outcome.CONSISTENT,
        kind=ClaimKind.MOMENT,
        argument=added_up(
            "w**2*p + w*q",
            14,
            (("q**2 + p**2*(w**2 + 1/2)", HALF), ("1", "0 <= (w**2*p - w*q)**2"), ("p**2/2", "0 <= 1")),
        ),
        mutants=(
            Mutant(
                "no-average",
                "j_max copies not averaged",
                conditions=("W <= v + b**2", "v <= 14*C*J*(p**2 + q**2)", "b <= Cb*(w**2*p + w*q)", HALF),
                candidates=(point("J=2 C=1 Cb=0 W=28 v=28 b=0 p=1 q=0 w=0"),),
            ),
        ),
    ),
    Step(
        "s8~repaired",
        "the same with the true bias, w p + w q, and 28 in place of 14: the variance bound holds",
        average("w*p + w*q", 28),
        origins=origins("w*p + w*q", 28, "resque/PROP-9/s7~repaired", "resque/PROP-9~repaired"),
        kind=ClaimKind.MOMENT,
        argument=added_up("w*p + w*q", 28, (("p**2 + q**2", HALF), ("w**2", "0 <= (p - q)**2"))),
        mutants=(
            Mutant(
                "half",
                "T <= n",
                conditions=("W <= v/J + b**2", "v <= 28*C*J*(p**2 + q**2)", "b <= Cb*(w*p + w*q)", "w**2 <= 1"),
                candidates=(point("J=1 C=1/1000 Cb=1 W=4 v=0 b=2 p=1 q=1 w=1"),),
            ),
        ),
    ),
)
