r"""The discussion at the end of Appendix B: with independent directions the contraction factor stays at least 1.

True of the bound that the paper shows (s1), and for the worst pair of points given the directions, where it is true of
orthonormal directions too (`uniform`). For a fixed pair of points, as in Lemma 3.8, it is false: with c = 0 and K = d/2
what is left of |v|^2 has mean 3/4 - 1/(2d) and a variance of order 1/d.

X is |v - sum <v, u_k> u_k|^2 for |v| = 1. With t_k = <v, u_k> it is 1 - S + Y, S the sum of the t_k^2 and Y that of t_j
t_k <u_j, u_k> over j different from k.
"""

import numpy as np

from dpaudit.claims.writing import *

HERE = "zeroth/DISC-B"
D, K = integer("d", "[2, oo)", "dimension"), integer("K", "[1, oo)", "directions")
EVEN = integer("d", "[4, oo)", "dimension")
DELTA, FAILS = real("delta", "(0, 1)"), real("fails", "[0, 1]", "probability that X is 1 or more")
V, U = vector("v"), vector("u", "a direction")
LOW = "max(3/20 - log(2/delta)/K, 0)*K/(20*(d + 2 + sqrt(d - 1)))"
BOUND = f"K/(2*d + 6)*log(4*d/delta) + (1 - {LOW})**2"
MEAN = "1 - K/d + K*(K - 1)/d**2"
OF_SUM = "K*2*(d - 1)/(d**2*(d + 2))"
OF_PAIR, SHARED = "((d + 8)/(d**2*(d + 2)**2) - 1/d**4)", "(3/(d**3*(d + 2)) - 1/d**4)"
OF_PAIRS = f"(2*K*(K - 1)*{OF_PAIR} + 4*K*(K - 1)*(K - 2)*{SHARED})"
VARIANCE = f"(2*{OF_SUM} + 2*{OF_PAIRS})"


def at_half(text):
    """At K = d/2."""
    return text.replace("K", "(d/2)")


def not_shorter(stream, trials):
    """Whether |v - sum <v, u_k> u_k| >= |v|, for d = 24 and K = 12."""
    u = np.random.default_rng(stream.seeds(np.array([0]))).standard_normal((trials, 12, 24))
    u /= np.linalg.norm(u, axis=2, keepdims=True)
    left = -(u[:, :, :1] * u).sum(axis=1)
    left[:, 0] += 1
    return (left**2).sum(axis=1) >= 1


