"""The coupling of the rank test (`estimators.least_favourable`), for levels on finitely many values.

Level: the probability that a score on D' is at least as high, ties broken by a uniform variable. Under the claim the
level of a score on D is at most a with probability F(a) <= G(a), where G is the curve. Draws that are coupled by one
uniform variable then have level >= V, V of distribution function G. What the test needs of the coupling is
`dpaudit/RANK`: no mean of what falls with the level is larger than under G. Scores are replaced one after the other
(`all`).
"""

from dpaudit.claims.writing import *

HERE = "dpaudit/RANK"
VALUES = integer("n", "[1, oo)", "number of values of the level, from the highest score down")
F = sequence("F", "[0, 1]", "F[k]: P(level of a score on D is the k-th value at most), F[0] = 0")
G = sequence("G", "[0, 1]", "G[k]: the curve there, G[0] = 0")
WORTH = sequence("w", "[0, oo)", "w[k]: mean of the statistic if this score is at the k-th value, given all others")
MEAN_F, MEAN_G = (f"sum(k, 1, n, w[k]*({law}[k] - {law}[k - 1]))" for law in "FG")
SCORES = integer("m", "[1, oo)", "scores on D")
CHANCE = sequence("e", "[0, 1]", "e[i]: P(T >= t) with i scores replaced by draws of G")
U, Q, P = real("u", "[0, 1]", "share of the tied group"), real("q", "[0, 1]"), real("p", "[0, 1]")
ABOVE, ABOVE_D = real("a", "[0, 1]", "P(higher) on D'"), real("b", "[0, 1]", "P(higher) on D")
EPS, DELTA = real("eps", "[0, oo)"), real("delta", "[0, 1)")

CLAIM = Claim(
    id=HERE,
    title="the coupling lemma: no score on D lies higher, on average, than a draw of the least favourable law",
    words=(
        "If P(level <= a) <= G(a) at each of finitely many values of the level, and w, the mean of a statistic given "
        "all other scores, does not grow when the level of this score on D does, then its mean over the score is at "
        "most its mean over a draw with distribution function G. Where w is the probability that the statistic "
        "reaches t, this is the stochastic order. Levels on a continuum, where the same follows from coupled draws "
        "F^-1(U) >= G^-1(U), are not encoded."
    ),
    place="docs/statistics.md, How an audit decides; dpaudit/estimators/least_favourable.py",
    kind=ClaimKind.TAIL,
    reads=Reads.OURS,
    statement=Statement(
        f"{MEAN_F} <= {MEAN_G}",
        (VALUES, F, G, WORTH),
        (
            "F[0] == 0",
            "G[0] == 0",
            "F[n] == 1",
            "G[n] == 1",
            "all(k, 0, n, F[k] <= G[k])",
            "all(k, 1, n - 1, w[k + 1] <= w[k])",
        ),
    ),
    rests_on=(f"{HERE}/summed",),
    argument=(
        Have(
            f"{MEAN_F} + w[n]*(G[n] - F[n]) <= {MEAN_G}",
            (ByTheorem(f"{HERE}/summed"),),
        ),
        Combine(
            (
                ("1", f"{MEAN_F} + w[n]*(G[n] - F[n]) <= {MEAN_G}"),
                ("w[n]", "F[n] == 1"),
                ("-w[n]", "G[n] == 1"),
            )
        ),
    ),
    candidates=(point("n=2 F=[0,1/2,1] G=[0,1/2,1] w=[1,1,0]"),),
    mutants=(
        Mutant(
            "rises",
            "w may rise",
            conditions=("F[0] == 0", "G[0] == 0", "F[n] == 1", "G[n] == 1", "all(k, 0, n, F[k] <= G[k])"),
            candidates=(point("n=2 F=[0,0,1] G=[0,1,1] w=[0,0,1]"),),
        ),
        Mutant(
            "above",
            "F may be above G",
            conditions=("F[0] == 0", "G[0] == 0", "F[n] == 1", "G[n] == 1", "all(k, 1, n - 1, w[k + 1] <= w[k])"),
            candidates=(point("n=2 F=[0,1,1] G=[0,0,1] w=[1,1,0]"),),
        ),
        mutant("less", "9/10 of it", f"{MEAN_F} <= 9/10*{MEAN_G}", "n=1 F=[0,1] G=[0,1] w=[1,1]"),
    ),
    steps=(
        step(
            "summed",
            "summation by parts, to any n",
            f"{MEAN_F} + w[n]*(G[n] - F[n]) <= {MEAN_G}",
            (VALUES, F, G, WORTH),
            (
                "F[0] == 0",
                "G[0] == 0",
                "all(k, 0, n, F[k] <= G[k])",
                "all(k, 1, n - 1, w[k + 1] <= w[k])",
            ),
            kind=ClaimKind.TAIL,
            argument=(
                Induct(
                    "n",
                    base=(Combine((("w[1]", "F[0] == 0"), ("-w[1]", "G[0] == 0"))),),
                    step=(
                        AtIndex("n"),
                        Combine(
                            (
                                ("1", "sum_1 + w[n]*(G[n] - F[n]) <= sum_2"),
                                ("G[n] - F[n]", "w[n + 1] <= w[n]"),
                            )
                        ),
                    ),
                ),
            ),
            candidates=(point("n=2 F=[0,1/2,1] G=[0,1/2,1] w=[1,1,0]"),),
            mutants=(
                mutant(
                    "less",
                    "9/10 of it",
                    f"{MEAN_F} + w[n]*(G[n] - F[n]) <= 9/10*{MEAN_G}",
                    "n=1 F=[0,1] G=[0,1] w=[1,1]",
                ),
            ),
        ),
        step(
            "all",
            "one score after the other is replaced by a draw of G, given all others: no replacement makes T >= t less "
            "likely, so all together do not",
            "e[0] <= e[m]",
            (SCORES, CHANCE),
            ("all(i, 0, m - 1, e[i] <= e[i + 1])",),
            kind=ClaimKind.TAIL,
            argument=(Induct("m", base=(AtIndex("0"), Combine((("1", "e[0] <= e[0 + 1]"),)))),),
            candidates=(point("m=2 e=[0,1/2,1]"),),
            mutants=(mutant("half", "half of it", "e[0] <= e[m]/2", "m=1 e=[1/2,1/2]"),),
        ),
        step(
            "ties",
            "ties that are broken at random: the level is at most a + u q, where scores above the tied group have "
            "probability a on D' and b on D, and the group q and p. That is a test with true positive rate b + u p, "
            "and it keeps every line that the tests at both ends of the group keep",
            "b + u*p <= exp(eps)*(a + u*q) + delta",
            (ABOVE, ABOVE_D, U, Q, P, EPS, DELTA),
            ("b <= exp(eps)*a + delta", "b + p <= exp(eps)*(a + q) + delta"),
            kind=ClaimKind.TAIL,
            argument=(Combine((("1 - u", "b <= exp(eps)*a + delta"), ("u", "b + p <= exp(eps)*(a + q) + delta"))),),
            candidates=(point("a=0 b=0 u=1/2 q=1 p=1 eps=0 delta=0"),),
            mutants=(
                mutant(
                    "half",
                    "half of delta",
                    "b + u*p <= exp(eps)*(a + u*q) + delta/2",
                    "a=0 b=1/2 u=0 q=1/2 p=1/2 eps=0 delta=1/2",
                ),
            ),
        ),
    ),
)
