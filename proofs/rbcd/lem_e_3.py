r"""Lemma E.3, the descent lemma: one step of the algorithm, for any step sizes.

Every norm of the lemma is a sum over the coordinates j = 1, ..., d, and so the statement has sequences: g the gradient
at theta^k, gamma, M, p the diagonals of Gamma, M, P, m[j] and r[j] the first and second moment of (C(g + eta))_j, v[j]
the second moment of (C eta)_j, so that E|C sigma_S 1|_W^2 = sum of W_j v[j]. A6 enters through its mean (s1). The lemma
holds for every alpha and needs no convexity; w may be any point.
"""

from dpaudit.claims.writing import *

DIM = integer("d", "[1, oo)")
GRADIENT, SMOOTH, SHARE = sequence("g"), sequence("M", "(0, oo)"), sequence("p", "(0, 1]")
GAMMA, NOISE = sequence("gamma", "(0, oo)"), sequence("v", "[0, oo)", "E (c_j eta_j)^2")
FIRST, SECOND = sequence("m", meaning="E (C(g + eta))_j"), sequence("r", "[0, oo)", "E (C(g + eta))_j^2")
NOW, AT_W = real("f_now", meaning="f(theta^k)"), real("f_w", meaning="f(w)")
NEXT, ALPHA = real("mean_f", meaning="E[f(theta^(k+1)) | theta^k]"), real("alpha", "(0, 1)")
HERE = "rbcd/LEM-E.3"
UNBIASED, SQUARES = "all(j, 1, d, m[j] == g[j])", "all(j, 1, d, r[j] == g[j]**2/p[j] + v[j])"


def total(text):
    return f"sum(j, 1, d, {text})"


LINE = f"mean_f <= f_now - {total('gamma[j]*g[j]*m[j]')} + {total('gamma[j]**2*M[j]*r[j]')}/2"
INNER = f"{total('gamma[j]*g[j]*m[j]')} == {total('gamma[j]*g[j]**2')}"
OUTER = (
    f"{total('gamma[j]**2*M[j]*r[j]')} == {total('gamma[j]**2*M[j]/p[j]*g[j]**2')} + {total('gamma[j]**2*M[j]*v[j]')}"
)
LAST = f"{total('gamma[j]*g[j]**2')}"
HALF = f"({total('gamma[j]**2*M[j]/p[j]*g[j]**2')} + {total('gamma[j]**2*M[j]*v[j]')})/2"
GOAL = f"mean_f - f_w - (1 - alpha)*(f_now - f_w) <= alpha*(f_now - f_w) - {LAST} + {HALF}"
SYMBOLS = (DIM, GRADIENT, SMOOTH, SHARE, GAMMA, NOISE, FIRST, SECOND, NOW, AT_W, NEXT, ALPHA)
ROWS = "g=[0,1,2] M=[1,1,2] p=[1,1/2,1] gamma=[1,1/2,1/4] v=[0,1,0] m=[0,1,2] r=[0,3,4]"
EXAMPLE = point(f"d=2 {ROWS} f_now=0 f_w=0 mean_f=-7/8 alpha=1/2")
"""A6 with equality."""

