"""Gaussian convolution: three facts that the paper quotes as well known (section 2.1).

For f convex and L-Lipschitz and xi ~ N(0, rho^2 I_d): E f(x + xi) is differentiable, L-Lipschitz, and within
L rho sqrt(d) of f. The largest distance is that of f = L|.| at 0, L rho sqrt(2) Gamma((d+1)/2)/Gamma(d/2).
The step `differentiable` gives more than the word: the remainder of the first-order expansion is
at most (L/rho)|h|^2, from the subgradient inequality at both ends and Fact 5.
"""

from dpaudit.claims.writing import *

L, RHO = positive("L", "Lipschitz constant"), positive("rho", "smoothing radius")
DIMENSION, XI, H = integer("d", "[1, oo)", "dimension"), vector("xi", "a draw"), vector("h", "a step")
LARGEST = "L*rho*sqrt(2)*Gamma((d + 1)/2)/Gamma(d/2)"
WEIGHT = real("m", "[0, 1]", "probability of the first draw")
PLAIN = point("L=1 rho=1")

CLAIM = Claim(
    id="resque/CONV",
    title="the smoothed function is differentiable, Lipschitz and close",
    words=(
        "f convex and L-Lipschitz, smoothed by N(0, rho^2 I_d): (1) differentiable, (2) L-Lipschitz, (3) within "
        "L rho sqrt(d) of f everywhere. Encoded here: (3), with the distance of the worst f, L|x - .|; (1) and (2) are "
        "the steps `differentiable` and `lipschitz`."
    ),
    place="section 2.1, after Definition 1",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{LARGEST} <= L*rho*sqrt(d)", (L, RHO, DIMENSION)),
    rests_on=("chi-moments", "resque/CONV/lipschitz", "resque/CONV/young"),
    argument=(
        Bound(
            left="L*(d*rho**2/(2*rho*sqrt(d)) + rho*sqrt(d)/2)",
            by="monotone-mean",
            because="the left side is L E|xi|, `young` bounds |xi| pointwise, and E|xi|^2 = d rho^2",
        ),
        Identical(),
    ),
    tightness=(
        Tightness(
            "distance",
            printed="1",
            form=f"{LARGEST} <= {{c}}*L*rho*sqrt(d)",
            proved="1",
            refuted="0.99",
            candidates=((*PLAIN, ("d", "100")),),
        ),
    ),
    mutants=(Mutant("lost-dimension", "without sqrt(d)", f"{LARGEST} <= L*rho", candidates=((*PLAIN, ("d", "4")),)),),
    steps=(
        step(
            "differentiable",
            "0 <= F(x + h) - F(x) - <G(x), h> <= (L/rho)|h|^2, G(x) = E g(x + xi): G(x) is the gradient of F",
            "Fh - F0 - dot(g0, h) <= L/rho*dot(h, h)",
            (L, RHO, H, vector("g0", "G(x)"), vector("gh", "G(x + h)"), real("F0"), real("Fh")),
            ("Fh - dot(gh, h) <= F0", "norm(gh - g0) <= L/rho*norm(h)"),
            rests_on=("resque/FACT-5/mean", "resque/LEM-1.1/s2"),
            argument=(
                Combine(
                    terms=(
                        ("1", "Fh - dot(gh, h) <= F0"),
                        ("1", "dot(gh - g0, h) <= norm(gh - g0)*norm(h)"),
                        ("norm(h)", "norm(gh - g0) <= L/rho*norm(h)"),
                    )
                ),
            ),
            mutants=(
                Mutant(
                    "half",
                    "half of the remainder, which a Lipschitz gradient alone does not give at both ends",
                    "Fh - F0 - dot(g0, h) <= L/(2*rho)*dot(h, h)",
                    candidates=((*PLAIN, ("h", "(1,)"), ("g0", "(0,)"), ("gh", "(1,)"), ("F0", "0"), ("Fh", "1")),),
                ),
            ),
        ),
        step(
            "lipschitz",
            "|E f(x + xi) - E f(y + xi)| <= L|x - y| (two draws; any law by the mean)",
            "abs(m*f1 + (1 - m)*f2 - (m*e1 + (1 - m)*e2)) <= L*norm(h)",
            (L, WEIGHT, H, *(real(name) for name in ("f1", "f2", "e1", "e2"))),
            ("abs(f1 - e1) <= L*norm(h)", "abs(f2 - e2) <= L*norm(h)"),
            rests_on=("monotone-mean",),
            argument=(Solve(),),
            mutants=(
                Mutant(
                    "constant",
                    "9/10 of it",
                    "abs(m*f1 + (1 - m)*f2 - (m*e1 + (1 - m)*e2)) <= 9/10*L*norm(h)",
                    candidates=(
                        tuple({"L": "1", "m": "1/2", "h": "(1,)", "f1": "1", "f2": "1", "e1": "0", "e2": "0"}.items()),
                    ),
                ),
            ),
        ),
        step(
            "young",
            "|xi| <= |xi|^2/(2 c) + c/2 with c = rho sqrt(d)",
            "norm(xi) <= dot(xi, xi)/(2*rho*sqrt(d)) + rho*sqrt(d)/2",
            (RHO, DIMENSION, XI),
            argument=(Combine(terms=(("1/(2*rho*sqrt(d))", "0 <= (norm(xi) - rho*sqrt(d))**2"),)),),
            mutants=(
                mutant(
                    "factor",
                    "9/10 of the right side",
                    "norm(xi) <= 9/10*(dot(xi, xi)/(2*rho*sqrt(d)) + rho*sqrt(d)/2)",
                    "rho=1 d=1 xi=(1,)",
                ),
            ),
        ),
        step(
            "below",
            "smoothing never lowers a convex f: 2 f(x) <= f(x + xi) + f(x - xi), and the two have one law",
            "2*f0 <= fp + fm",
            (real("f0"), real("fp"), real("fm"), vector("g", "subgradient at x"), XI),
            ("f0 + dot(g, xi) <= fp", "f0 - dot(g, xi) <= fm"),
            rests_on=("monotone-mean",),
            argument=(Combine(terms=(("1", "f0 + dot(g, xi) <= fp"), ("1", "f0 - dot(g, xi) <= fm"))),),
            mutants=(mutant("factor", "3 f(x)", "3*f0 <= fp + fm", "f0=1 fp=1 fm=1 g=(0,) xi=(1,)"),),
        ),
    ),
)
