"""Fact 1: conditioning on a likely event moves a law little.

mu restricted to E and divided by P = mu(E) is larger than mu on E and zero outside, so that the L1 distance is
P (1/P - 1) + (1 - P) and the total variation is exactly 1 - P. An event of probability 0 (delta = 1) is
left out: nothing can be conditioned on it.
"""

from dpaudit.claims.writing import *

P, DELTA = real("P", "(0, 1]", "probability of the event"), real("delta", "[0, 1]")
DISTANCE = "(P*(1/P - 1) + (1 - P))/2"
LIKELY = ("1 - delta <= P",)
HALF = (point("P=1/2 delta=1/2"),)

CLAIM = Claim(
    id="resque/FACT-1",
    title="conditioning on a likely event",
    words="If E has probability P >= 1 - delta under mu then mu and mu given E are within delta in total variation.",
    place="Fact 1",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{DISTANCE} <= delta", (P, DELTA), LIKELY),
    rests_on=("resque/FACT-1/r1", "resque/FACT-1/r2"),
    argument=(Combine(terms=(("1", "1 - delta <= P"),)),),
    tightness=(
        Tightness(
            "distance", printed="1", form=f"{DISTANCE} <= {{c}}*delta", proved="1", refuted="0.99", candidates=HALF
        ),
    ),
    mutants=(
        Mutant("square", "delta^2", f"{DISTANCE} <= delta**2", candidates=HALF),
        Mutant(
            "rarer",
            "an event of probability 1 - 2 delta",
            conditions=("1 - 2*delta <= P",),
            candidates=(point("P=1/2 delta=1/4"),),
        ),
    ),
    steps=(
        step(
            "r1",
            "on E the conditioned density m/P is at least m, so that the distance there is m (1/P - 1)",
            "abs(m/P - m) == m*(1/P - 1)",
            (P, real("m", "[0, oo)", "density of mu at a point of E")),
            argument=(Solve(),),
        ),
        step(
            "r2",
            "summed over E (mass P) and its complement (mass 1 - P, where mu given E is 0): exactly 1 - P",
            f"{DISTANCE} == 1 - P",
            (P,),
        ),
    ),
)
