"""The p-value of the rank test and of exact counts: P(p <= t) <= t, also simulated (`estimators.least_favourable`)."""

from dpaudit.claims.writing import *

HERE, SIMULATED, TANGENT = "dpaudit/P-VALUE", "dpaudit/SIMULATED", "dpaudit/TANGENT"
VALUES, LIMIT = integer("n", "[1, oo)", "number of values of the statistic"), real("t", "[0, 1]")
TAIL = sequence(
    "r", "[0, 1]", "r[k]: P(T is the k-th value at least) under the least favourable law: the p-value there"
)
TRUE = sequence("v", "[0, 1]", "v[k]: the same under the true law, v[n + 1] = 0")
SAYS = sequence("b", "[0, 1]", "b[k]: probability to reject at the k-th value, 0 where r[k] > t")
TERM = "(v[k] - v[k + 1])*b[k]"
STEP = f"{TERM} <= min(v[k], t) - min(v[k + 1], t)"
BELOW, FALLS = "all(k, 1, n, v[k] <= r[k])", "all(k, 1, n, v[k + 1] <= v[k])"
ONLY = "all(k, 1, n, b[k]*max(r[k] - t, 0) == 0)"
REJECTED = f"sum(k, 1, n, {TERM})"
V, NEXT = real("v", "[0, 1]"), real("next", "[0, 1]")
R, B = real("r", "[0, 1]"), real("b", "[0, 1]")
PROBABILITY, FAILS = (
    real("p", "[0, 1]", "P(p-value <= u)"),
    real("fails", "[0, 1]", "P(the limit is too low, and e <= u/101)"),
)
SMALL = real("small", "[0, 1]", "P(the exact tail probability is u/1.01 at most)")
CELLS, M = integer("n", "[1, oo)", "cells"), integer("m", "[1, oo)", "scores on D")
TOTAL = integer("A", "[1, oo)", "scores on D' and one more")
SPACINGS, AT = sequence("S", "[0, 1]", "spacings"), sequence("s", "[0, 1]", "the point of the tangent")
RATES, SLOPES = sequence("beta", "[0, oo)"), sequence("g", meaning="g[c]: slope of log M at the point")
SUM, SUM_AT = positive("b", "beta . S"), positive("b_0", "beta . s")
NORM, NORM_AT = positive("M", "M(S)"), positive("M_0", "M(s)")
TOP = real("top", meaning="the largest slope of the tangent")
OF_CELL = "(A*beta[c]/b_0 + m*g[c])"
CONCAVE = "M <= M_0*(1 + sum(c, 1, n, g[c]*S[c]) - sum(c, 1, n, g[c]*s[c]))"
WHOLE, WHOLE_AT = "b == sum(c, 1, n, beta[c]*S[c])", "b_0 == sum(c, 1, n, beta[c]*s[c])"
ONE, LARGEST = "sum(c, 1, n, S[c]) == 1", f"all(c, 1, n, {OF_CELL} <= top)"
LOGS = "A*log(b/b_0) + m*log(M/M_0)"
ABOVE = f"sum(c, 1, n, {OF_CELL}*S[c]) <= sum(c, 1, n, top*S[c])"
U, ERROR, UPPER = real("u", "[0, 1]"), real("e", "[0, 1]"), real("limit", "[0, 1]")

