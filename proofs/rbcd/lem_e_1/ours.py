"""What Lemma E.1 rests on in the place of Lemma E.5: one step, and its sum."""

from dpaudit.claims.writing import *

from .symbols import *

NORMS = (
    real("F_now", "[0, oo)", "f(theta^k) - f(w*)"),
    real("F_after", "[0, oo)", "E[f(theta^(k+1)) - f(w*) | theta^k]"),
    real("inner", meaning="<grad f(theta^k), theta^k - w*>"),
    real("length", "[0, oo)", "|grad f(theta^k)|^2_(M^-1)"),
    real("square", "[0, oo)", "|grad f(theta^k)|^2_(P M^-1)"),
    real("start", "[0, oo)", "|theta^k - w*|^2_(Gamma^-1)"),
    real("far_next", "[0, oo)", "E[|theta^(k+1) - w*|^2_(Gamma^-1) | theta^k]"),
    N,
    real("less", "[0, oo)", "E|C sigma_S 1|^2_(P^2 M^-1)"),
)
MOVED = (
    real("moved", "[0, oo)", "E[|theta^(k+1) - theta^k|^2_(Gamma^-1) | theta^k]"),
    real("gained", "[0, oo)", "|grad f(theta^k)|^2_(P^-1 Gamma)"),
)
CONVEX = "F_now <= inner - length/2"
DESCENT = "F_after <= F_now - square + (square + less)/2"
FARTHER, SPREAD, SAME = "far_next == start - 2*inner + moved", "moved == gained + N", "length - gained == 0"
NEXT_DISTANCE = {"rbcd/LEM-E.4/s1": FARTHER, "rbcd/LEM-E.4/s2": SPREAD, "rbcd/LEM-E.5/s5-zero": SAME}
EXPANDED = (("1/2", FARTHER), ("1/2", SPREAD), ("-1/2", SAME))
SMALLER = "less <= N"
AT = "F_now=1/2 F_after=0 inner=1 length=1 square=1 start=1 far_next=0 N=0 less=0 moved=1 gained=1"
NOW = "F_now=1/2 inner=1 length=1 start=1 far_next=0 N=0 moved=1 gained=1"

