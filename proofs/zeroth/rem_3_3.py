"""What is said of Corollary 3.3: epsilon for many steps, the number of directions, and when K can be chosen."""

from dpaudit.claims.writing import *

A, B, C_REMARK = "zeroth/REM-3.3a", "zeroth/REM-3.3b", "zeroth/REM-3.3c"
PROBABILITY, SIGMA, CLIP = (
    real("delta", "(0, 1)"),
    positive("sigma", "noise scale"),
    positive("Delta", ("clipping threshold")),
)
RECORDS, DIMENSION = integer("n", "[1, oo)", "number of records"), integer("d", "[2, oo)", "dimension")
DIRECTIONS, STEPS = integer("K", "[1, oo)", "number of directions"), integer("T", "[1, oo)", "steps")
SMOOTH, RADIUS = positive("M", "smoothness"), positive("R", "radius of the ball")
FACTOR = integer("k", "[1, oo)", "how many times more directions")
AT_LEAST_TWICE = integer("k", "[2, oo)", "how many times more directions")
MOST = "M*R*n*sqrt(d)/({}*Delta)"
EPS = "sqrt(Delta**2*log(1/delta)/(n**2*sigma**2)*{})"
LIMIT = EPS.format(MOST)
ALL = (PROBABILITY, SIGMA, CLIP, RECORDS, DIMENSION, DIRECTIONS, SMOOTH, RADIUS)
COMPOSITION = "sqrt(Delta**2*log(1/delta)*T/(n**2*sigma**2))"
CONDITION_NUMBER = real("kappa", "[1, oo)", "M/m")
RATIO = "((1 + (1 - 1/kappa)**2)/(1 - (1 - 1/kappa)**2))"
LEAST_K = f"20/3*{RATIO}**2*log(4/delta*N)"
WINDOW = integer("N", "[1, oo)", "ceil(M R n sqrt(2d)/Delta)")

MANY_STEPS = Claim(
    id=A,
    title="epsilon of Corollary 3.3 in the limit of many steps, as a function of K",
    words=(
        "The bound of Corollary 3.3 converges as T grows and becomes inversely proportional to K. Read to the "
        "letter, of epsilon itself; encoded: its limit for k K directions is that for K directions over k."
    ),
    place="the text after Corollary 3.3",
    printed=r"\text{The bound on }\varepsilon\text{ in Corollary 3.3 is convergent as }T\to\infty\text{ and becomes "
    r"inversely proportional to }K",
    kind=ClaimKind.COST,
    reads=Reads.READING,
    statement=Statement(f"{LIMIT.format('k*K')} == {LIMIT.format('K')}/k", (*ALL, FACTOR)),
    expects=Outcome.REFUTED,
    candidates=(point("delta=1/2 sigma=1 Delta=1 n=1 d=4 K=1 M=1 R=1 k=4"),),
    finding=(
        "K stands under the root of (13): epsilon is inversely proportional to sqrt(K), its square, and the Renyi "
        "bound (29), to K. Said loosely; that more directions cost less stands."
    ),
    repair=f"{A}/root",
    steps=(
        step(
            "convergent",
            "from T = M R n sqrt(d)/(K Delta) on the bound no longer hangs on T",
            f"min(T, {MOST.format('K')}) == {MOST.format('K')}",
            (CLIP, RECORDS, DIMENSION, DIRECTIONS, STEPS, SMOOTH, RADIUS),
            (f"{MOST.format('K')} <= T",),
            reads=Reads.PRINTED,
            printed=r"\text{The bound on }\varepsilon\text{ in Corollary 3.3 is convergent as }T\to\infty",
            argument=(Solve(),),
            candidates=(point("Delta=1 n=1 d=4 K=1 T=2 M=1 R=1"),),
            mutants=(
                mutant(
                    "half",
                    "T/2 in place of T",
                    f"min(T/2, {MOST.format('K')}) == {MOST.format('K')}",
                    "Delta=1 n=1 d=4 K=1 T=2 M=1 R=1",
                ),
            ),
        ),
        step(
            "root",
            "for k times as many directions the limit is 1/sqrt(k) of it",
            f"{LIMIT.format('k*K')} == {LIMIT.format('K')}/sqrt(k)",
            (*ALL, FACTOR),
        ),
    ),
)

