"""The symbols and the printed steps of Lemma E.5."""

from dpaudit.claims.writing import *

DIM = integer("d", "[1, oo)")
AWAY, GRADIENT = sequence("z", meaning="theta^k - w*"), sequence("g")
SMOOTH, SHARE, NOISE = sequence("M", "(0, oo)"), sequence("p", "(0, 1]"), sequence("v", "[0, oo)", "E (c_j eta_j)^2")
NOW, BEST = real("f_now", meaning="f(theta^k)"), real("f_star", meaning="f(w*)")
NEXT, ALPHA = real("mean_f", meaning="E[f(theta^(k+1)) | theta^k]"), real("alpha", "(0, 1)")
P_ONE, M_ONE = real("p", "(0, 1]", "p_j"), positive("M", "M_j")
HERE = "rbcd/LEM-E.5"
CONVEX_WITH_A6 = ("rbcd/LEM-E.4/interpolation", "rbcd/LEM-E.4/interpolation-below")
"""Where `above` and `below` come from."""


def total(text):
    return f"sum(j, 1, d, {text})"


INNER, LENGTH, START = total("z[j]*g[j]"), total("g[j]**2/M[j]"), total("M[j]/p[j]*z[j]**2")
SQUARE, N, LESS = total("p[j]/M[j]*g[j]**2"), total("p[j]/M[j]*v[j]"), total("p[j]**2/M[j]*v[j]")
BELOW = f"f_star + {LENGTH}/2 <= f_now"
ABOVE = f"f_now - {INNER} + {LENGTH}/2 <= f_star"
FAR = total("M[j]/p[j]*(z[j]**2 - 2*p[j]/M[j]*z[j]*g[j] + (p[j]/M[j])**2*(g[j]**2/p[j] + v[j]))")
"""E[|theta^(k+1) - w*|^2_(Gamma^-1) | theta^k], by Lemma E.2."""
LEFT = "mean_f - f_star - (1 - alpha)*(f_now - f_star)"
DESCENT = f"{LEFT} <= alpha*(f_now - f_star) - {SQUARE} + ({SQUARE} + {LESS})/2"
GOAL = f"{LEFT} <= alpha*({START} - {FAR}) + (2*alpha + 1)/2*{N}"
SYMBOLS = (DIM, AWAY, GRADIENT, SMOOTH, SHARE, NOISE, NOW, BEST, NEXT, ALPHA)
SMALLER = (Have(f"{LESS} <= {N}", (Termwise((Combine((("p[j]/M[j]*v[j]", "p[j] <= 1"),)),)),)),)
ROWS = "d=1 z=[1,1] g=[1/2,1/2] M=[1,1] p=[1,1]"
FLAT = point(f"{ROWS} v=[0,0] f_now=1/4 f_star=0 mean_f=1/16 alpha=1/2")
"""f(w) = w^2/4, which A6 allows with M = 1: full sampling, no noise, from theta^k = 1."""
NOISY = point("d=1 z=[0,0] g=[0,0] M=[1,1] p=[1,1] v=[1,1] f_now=0 f_star=0 mean_f=1/2 alpha=1/2")
"""f(w) = w^2/2 at its minimum: the step is the noise."""

BROKEN = (
    point(f"{ROWS} v=[0,0] f_now=1/4 f_star=0 mean_f=9 alpha=1/2"),
    point("d=1 z=[-1,-1] g=[1,1] M=[100,100] p=[1,1] v=[0,0] f_now=-201/200 f_star=0 mean_f=-101/100 alpha=1/2"),
)
"""Numbers that meet all but Lemma E.3, and all but `below`."""

