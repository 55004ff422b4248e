"""The printed proof up to the share of the rare event."""

from dpaudit.claims.writing import *

from .symbols import *

PARTS = ("1 - delta/2 <= likely", "(1 - 1/n)**M <= likely")
MOST = integer("b", "[1, oo)", "most ones, rounded down")
ONES, NO_ONES = "binomial(M, a)*(1/n)**a*(1 - 1/n)**(M - a)", "(1 - 1/n)**M"

EVENT_STEPS = (
    Step(
        "s1",
        "Chernoff: at most b = 2 log(2/delta) of the That - 1 indices are 1, with probability at least 1 - delta/2",
        Statement(TAIL.format(c="2"), (DELTA, M, N), ("60*M <= n",)),
        kind=ClaimKind.TAIL,
        argument=tail("2"),
        tightness=(
            Tightness(
                "ones",
                printed="2",
                form=TAIL,
                proved="0.35",
                refuted="0.24",
                argument=tail("0.35"),
                candidates=(point("delta=33/1000 M=1 n=60"),),
            ),
        ),
    ),
    step(
        "s2",
        "In part, (26): Lemma 5 at delta/2 with b = 2 log(2/delta), for each pair of P, Q, R and all alpha: here "
        "the level",
        "1500*alpha*beta**2*(2*log(2/delta))**2 == alpha*(6000*beta**2*log(2/delta)**2)",
        (ALPHA, BETA, DELTA),
        rests_on=("resque/LEM-5", "resque/LEM-5~drift", "resque/LEM-6", "resque/QCX"),
    ),
    step(
        "s2-ratio",
        "Not printed: C log^2(log T/delta) is at least the 1728 log^2(2 log T/delta) that Lemma 5 asks for at delta/2",
        f"1728*{LOG}**2 <= 220000*log(log(T)/delta)**2",
        (integer("T", "[2, oo)"), DELTA),
        reads=Reads.OURS,
        kind=ClaimKind.IMPLICATION,
        argument=(
            Substitute(
                (real("l", "[142/100, oo)", "log(log T/delta)"),),
                where("delta=log(T)*exp(-l)"),
                where("l=log(log(T)/delta)"),
            ),
            Rewrite(left="1728*(l + log(2))**2", right="220000*l**2"),
            Scale("1/l**2"),
            Rewrite(left="1728*(1 + log(2)/l)**2", right="220000"),
            Boxes(),
        ),
        mutants=(
            mutant(
                "constant",
                "3000 in place of 220000",
                f"1728*{LOG}**2 <= 3000*log(log(T)/delta)**2",
                "T=2 delta=1666/10000",
            ),
        ),
        tightness=(
            Tightness(
                "C_priv",
                printed="not given",
                form=f"1728*{LOG}**2 <= {{c}}*log(log(T)/delta)**2",
                proved="3830",
                refuted="3800",
                argument=(
                    Substitute(
                        (real("l", "[1424/1000, oo)", "log(log T/delta)"),),
                        where("delta=log(T)*exp(-l)"),
                        where("l=log(log(T)/delta)"),
                    ),
                    Rewrite(left="1728*(l + log(2))**2", right="3830*l**2"),
                    Scale("1/l**2"),
                    Rewrite(left="1728*(1 + log(2)/l)**2", right="3830"),
                    Boxes(),
                ),
                candidates=(point("T=2 delta=16666/100000"),),
            ),
        ),
    ),
    Step(
        "s2-common",
        "What the proof needs: (26) for each pair gives the one triple of laws within delta/2 of P, Q, R that "
        "Proposition 7 needs, at the same level. Tried at level 0 on three laws with mass delta = 2v at a point "
        "of their own: each pair has a common law at distance v; a law with masses a, b, c at the three points is "
        "at least 2v - a, ... and b + c away",
        Statement(
            "b + c <= v",
            (real("v", "(0, 1/6)", "delta/2"), *(real(name, "[0, 1]") for name in "abc")),
            ("2*v - a <= v", "2*v - b <= v", "2*v - c <= v"),
            exists=True,
        ),
        reads=Reads.GAP,
        kind=ClaimKind.IMPLICATION,
        expects=Outcome.REFUTED,
        argument=(Nowhere((Solve(),)),),
        finding=(
            "A gap, not a false result. Proposition 7 wants one triple of laws with all divergences bounded for "
            "all alpha; (26) bounds D_(alpha,delta/2), whose minimising laws may differ from pair to pair and "
            "from alpha to alpha, and pairwise surrogates need not come from one triple. For the laws of the "
            "algorithm they do: three runs on the same queries have one good event for all pairs and orders (step "
            "triple)."
        ),
        repair=f"{HERE}/triple",
    ),
    triple(
        "triple",
        "1500",
        "runs P, Q, R on the same queries: outside of probability delta/2 no pair drifts by more than sqrt(3000) "
        "b_i eta_i L in any phase and no start is far, so that the laws given this event serve all pairs and all "
        "alpha; order 2p with p = 60 log(2 log T/delta) + s",
    ),
    step(
        "s3",
        "s = Pr[E_1 | E] = 1 - (1 - 1/n)^(That-1)/Pr[E], where E allows 0 to b ones among M = That - 1 indices, "
        "E_1 asks for one at least, and a ones have the binomial probability",
        f"sum(a, 1, b, {ONES})/likely == 1 - (1 - 1/n)**M/likely",
        (M, integer("n", "[2, oo)", "records"), MOST, LIKELY),
        (f"likely == sum(a, 0, b, {ONES})",),
        argument=(
            Rewrite(left=f"(sum(a, 0, b, {ONES}) - {NO_ONES})/likely", by=f"{HERE}/no-ones"),
            Combine(terms=(("-1/likely", f"likely == sum(a, 0, b, {ONES})"),)),
        ),
        candidates=(point("n=3 M=2 b=2 likely=1"), point("n=3 M=2 b=1 likely=8/9")),
        mutants=(
            Mutant("share", "2/n in place of 1/n", f"sum(a, 1, b, {ONES})/likely == 1 - (1 - 2/n)**M/likely"),
            Mutant("any-E", "Pr[E] any number", conditions=()),
        ),
    ),
    step(
        "no-ones",
        "E is the case of no ones, of probability (1 - 1/n)^M, and E_1 (over Pr[E])",
        f"sum(a, 1, b, {ONES})/likely == (sum(a, 0, b, {ONES}) - {NO_ONES})/likely",
        (M, integer("n", "[2, oo)", "records"), MOST, LIKELY),
        argument=(Induct("b", base=(Identical(),), step=(Identical(),)),),
    ),
    erratum(
        "s4",
        "s <= 1 - (1 - 1.1 T/n)/(1 - delta/2)",
        f"{SHARE} <= 1 - (1 - 1.1*T/n)/(1 - delta/2)",
        (DELTA, T, M, N, LIKELY),
        (*FEW, *PARTS),
        candidates=(point("delta=1/7 T=2 M=1 n=120 likely=1"),),
        finding=(
            "From Pr[E] >= 1 - delta/2 follows s >= 1 - (1 - 1/n)^(That-1)/(1 - delta/2), the other direction. At "
            "T = 2, n = 120, delta = 1/7 the printed bound is -0.057, while s is positive. The conclusion "
            "survives, as Pr[E] <= 1 and Bernoulli's inequality give s <= (That - 1)/n."
        ),
        repair=f"{HERE}/s4~repaired",
    ),
    step(
        "s4-second",
        "1 - (1 - 1.1 T/n)/(1 - delta/2) <= 1.2 T/n",
        "1 - (1 - 1.1*x)/(1 - delta/2) <= 1.2*x",
        (DELTA, real("x", "(0, 1/60]", "T/n")),
        argument=(
            Scale("1 - delta/2"),
            Rewrite(left="1.1*x - delta/2", right="1.2*x*(1 - delta/2)"),
            Combine(terms=(("0.1", "0 <= x"), ("1/2 - 0.6/50", "0 <= delta"), ("0.6*delta", "x <= 1/50"))),
        ),
        mutants=(
            mutant("constant", "1 in place of 1.2", "1 - (1 - 1.1*x)/(1 - delta/2) <= x", "delta=1/100000 x=1/60"),
        ),
    ),
)