CLAIM = Claim(
    id=HERE,
    title="descent lemma",
    words=(
        "Under A6, for the steps of Algorithm 1 with any Gamma, any 0 < alpha < 1 and any w: E[f(theta^(k+1)) - f(w)] "
        "- (1 - alpha)(f(theta^k) - f(w)) <= alpha (f(theta^k) - f(w)) - |grad f|_Gamma^2 + (|grad f|_(P^-1 Gamma^2 "
        "M)^2 + E|C sigma_S 1|_(Gamma^2 M)^2)/2, all at theta^k."
    ),
    place="Lemma E.3",
    printed=r"\mathbb{E}[f(\theta^{k+1}) - f(w) | \theta^k] - (1-\alpha)(f(\theta^k) - f(w)) \leq \alpha(f(\theta^k) - "
    r"f(w)) - \|\nabla f(\theta^k)\|_{\mathbf{\Gamma}}^2 + \frac{1}{2}\left(\|\nabla f(\theta^k)\|_{\mathbf{P}^{-1}"
    r"\mathbf{\Gamma}^2\mathbf{M}}^2 + \mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{\Gamma}^2\mathbf{M}}^2]"
    r"\right)",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(GOAL, SYMBOLS, (UNBIASED, SQUARES, LINE)),
    origins=(
        Condition(LINE, Origin.GIVEN, f"{HERE}/s1"),
        Condition(UNBIASED, Origin.GIVEN, "rbcd/LEM-E.2/s1"),
        Condition(SQUARES, Origin.GIVEN, "rbcd/LEM-E.2"),
    ),
    rests_on=(f"{HERE}/s3",),
    argument=(
        Have(INNER, (ByTheorem(f"{HERE}/s2"),)),
        Have(OUTER, (ByTheorem(f"{HERE}/s4"),)),
        Combine((("1", LINE), ("1", INNER), ("1/2", OUTER))),
    ),
    candidates=(EXAMPLE,),
    mutants=(mutant("half", "without the factor 1/2", GOAL.replace(f"{LAST} + {HALF}", f"{LAST} + {HALF[:-2]}/3")),),
    steps=(
        step(
            "s1",
            "A6 at theta^k with the step -Gamma C(grad f + eta), and its mean. In part: over finitely many draws u "
            "with probabilities q[u], f[u] the value after the step, slope[u] the inner product of the step with the "
            "gradient, whose mean is <grad f, Gamma E C(grad f + eta)>, and square[u] the M-norm squared",
            "sum(u, 1, draws, q[u]*f[u]) <= f_now*sum(u, 1, draws, q[u]) - sum(u, 1, draws, q[u]*slope[u])"
            " + sum(u, 1, draws, q[u]*square[u])/2",
            (
                integer("draws", "[1, oo)"),
                sequence("q", "[0, 1]"),
                sequence("f"),
                sequence("slope"),
                sequence("square", "[0, oo)"),
                NOW,
            ),
            ("all(u, 1, draws, f[u] <= f_now - slope[u] + square[u]/2)",),
            printed=r"\mathbb{E}\left[f\left(\theta^k - \mathbf{\Gamma}\mathbf{C}(\nabla f(\theta^k) + \eta)\right) | "
            r"\theta^k\right] \leq f(\theta^k) - \langle \nabla f(\theta^k), "
            r"\mathbf{\Gamma}\mathbb{E}[\mathbf{C}(\nabla f(\theta^k)+\eta) | \theta^k] \rangle + "
            r"\frac{1}{2}\mathbb{E}\left[\|\mathbf{\Gamma}\mathbf{C}(\nabla f(\theta^k)+\eta)\|_{\mathbf{M}}^2 | "
            r"\theta^k\right]",
            rests_on=("monotone-mean",),
            argument=(Induct("draws"),),
            mutants=(
                mutant(
                    "third",
                    "a third of the square",
                    "sum(u, 1, draws, q[u]*f[u]) <= f_now*sum(u, 1, draws, q[u]) - sum(u, 1, draws, q[u]*slope[u])"
                    " + sum(u, 1, draws, q[u]*square[u])/3",
                    "draws=1 q=[0,1] f=[0,1] slope=[0,0] square=[0,2] f_now=0",
                ),
            ),
        ),
        step(
            "s2",
            "<grad f, Gamma E C(grad f + eta)> = |grad f|_Gamma^2",
            INNER,
            (DIM, GRADIENT, GAMMA, FIRST),
            given={"rbcd/LEM-E.2/s1": UNBIASED},
            printed=r"\langle \nabla f(\theta^k), \mathbf{\Gamma}\mathbb{E}[\mathbf{C}(\nabla f(\theta^k)+\eta) | "
            r"\theta^k] \rangle = \|\nabla f(\theta^k)\|_{\mathbf{\Gamma}}^2",
            argument=(
                Induct(
                    "d",
                    base=(AtIndex("1"), Combine((("gamma[1]*g[1]", "m[1] == g[1]"),))),
                    step=(Combine((("gamma[d + 1]*g[d + 1]", "m[d + 1] == g[d + 1]"),)),),
                ),
            ),
            candidates=(point("d=2 g=[0,1,2] gamma=[1,1/2,3] m=[0,1,2]"),),
        ),
        step(
            "s3",
            "|Gamma C x|_M^2 = |C x|_(Gamma^2 M)^2, c = diagonal of C",
            f"{total('M[j]*(gamma[j]*c[j]*x[j])**2')} == {total('gamma[j]**2*M[j]*(c[j]*x[j])**2')}",
            (DIM, SMOOTH, GAMMA, sequence("c", "[0, oo)"), sequence("x")),
            printed=r"\|\mathbf{\Gamma}\mathbf{C}(\nabla f(\theta^k)+\eta)\|_{\mathbf{M}}^2 = \|\mathbf{C}(\nabla "
            r"f(\theta^k)+\eta)\|_{\mathbf{\Gamma}^2\mathbf{M}}^2",
            candidates=(point("d=2 M=[1,2,3] gamma=[1,1/2,3] c=[0,1,2] x=[0,3,2]"),),
        ),
        step(
            "s4",
            "E|C(grad f + eta)|_(Gamma^2 M)^2 = |grad f|_(P^-1 Gamma^2 M)^2 + E|C sigma_S 1|_(Gamma^2 M)^2",
            OUTER,
            (DIM, GRADIENT, SMOOTH, SHARE, GAMMA, NOISE, SECOND),
            given={"rbcd/LEM-E.2": SQUARES},
            printed=r"\mathbb{E}\left[\|\mathbf{C}(\nabla f(\theta^k)+\eta)\|_{\mathbf{\Gamma}^2\mathbf{M}}^2 | "
            r"\theta^k\right] = \|\nabla f(\theta^k)\|_{\mathbf{P}^{-1}\mathbf{\Gamma}^2\mathbf{M}}^2 + "
            r"\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{\Gamma}^2\mathbf{M}}^2]",
            argument=(
                Induct(
                    "d",
                    base=(AtIndex("1"), Combine((("gamma[1]**2*M[1]", "r[1] == g[1]**2/p[1] + v[1]"),))),
                    step=(Combine((("gamma[d + 1]**2*M[d + 1]", "r[d + 1] == g[d + 1]**2/p[d + 1] + v[d + 1]"),)),),
                ),
            ),
            candidates=(point("d=2 g=[0,1,2] M=[1,1,2] p=[1,1/2,1/3] gamma=[1,1/2,3] v=[0,1,2] r=[0,3,14]"),),
        ),
        step(
            "s5",
            "f(theta^k) - f(w) is split into alpha and 1 - alpha times itself",
            "f_now - f_w == alpha*(f_now - f_w) + (1 - alpha)*(f_now - f_w)",
            (NOW, AT_W, ALPHA),
        ),
    ),
)