# The norms, where a step only adds them up.
NORMS = (
    real("inner", meaning="<grad f(theta^k), theta^k - w*>"),
    real("start", "[0, oo)", "|theta^k - w*|^2_(Gamma^-1)"),
    real("far_next", "[0, oo)", "E[|theta^(k+1) - w*|^2_(Gamma^-1) | theta^k]"),
    real("N", "[0, oo)", "E|C sigma_S 1|^2_(P M^-1)"),
)
SIZES = (
    real("square", "[0, oo)", "|grad f(theta^k)|^2_(P M^-1)"),
    real("less", "[0, oo)", "E|C sigma_S 1|^2_(P^2 M^-1)"),
)
CONVEX, NEARER = "f_now - f_star <= inner", "inner <= start - far_next + N"
VALUE = "f_now - f_star <= start - far_next + N"
ONE_STEP = f"{LEFT} <= alpha*(f_now - f_star) - square + (square + less)/2"
NO_ALPHA = "mean_f <= f_now - square + (square + less)/2"
"""The same, as its two terms in alpha are one."""
INSERTED = f"{LEFT} <= alpha*(start - far_next + N) - square + (square + less)/2"
CLOSING = f"{LEFT} <= alpha*(start - far_next) + (2*alpha + 1)/2*N"
QUARTER = "f_now=1/4 f_star=0 inner=1/2 start=1 far_next=1/4 N=0"
AFTER = f"{QUARTER} mean_f=1/16 alpha=1/2 square=1/4 less=0"
STEPS = (
    step(
        "s1",
        "convexity: f(theta^k) - f(w*) <= <grad f(theta^k), theta^k - w*>",
        f"f_now - f_star <= {INNER}",
        (DIM, AWAY, GRADIENT, SMOOTH, NOW, BEST),
        (BELOW, ABOVE),
        printed=r"f(\theta^k) - f(w^\star) \leq \langle \nabla f(\theta^k), \theta^k - w^\star \rangle",
        rests_on=CONVEX_WITH_A6,
        argument=(Combine((("1", ABOVE), ("1/2", f"0 <= {LENGTH}"))),),
        candidates=(point("d=1 z=[1,1] g=[1/2,1/2] M=[1,1] f_now=1/4 f_star=0"),),
        mutants=(
            mutant(
                "third",
                "a third of it",
                f"f_now - f_star <= {INNER}/3",
                "d=1 z=[1,1] g=[1/2,1/2] M=[1,1] f_now=1/4 f_star=0",
            ),
        ),
    ),
    erratum(
        "s2",
        "the inner product equals the bound of Lemma E.4",
        f"{INNER} == {START} - {FAR} + {N}",
        (DIM, AWAY, GRADIENT, SMOOTH, SHARE, NOISE, NOW, BEST),
        (BELOW, ABOVE),
        printed=r"\langle \nabla f(\theta^k), \theta^k - w^\star \rangle = \|\theta^k - "
        r"w^\star\|_{\mathbf{\Gamma}^{-1}}^2 - \mathbb{E}[\|\theta^{k+1} - w^\star\|_{\mathbf{\Gamma}^{-1}}^2 | "
        r"\theta^k] + \|\nabla f(\theta^k)\|_{\mathbf{M}^{-1} - \mathbf{P}^{-1}\mathbf{\Gamma}}^2 + "
        r"\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{\Gamma}}^2]",
        place="proof of Lemma E.5, first display, line 2",
        candidates=(point(f"{ROWS} v=[0,0] f_now=1/4 f_star=0"),),
        finding=(
            "The equality sign is a misprint for <=, which Lemma E.4 gives at Gamma = P M^-1: for f(w) = w^2/4 with M "
            "= 1 the left side is 1/2, the right side 3/4. What is used is <= (s2~repaired), and with <= the bound is "
            "inserted in the next display (s4)."
        ),
        repair=f"{HERE}/s4",
    ),
    step(
        "s2~repaired",
        "f(theta^k) - f(w*) is at most the bound of Lemma E.4, at Gamma = P M^-1",
        VALUE,
        (NOW, BEST, *NORMS),
        given={f"{HERE}/s1": CONVEX, "rbcd/LEM-E.4~repaired": NEARER},
        rests_on=(f"{HERE}/s5-zero",),
        argument=(Combine((("1", CONVEX), ("1", NEARER))),),
        candidates=(point(QUARTER),),
        mutants=(
            mutant(
                "noise",
                "without the noise",
                "f_now - f_star <= start - far_next + 0",
                "f_now=1 f_star=0 inner=1 start=1 far_next=1 N=1",
            ),
        ),
    ),
    step(
        "s3",
        "Lemma E.3 with w = w*, at Gamma = P M^-1",
        ONE_STEP,
        (NOW, BEST, real("f_w", meaning="f(w)"), NEXT, ALPHA, *SIZES),
        ("f_w == f_star",),
        given={"rbcd/LEM-E.3": ONE_STEP.replace("f_star", "f_w")},
        printed=r"\mathbb{E}[f(\theta^{k+1}) - f(w^\star) | \theta^k] - (1-\alpha)(f(\theta^k) - f(w^\star)) \leq "
        r"\alpha(f(\theta^k) - f(w^\star)) - \|\nabla f(\theta^k)\|_{\mathbf{\Gamma}}^2 + \frac{1}{2}\left(\|\nabla "
        r"f(\theta^k)\|_{\mathbf{P}^{-1}\mathbf{\Gamma}^2\mathbf{M}}^2 + "
        r"\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{\Gamma}^2\mathbf{M}}^2]\right)",
        rests_on=(f"{HERE}/s5", f"{HERE}/s5-second"),
        argument=(Combine((("1", ONE_STEP.replace("f_star", "f_w")),)),),
        candidates=(point("f_now=1/4 f_star=0 f_w=0 mean_f=1/16 alpha=1/2 square=1/4 less=0"),),
        mutants=(
            mutant(
                "half",
                "half of alpha",
                ONE_STEP.replace("<= alpha", "<= alpha/2"),
                "f_now=1 f_star=0 f_w=0 mean_f=1 alpha=1/2 square=0 less=0",
            ),
        ),
    ),
    step(
        "s4",
        "s2 times alpha is inserted into s3; the norm of M^-1 - P^-1 Gamma is 0 (s5-zero)",
        INSERTED,
        (NOW, BEST, NEXT, ALPHA, *NORMS[1:], *SIZES),
        given={f"{HERE}/s2~repaired": VALUE, f"{HERE}/s3": ONE_STEP},
        printed=r"\leq \alpha\left(\|\theta^k - w^\star\|_{\mathbf{\Gamma}^{-1}}^2 - \mathbb{E}[\|\theta^{k+1} - "
        r"w^\star\|_{\mathbf{\Gamma}^{-1}}^2 | \theta^k] + \|\nabla f(\theta^k)\|_{\mathbf{M}^{-1} - "
        r"\mathbf{P}^{-1}\mathbf{\Gamma}}^2 + "
        r"\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{\Gamma}}^2]\right) - \|\nabla "
        r"f(\theta^k)\|_{\mathbf{P}\mathbf{M}^{-1}}^2 + \frac{1}{2}\left(\|\nabla "
        r"f(\theta^k)\|_{\mathbf{P}\mathbf{M}^{-1}}^2 + "
        r"\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{\Gamma}^2\mathbf{M}}^2]\right)",
        rests_on=(f"{HERE}/s5-zero",),
        argument=(Combine((("alpha", VALUE), ("1", ONE_STEP))),),
        candidates=(point(AFTER),),
        mutants=(
            mutant(
                "half",
                "half of alpha",
                INSERTED.replace("<= alpha", "<= alpha/2"),
                "f_now=1 f_star=0 mean_f=1 alpha=1/2 start=1 far_next=0 N=0 square=0 less=0",
            ),
        ),
    ),
    step(
        "s5",
        "with Gamma = P M^-1: P^-1 Gamma^2 M = P M^-1, entry by entry",
        "1/p*(p/M)**2*M == p/M",
        (P_ONE, M_ONE),
        reads=Reads.OURS,
    ),
    step(
        "s5-second",
        "and Gamma^2 M = P^2 M^-1",
        "(p/M)**2*M == p**2/M",
        (P_ONE, M_ONE),
        reads=Reads.OURS,
    ),
    step(
        "s5-zero",
        "and M^-1 - P^-1 Gamma = 0",
        "1/M - 1/p*(p/M) == 0",
        (P_ONE, M_ONE),
        reads=Reads.OURS,
    ),
    step(
        "s6",
        "-|grad f|^2 + |grad f|^2/2 <= 0 in the norm P M^-1",
        f"-{SQUARE} + {SQUARE}/2 <= 0",
        (DIM, GRADIENT, SMOOTH, SHARE),
        mutants=(mutant("double", "2 in place of 1/2", f"-{SQUARE} + {SQUARE}*2 <= 0", "d=1 g=[1,1] M=[1,1] p=[1,1]"),),
    ),
    step(
        "s7",
        "E|C sigma_S 1|^2 in the norm P^2 M^-1 is at most that in the norm P M^-1, since p_j <= 1",
        f"{LESS} <= {N}",
        (DIM, SMOOTH, SHARE, NOISE),
        argument=SMALLER[0].argument,
        mutants=(mutant("half", "half of it", f"{LESS} <= {N}/2", "d=1 M=[1,1] p=[1,1] v=[1,1]"),),
    ),
    step(
        "s8",
        "the last line: alpha times the one mean and half of the other are at most (2 alpha + 1)/2 times the first",
        "alpha*N + less/2 <= (2*alpha + 1)/2*N",
        (ALPHA, NORMS[3], SIZES[1]),
        given={f"{HERE}/s7": "less <= N"},
        printed=r"\alpha\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{P}\mathbf{M}^{-1}}^2] + "
        r"\frac{1}{2}\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{P}^2\mathbf{M}^{-1}}^2] \leq "
        r"\frac{2\alpha+1}{2}\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{P}\mathbf{M}^{-1}}^2]",
        argument=(Combine((("1/2", "less <= N"),)),),
        candidates=(point("alpha=1/2 N=1 less=1"),),
        mutants=(
            mutant(
                "noise", "2 alpha in the place of 2 alpha + 1", "alpha*N + less/2 <= alpha*N", "alpha=1/2 N=1 less=1"
            ),
        ),
    ),
    step(
        "any-alpha",
        "the lemma for every alpha >= 0, as alpha cancels in s3",
        CLOSING,
        (NOW, BEST, NEXT, real("alpha", "[0, oo)"), *NORMS[1:], *SIZES),
        given={f"{HERE}/s2~repaired": VALUE, f"{HERE}/s3": NO_ALPHA, f"{HERE}/s7": "less <= N"},
        argument=(Combine((("1", NO_ALPHA), ("alpha", VALUE), ("1/2", "less <= N"), ("1/2", "0 <= square"))),),
        candidates=(point(AFTER),),
        mutants=(
            Mutant(
                "negative",
                "alpha down to -1",
                symbols=(NOW, BEST, NEXT, real("alpha", "[-1, oo)"), *NORMS[1:], *SIZES),
                candidates=(point("f_now=0 f_star=0 mean_f=0 alpha=-1/2 start=1 far_next=0 N=0 square=0 less=0"),),
            ),
        ),
    ),
)