MORE_DIRECTIONS = Claim(
    id=B,
    title="k times as many directions, k >= 2, lower the limit of Corollary 3.3",
    words=(
        "In Theorem 3.1 more directions give no privacy gain where the noise is along the directions (beta_t = 0 in "
        "(3)), while the bound of Corollary 3.3 falls. Encoded: the limit for k K directions is less than that for K, "
        "for two times as many than 3/4 of it (`strictly`); in (4), first case, K does not occur (`no-gain`)."
    ),
    place="the text after Corollary 3.3",
    printed=r"\text{our hidden-state analysis reveals that incorporating multiple zeroth-order estimates improves not "
    r"only utility but also privacy}",
    kind=ClaimKind.COST,
    statement=Statement(f"{LIMIT.format('k*K')} < {LIMIT.format('K')}", (*ALL, AT_LEAST_TWICE)),
    argument=(
        Power("2"),
        Scale("n*sigma**2*K/(Delta*M*R*sqrt(d))"),
        Have(
            "0 < log(1/delta)",
            (Rewrite(right="-log(delta)"), Combine((("1", "log(delta) <= delta - 1"), ("1", ("delta < 1"))))),
        ),
        Combine((("log(1/delta)/k", "2 <= k"), ("1/k", "0 < log(1/delta)"))),
    ),
    candidates=(point("delta=1/2 sigma=1 Delta=1 n=1 d=4 K=1 M=1 R=1 k=2"),),
    mutants=(Mutant("less", "half of it", f"{LIMIT.format('k*K')} < 1/2*{LIMIT.format('K')}"),),
    steps=(
        step(
            "strictly",
            "twice as many directions have less than 3/4 of it",
            f"{LIMIT.format('2*K')} <= 3/4*{LIMIT.format('K')}",
            ALL,
            argument=(
                Power("2"),
                Scale("n*sigma**2*K/(Delta*M*R*sqrt(d))"),
                Have(
                    "0 < log(1/delta)",
                    (Rewrite(right="-log(delta)"), Combine((("1", "log(delta) <= delta - 1"), (("1"), ("delta < 1"))))),
                ),
                Combine((("1/16", "0 < log(1/delta)"),)),
            ),
            candidates=(point("delta=1/2 sigma=1 Delta=1 n=1 d=4 K=1 M=1 R=1"),),
            mutants=(mutant("less", "1/2 of it", f"{LIMIT.format('2*K')} <= 1/2*{LIMIT.format('K')}"),),
        ),
        step(
            "no-gain",
            "composition with beta_t = 0 over k K directions: k K times what one of k K directions tells, with the "
            "sensitivity 2 Delta/(n k K) and the variance sigma^2/(k K), is what K directions tell",
            "k*K*(alpha*(2*Delta/(n*k*K))**2/(2*sigma**2/(k*K))) == K*(alpha*(2*Delta/(n*K))**2/(2*sigma**2/K))",
            (real("alpha", "(1, oo)", "order"), SIGMA, CLIP, RECORDS, DIRECTIONS, FACTOR),
            reads=Reads.PRINTED,
            printed=r"\text{using multiple directions (}K>1\text{) offers no privacy gain when }\beta_t=0",
            rests_on=("renyi-composition",),
        ),
    ),
)

