"""The printed proof: searches, their failures and the levels."""

from dpaudit.claims.writing import *

RADIUS, EPS = positive("r", "radius of the oracles"), positive("eps", "target error eps_opt")
C = real("C", "[1, oo)", "the constant C_ba")
SHARE, LEVELS_OF = real("K", "[1, oo)", "(R/r)^(2/3)"), real("kappa", "[1, oo)", "L R/eps")
# The exponent of Chernoff's bound: k independent runs, each good with probability 2/3, of which 0.51 k must be good.
DIVERGENCE = "(0.51*log(0.51*3/2) + 0.49*log(0.49*3))"
DRAWS = "ceil(C*K*log(kappa))"
HIGHEST = "ceil(log2(K) + C)"
PRINTED_DRAWS = f"C**2*2**(-{HIGHEST})*K*log(K**(3/2)*kappa)"
LOG_BELOW = (
    Scale("2**(64 + t)/(64 + t)**2"),
    Rewrite(left="log(64 + t)", right="64 + t"),
    Monotone("t", "low", (Rewrite(right="(63 + t)/(64 + t)"), Positive())),
    Boxes(),
)
MORE_DRAWS = f"1 - binomial_cdf(floor({PRINTED_DRAWS}), {DRAWS}, 2**(-{HIGHEST})) <= 100/kappa"

