r"""Appendix B announces experiments and has none: it is one sentence, "We will show the experimental results during the
rebuttal". What is checked in their place is that there is a data set on which the algorithm works, computed exactly.

Records a_i with coordinates in {-1, 1} and the losses |w - a_i|^2/2: on neighbouring data sets the mean gradient of one
coordinate differs by 2/n at most, so that the noise of Theorem 4.1 is that of L_U = 1 (the losses themselves are not
Lipschitz: see rbcd/THM-4.2b/hypotheses). M = I, S one uniform coordinate, Gamma = P M^-1, K = 1 and T epochs of one
step: a step moves the drawn coordinate to its best value, but for its noise.
"""

from dpaudit.claims.writing import *

HERE = "rbcd/EXP-0"
DIMENSION, EPOCHS, RECORDS = integer("d", "[2, oo)"), integer("T", "[1, oo)"), integer("n", "[1, oo)")
EPS, DELTA = real("eps", "(0, 1]"), real("delta", "(0, 1/3)")
START = positive("r", "the distance of each coordinate from its best value at the start")
NOISE = "12*T*log(1/delta)/(n**2*eps**2)"
LEFT = "(1 - 1/d)**T"
GAP = f"d/2*({LEFT}*r**2 + (1 - {LEFT})*{NOISE})"
MEAN = "e[K] == (1 - p)**K*e[0] + (1 - (1 - p)**K)*sigma**2"
ONE_MORE = "e[K + 1] == (1 - p)*e[K] + p*sigma**2"
AT = point("d=4 T=40 n=1000 eps=1 delta=1/100000 r=1")
SYMBOLS = (DIMENSION, EPOCHS, RECORDS, EPS, DELTA, START)

CLAIM = Claim(
    id=HERE,
    title="experiments that validate the effectiveness",
    words=(
        "Section 2.1: `In Appendix B, we evaluate the practical performance of our algorithm through extensive "
        "experiments, validating its effectiveness`. Appendix B has no data, table or figure, and no result rests"
        " on it. In part, and one reading of effectiveness: on the data of this file, with the noise of Theorem "
        "4.1 at eps = 1, delta = 10^-5, n = 1000, d = 4, the mean excess loss after T = 40 epochs of one step "
        "each (K = 1) is less than a hundredth of the first."
    ),
    place="Section 2.1, last item; Appendix B",
    printed=r"\text{In Appendix B, we evaluate the practical performance of our algorithm through extensive "
    r"experiments, validating its effectiveness \ldots}",
    reads=Reads.READING,
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(f"{GAP} <= d/2*r**2/100", SYMBOLS, exists=True),
    rests_on=(f"{HERE}/mean", f"{HERE}/one-step", "rbcd/THM-4.1", "rbcd/RED-3/output"),
    argument=(Exhibit(AT),),
    mutants=(mutant("share", "a thousandth of the first", f"{GAP} <= d/2*r**2/1000"),),
    steps=(
        step(
            "one-step",
            "the drawn coordinate is at its best value but for its noise: w - (gamma/p)(w + eta) = -eta for gamma = p",
            "w - (p/p)*(w + eta) == -eta",
            (real("w"), real("eta"), real("p", "(0, 1]")),
            reads=Reads.OURS,
        ),
        step(
            "mean",
            "so that the mean square of a coordinate goes to (1 - p) of itself and p sigma^2, and after K steps it is "
            "(1 - p)^K of the first and 1 - (1 - p)^K of sigma^2",
            MEAN,
            (integer("K", "[0, oo)"), sequence("e", "[0, oo)"), real("p", "(0, 1)"), positive("sigma")),
            ("all(t, 0, K - 1, e[t + 1] == (1 - p)*e[t] + p*sigma**2)",),
            reads=Reads.OURS,
            argument=(Induct("K", step=(AtIndex("K"), Combine((("1", ONE_MORE), ("-p", MEAN))))),),
            mutants=(
                mutant(
                    "noise",
                    "the noise of K - 1 steps",
                    "e[K] == (1 - p)**K*e[0] + (1 - (1 - p)**(K - 1))*sigma**2",
                    "K=1 e=[4,5/2] p=1/2 sigma=1",
                ),
            ),
        ),
        step(
            "too-few",
            "with a tenth of the records the noise is larger than what is asked, after the same epochs",
            f"d/2*r**2/100 < {GAP}",
            SYMBOLS,
            ("d == 4", "T == 40", "n <= 100", "eps <= 1", "delta <= 1/100000", "r == 1"),
            reads=Reads.OURS,
            mutants=(mutant("share", "all of it", f"d/2*r**2/1 < {GAP}", "d=4 T=40 n=100 eps=1 delta=1/100000 r=1"),),
        ),
    ),
)