OURS = (
    step(
        "one-step",
        "E[f(theta^(k+1)) - f(w*)] <= (|theta^k - w*|^2 - E|theta^(k+1) - w*|^2)/2 + N, in the norm Gamma^-1, Gamma = "
        "P M^-1: the descent of Lemma E.3, and f(theta^k) - f(w*) <= <grad f, theta^k - w*> - |grad f|^2/2, here in "
        "the norm M^-1",
        "F_after <= (start - far_next)/2 + N",
        (*NORMS, *MOVED),
        given={
            "rbcd/LEM-E.3": DESCENT,
            "rbcd/LEM-E.4/interpolation": CONVEX,
            **NEXT_DISTANCE,
            "rbcd/LEM-E.5/s7": SMALLER,
        },
        rests_on=("rbcd/LEM-E.5/s5", "rbcd/LEM-E.5/s5-second"),
        argument=(Combine((("1", DESCENT), ("1", CONVEX), *EXPANDED, ("1/2", SMALLER), ("1/2", "0 <= square"))),),
        candidates=(
            point(AT),
            point("F_now=0 F_after=1 inner=0 length=0 square=0 start=0 far_next=0 N=0 less=0 moved=0 gained=0"),
            point("F_now=1 F_after=1 inner=0 length=0 square=0 start=0 far_next=0 N=0 less=0 moved=0 gained=0"),
        ),
        mutants=(
            mutant(
                "noise",
                "half of the noise",
                "F_after <= (start - far_next)/2 + N/2",
                "F_now=0 F_after=1/2 inner=0 length=0 square=0 start=0 far_next=1 N=1 less=1 moved=1 gained=0",
            ),
        ),
    ),
    step(
        "summed",
        "its sum over the K steps, in the mean over theta^k",
        f"{SUM} <= (D[0] - D[K])/2 + K*N",
        (STEPS_K, DISTANCE, GAP, N),
        given={f"{HERE}/one-step": ONE_STEP},
        rests_on=("monotone-mean",),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("K"),),
        candidates=(point(QUADRATIC),),
        mutants=(mutant("third", "a third", f"{SUM} <= (D[0] - D[K])/3 + K*N", "K=1 F=[1/2,1/2] D=[1,0] N=0"),),
    ),
    step(
        "from-zero",
        "the mean over theta^0, ..., theta^(K-1) in the place of theta^1, ..., theta^K has half of the noise: each "
        "gap is at most (|theta^k - w*|^2 - E|theta^(k+1) - w*|^2 + N)/2 (gap-now)",
        "sum(k, 0, K - 1, F[k]) <= (D[0] - D[K] + K*N)/2",
        (STEPS_K, DISTANCE, GAP, N),
        given={f"{HERE}/gap-now": "all(k, 0, K - 1, F[k] <= (D[k] - D[k + 1] + N)/2)"},
        rests_on=("monotone-mean",),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("K"),),
        candidates=(point(QUADRATIC),),
        mutants=(
            mutant(
                "noise",
                "without the noise",
                "sum(k, 0, K - 1, F[k]) <= (D[0] - D[K] + K*0)/2",
                "K=1 F=[1/2,0] D=[0,0] N=1",
            ),
        ),
    ),
    step(
        "gap-now",
        "f(theta^k) - f(w*) <= (|theta^k - w*|^2 - E|theta^(k+1) - w*|^2 + N)/2: f(theta^k) - f(w*) <= <grad f, "
        "theta^k - w*> - |grad f|^2/2, here in the norm M^-1, with the expansion of the next distance",
        "F_now <= (start - far_next + N)/2",
        (NORMS[0], *NORMS[2:4], *NORMS[5:8], *MOVED),
        given={"rbcd/LEM-E.4/interpolation": CONVEX, **NEXT_DISTANCE},
        argument=(Combine((("1", CONVEX), *EXPANDED)),),
        candidates=(point(NOW),),
        mutants=(mutant("third", "a third", "F_now <= (start - far_next + N)/3", NOW),),
    ),
    step(
        "s8-given",
        "what s3 and s6 do give, W the sum of s1: twice the bracket of s8",
        "sum_F <= D_0 + 2*F_0 + 2*K*N",
        (
            STEPS_K,
            *(real(name, "[0, oo)") for name in ("sum_F", "D_0", "F_0")),
            real("W"),
            N,
        ),
        given={f"{HERE}/s3": "W <= D_0/2 + K*N", f"{HERE}/s6": "sum_F/2 - F_0 <= W"},
        reads=Reads.OURS,
        argument=(Combine((("2", "W <= D_0/2 + K*N"), ("2", "sum_F/2 - F_0 <= W"))),),
        candidates=(point("K=1 sum_F=2 D_0=1 F_0=1/2 W=1/2 N=0"),),
        mutants=(
            mutant(
                "half",
                "half of it",
                "sum_F <= D_0/2 + F_0 + K*N",
                "K=1 sum_F=2 D_0=1 F_0=1/2 W=1/2 N=0",
                own_sentence=True,
            ),
        ),
    ),
    step(
        "huber",
        "Huber's loss with M = 1 and slope g, full sampling, no noise, from (K + 1) g: theta^k = (K + 1 - k) g lies "
        "where f is linear, so that f(w^(t+1)) - f* = K g^2/2, which is K/(K + 1)^2 times |w^t - w*|^2/2: no smaller "
        "factor than K^2/(2 (K + 1)^2) will do before |w^t - w*|^2/K",
        "g*(sum(k, 1, K, (K + 1 - k)*g)/K) - g**2/2 == K**2/(2*(K + 1)**2)*((K + 1)*g)**2/K",
        (STEPS_K, positive("g")),
        argument=(
            Rewrite(left="g*((K + 1)*g - sum(k, 1, K, k)*g/K) - g**2/2"),
            Have("sum(k, 1, K, k) == K*(K + 1)/2", (Induct("K"),)),
            Combine((("-g**2/K", "sum(k, 1, K, k) == K*(K + 1)/2"),)),
        ),
        candidates=(point("K=3 g=2"),),
    ),
)
