"""The remark after Theorem A.3: all K directions of a step at once.

Its sensitivity and the second argument of S_alpha are right, and for b = n both forms agree. (74) is right for G and G'
as in (72): Lemma A.4 in the span. But what is released is not bounded by it, for the reason of Theorem A.3 (s4 there).
"""

from dpaudit.claims.writing import *

HERE = "zeroth/REM-A.9"
ALPHA, SIGMA = real("alpha", "(1, oo)", "order"), positive("sigma", "noise scale")
ETA, CLIP = positive("eta", "step size"), positive("Delta", "clipping threshold and Lipschitz constant")
RECORDS, BATCH = integer("n", "[1, oo)", "number of records"), integer("b", "[1, oo)", "batch size")
DIRECTIONS, DIMENSION = integer("K", "[1, oo)", "number of directions"), integer("d", "[2, oo)", "dimension")
SHARE, SLACK = real("beta", "(0, 1)", "beta_t"), real("e", "[0, oo)", "slack of Lemma 3.8")
VISIBLE = (
    real("y", "(0, 1)", "threshold of the event"),
    real("slack", "[0, 1]", ("outside of the event of the theorem")),
)
RARE = "2*exp(-3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K))) <= slack"
EVENT = "b/n*1/2*beta_tail(K/2, (d - K)/2, y) - slack"
BESIDE = "Phi(-y*Delta/(b*K*sigma*sqrt(beta/K + (1 - beta)/d))) + slack"
LENGTH = "(2*eta*Delta/(b*sqrt(K)))"
MOVES = "all(k, 1, K, abs(m[k]) <= 2*eta*Delta/(b*K))"
MOVE = "m[k]**2 <= (2*eta*Delta/(b*K))**2"