CLAIMS = (
    Claim(
        id=HERE,
        title="an exact tail probability is a p-value: P(p <= t) <= t",
        words=(
            "A statistic T has n values. At the k-th one the p-value is r[k], the probability of it or of a larger "
            "one under the least favourable law. Under the true law these tails v[k] are no larger (`dpaudit/RANK`). "
            "A test that rejects only where r[k] <= t, here with any probabilities b[k], rejects with probability at "
            "most t."
        ),
        place="docs/statistics.md, How an audit decides",
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        statement=Statement(f"{REJECTED} <= t", (VALUES, LIMIT, TAIL, TRUE, SAYS), (BELOW, FALLS, ONLY)),
        rests_on=(f"{HERE}/summed",),
        argument=(
            Have(f"{REJECTED} <= min(v[1], t) - min(v[n + 1], t)", (ByTheorem(f"{HERE}/summed"),)),
            Combine(
                (
                    ("1", f"{REJECTED} <= min(v[1], t) - min(v[n + 1], t)"),
                    ("1", "min(v[1], t) <= t"),
                    ("1", "0 <= min(v[n + 1], t)"),
                )
            ),
        ),
        candidates=(point("n=1 t=1 r=[1,1] v=[1,1,0] b=[1,1]"),),
        mutants=(
            mutant("half", "half of t", f"{REJECTED} <= t/2", "n=1 t=1 r=[1,1] v=[1,1,0] b=[1,1]"),
            Mutant(
                "above",
                "the true tails may be larger",
                conditions=(FALLS, ONLY),
                candidates=(point("n=1 t=0 r=[0,0] v=[1,1,0] b=[1,1]"),),
            ),
            Mutant(
                "any",
                "it may reject anywhere",
                conditions=(BELOW, FALLS),
                candidates=(point("n=1 t=0 r=[1,1] v=[1,1,0] b=[1,1]"),),
            ),
        ),
        steps=(
            step(
                "one",
                "at one value",
                "(v - next)*b <= min(v, t) - min(next, t)",
                (V, NEXT, R, B, LIMIT),
                ("v <= r", "next <= v", "b*max(r - t, 0) == 0"),
                kind=ClaimKind.TAIL,
                argument=(
                    Cases(
                        (
                            (
                                "t < r",
                                (
                                    Have("b*(r - t) == 0", (Combine((("1", "b*max(r - t, 0) == 0"),)),)),
                                    Have("b == 0", (Scale("r - t"), Combine((("1", "b*(r - t) == 0"),)))),
                                    Have("min(next, t) <= min(v, t)"),
                                    Combine((("-(v - next)", "b == 0"), ("1", "min(next, t) <= min(v, t)"))),
                                ),
                            ),
                            (
                                "otherwise",
                                (
                                    Have("v <= t", (Combine((("1", "v <= r"), ("1", "r <= t"))),)),
                                    Have("next <= t", (Combine((("1", "next <= v"), ("1", "v <= t"))),)),
                                    Combine((("1 - b", "next <= v"),)),
                                ),
                            ),
                        )
                    ),
                ),
                candidates=(point("v=1 next=0 r=1 b=1 t=1"),),
                mutants=(
                    mutant(
                        "half", "half of it", "(v - next)*b <= (min(v, t) - min(next, t))/2", "v=1 next=0 r=1 b=1 t=1"
                    ),
                ),
            ),
            step(
                "summed",
                "added up over the values",
                f"{REJECTED} <= min(v[1], t) - min(v[n + 1], t)",
                (VALUES, LIMIT, TAIL, TRUE, SAYS),
                (BELOW, FALLS, ONLY),
                kind=ClaimKind.TAIL,
                rests_on=(f"{HERE}/one",),
                argument=(
                    Induct(
                        "n",
                        base=(
                            AtIndex("1"),
                            ByTheorem(
                                f"{HERE}/one", at=(("v", "v[1]"), ("next", "v[1 + 1]"), ("r", "r[1]"), ("b", "b[1]"))
                            ),
                        ),
                        step=(
                            Have(
                                STEP.replace("k", "(n + 1)").replace("((n + 1))", "(n + 1)"),
                                (
                                    ByTheorem(
                                        f"{HERE}/one",
                                        at=(
                                            ("v", "v[n + 1]"),
                                            ("next", "v[n + 2]"),
                                            ("r", "r[n + 1]"),
                                            ("b", "b[n + 1]"),
                                        ),
                                    ),
                                ),
                            ),
                        ),
                    ),
                ),
                candidates=(point("n=1 t=1 r=[1,1] v=[1,1,0] b=[1,1]"),),
                mutants=(
                    mutant(
                        "half",
                        "half of it",
                        f"{REJECTED} <= (min(v[1], t) - min(v[n + 1], t))/2",
                        "n=1 t=1 r=[1,1] v=[1,1,0] b=[1,1]",
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id=SIMULATED,
        title="the simulation costs no validity: P(p <= u) <= u/101 + u/1.01 = u",
        words=(
            "p = 1.01 max(limit, 100 e): the tail probability lies above its simulated limit with probability at "
            "most e, known before the simulation. Then p <= u needs e <= u/101, and either the limit is too low, "
            "with probability at most u/101, or the exact tail probability is at most u/1.01, with probability at "
            "most u/1.01 by dpaudit/P-VALUE. That the limit is too low with probability at most e is the theorem of "
            "Maurer and Pontil (2009)."
        ),
        place="dpaudit/estimators/least_favourable.py, p_value_of",
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        statement=Statement(
            "p <= u",
            (PROBABILITY, FAILS, SMALL, U),
            (*any_of("p", "fails", "small"), "fails <= u/101", "small <= u/(101/100)"),
        ),
        rests_on=("empirical-bernstein", HERE, *ids(SIMULATED, "error limit")),
        candidates=(point("p=0 fails=0 small=0 u=1"),),
        mutants=(mutant("less", "99/100 of u", "p <= 99/100*u", "p=1 fails=1/101 small=100/101 u=1"),),
        steps=(
            step(
                "error",
                "p <= u means that e is at most u/101",
                "e <= u/101",
                (ERROR, UPPER, U),
                ("101/100*max(limit, 100*e) <= u",),
                candidates=(point("e=0 limit=0 u=1"),),
                mutants=(mutant("less", "half of it", "e <= u/202", "e=1/101 limit=0 u=1"),),
            ),
            step(
                "limit",
                "and that the limit is at most u/1.01",
                "limit <= u/(101/100)",
                (ERROR, UPPER, U),
                ("101/100*max(limit, 100*e) <= u",),
                candidates=(point("e=0 limit=0 u=1"),),
                mutants=(mutant("less", "half of it", "limit <= u/(101/50)", "e=0 limit=1/2 u=1"),),
            ),
        ),
    ),
    Claim(
        id=TANGENT,
        title=(
            "the weights of the importance sampling are bounded: f lies below its tangent, and that below its largest "
            "slope"
        ),
        words=(
            "f(S) = A log(beta . S) + m log M(S), M concave with M(S) <= M(s) (1 + g . (S - s)), on spacings S that "
            "add up to 1: f(S) - f(s) is at most the largest of the slopes A beta[c]/(beta . s) + m g[c], less their "
            "mean at s. That M is concave, as the curve is, is taken as a condition."
        ),
        place="dpaudit/estimators/least_favourable.py",
        kind=ClaimKind.INEQUALITY,
        reads=Reads.OURS,
        statement=Statement(
            f"{LOGS} <= top - sum(c, 1, n, {OF_CELL}*s[c])",
            (CELLS, M, TOTAL, SPACINGS, AT, RATES, SLOPES, SUM, SUM_AT, NORM, NORM_AT, TOP),
            (CONCAVE, WHOLE, WHOLE_AT, ONE, LARGEST),
        ),
        argument=(
            Have(ABOVE, (Termwise((AtIndex("c"), Combine((("S[c]", f"{OF_CELL} <= top"),)))),)),
            Combine(
                (
                    ("A", "log(b/b_0) <= b/b_0 - 1"),
                    ("m", "log(M/M_0) <= M/M_0 - 1"),
                    ("m/M_0", CONCAVE),
                    ("1", ABOVE),
                    ("A/b_0", WHOLE),
                    ("-A/b_0", WHOLE_AT),
                    ("-top", ONE),
                )
            ),
        ),
        candidates=(point("n=1 m=1 A=1 S=[1,1] s=[1,1] beta=[1,1] g=[0,0] b=1 b_0=1 M=1 M_0=1 top=1"),),
        mutants=(
            mutant(
                "without",
                "without the mean at s",
                f"{LOGS} <= top - 2*sum(c, 1, n, {OF_CELL}*s[c])",
                "n=1 m=1 A=1 S=[1,1] s=[1,1] beta=[1,1] g=[0,0] b=1 b_0=1 M=1 M_0=1 top=1",
            ),
        ),
    ),
)
