"""Corollary 5.7: the noise of Section 5.2 and (eps, delta)-DP.

The printed sigma lacks a factor. Lemma 5.6 with C = c_DP L/(B beta) and mu = eps/sqrt(2 ln(2.5/delta)) asks for
C sqrt(2 (1 + ceil(log T)) ln(2.5/delta))/eps, and 1 + ceil(log T) > log T: the printed one is too small by more than
sqrt(2) for every T (`always`), and by at most 2. With twice the noise the clipped algorithm is (eps, delta/2)-DP up to
eps = 9/5 (`~repaired`); Corollary 5.11 prints its noise with the factor, 2 sqrt(2). What is refuted is what the proof
says of the clipped algorithm, by its release. The corollary itself is about Algorithm 1 without clipping, where the
proof of Lemma 5.5 gives differences of o(c_DP L) for large n: it may hold with the printed noise.

From clipping to no clipping the proof goes by a total variation distance of delta/2, which costs e^eps delta/2 as well
(s3). There is no such loss where one argues by the event that no difference is too large, as the release shows it
(s3~repaired). But Lemmas 5.4 and 5.5 bound its probability for data drawn at random, while privacy is for each data
set (s3-fixed). The clipped algorithm needs neither.
"""

from dpaudit.claims.writing import *

from .last import LAST_STEPS
from .notation import NODES_FIT, through_tail, told_apart
from .steps import PRINTED_STEPS
from .symbols import *

AS_PRINTED = Claim(
    id=COR,
    title="with the noise of Section 5.2 the release of all noisy prefix sums is (eps, delta)-DP",
    words=(
        "With the binary tree and sigma = c_DP L sqrt(log(T) ln(2.5/delta))/(eps B beta), Algorithm 1 is (eps, delta)-"
        "DP. Encoded: the reason that its proof gives, that with differences clipped to c_DP L the tree is, for all "
        "noisy prefix sums and neighbours that differ in the first batch, by the exact divergence, which a linear "
        "loss with a gradient of norm c_DP L attains. (The bound on the noise is s4.)"
    ),
    place="Corollary 5.7",
    printed=r"\sigma=\frac{c_{DP}L\sqrt{\log(T)\ln(2.5/\delta)}}{\varepsilon B\beta}",
    kind=ClaimKind.PRIVACY,
    reads=Reads.REASON,
    statement=Statement(f"{told_apart(f'({ALL_NODES}/log2(T))')} <= delta", (STEPS, EPS, DELTA)),
    expects=Outcome.REFUTED,
    candidates=(
        point("T=20000000000000 eps=1 delta=1/10000000000000000000000000000"),
        point("T=1024 eps=1 delta=1/1000000"),
    ),
    finding=(
        "sigma lacks the factor sqrt(2 (1 + ceil(log T))/log T) that Lemma 5.6 asks for, more than sqrt(2). At T = 2 "
        "10^13, which is about the T of Section 5.2 for n = 10^28 and delta = 1/n, the exact delta of the release is "
        "more than 10^11 times delta. This is about the release that the proof treats, at differences of norm c_DP L. "
        "It does not decide the corollary: the last iterate alone tells less, and without clipping differences are "
        "smaller for large n. Twice the noise is enough."
    ),
    repair=f"{COR}~repaired",
    steps=(*PRINTED_STEPS, *LAST_STEPS),
)

REPAIRED = Claim(
    id=f"{COR}~repaired",
    title="Corollary 5.7 with twice the noise, for the clipped algorithm",
    words=(
        "With sigma twice the printed one the release of all noisy prefix sums, with differences clipped to c_DP L, "
        "is (eps, delta/2)-DP for every T >= 2, every data set and eps <= 9/5; no convexity and no law of the data "
        "is used. The logarithm of T in sigma has base 2. Encoded: the privacy; the bound on the noise is not part "
        "of it."
    ),
    place="Corollary 5.7",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        f"{told_apart('(nodes/(4*log2(T)))')} <= delta/2",
        (STEPS, NODES, USUAL, DELTA),
        nodes_of_step("nodes", "T"),
    ),
    rests_on=("gaussian-dp-composition", "post-processing"),
    argument=through_tail(
        "(nodes/(4*log2(T)))",
        "(1/2)",
        (("1/2", "eps <= 9/5"), ("1/100", "0 <= 1")),
        (
            *NODES_FIT,
            Have("(nodes/(4*log2(T))) <= (1/2)", (Scale("4*log2(T)"), Combine((("1", "nodes <= 2*log2(T)"),)))),
        ),
    ),
    candidates=(point("T=2 nodes=2 eps=1 delta=1/1000"),),
    mutants=(
        Mutant(
            "noise",
            "the printed noise",
            f"{told_apart('(nodes/log2(T))')} <= delta/2",
            candidates=(point("T=2 nodes=2 eps=1 delta=1/1000"),),
            own_sentence=True,
        ),
        Mutant(
            "share",
            "delta/2000",
            f"{told_apart('(nodes/(4*log2(T)))')} <= delta/2000",
            candidates=(point("T=2 nodes=2 eps=1 delta=1/1000"),),
        ),
    ),
)

CLAIMS = (AS_PRINTED, REPAIRED)