CLAIM = Claim(
    id=HERE,
    title="Theorem A.3 with (74) in the place of (73), one step",
    words=(
        "In the span of the directions the sensitivity of a step is 2 eta Delta/(b sqrt(K)), which gives (74) with "
        "S_alpha(b/n, sqrt(beta_t) sigma b/(2 Delta)); for the final privacy loss one can choose the smaller of (73) "
        "and (74). Encoded: this loss with (74), as Theorem A.3, with log(n/(n - b)) in the place of S_alpha, which "
        "is never larger (DEF-A.2), and no second summand: xi = 0."
    ),
    place="Appendix A.9, the remark after Theorem A.3, after (74)",
    printed=r"\text{In practice, one can choose the smaller bound for computing the final privacy loss.}",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        f"{EVENT} <= (exp(log(n/(n - b)))*({BESIDE}))**(1 - 1/alpha)",
        (ALPHA, SIGMA, CLIP, RECORDS, BATCH, DIRECTIONS, DIMENSION, SHARE, SLACK, *VISIBLE),
        ("b < n", "2*K <= d", RARE),
    ),
    expects=Outcome.REFUTED,
    candidates=(point("alpha=2 sigma=1/10 Delta=1 n=2 b=1 K=1 d=2 beta=1/2 e=1000 y=1/2 slack=1/1000000000000"),),
    finding=(
        "The case of Theorem A.3, of which this is the same bound for K = 1. (74) itself stands, for G and G' as in "
        "(72); what is built on it does not. It is log(2) at every order for n = 2 and b = "
        "1, where an event has probability 1/8 on D' and less than 10^-8 on D for sigma = Delta/10."
    ),
    repair="zeroth/THM-A.3~repaired",
    rests_on=("zeroth/DEF-A.2",),
    steps=(
        step(
            "s1",
            "the sensitivity of a step in the span of the directions: K coordinates, each of which moves by at most "
            "2 eta Delta/(b K)",
            f"sum(k, 1, K, m[k]**2) <= {LENGTH}**2",
            (ETA, CLIP, BATCH, DIRECTIONS, sequence("m", meaning="m[k]: how far direction k moves")),
            given={"zeroth/THM-A.3/s1~repaired": MOVES},
            kind=ClaimKind.SENSITIVITY,
            place="Appendix A.9, the remark after Theorem A.3, before (74)",
            printed=r"\frac{2\eta\Delta}{b\sqrt K}",
            argument=(
                Have(
                    "sum(k, 1, K, m[k]**2) <= sum(k, 1, K, (2*eta*Delta/(b*K))**2)",
                    (
                        Termwise(
                            (
                                AtIndex("k"),
                                Have(
                                    MOVE,
                                    (
                                        Power("1/2"),
                                        Rewrite(left="abs(m[k])", right="2*eta*Delta/(b*K)"),
                                        Combine((("1", "abs(m[k]) <= 2*eta*Delta/(b*K)"),)),
                                    ),
                                ),
                                Combine((("1", MOVE),)),
                            )
                        ),
                    ),
                ),
                Combine((("1", "sum(k, 1, K, m[k]**2) <= sum(k, 1, K, (2*eta*Delta/(b*K))**2)"),)),
            ),
            candidates=(point("eta=1 Delta=1 b=1 K=1 m=[0,2]"),),
            mutants=(mutant("half", "half of it", f"sum(k, 1, K, m[k]**2) <= 1/2*{LENGTH}**2"),),
        ),
        step(
            "s2",
            "(74): the second argument of S_alpha, the noise of a direction over that sensitivity",
            f"sqrt(eta**2/K*beta*sigma**2)/{LENGTH} == sqrt(beta)*sigma*b/(2*Delta)",
            (SIGMA, ETA, CLIP, BATCH, DIRECTIONS, SHARE),
            place="(74)",
            printed=r"\frac{\sqrt{\beta_t}\sigma b}{2\Delta}",
        ),
        step(
            "s3",
            "for b = n, where the first argument is 1, both forms agree: S_alpha(1, x) is alpha/(2 x^2) (DEF-A.2/all; "
            "the definition leaves out q = 1)",
            "alpha/2*(2*Delta/(sqrt(beta)*sigma*b))**2 == K*alpha/2*(2*Delta/(sqrt(K*beta)*sigma*b))**2",
            (ALPHA, SIGMA, CLIP, BATCH, DIRECTIONS, SHARE),
            place="the end of the remark",
            printed=r"S_\alpha\left(1,\frac{\sqrt{\beta_t}\sigma b}{2\Delta}\right)=\ldots=KS_\alpha\left(1,"
            r"\frac{\sqrt{K\beta_t}\sigma b}{2\Delta}\right)",
            rests_on=("zeroth/DEF-A.2/all",),
        ),
        erratum(
            "s4",
            "one may choose the smaller of (73) and (74), read for slopes of which no more is known than that they "
            "are clipped. Encoded: at order 2, for K directions that all move by the largest amount if the record is "
            "in the batch, what a step tells, in the printed order, is at most (73)",
            "log(Phi(sqrt(K)/(2*s) - t*s/sqrt(K))/(1 - q + q*exp(-t))) <= K*log(1 + q**2*(exp(1/s**2) - 1)/(1 - q))",
            (
                DIRECTIONS,
                real("q", "(0, 1)", "b/n"),
                positive("s", "noise scale over the move of one direction"),
                positive("t", "where the draws are cut off"),
            ),
            reads=Reads.READING,
            kind=ClaimKind.DIVERGENCE,
            place="the text after (74)",
            printed=r"\text{In practice, one can choose the smaller bound for computing the final privacy loss.}",
            candidates=(point("K=400 q=1/2000 s=1 t=100"),),
            rests_on=ids("zeroth/DEF-A.2", "second second-moment"),
            finding=(
                "Where (73) is the smaller one it is too small for such slopes, which clipping allows: THM-A.3/s3 is "
                "about the same step. (74) is exact for them in this order. For slopes <g, u_k> of a gradient with "
                "|g| <= Delta, as the theorem assumes, both are large enough in this order (THM-A.3/bessel)."
            ),
            repair=f"{HERE}/s1",
        ),
    ),
)