SEARCHES_STEPS = (
    step(
        "r1",
        "one run with error lambda r^2/C is within r/51 of the proximal point with probability 2/3 for C >= 15606: "
        "lambda/2 E|x - x*|^2 <= lambda r^2/C, and Markov's inequality",
        "E_square/(r/51)**2 <= 1/3",
        (positive("lam"), RADIUS, real("C", "[15606, oo)"), real("E_square", "[0, oo)", "E|x - x*|^2")),
        ("lam/2*E_square <= lam*r**2/C",),
        argument=(
            Combine(
                terms=(("2*51**2/(lam*r**2)", "lam/2*E_square <= lam*r**2/C"), ("2*51**2/(15606*C)", "15606 <= C"))
            ),
        ),
        rests_on=("markov-inequality", "strong-convexity-growth"),
        candidates=(point("lam=1 r=51 C=15606 E_square=1/3"),),
        mutants=(
            Mutant(
                "constant",
                "C >= 15000",
                symbols=(positive("lam"), RADIUS, real("C", "[15000, oo)"), real("E_square", "[0, oo)")),
                candidates=(point("lam=1 r=51 C=15000 E_square=17/50"),),
            ),
        ),
    ),
    step(
        "s1",
        "with k >= 60 log(X) runs, X = R kappa/r = K^(3/2) kappa, Aggregate fails with probability exp(-k "
        "KL(0.51, 2/3)) at "
        "most, which is at most 1/(K kappa polylog(K kappa)): 1/(K kappa (1 + log(K kappa))^2)",
        f"exp(-60*log(K**(3/2)*kappa)*{DIVERGENCE}) <= 1/(K*kappa*(1 + log(K*kappa))**2)",
        (SHARE, LEVELS_OF),
        argument=(
            Substitute(
                (real("k", "[0, oo)", "log K"), real("l", "[0, oo)", "log kappa")),
                where("K=exp(k) kappa=exp(l)"),
                where("k=log(K) l=log(kappa)"),
            ),
            Logarithm(),
            Rewrite(left=f"-60*(3/2*k + l)*{DIVERGENCE}", right="-(k + l) - 2*log(1 + k + l)"),
            Bound(left="-3*(k + l)", argument=(Positive(),)),
            Shift("3*(k + l)"),
            Rewrite(left="0", right="2*(k + l - log(1 + k + l))"),
            Monotone("k", "low", (Rewrite(right="2*(k + l)/(1 + k + l)"), Positive())),
            Rewrite(right="2*(l - log(1 + l))"),
            Tangent("l", "0"),
        ),
        rests_on=("binomial-chernoff", "resque/PROP-2/r1"),
        kind=ClaimKind.TAIL,
        mutants=(
            Mutant(
                "runs",
                "k >= 20 log(X)",
                f"exp(-20*log(K**(3/2)*kappa)*{DIVERGENCE}) <= 1/(K*kappa*(1 + log(K*kappa))**2)",
            ),
        ),
    ),
    step(
        "s2",
        "union over the C K log(kappa) iterations and the C log(X) search calls of each: 3/2 C^2/kappa (k = log "
        "K, l = log "
        "kappa, log X = 3k/2 + l, each failure as in s1)",
        "C*K*l*(C*(3/2*k + l))*(1/(K*kappa*(1 + k + l)**2)) <= 3/2*C**2/kappa",
        (C, SHARE, LEVELS_OF, real("k", "[0, oo)", "log K"), real("l", "[0, oo)", "log kappa")),
        argument=(Scale("kappa/C**2"), Rewrite(left="l*(3/2*k + l)/(1 + k + l)**2", right="3/2"), Positive()),
        given={"resque/PROP-2/s1": ""},
        rests_on=("union-bound", "resque/PROP-2/s1"),
        kind=ClaimKind.TAIL,
        mutants=(
            Mutant(
                "polylog",
                "the square of 1 + log(K kappa) left out of s1",
                "C*K*l*(C*(3/2*k + l))*(1/(K*kappa)) <= 3/2*C**2/kappa",
            ),
        ),
    ),
    Step(
        "s2-levels",
        "level j of the correction is drawn at most C^2 2^-j K log(X) times, but for a probability O(1/kappa); "
        "here the highest level, 100/kappa and the C K log(kappa) iterations that the proposition allows",
        Statement(MORE_DRAWS, (C, SHARE, LEVELS_OF), ("2 <= C",)),
        kind=ClaimKind.TAIL,
        expects=Outcome.REFUTED,
        candidates=(point("C=6 K=1 kappa=1000000000000"), point("C=20 K=1 kappa=1000000000000")),
        finding="Chernoff's bound is applied although less than log(kappa) draws of the highest levels are "
        "expected: there, in C_ba K log(kappa) iterations and with r = R, the probability of more than C_ba^2 "
        "2^-j K "
        "log(R kappa/r) draws is a power of R kappa/r with an exponent above -0.66 (exponent), not O(1/kappa). "
        "log(R kappa/r) draws more for each level mend it; the sum of Theorem 1 keeps its order, as the levels "
        "reach 2^j = O(K) only. A slip of the deterministic form; [CH22] has mean costs, which are not touched.",
        repair="resque/PROP-2/s2-levels~repaired",
    ),
    step(
        "exponent",
        "Poisson draws with mean C 2^-C log X exceed C^2 2^-C log X with probability about X^-e, e = 2^-C (C + "
        "C^2 (log C - 1)): "
        "e <= 0.66 whatever C is",
        "2**(-C)*(C + C**2*(log(C) - 1)) <= 0.66",
        (C,),
        argument=(
            Cases(
                (
                    ("C <= 64", (Boxes(),)),
                    (
                        "otherwise",
                        (
                            Bound(left="2**(-C)*C**2*log(C)", argument=(Combine(terms=(("2**(-C)*C", "1 <= C"),)),)),
                            Substitute((real("t", "[0, oo)"),), (("C", "64 + t"),), (("t", "C - 64"),)),
                            Bound(left="2**(-(64 + t))*(64 + t)**3", argument=LOG_BELOW),
                            Logarithm(),
                            Rewrite(left="3*log(64 + t) - (64 + t)*log(2)", right="log(0.66)"),
                            Monotone("t", "low", (Rewrite(right="log(2) - 3/(64 + t)"), Boxes())),
                            Boxes(),
                        ),
                    ),
                )
            ),
        ),
        mutants=(mutant("constant", "0.64", "2**(-C)*(C + C**2*(log(C) - 1)) <= 0.64", "C=22/5"),),
    ),
    step(
        "s2-levels~repaired",
        "with lX = max(1, log X) and m = 2 e^2 C (2^-j K + 1) lX draws allowed, more are made with probability "
        "X^-2 at most: the "
        "mean mu is s m/e^2 with s <= 1 (mean), and (e mu/m)^m = (s/e)^m",
        "(s/exp(1))**m <= X**(-2)",
        (real("s", "(0, 1]"), positive("m"), real("X", "[1, oo)")),
        ("2*log(X) <= m",),
        argument=(
            Logarithm(),
            Rewrite(left="m*(log(s) - 1)", right="-2*log(X)"),
            Combine(terms=(("m", "log(s) <= 0"), ("1", "2*log(X) <= m"))),
        ),
        rests_on=("binomial-upper-chernoff", "resque/PROP-2/mean"),
        kind=ClaimKind.TAIL,
        candidates=(point("s=1 m=2 X=2"),),
        mutants=(Mutant("draws", "m >= log(X)", conditions=("log(X) <= m",), candidates=(point("s=1 m=1 X=2"),)),),
    ),
)
