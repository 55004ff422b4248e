"""The Lipschitz constant of a gradient step phi(w) = w - (eta/K) grad lbar(w) (Hardt, Recht and Singer 2016).

Theorem 3.2 states it for smooth losses, smooth convex ones and smooth strongly convex ones. For the last two the best
range of the step is longer: 2/(M + m) in place of 1/M.
"""

from dpaudit.claims.writing import *

HERE, PLACE = "zeroth/LEM-HARDT", "Theorem 3.2, the last three sentences"
V, G = vector("v", "x - y"), vector("g", "grad lbar(x) - grad lbar(y)")
ETA, K = positive("eta", "step size"), integer("K", "[1, oo)", "directions")
SMOOTH, CONVEX = positive("M", "smoothness"), positive("m", "strong convexity")
STEP = positive("h", "eta/K")
IMAGE = "norm(v - eta/K*g)"
SHORT = "norm(v - h*g)"
LIPSCHITZ = "norm(g) <= M*norm(v)"
COCOERCIVE = "norm(g)**2 <= M*dot(g, v)"
BETWEEN, MONOTONE = "0 <= dot(g - m*v, M*v - g)", "0 <= dot(g - m*v, v)"
AT_X, AT_Y = ("x", "p", "a"), ("y", "q", "b")
AT_TWO = (
    *map(vector, ("x", "y", "p", "q")),
    real("a", meaning="lbar(x)"),
    real("b", meaning="lbar(y)"),
    SMOOTH,
    CONVEX,
)
STRONG, PLAIN = smooth_strongly_convex_at("M", "m", AT_X, AT_Y), smooth_convex_at("M", AT_X, AT_Y)
SQUARE = f"{SHORT}**2 <= (1 - h*m)**2*norm(v)**2"

