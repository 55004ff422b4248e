"""The printed proof of Theorem A.3, which differs from that of Theorem 3.2 in the bound on its first term."""

from dpaudit.claims.writing import *

from .symbols import *

PARTS_70 = "all(t, 0, N - 1, given_past[t] <= step[t])"
FACTOR = "abs(eta/(b*K)*({}))"

PRINTED = (
    erratum(
        "s1",
        "(67): the sensitivity of a direction is the difference of the slopes of the replaced record on D and on D'. "
        "Encoded: the printed difference, where both slopes are those on D'",
        f"{FACTOR.format('s_new - s')} == {FACTOR.format('s_new - s_new')}",
        (ETA, BATCH, DIRECTIONS, *SLOPES),
        place="(67)",
        printed=r"m_{t,k}:=\left\|\frac\eta{bK}\left(\mathsf{clip}\left(\frac{\ell_i'(w+\xi u_{t,k})-\ell_i'(w-\xi "
        r"u_{t,k})}{2\xi};\Delta\right)-\mathsf{clip}\left(\frac{\ell_i'(w+\xi u_{t,k})-\ell_i'(w-\xi u_{t,k})}{2\xi};"
        r"\Delta\right)\right)u_{t,k}\right\|",
        candidates=(point("eta=1 b=1 K=1 s=-1 s_new=1"),),
        finding=(
            "A prime too many: as printed the difference is 0. The bound (68) is that of the difference that is meant."
        ),
        repair=f"{HERE}/s1~repaired",
    ),
    step(
        "s1~repaired",
        "(68), for the slopes on D and on D': the sensitivity of a direction is at most 2 eta Delta/(b K)",
        f"{FACTOR.format('s_new - s')} <= {MOVED}",
        (ETA, CLIP, BATCH, DIRECTIONS, *SLOPES),
        CLIPPED,
        reads=Reads.PRINTED,
        kind=ClaimKind.SENSITIVITY,
        place="(68)",
        printed=r"\leq\frac{2\eta\Delta}{bK}",
        argument=(
            Rewrite(left="eta/(b*K)*abs(s_new - s)"),
            Have("abs(s_new - s) <= abs(s_new) + abs(s)"),
            Combine(
                (
                    ("eta/(b*K)", "abs(s_new - s) <= abs(s_new) + abs(s)"),
                    *(("eta/(b*K)", text) for text in CLIPPED),
                )
            ),
        ),
        candidates=(point("eta=1 Delta=1 b=1 K=1 s=-1 s_new=1"),),
        mutants=(mutant("one", "1 in place of 2", f"{FACTOR.format('s_new - s')} <= 1*eta*Delta/(b*K)"),),
    ),
    step(
        "s2",
        "(70): by composition the divergences of the steps add up, each at its largest given the past",
        "whole <= sum(t, 0, N - 1, step[t])",
        (
            WINDOW,
            sequence("step", "[0, oo)", "the largest divergence of step t given the past"),
            sequence("given_past", "[0, oo)", "the divergence of step t given a past"),
            real("whole", "[0, oo)"),
        ),
        (PARTS_70, *composed("whole", "sum(t, 0, N - 1, given_past[t])")),
        kind=ClaimKind.DIVERGENCE,
        place="(70)",
        rests_on=("renyi-composition",),
        argument=(
            Bound(
                left="sum(t, 0, N - 1, given_past[t])",
                argument=(Combine((("1", composed("whole", "sum(t, 0, N - 1, given_past[t])")[0]),)),),
            ),
            Termwise((AtIndex("t"), Combine((("1", "given_past[t] <= step[t]"),)))),
        ),
        candidates=(point("N=1 step=[1] given_past=[1] whole=1"),),
        mutants=(mutant("half", "half of it", "whole <= 1/2*sum(t, 0, N - 1, step[t])"),),
    ),
    erratum(
        "s3",
        "(71), (72): by composition and as the noise is independent, K directions tell at most K times what one "
        "tells, for the same b/n. Encoded: at order 2, K directions that all move by the same if the record is in "
        "the batch, which is one Gaussian with sqrt(K) times the move; a lower bound on what it tells, by the draws "
        "with L <= e^-t, and the upper bound of DEF-A.2 on what one direction tells",
        "log(Phi(sqrt(K)/(2*s) - t*s/sqrt(K))/(1 - q + q*exp(-t))) <= K*log(1 + q**2*(exp(1/s**2) - 1)/(1 - q))",
        (DIRECTIONS, RATE, SCALE, positive("t", "where the draws are cut off")),
        reads=Reads.REASON,
        kind=ClaimKind.DIVERGENCE,
        place="(71), and the text after (73)",
        printed=(
            r"\text{where (a) is again by composition theorem and by the i.i.d. property of the Gaussian noise "
            r"}G_{t,k}"
        ),
        candidates=(point("K=400 q=1/2000 s=1 t=100"),),
        rests_on=ids("zeroth/DEF-A.2", "second second-moment"),
        finding=(
            "The K directions of a step have one batch. Given what the first directions show, the record is more "
            "likely in it than b/n, up to 1, so that the supremum over the past in the chain rule is not the "
            "divergence at b/n. With K = 400, b/n = 1/2000 and noise as large as the move of each direction the K "
            "directions together tell almost b/n, and K times one of them less than half of it. (73) has the largest "
            "move in the place of m_{t,1}: for slopes <g, u_k> of a gradient g with |g| <= Delta the K directions "
            "together move by no more than that (bessel), so that it is no smaller for this reason; for slopes of "
            "which no more is known than that they are clipped it is (REM-A.9/s4). The remark after the theorem, "
            "with the whole span at once, has no such step. (The display also has G_{t,1:K} and I_K where a single "
            "direction is meant.)"
        ),
        repair="zeroth/REM-A.9/s1",
    ),
    erratum(
        "s4",
        "the second term of (7) is bounded as in Theorem 3.2, so that a step tells no more than (72), the divergence "
        "of a Gaussian from its mixture with a moved one, at most log(1/(1 - q)). Encoded: one direction, a record "
        "that moves it by x if it is in the batch on D', and by -x on D; the event that it moves by x or more",
        "q/2 <= (exp(log(1/(1 - q)))*Phi(-x/s))**(1 - 1/alpha)",
        (ALPHA, RATE, SCALE, positive("x", "the move")),
        reads=Reads.REASON,
        kind=ClaimKind.DIVERGENCE,
        place="the proof of Theorem A.3, before (67)",
        printed=r"\text{The second terms will be bounded the same way as in Theorem 3.2, and the only different part "
        r"is the way of upper bounding the first term (8).}",
        candidates=(point("alpha=2 q=1/2 s=1 x=6"),),
        rests_on=("zeroth/DEF-A.2",),
        finding=(
            "(72) is right for G and G' where psi_t is the map of a hidden batch. But then given G' = g the record is "
            "likelier, or less likely, in the batch than given G = g, and psi_t moves with it: Lemma 3.6 takes one "
            "map on both sides. Where the record is in the batch it moves the step on both sides, by x on D and by y "
            "on D': the laws are (1 - q) N(0) + q N(x) and (1 - q) N(0) + q N(y). If the batch is given, one map "
            "will do, and the noise is no mixture (plain)."
        ),
        repair=f"{HERE}/plain",
    ),
    step(
        "s5",
        "(73): Lemma A.4 in each summand, for a ball of radius 2 eta Delta/(b K), whose S_alpha is that of s6. "
        "Encoded: the sum of what the lemma gives",
        "sum(t, 0, N - 1, K*one[t]) <= sum(t, 0, N - 1, K*largest[t])",
        (
            *(WINDOW, DIRECTIONS),
            sequence("one", "[0, oo)", "the divergence in (72), of step t"),
            sequence("largest", "[0, oo)", "S_alpha(b/n, .) of step t"),
        ),
        given={"zeroth/LEM-A.4": "all(t, 0, N - 1, one[t] <= largest[t])"},
        kind=ClaimKind.DIVERGENCE,
        place="(73)",
        argument=(Termwise((AtIndex("t"), Combine((("K", "one[t] <= largest[t]"),)))),),
        candidates=(point("N=1 K=1 one=[1] largest=[1]"),),
        mutants=(mutant("half", "half of it", "sum(t, 0, N - 1, K*one[t]) <= 1/2*sum(t, 0, N - 1, K*largest[t])"),),
    ),
    step(
        "s6",
        "(73), the second argument of S_alpha: the noise of a direction over its sensitivity",
        f"sqrt(eta**2/K*beta*sigma**2)/({MOVED}) == sqrt(K*beta)*sigma*b/(2*Delta)",
        (SIGMA, ETA, CLIP, BATCH, DIRECTIONS, SHARE),
        place="(73)",
    ),
)
