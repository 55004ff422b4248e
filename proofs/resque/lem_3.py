"""Lemma 3: approximate Renyi DP composes, both the divergences and the total variations add.

Surrogates of the two stages, mu for the first and nu_w for the second given the first output w, are
multiplied to a surrogate of the pair. Its total variation to the true law is bounded pointwise (s1), on both
sides D and D'; its divergence is Proposition 5, item 1 (s2). Two things are passed over in print: the minimum of
(12) may not be attained (eps + h for every h > 0 will do), and the choice w -> nu_w has to be measurable; both
are harmless for the densities on R^d of this paper.
"""

from dpaudit.claims.writing import *

NUMBERS = (
    *(real(name, "[0, 1]", "total variation of a stage") for name in ("delta1", "delta2")),
    *(real(name, "[0, oo)", "divergence of a stage") for name in ("eps1", "eps2")),
    real("T", "[0, 1]", "total variation of the pair to its surrogate (on D, or on D')"),
    real("D", "[0, oo)", "divergence of the surrogates of the pair"),
    real("D1", "[0, oo)", "divergence of the surrogates of the first stage"),
    real("D2", "[0, oo)", "the largest divergence of those of the second over its inputs"),
    real("m1", "[0, 2]", "integral of |mu - P1| nu_w"),
    real("m2", "[0, 2]", "integral of P1 |nu_w - P2w|"),
)
GIVEN = ("T <= (m1 + m2)/2", "m1 <= 2*delta1", "m2 <= 2*delta2", "D <= D1 + D2", "D1 <= eps1", "D2 <= eps2")
WORST = tuple(
    {
        "delta1": "1/4",
        "delta2": "1/4",
        "eps1": "1",
        "eps2": "1",
        "T": "1/2",
        "D": "2",
        "D1": "1",
        "D2": "1",
        "m1": "1/2",
        "m2": "1/2",
    }.items()
)
DENSITIES = tuple(real(name, "[0, oo)", meaning) for name, meaning in where("a=mu(w) a0=P1(w) b=nu_w(w') b0=P2w(w')"))

CLAIM = Claim(
    id="resque/LEM-3",
    title="composition of approximate Renyi DP",
    words=(
        "M1 is (alpha, eps1, delta1)-RDP and M2 is (alpha, eps2, delta2)-RDP for every input: the composition is "
        "(alpha, eps1 + eps2, delta1 + delta2)-RDP. In part: the surrogate of the pair is within delta1 + delta2 (s1 "
        "bounds its distance by that of the stages) and has a divergence of at most eps1 + eps2 (by s2 that of the "
        "stages add)."
    ),
    place="Lemma 3",
    kind=ClaimKind.PRIVACY,
    statement=Statement("max(T - (delta1 + delta2), D - (eps1 + eps2)) <= 0", NUMBERS, GIVEN),
    origins=(
        Condition(GIVEN[0], Origin.GIVEN, "resque/LEM-3/s1"),
        Condition(GIVEN[3], Origin.GIVEN, "resque/LEM-3/s2"),
    ),
    rests_on=("monotone-mean", "resque/LEM-3/s1", "resque/LEM-3/s2"),
    argument=(Solve(),),
    candidates=(WORST,),
    mutants=(
        Mutant("larger", "the larger of the two deltas", "max(T - max(delta1, delta2), D - (eps1 + eps2)) <= 0"),
        Mutant("half", "half the sum", "max(T - (delta1 + delta2)/2, D - (eps1 + eps2)) <= 0"),
        Mutant(
            "larger-divergence", "the larger of the two eps", "max(T - (delta1 + delta2), D - max(eps1, eps2)) <= 0"
        ),
    ),
    steps=(
        step(
            "s1",
            "union bound, pointwise: |mu nu_w - P1 P2w| <= |mu - P1| nu_w + P1 |nu_w - P2w|; integrated, the second "
            "factors have mass 1 and the L1 distances are at most 2 delta1 and 2 delta2 (the same on D')",
            "abs(a*b - a0*b0) <= abs(a - a0)*b + a0*abs(b - b0)",
            DENSITIES,
            rests_on=("monotone-mean",),
            argument=(Solve(),),
            mutants=(
                mutant("one-stage", "the first stage alone", "abs(a*b - a0*b0) <= abs(a - a0)*b", "a=1 a0=1 b=1 b0=0"),
                mutant(
                    "surrogate",
                    "weights nu_w and mu",
                    "abs(a*b - a0*b0) <= abs(a - a0)*b + a*abs(b - b0)",
                    "a=0 a0=1 b=0 b0=1",
                ),
            ),
        ),
        step(
            "s2",
            "Proposition 5, item 1, for the surrogates: D <= D1 + D2 (here D1, D2 are at most eps1, eps2). In "
            "part: the sum of the logarithms of two moments; that the moment of the pair is at most A B is PROP-5",
            "log(A*B)/(alpha - 1) <= eps1 + eps2",
            (
                real("alpha", "(1, oo)", "order"),
                positive("A", "exp((alpha-1) D) of the surrogates of the first stage"),
                positive("B", "the largest exp((alpha-1) D) of those of the second over w"),
                *NUMBERS[2:4],
            ),
            ("log(A)/(alpha - 1) <= eps1", "log(B)/(alpha - 1) <= eps2"),
            kind=ClaimKind.DIVERGENCE,
            argument=(ByTheorem("resque/PROP-5/s1"),),
            mutants=(
                mutant(
                    "largest",
                    "the larger of the two",
                    "log(A*B)/(alpha - 1) <= max(eps1, eps2)",
                    "alpha=2 A=2 B=2 eps1=1 eps2=1",
                ),
            ),
        ),
    ),
)
