"""From one epoch to T epochs: s1 to s7."""

from dpaudit.claims.writing import *

from .symbols import *

DIM, AWAY = integer("d", "[1, oo)"), sequence("z", meaning="w^t - w*")
SMOOTH, SHARE = sequence("M", "(0, oo)"), sequence("p", "(0, 1]")
MU, TOP = positive("mu"), positive("top", "max over i of M_i/p_i")
SQUARE, WEIGHTED = real("square", "[0, oo)", "|w^t - w*|^2"), real("D", "[0, oo)", "|w^t - w*|^2_(M P^-1)")
EPOCH_LENGTH = integer("K", "[1, oo)", "inner steps")
DISTANCE, VALUES = sequence("D", "[0, oo)", "E|theta^k - w*|^2, given w^t"), sequence("F", "[0, oo)", "of the gap")
MEAN_POINT = "F_next <= sum(k, 1, K, F[k])/K"
ONE_STEP = "all(k, 0, K - 1, F[k + 1] <= (D[k] - D[k + 1])/2 + N)"
EPOCH, CONVEX, LARGEST = "gap_next <= (D + 2*gap)/(2*K) + N", "square <= 2/mu*gap", "D <= top*square"
AT = "K=4 mu=1 top=1 square=2 gap=1 D=2 N=0"
GEOMETRIC = "sum(t, 0, T - 1, 1/2**t*N)"
RECURSION = (
    step(
        "s1",
        "strong convexity at the minimiser: |w^t - w*|^2 <= (2/mu) (f(w^t) - f*)",
        CONVEX,
        (MU, SQUARE, NOW),
        ("mu/2*square <= gap",),
        printed=r"f(w) \geq f(w^\star) + \frac{\mu}{2}\|w - w^\star\|^2 \;\Rightarrow\; \|w^t - w^\star\|^2 \leq "
        r"\frac{2}{\mu}(f(w^t) - f(w^\star))",
        place="Appendix E.2, first sentence of the proof",
        argument=(Combine((("2/mu", "mu/2*square <= gap"),)),),
        candidates=(point("mu=1 square=2 gap=1"),),
        mutants=(mutant("one", "1/mu", "square <= 1/mu*gap", "mu=1 square=2 gap=1"),),
    ),
    step(
        "s2",
        "Lemma E.1 for epoch t, given w^t: D[0] = |w^t - w*|^2 in the norm M P^-1, F[0] = f(w^t) - f*",
        "F_next <= (D[0] + 2*F[0])/(2*K) + N",
        (EPOCH_LENGTH, DISTANCE, VALUES, N, real("F_next", "[0, oo)", "E f(w^(t+1)) - f*, given w^t")),
        given={"rbcd/LEM-E.1/s7": MEAN_POINT, "rbcd/LEM-E.1/one-step": ONE_STEP},
        printed=r"\mathbb{E}[f(w^{t+1}) - f(w^\star)] \leq \frac{\|w^t - w^\star\|_{\mathbf{M}\mathbf{P}^{-1}}^2 + "
        r"2(f(w^t) - f(w^\star))}{2K} + \mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{P}\mathbf{M}^{-1}}^2]",
        argument=(ByTheorem("rbcd/LEM-E.1"),),
        candidates=(point("K=2 F=[1/2,0,0] D=[1,0,0] N=0 F_next=0"),),
        mutants=(
            mutant(
                "noise",
                "half of the noise",
                "F_next <= (D[0] + 2*F[0])/(2*K) + N/2",
                "K=1 F=[0,1] D=[0,0] N=1 F_next=1",
            ),
        ),
    ),
    erratum(
        "s2-range",
        "the printed range of t, 1 <= t <= T - 1, is enough for s6",
        f"e[T] <= e[0]/2**T + {GEOMETRIC}",
        (EPOCHS, GAPS, N),
        given={f"{HERE}/s5": "all(t, 1, T - 1, e[t + 1] <= e[t]/2 + N)"},
        reads=Reads.BOUNDARY,
        place="Appendix E.2, before the first display of the proof",
        printed=r"\text{Lemma E.1 gives, for } 1 \leq t \leq T-1",
        candidates=(point("T=1 e=[0,1] N=0"),),
        finding=(
            "The range leaves out the first epoch, t = 0, from w^0 to w^1; then nothing ties e[1] to e[0], and for T "
            "= 1 there is no epoch at all. Lemma E.1 holds for t = 0 too, so that 0 <= t <= T - 1 is meant (s6)."
        ),
        repair=f"{HERE}/s6",
    ),
    step(
        "s3",
        "|w^t - w*|^2_(M P^-1) <= max M_i/p_i times |w^t - w*|^2",
        "sum(j, 1, d, M[j]/p[j]*z[j]**2) <= top*sum(j, 1, d, z[j]**2)",
        (DIM, AWAY, SMOOTH, SHARE, TOP),
        ("all(j, 1, d, M[j]/p[j] <= top)",),
        kind=ClaimKind.INDUCTION,
        printed=r"\|w^t - w^\star\|_{\mathbf{M}\mathbf{P}^{-1}}^2 \leq "
        r"\max_{i\in[d]}\left\{\frac{M_i}{p_i}\right\}\|w^t - w^\star\|^2",
        argument=(Induct("d"),),
        candidates=(point("d=2 z=[0,1,2] M=[1,1,2] p=[1,1/2,1] top=2"),),
        mutants=(
            mutant(
                "half",
                "half of the maximum",
                "sum(j, 1, d, M[j]/p[j]*z[j]**2) <= top/2*sum(j, 1, d, z[j]**2)",
                "d=2 z=[0,1,2] M=[1,1,2] p=[1,1/2,1] top=2",
            ),
        ),
    ),
    step(
        "s4",
        "together: E f(w^(t+1)) - f* <= (1 + (1/mu) max M_i/p_i)(f(w^t) - f*)/K + N",
        "gap_next <= (1 + top/mu)*gap/K + N",
        (STEPS_K, MU, TOP, SQUARE, WEIGHTED, NOW, NEXT, N),
        given={f"{HERE}/s1": CONVEX, f"{HERE}/s2": EPOCH, f"{HERE}/s3": LARGEST},
        printed=r"\mathbb{E}[f(w^{t+1}) - f(w^\star)] \leq \frac{\left(1 + "
        r"\frac{1}{\mu}\max_{i\in[d]}\left\{\frac{M_i}{p_i}\right\}\right)(f(w^t) - f(w^\star))}{K} + "
        r"\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{P}\mathbf{M}^{-1}}^2]",
        argument=(Combine((("1", EPOCH), ("1/(2*K)", LARGEST), ("top/(2*K)", CONVEX))),),
        candidates=(point(f"{AT} gap_next=1/2"),),
        mutants=(mutant("without", "without 1 +", "gap_next <= (0 + top/mu)*gap/K + N", f"{AT} gap_next=1/2"),),
    ),
    step(
        "s5",
        "with K = 2 (1 + kappa), the K of the appendix: E f(w^(t+1)) - f* <= (f(w^t) - f*)/2 + N",
        "gap_next <= gap/2 + N",
        (STEPS_K, KAPPA, NOW, NEXT, N),
        (CHOICE,),
        given={f"{HERE}/s4": "gap_next <= (1 + kappa)*gap/K + N"},
        printed=r"\mathbb{E}[f(w^{t+1}) - f(w^\star)] \leq \frac{f(w^t) - f(w^\star)}{2} + "
        r"\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{P}\mathbf{M}^{-1}}^2]",
        argument=(Combine((("1", "gap_next <= (1 + kappa)*gap/K + N"), ("-gap/(2*K)", CHOICE))),),
        candidates=(point("K=4 kappa=1 gap=2 gap_next=1 N=0"),),
        mutants=(mutant("third", "a third", "gap_next <= gap/3 + N", "K=4 kappa=1 gap=2 gap_next=1 N=0"),),
    ),
    step(
        "s6",
        "T epochs, from t = 0 on: E f(w^T) - f* <= (f(w^0) - f*)/2^T + sum over t < T of N/2^t",
        f"e[T] <= e[0]/2**T + {GEOMETRIC}",
        (EPOCHS, GAPS, N),
        given={f"{HERE}/s5": HALVED},
        kind=ClaimKind.INDUCTION,
        printed=r"\mathbb{E}[f(w^T) - f(w^\star)] \leq \frac{f(w^0) - f(w^\star)}{2^T} + \sum_{t=0}^{T-1}\frac{1}{2^t}"
        r"\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{P}\mathbf{M}^{-1}}^2]",
        rests_on=("conditional-mean",),
        argument=(Bound(right="e[0]/2**T + 2*N*(1 - 1/2**T)", argument=(Induct("T"),)), Induct("T")),
        candidates=(point("T=2 e=[4,2,1] N=0"),),
        mutants=(mutant("third", "powers of 3", f"e[T] <= e[0]/3**T + {GEOMETRIC}", "T=2 e=[4,2,1] N=0"),),
    ),
    step(
        "s7",
        "at most (f(w^0) - f*)/2^T + 2 N",
        f"e[0]/2**T + {GEOMETRIC} <= e[0]/2**T + 2*N",
        (EPOCHS, GAPS, N),
        printed=r"\leq \frac{f(w^0) - f(w^\star)}{2^T} + "
        r"2\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{P}\mathbf{M}^{-1}}^2]",
        argument=(
            Have(f"{GEOMETRIC} == 2*N*(1 - 1/2**T)", (Induct("T"),)),
            Combine((("1", f"{GEOMETRIC} == 2*N*(1 - 1/2**T)"), ("1", "0 <= 2*N/2**T"))),
        ),
        mutants=(mutant("less", "1 N", f"e[0]/2**T + {GEOMETRIC} <= e[0]/2**T + 1*N", "T=2 e=[0,0,0] N=1"),),
    ),
)
