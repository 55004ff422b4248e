"""The terms of the refutation for every constant."""

from dpaudit.claims.writing import *

C, K = real("C", "[1, oo)", "any constant C_priv"), real("k", "[60, oo)", "log2 log2 T")


def beta_of(theta, c, k, delta):
    """beta."""
    return f"(sqrt({theta}/{c})/log({k}/{delta}))"


def reach(beta, k):
    """Half the effect of one hit over the standard deviation of all noise."""
    return f"(2**({k}/2)*{beta}/(4*sqrt(16*{k}/15)))"


def end(beta, k):
    """How many standard deviations away the ends of the ball are."""
    return f"(3*{beta}*2**{k}/(8*{k}))"


def attained(c, k, beta):
    """The probability of the event in the data set with the record, from below."""
    return f"(Phi({reach(beta, k)})/(8*{c}*2**{k}) - {crossing(k, beta)})"


def crossing(k, beta):
    """The probability that the noise crosses the ball, from above."""
    return f"2*{k}*2**{k}*Phi(-{end(beta, k)})"


def allowed(c, k, delta, theta, alpha, beta):
    """What the claim allows for it, from the other data set, from above."""
    inner = f"exp({alpha}*{theta}/{c}**2)*(Phi(-{reach(beta, k)}) + {crossing(k, beta)} + {delta})"
    return f"({delta} + ({inner})**(1 - 1/{alpha}))"


DELTA_K = "(1/(160*2**k*C))"
BETA_K = beta_of("(1/(6*k))", "C", "k", DELTA_K)
REACH_K, END_K = reach(BETA_K, "k"), end(BETA_K, "k")
SMALL_C = ("C <= k",)
SMALL = "(1/(160*k*2**k*C))"
BUDGET = ("p <= delta/20", "e <= delta/20", "9/10 <= f", "log(1/(2*delta)) <= k")
# With c = sqrt(C), s = sqrt(k) and l = log(k/delta), c l <= s^4.
ROOTS = (
    Have(f"log(k/{DELTA_K}) <= k", (ByTheorem("resque/PROP-8/every-log"),)),
    Have(f"0 < log(k/{DELTA_K})"),
    Name("l", f"log(k/{DELTA_K})"),
    Substitute(
        (real("s", "[7, oo)", "sqrt(k)"), real("c", "[1, oo)", "sqrt(C)")),
        where("k=s**2 C=c**2"),
        where("s=sqrt(k) c=sqrt(C)"),
    ),
    Have("c <= s", (Combine((("1/(c + s)", "c**2 <= s**2"),)),)),
    Have(
        "c*l <= s**4",
        (Combine((("c", "l <= s**2"), ("s**2", "c <= s"), ("s**3", "7 <= s"), ("6*s**3", "0 < 1"))),),
    ),
)
