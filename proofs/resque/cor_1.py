"""Corollary 1: approximate Renyi DP gives (eps, delta)-DP.

The two laws that realise the minimum in (12) are within delta of M(D) and M(D') in total variation. The
event bound of Proposition 5 holds for them; going back costs delta on the left and e^eps delta on the
right. The minimum need not be attained; for an infimum the statement follows with eps + h for every
h > 0, and so for h = 0.
"""

from dpaudit.claims.writing import *

SYMBOLS = (
    real("alpha", "(1, oo)", "order"),
    real("eps", "[0, oo)", "Renyi divergence of the surrogates"),
    real("delta", "[0, 1)", "total variation to the surrogates"),
    real("delta1", "(0, 1)", "delta'"),
    real("P", "[0, 1]", "probability of the event on D"),
    real("Q", "[0, 1]", "on D'"),
    real("P1", "[0, 1]", "under the surrogate of D"),
    real("Q1", "[0, 1]", "under the surrogate of D'"),
)
FACTOR = "exp(eps + log(1/delta1)/(alpha - 1))"
CONVERTED, LEFT, RIGHT = f"P1 <= {FACTOR}*Q1 + delta1", "P <= P1 + delta", "Q1 <= Q + delta"
GIVEN = (CONVERTED, LEFT, RIGHT, "1 < alpha")
# eps = 0, delta' near 1 at a large order: the factor is near 1 and everything is attained.
WORST = point("alpha=1001 eps=0 delta=1/10 delta1=1/10 P=2/5 Q=1/10 P1=3/10 Q1=1/5")  # fmt: skip
SURROGATES = (
    *(s for s in SYMBOLS if s.name in ("alpha", "eps", "delta1")),
    real("P1", "(0, 1]", "probability of the event under the surrogate of D"),
    real("Q1", "(0, 1]", "under the surrogate of D'"),
)
SMALL = point("alpha=2 eps=161/100 delta1=9/20")


def tail(constant):
    """P <= e^eps Q + delta' + constant (1 + e^eps) delta."""
    return f"P <= {FACTOR}*Q + delta1 + {constant}*(1 + {FACTOR})*delta"


CLAIM = Claim(
    id="resque/COR-1",
    title="from approximate Renyi DP to (eps, delta)-DP",
    words=(
        "(alpha, eps, delta)-RDP is (eps_dp, delta' + (1 + e^eps_dp) delta)-DP for all delta' in (0, 1), with "
        "eps_dp = eps + log(1/delta')/(alpha - 1). In part: the bounds of s1 and s2 put together."
    ),
    place="Corollary 1",
    kind=ClaimKind.PRIVACY,
    statement=Statement(tail("1"), SYMBOLS, GIVEN),
    origins=(
        Condition(CONVERTED, Origin.GIVEN, "resque/COR-1/s1"),
        *(Condition(text, Origin.GIVEN, "resque/COR-1/s2") for text in (LEFT, RIGHT)),
    ),
    rests_on=("resque/COR-1/s1", "resque/COR-1/s2"),
    argument=(Combine(terms=(("1", LEFT), ("1", CONVERTED), (FACTOR, RIGHT))),),
    candidates=(WORST,),
    tightness=(Tightness("loss", printed="1", form=tail("{c}"), proved="1", refuted="0.99", candidates=(WORST,)),),
    mutants=(
        Mutant("one-side", "delta on the left only", f"P <= {FACTOR}*Q + delta1 + delta", candidates=(WORST,)),
        Mutant(
            "no-right",
            "without the bound on D'",
            conditions=tuple(text for text in GIVEN if text != RIGHT),
            candidates=((*(pair for pair in WORST if pair[0] != "Q"), ("Q", "0")),),
        ),
    ),
    steps=(
        Step(
            "s1",
            "Proposition 5, item 3, for the surrogate laws; an event with P1 = 0 is trivial, and one with Q1 = 0 < P1 "
            "has an infinite divergence",
            Statement(CONVERTED, SURROGATES, ("(alpha*log(P1) - (alpha - 1)*log(Q1))/(alpha - 1) <= eps",)),
            argument=(ByTheorem("resque/PROP-5", at=where("P=P1 Q=Q1 delta=delta1")),),
            candidates=((*SMALL, ("P1", "1/2"), ("Q1", "1/20")),),
            mutants=(
                Mutant(
                    "no-delta",
                    "delta' not added",
                    f"P1 <= {FACTOR}*Q1",
                    candidates=((*SMALL[:1], ("eps", "0"), ("delta1", "999/1000"), ("P1", "1/10"), ("Q1", "99/1000")),),
                ),
            ),
        ),
        step(
            "s2",
            "total variation is half the L1 distance, over any partition: |P - P1| <= delta for an event",
            "P <= P1 + delta",
            tuple(s for s in SYMBOLS if s.name in ("P", "P1", "delta")),
            ("(abs(P - P1) + abs((1 - P) - (1 - P1)))/2 <= delta",),
            argument=(Solve(),),
            mutants=(mutant("half", "delta/2", "P <= P1 + delta/2", "P=1/2 P1=1/4 delta=1/4"),),
        ),
    ),
)