WINDOW_OF_K = Claim(
    id=C_REMARK,
    title="Corollary 3.3 asks for a K of at least (20/3) (M/m - 1/2)^2 log(4 N/delta)",
    words=(
        "The bounds on K of Corollary 3.3, c = 1 - m/M, in the condition number kappa = M/m: the lower one is at "
        "least (20/3) (kappa - 1/2)^2 log(4 N/delta), which must not exceed d/2. A remark of ours."
    ),
    place="Corollary 3.3, the bounds on K",
    kind=ClaimKind.COST,
    reads=Reads.OURS,
    statement=Statement(f"20/3*(kappa - 1/2)**2*log(4/delta*N) <= {LEAST_K}", (CONDITION_NUMBER, PROBABILITY, WINDOW)),
    rests_on=(f"{C_REMARK}/ratio",),
    argument=(
        Have(f"kappa - 1/2 <= {RATIO}", (ByTheorem(f"{C_REMARK}/ratio"),)),
        Have(f"(kappa - 1/2)**2 <= {RATIO}**2", (Power("1/2"), Combine((("1", f"kappa - 1/2 <= {RATIO}"),)))),
        Have(
            "0 < log(4/delta*N)",
            (
                Rewrite(right="log(4) - log(delta) + log(N)"),
                Have("1 <= log(4)", (Boxes(),)),
                Have("0 <= log(N)", (Combine((("1", "log(1/N) <= 1/N - 1"), ("1/N", "1 <= N"))),)),
                Combine(
                    (
                        ("1", "1 <= log(4)"),
                        ("1", "0 <= log(N)"),
                        ("1", "log(delta) <= delta - 1"),
                        ("1", ("delta < 1")),
                        (("1"), ("0 < 1")),
                    )
                ),
            ),
        ),
        Combine((("20/3*log(4/delta*N)", f"(kappa - 1/2)**2 <= {RATIO}**2"),)),
    ),
    candidates=(point("kappa=1 delta=1/2 N=1"), point("kappa=10 delta=1/2 N=1")),
    mutants=(
        mutant(
            "more",
            "without the 1/2",
            f"20/3*(kappa - 0)**2*log(4/delta*N) <= {LEAST_K}",
            "kappa=10 delta=1/2 N=1",
        ),
    ),
    steps=(
        step(
            "ratio",
            "(1 + c^2)/(1 - c^2) >= kappa - 1/2 for c = 1 - 1/kappa",
            f"kappa - 1/2 <= {RATIO}",
            (CONDITION_NUMBER,),
            argument=(
                Rewrite(right="(2*kappa**2 - 2*kappa + 1)/(2*kappa - 1)"),
                Scale("2*kappa - 1"),
                Positive(),
            ),
            candidates=(point("kappa=1"), point("kappa=10")),
            mutants=(mutant("more", "without the 1/2", f"kappa - 0 <= {RATIO}", "kappa=10"),),
        ),
        Step(
            "met",
            "the two bounds on K and that on xi can be met at once, with a loss that is m-strongly convex, M-smooth "
            "and Delta-Lipschitz where it is evaluated, m |w|^2/2 with m (R + xi) <= Delta",
            Statement(
                f"{LEAST_K} <= K",
                (
                    *(CONDITION_NUMBER, PROBABILITY, WINDOW, DIRECTIONS, DIMENSION, RECORDS, CLIP, SMOOTH, RADIUS),
                    positive("m"),
                    positive("xi"),
                ),
                (
                    *("2*K <= d", "kappa*m == M", "m*(R + xi) <= Delta", "xi <= 2*Delta/(n*K*sqrt(2*d))"),
                    "M*R*n*sqrt(2*d)/Delta <= N",
                    "N < M*R*n*sqrt(2*d)/Delta + 1",
                ),
                exists=True,
            ),
            (
                Exhibit(
                    point(
                        "kappa=10/9 delta=1/100000 N=141422 K=200 d=10000 n=1000 Delta=1 M=1 R=1 m=9/10 xi=1/100000000"
                    )
                ),
            ),
            kind=ClaimKind.NON_VACUITY,
            mutants=(Mutant("never", "a negative K", f"{LEAST_K} <= -K"),),
        ),
    ),
)

CLAIMS = (MANY_STEPS, MORE_DIRECTIONS, WINDOW_OF_K)