CLAIM = Claim(
    id=HERE,
    title="for strongly convex losses and eta <= K/M the gradient step contracts by 1 - eta m/K",
    words=(
        "Losses that are M-smooth and m-strongly convex, eta <= K/M: |phi(x) - phi(y)| <= (1 - eta m/K)|x - y|. The "
        "other two cases are `smooth` and `convex`. v = x - y, and g is the difference of the gradients of the mean "
        "loss there, which is in the class of the losses: 0 <= <g - m v, M v - g> (`between`) and m |v|^2 <= <g, v> "
        "(`monotone`)."
    ),
    place=PLACE,
    printed=r"\text{choose }\eta\leq K/M\text{, we have }c=1-\frac{\eta m}{K}",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        f"{IMAGE} <= (1 - eta*m/K)*norm(v)",
        (V, G, ETA, K, SMOOTH, CONVEX),
        (BETWEEN, MONOTONE, "m <= M", "eta <= K/M"),
    ),
    origins=(
        Condition(BETWEEN, Origin.GIVEN, f"{HERE}/between"),
        Condition(MONOTONE, Origin.GIVEN, f"{HERE}/monotone"),
    ),
    rests_on=(f"{HERE}/longer",),
    argument=(
        Have("eta/K <= 1/M", (Combine((("1/K", "eta <= K/M"),)),)),
        Have("eta/K*m <= 1", (Combine((("m", "eta/K <= 1/M"), ("1/M", "m <= M"))),)),
        Have("eta/K*(m + M) <= 2", (Combine((("m + M", "eta/K <= 1/M"), ("1/M", "m <= M"))),)),
        Have(SQUARE.replace("h", "eta/K"), (ByTheorem(f"{HERE}/longer", at=(("h", "eta/K"),)),)),
        Have("0 <= (1 - eta*m/K)*norm(v)", (Combine((("norm(v)", "eta/K*m <= 1"),)),)),
        Power("2"),
        Combine((("1", SQUARE.replace("h", "eta/K")),)),
    ),
    candidates=(point("v=(1,) g=(1,) eta=1 K=2 M=1 m=1/2"),),
    mutants=(
        Mutant(
            "faster",
            "2 m in place of m",
            f"{IMAGE} <= (1 - 2*eta*m/K)*norm(v)",
            candidates=(point("v=(1,) g=(1/2,) eta=1 K=2 M=1 m=1/2"),),
        ),
        Mutant(
            "step",
            "eta up to 3 K/M",
            conditions=(BETWEEN, MONOTONE, "m <= M", "eta <= 3*K/M"),
            candidates=(point("v=(1,) g=(1,) eta=3 K=1 M=1 m=1/10"),),
        ),
    ),
    steps=(
        step(
            "between",
            "0 <= <g - m v, M v - g> for M-smooth and m-strongly convex losses, v = x - y and g the difference of the "
            "gradients there (Nesterov 2018, Theorem 2.1.12); m < M, as m = M gives g = M v",
            "0 <= dot((p - q) - m*(x - y), M*(x - y) - (p - q))",
            AT_TWO,
            ("m < M", *STRONG),
            argument=(Combine(tuple(("M - m", one) for one in STRONG)),),
            candidates=(point("x=(1,) y=(0,) p=(1,) q=(0,) a=1/2 b=0 M=2 m=1/2"),),
            mutants=(
                mutant(
                    "more",
                    "M/2 in place of M",
                    "0 <= dot((p - q) - m*(x - y), M/2*(x - y) - (p - q))",
                    "x=(1,) y=(0,) p=(2,) q=(0,) a=1 b=0 M=2 m=1/2",
                ),
            ),
        ),
        step(
            "monotone",
            "then m |v|^2 <= <g, v>, as <g - m v, M v - g> is (M - m) <g - m v, v> less |g - m v|^2",
            MONOTONE,
            (V, G, SMOOTH, CONVEX),
            ("m < M",),
            given={f"{HERE}/between": BETWEEN},
            argument=(Scale("M - m"), Combine((("1", BETWEEN), ("1", "0 <= norm(g - m*v)**2")))),
            candidates=(point("v=(1,) g=(1,) M=2 m=1/2"),),
            mutants=(mutant("twice", "2 m in place of m", "0 <= dot(g - 2*m*v, v)", "v=(1,) g=(1/2,) M=2 m=1/2"),),
        ),
        step(
            "cocoercive",
            "|g|^2 <= M <g, v> for M-smooth convex losses, v and g as before (Nesterov 2018, Theorem 2.1.5)",
            "norm(p - q)**2 <= M*dot(p - q, x - y)",
            AT_TWO[:-1],
            PLAIN,
            argument=(Combine(tuple(("M", one) for one in PLAIN)),),
            candidates=(point("x=(1,) y=(0,) p=(1,) q=(0,) a=1/2 b=0 M=1"),),
            mutants=(
                mutant(
                    "half",
                    "half of it",
                    "norm(p - q)**2 <= M/2*dot(p - q, x - y)",
                    "x=(1,) y=(0,) p=(1,) q=(0,) a=1/2 b=0 M=1",
                ),
            ),
        ),
        step(
            "longer",
            "for steps h = eta/K up to 2/(M + m) too the gradient step contracts by 1 - h m. Encoded: the squares",
            SQUARE,
            (V, G, STEP, SMOOTH, CONVEX),
            ("h*(m + M) <= 2",),
            given={f"{HERE}/between": BETWEEN, f"{HERE}/monotone": MONOTONE},
            argument=(
                Have("0 <= h*dot(g - m*v, v)", (Combine((("h", MONOTONE),)),)),
                Combine((("h**2", BETWEEN), ("h*dot(g - m*v, v)", "h*(m + M) <= 2"))),
            ),
            candidates=(point("v=(1,) g=(1,) h=1 M=1 m=1"),),
            mutants=(
                Mutant(
                    "step",
                    "h (m + M) <= 5/2",
                    conditions=(BETWEEN, MONOTONE, "h*(m + M) <= 5/2"),
                    candidates=(point("v=(1,) g=(3,) h=5/8 M=3 m=1"),),
                ),
            ),
        ),
        step(
            "smooth",
            "M-smooth losses: c = 1 + eta M/K",
            f"{IMAGE} <= (1 + eta*M/K)*norm(v)",
            (V, G, ETA, K, SMOOTH),
            (LIPSCHITZ,),
            place=PLACE,
            reads=Reads.PRINTED,
            printed=r"c=1+\frac{\eta M}{K}",
            argument=(Combine((("1", f"{IMAGE} <= norm(v) + norm(eta/K*g)"), ("eta/K", LIPSCHITZ))),),
            candidates=(point("v=(1,) g=(-1,) eta=1 K=1 M=1"),),
            mutants=(mutant("one", "1", f"{IMAGE} <= (1 + 0*eta*M/K)*norm(v)", "v=(1,) g=(-1,) eta=1 K=1 M=1"),),
        ),
        step(
            "convex",
            "M-smooth convex losses and eta <= 2 K/M: c = 1, by |g|^2 <= M <g, v>",
            f"{IMAGE} <= norm(v)",
            (V, G, ETA, K, SMOOTH),
            ("eta <= 2*K/M",),
            given={f"{HERE}/cocoercive": COCOERCIVE},
            place=PLACE,
            reads=Reads.PRINTED,
            printed=r"\text{choose }\eta\leq 2K/M\text{, we have }c=1",
            argument=(
                Have("0 <= 2*K/M - eta", (Combine((("1", "eta <= 2*K/M"),)),)),
                Power("2"),
                Combine((("2*eta/(K*M)", COCOERCIVE), ("eta/K**2*norm(g)**2", "eta <= 2*K/M"))),
            ),
            candidates=(point("v=(1,) g=(1,) eta=2 K=1 M=1"),),
            mutants=(
                Mutant(
                    "step",
                    "eta up to 3 K/M",
                    conditions=(COCOERCIVE, "eta <= 3*K/M"),
                    candidates=(point("v=(1,) g=(1,) eta=3 K=1 M=1"),),
                ),
            ),
        ),
        step(
            "mean",
            "the mean of M-Lipschitz gradients is M-Lipschitz. Encoded: for one record more, |g| <= M |v| for the mean "
            "g of k",
            "norm(k/(k + 1)*g + 1/(k + 1)*f) <= M*norm(v)",
            (V, G, vector("f", "difference of the gradients of one record more"), integer("k", "[1, oo)"), SMOOTH),
            (LIPSCHITZ, "norm(f) <= M*norm(v)"),
            argument=(
                Combine(
                    (
                        ("1", "norm(k/(k + 1)*g + 1/(k + 1)*f) <= norm(k/(k + 1)*g) + norm(1/(k + 1)*f)"),
                        ("k/(k + 1)", LIPSCHITZ),
                        ("1/(k + 1)", "norm(f) <= M*norm(v)"),
                    )
                ),
            ),
            candidates=(point("v=(1,) g=(1,) f=(1,) k=1 M=1"),),
            mutants=(
                mutant(
                    "half",
                    "half of it",
                    "norm(k/(k + 1)*g + 1/(k + 1)*f) <= M*norm(v)/2",
                    "v=(1,) g=(1,) f=(1,) k=1 M=1",
                ),
            ),
        ),
        step(
            "everywhere",
            "losses that are strongly convex and Delta-Lipschitz, as Corollary 3.3 asks, are meant on a bounded "
            "domain, as Figure 1 says: no loss has both on all of R^d, as the slope at distance r of the minimum is at "
            "least m r. Encoded: on the ball of radius R + xi, where losses are queried, with the minimum in its "
            "centre, Delta >= m (R + xi) leaves room for such a slope",
            "m*r <= Delta",
            (CONVEX, *(positive(name) for name in ("r", "R", "xi", "Delta"))),
            ("r <= R + xi", "m*(R + xi) <= Delta"),
            place="Corollary 3.3",
            argument=(Combine((("m", "r <= R + xi"), ("1", "m*(R + xi) <= Delta"))),),
            candidates=(point("m=1 r=2 R=1 xi=1 Delta=2"),),
            mutants=(mutant("half", "half of it", "m*r <= Delta/2", "m=1 r=2 R=1 xi=1 Delta=2"),),
        ),
    ),
)
