"""The symbols and terms that several parts use."""

from dpaudit.claims.writing import *

HERE = "resque/LEM-7"

GROUNDS = ("resque/LEM-5~drift", "resque/LEM-6", "resque/QCX", "resque/FACT-1", "resque/LEM-3")
PHASES = tuple(f"resque/LEM-5/{name}" for name in ("tail", "far-start", "noise", "level", "short", "s25"))
DELTA, BETA = real("delta", "(0, 1/6)"), positive("beta")
ALPHA = real("alpha", "(1, oo)", "order")
N, T, M = integer("n", "[1, oo)", "records"), integer("T", "[1, oo)"), integer("M", "[1, oo)", "That - 1")
LIKELY = real("likely", "(0, 1]", "Pr of at most b ones")
FEW = ("60*T <= n", "M <= T")
SHARE = "(1 - (1 - 1/n)**M/likely)"
LOG = "log(2*log(T)/delta)"


def tail(factor):
    """Chernoff's bound at b = factor * log(2/delta), with mean y = M/n <= 1/60."""
    return (
        Bound(
            left=f"(exp(1)*(M/n)/({factor}*log(2/delta)))**({factor}*log(2/delta))",
            by="binomial-upper-chernoff",
            because="more than b ones are at least b, and b >= 1/60",
        ),
        Substitute(
            (real("g", "[248/100, oo)", "log(2/delta)"), real("y", "(0, 1/60]", "M/n")),
            where("delta=2*exp(-g) M=y*n"),
            where("g=log(2/delta) y=M/n"),
        ),
        Rewrite(left=f"(exp(1)*y/({factor}*g))**({factor}*g)", right="exp(-g)"),
        Logarithm(),
        Rewrite(left=f"{factor}*g*log(exp(1)*y/({factor}*g))", right="-g"),
        Scale("1/g"),
        Rewrite(left=f"{factor}*log(exp(1)*y/({factor}*g))", right="-1"),
        Boxes(),
    )


TAIL = "1 - binomial_cdf(floor({c}*log(2/delta)), M, 1/n) <= delta/2"


def triple_fails(constant="1500", factor="1728"):
    """log2(T) times: one of three drifts above sqrt(2 * constant) b eta L in a phase, and a start too far from xbar."""
    order = f"(60*{LOG} + s)"
    return (
        f"log2(T)*(3*exp(7/10 - {order}*log(({constant})/2))"
        f" + exp(d*log(2) - 6*d*(({factor}*{LOG}**2 + y)/(2*{order}) - 1)**2)) <= delta/2"
    )


def triple(name, constant, words):
    """The step that one good event serves the pairs (P, Q), (P, R), (Q, R) at this level, as in LEM-5."""
    drift, start = f"exp(7/10 - (60*l + s)*log({constant}/2))", "((1728*l**2 + y)/(2*(60*l + s)) - 1)**2"
    far = "exp(l)/log(2)*exp(d*log(2) - 6*d*(10*l)**2)"
    return Step(
        name,
        words,
        Statement(
            triple_fails(constant),
            (integer("T", "[4, oo)"), DELTA, real("y", "[0, oo)"), integer("d", "[1, oo)"), real("s", "[0, 1)")),
        ),
        kind=ClaimKind.PRIVACY,
        rests_on=("union-bound", *GROUNDS, *PHASES),
        argument=(
            Scale("2/delta"),
            Substitute((real("l", "[28/10, oo)", LOG),), where("delta=2*log(T)*exp(-l)"), (("l", LOG),)),
            Rewrite(left=f"3*exp(l)/log(2)*{drift} + exp(l)/log(2)*exp(d*log(2) - 6*d*{start})", right="1"),
            Bound(
                left=f"3*exp(l)/log(2)*{drift} + {far}",
                argument=(
                    Shift(f"-3*exp(l)/log(2)*{drift}"),
                    Scale("log(2)/exp(l)/exp(d*log(2))"),
                    Rewrite(left=f"exp(-6*d*{start})", right="exp(-6*d*(10*l)**2)"),
                    Logarithm(),
                    Rewrite(left=f"-6*d*{start}", right="-6*d*(10*l)**2"),
                    Scale("1/(6*d)"),
                    Rewrite(left=f"-{start}", right="-(10*l)**2"),
                    Solve(),
                ),
            ),
            Rewrite(
                left=f"3*exp(7/10 - l*(60*log({constant}/2) - 1) - s*log({constant}/2))/log(2)"
                " + exp(d*(log(2) - 300*l**2) + l*(1 - 300*d*l))/log(2)"
            ),
            Boxes(),
        ),
        mutants=(Mutant("no-ratio", "40 in place of 1728", triple_fails(constant, "40"), candidates=(SMALL_RATIO,)),),
    )


SMALL_RATIO = point("T=4 delta=1/7 y=0 d=1 s=1/2")
