"""Proposition 11: from regularised empirical risk to population risk by phases on disjoint batches.

Phase i has n_i = n/2^i records, step eta_i and regulariser |x - x_(i-1)|^2/(eta_i n_i), so lambda_i = 2/(eta_i
n_i), and budget eps/2^i as printed. The rate of Corollary 3 gives v_i = (G L^2 eta_i^2/2)(n_i + W/eps_i^2), W = d
times the logarithms, and the phases add v_(i-1)/(eta_i n_i) to the risk (phased-erm). With the steps eta_i =
32^(-i) eta, which we recall from the quoted theorem, each is below 2^(-i) times a common bound (statement), so the
sum is geometric (r1). With the steps 4^(-i) eta of Feldman et al. the printed budgets eps/2^i would not do: that is
the mutant `steps`.

The paper prints the sum over `i in ceil(log n)`, meaning 1..ceil(log n); the last of these phases has no record
unless n is a power of 2 (`phases`). The printed gradient count is compared with Theorem 4 in THM-4.
"""

from dpaudit.claim import (
    Bound,
    Claim,
    ClaimKind,
    Combine,
    Identical,
    Induct,
    Mutant,
    Open,
    Outcome,
    Rewrite,
    Statement,
    Step,
    integer,
    real,
)

PHASE, LAST = integer("i", "[1, oo)", "phase"), integer("k", "[1, oo)", "number of phases")
N, EPS = real("n", "[1, oo)"), real("eps", "(0, 1)")
SCALE = real("g", "(0, oo)", "G L^2 eta")
W = real("W", "(0, oo)", "d log(1/delta) log^3(n/delta) log^2 n")
TERM = "g/2*({q}**(-(i - 1)))**2*(2**(-(i - 1))*n + W/(2**(-(i - 1))*eps)**2)/({q}**(-i)*2**(-i)*n)"
"""v_(i-1)/(eta_i n_i) with steps q^(-i) eta, budgets eps/2^i and n_i = n/2^i."""
COMMON = "2**(-i)*g*(1024 + 128*W/(n*eps**2))"

CLAIM = Claim(
    id="resque/PROP-11",
    title="population risk from regularised empirical risk by phases",
    words=(
        "The excess population risk has the rate of Theorem 4. Here: phase i adds at most 2^(-i) G L^2 eta (1024 + "
        "128 W/(n eps^2)), with steps 32^(-i) eta and the printed budgets eps/2^i; with r1 and r2 the sum is O(L R "
        "(1/sqrt(n) + sqrt(W)/(n eps)))."
    ),
    place="Proposition 11",
    kind=ClaimKind.REDUCTION,
    statement=Statement(f"{TERM.format(q=32)} <= {COMMON}", (PHASE, N, EPS, SCALE, W)),
    rests_on=("phased-erm", "resque/PROP-11/r1", "resque/PROP-11/r2"),
    expects=Outcome.CONSISTENT,
    argument=(
        Rewrite(
            left="1024*32**(-i)*g + 128*4**(-i)*W*g/(n*eps**2)", right="1024*2**(-i)*g + 128*2**(-i)*W*g/(n*eps**2)"
        ),
        Bound(
            left="1024*2**(-i)*g + 128*2**(-i)*W*g/(n*eps**2)",
            argument=(
                Combine(
                    terms=(
                        ("1024*g*2**(-i)", "16**(-i) <= 1"),
                        ("128*W*g/(n*eps**2)*2**(-i)", "2**(-i) <= 1"),
                    )
                ),
            ),
        ),
        Open("the quoted theorem is not restated in the paper, and the constant of Corollary 3 is hidden"),
    ),
    mutants=(
        Mutant(
            "steps",
            "steps 4^(-i) eta with the printed budgets",
            f"{TERM.format(q=4)} <= {COMMON}",
            candidates=((("i", "20"), ("n", "1000000"), ("eps", "1/2"), ("g", "1"), ("W", "1000000")),),
        ),
    ),
    steps=(
        Step(
            "r1",
            "the batches are disjoint, and the phases geometric: the sum of 2^(-i) is 1 - 2^(-k)",
            Statement("sum(i, 1, k, 2**(-i)) == 1 - 2**(-k)", (LAST,)),
            kind=ClaimKind.INDUCTION,
            argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
        ),
        Step(
            "r2",
            "eta = (R/L) min(1/sqrt(n), eps/sqrt(W)): first phase 64 R^2/(eta n), here t = R/(L eta), and later "
            "phases L^2 eta W/(n eps^2), with a = sqrt(n), b = sqrt(W)/eps, t = max(a, b), are of the order L R "
            "(1/sqrt(n) + sqrt(W)/(n eps))",
            Statement(
                "64*t/a**2 + b**2/(t*a**2) <= 65*(1/a + b/a**2)",
                (real("a", "(0, oo)"), real("b", "(0, oo)"), real("t", "(0, oo)")),
                ("t <= a + b", "a <= t", "b <= t"),
            ),
            argument=(Combine(terms=(("64/a**2", "t <= a + b"), ("b/(t*a**2)", "b <= t"), ("1/a**2", "0 <= a"))),),
            mutants=(
                Mutant(
                    "constant",
                    "60",
                    "64*t/a**2 + b**2/(t*a**2) <= 30*(1/a + b/a**2)",
                    candidates=((("a", "1"), ("b", "1/100"), ("t", "1")),),
                ),
            ),
        ),
        Step(
            "r3",
            "privacy: a record is in one batch, with budget eps/2^i <= eps; later phases are post-processing",
            Statement("2**(-i)*eps <= eps", (PHASE, EPS)),
            kind=ClaimKind.PRIVACY,
            rests_on=("post-processing",),
            argument=(Combine(terms=(("eps", "2**(-i) <= 1"),)),),
            mutants=(Mutant("growth", "2^i eps", "2**i*eps <= eps", candidates=((("i", "1"), ("eps", "1/2")),)),),
        ),
        Step(
            "phases",
            "every one of the ceil(log2 n) phases has a record: 1 <= floor(n/2^i) at the last",
            Statement("1 <= floor(n/2**ceil(log2(n)))", (integer("n", "[2, oo)"),)),
            expects=Outcome.REFUTED,
            candidates=((("n", "3"),),),
            finding=(
                "With ceil(log n) phases the last batch has floor(n/2^ceil(log2 n)) = 0 records unless n is a power "
                "of 2 (with natural logarithms too: n = 3 has two phases). floor(log2 n) phases do; the bounds do not "
                "change."
            ),
            repair="resque/PROP-11/phases~repaired",
        ),
        Step(
            "phases~repaired",
            "with 2^k <= n phase k has a record",
            Statement("1 <= n/2**k", (LAST, N), ("2**k <= n",)),
            argument=(Combine(terms=(("1/2**k", "2**k <= n"),)),),
            mutants=(Mutant("half", "two records", "2 <= n/2**k", candidates=((("k", "1"), ("n", "2")),)),),
        ),
    ),
)