CLAIM = Claim(
    id=HERE,
    title="for a fixed pair of points independent directions contract too",
    words=(
        "We believe that for independent directions the Lipschitz constant of the map is fundamentally at least 1. "
        "Read for a fixed pair of points, as in Lemma 3.8, at c = 0 and K = d/2. Encoded: that |v - sum <v, u_k> u_k| "
        ">= |v| has probability 1/1000 at least; by Chebyshev's inequality it has at most 81/d (`chance`)."
    ),
    place="Appendix B, discussion",
    kind=ClaimKind.TAIL,
    reads=Reads.READING,
    statement=Statement("1/1000 <= fails", (EVEN, FAILS), ("fails <= 81/d",)),
    origins=(Condition("fails <= 81/d", Origin.GIVEN, f"{HERE}/chance"),),
    expects=Outcome.REFUTED,
    candidates=(point("d=100000 fails=1/10000"),),
    finding=(
        "The paper states this as a belief. "
        "What is left of |v|^2 has mean 3/4 - 1/(2 d) and variance at most 5/d, so that from d = 81000 on it is less "
        "than |v|^2 with probability 0.999, and with any probability below 1 from some d on; in simulations from much "
        "smaller d on. A factor below 1 holds with high probability, and it is the proof by the triangle inequality "
        "that loses it. For the worst pair given the directions the belief is true where K < d, and then of "
        "orthonormal directions too (uniform)."
    ),
    repair=f"{HERE}/chance",
    steps=(
        step(
            "s1",
            "read of the factor that the paper shows, whose square for c = 0 is that of Lemma B.4: it is at least 1, "
            "for every d and K, and no smaller for c > 0. Encoded: the square for c = 0",
            f"1 <= {BOUND}",
            (D, K, DELTA),
            reads=Reads.READING,
            place="Appendix B, discussion",
            printed=r"c_1\text{ cannot be reduced below }1",
            argument=(
                Have(
                    "2 <= log(4*d/delta)",
                    (
                        Have("8 <= 4*d/delta", (Scale("delta"), Combine((("4", "2 <= d"), ("8", "delta <= 1"))))),
                        Have("2 <= log(8)", (Boxes(),)),
                        Combine(
                            (
                                ("1", "2 <= log(8)"),
                                ("1", "log(8/(4*d/delta)) <= 8/(4*d/delta) - 1"),
                                ("delta/(4*d)", "8 <= 4*d/delta"),
                            )
                        ),
                    ),
                ),
                Have("max(3/20 - log(2/delta)/K, 0) <= 3/20"),
            ),
            mutants=(mutant("more", "2", f"2 <= {BOUND}", "d=100 K=1 delta=1/2"),),
        ),
        step(
            "uniform",
            "for the worst pair: a v that is orthogonal to all directions keeps its length, of which kind there is one "
            "where K < d. Encoded for one direction",
            "norm(v - dot(v, u)*u)**2 == norm(v)**2 - dot(v, u)**2*(2 - norm(u)**2)",
            (V, U),
            reads=Reads.OURS,
            candidates=(point("v=(1,0) u=(0,1)"),),
        ),
        step(
            "mean",
            "E X = 1 - K/d + K (K - 1)/d^2: E t_k^2 = 1/d, and E t_j t_k <u_j, u_k> = 1/d^2, the mean of t_j^2/d. "
            "Encoded: the sum of these means",
            f"1 - K*(1/d) + K*(K - 1)*(1/d*(1/d)) == {MEAN}",
            (D, K),
            kind=ClaimKind.MOMENT,
            rests_on=("zeroth/LEM-C1/ii",),
            candidates=(point("d=2 K=3"),),
        ),
        step(
            "sum",
            "the variance of S is K times that of t^2: E t^4 = 3/(d (d + 2))",
            f"K*(3/(d*(d + 2)) - 1/d**2) == {OF_SUM}",
            (D, K),
            kind=ClaimKind.MOMENT,
            rests_on=("zeroth/LEM-C1/fourth-power",),
            candidates=(point("d=2 K=3"),),
        ),
        step(
            "pair",
            "the second moment of t_j t_k <u_j, u_k>: given u_j, that of t_k <u_j, u_k> is (1 + 2 t_j^2)/(d (d + 2)); "
            "times t_j^2",
            "(1/d + 2*(3/(d*(d + 2))))/(d*(d + 2)) == (d + 8)/(d**2*(d + 2)**2)",
            (D,),
            kind=ClaimKind.MOMENT,
            rests_on=("zeroth/LEM-C1/iv", "zeroth/LEM-C1/fourth-power"),
            candidates=(point("d=3"),),
        ),
        step(
            "variance",
            "the variance of X = 1 - S + Y is at most 2 Var S + 2 Var Y, at K = d/2 at most 5/d: Y has K (K - 1)/2 "
            "pairs j, k, each twice; two pairs with one direction in common have covariance E (t_j^2/d)^2 - 1/d^4, "
            "with none 0. Encoded: that these numbers, so counted, add up to at most 5/d",
            f"{at_half(VARIANCE)} <= 5/d",
            (EVEN,),
            kind=ClaimKind.MOMENT,
            rests_on=ids(HERE, "sum pair"),
            argument=(Scale("d**4*(d + 2)**2"), Positive()),
            mutants=(mutant("third", "1/d", f"{at_half(VARIANCE)} <= 1/d", "d=100"),),
        ),
        step(
            "chance",
            "Chebyshev's inequality: X is 1 or more with probability at most its variance over (1/4 + 1/(2d))^2, at "
            "most 81/d",
            f"5/d/(1 - ({at_half(MEAN)}))**2 <= 81/d",
            (EVEN,),
            kind=ClaimKind.TAIL,
            rests_on=("markov-inequality", *ids(HERE, "mean variance")),
            argument=(
                Rewrite(left="5/d/(1/4 + 1/(2*d))**2"),
                Scale("d*(1/4 + 1/(2*d))**2"),
                Combine((("81/(4*d)", "0 <= 1"), ("81/(4*d**2)", "0 <= 1"), ("1/16", "0 <= 1"))),
            ),
            mutants=(mutant("half", "40/d", f"5/d/(1 - ({at_half(MEAN)}))**2 <= 40/d", "d=100"),),
        ),
        Step(
            "simulated",
            "for d = 24 and K = 12, X is 1 or more with probability 0.04 at most, by simulation",
            None,
            expects=Outcome.CONSISTENT,
            kind=ClaimKind.TAIL,
            empirical=(Chance("not_shorter", limit=0.04, near_miss=0.01, trials=20_000),),
        ),
    ),
)
