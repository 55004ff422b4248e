"""Fact 5: a Lipschitz function smoothed by N(0, rho^2 I) has an L/rho-Lipschitz gradient.

The gradient at x is E g(x + xi), an integral of g against the density at x. So the gradients at x and
x + D differ by at most L times the L1 distance of two Gaussian densities, which is
2 (Phi(|D|/(2 rho)) - Phi(-|D|/(2 rho))): the densities cross at the hyperplane half-way (r2, r3). The function
f = L|<e, .>| attains it, hence the best constant is sqrt(2/pi) = 0.798 in place of the printed 1.
Only |g| <= L is used (step `mean`); that E g(x + xi) is the gradient is Lemma 1 for convex f, all that the paper needs.
"""

from dpaudit.claims.writing import *

L, RHO = positive("L", "Lipschitz constant"), positive("rho", "smoothing radius")
D = vector("D", "difference of the two points")
LARGEST = "2*L*(Phi(norm(D)/(2*rho)) - Phi(-norm(D)/(2*rho)))"
NEAR = (point("L=1 rho=1 D=(1/10,)"),)
LENGTH = Substitute((real("t", "[0, oo)", "|D|/rho"),), (("dot(D, D)", "(t*rho)**2"),), where("t=norm(D)/rho"))
TOUCH = (LENGTH, Tangent("t", "0", because="Phi is concave to the right of 0"))
PRINTED = (
    Bound(right="sqrt(2/pi)*L/rho*norm(D)", argument=(Combine(terms=(("L/rho*norm(D)", "sqrt(2/pi) <= 1"),)),)),
    *TOUCH,
)

CLAIM = Claim(
    id="resque/FACT-5",
    title="smoothing makes a Lipschitz function smooth",
    words=(
        "If f is L-Lipschitz then the gradient of f smoothed by N(0, rho^2 I) is L/rho-Lipschitz. Encoded: the largest "
        "change of the gradient over a step D, 2 L (Phi(|D|/(2 rho)) - Phi(-|D|/(2 rho))), is at most (L/rho)|D|."
    ),
    place="Fact 5, Appendix D",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{LARGEST} <= L/rho*norm(D)", (L, RHO, D)),
    rests_on=("gaussian-smoothing-gradient", "resque/FACT-5/mean"),
    argument=PRINTED,
    tightness=(
        Tightness(
            "smoothness",
            printed="1",
            form=f"{LARGEST} <= {{c}}*L/rho*norm(D)",
            proved="sqrt(2/pi)",
            refuted="0.79",
            argument=TOUCH,
            candidates=NEAR,
        ),
    ),
    mutants=(
        mutant("lost-radius", "L in place of L/rho", f"{LARGEST} <= L*norm(D)", "L=1 rho=1/8 D=(1/10,)"),
        Mutant("power", "the square of the distance", f"{LARGEST} <= L/rho*norm(D)**2", candidates=NEAR),
    ),
    steps=(
        step(
            "mean",
            "x -> E g(x + xi) is L/rho-Lipschitz for every measurable g with |g| <= L, gradient or not",
            f"{LARGEST} <= L/rho*norm(D)",
            (L, RHO, D),
            rests_on=("rotation-invariance", "monotone-mean", *(f"resque/FACT-5/r{i}" for i in (1, 2, 3))),
            argument=PRINTED,
            mutants=(Mutant("constant", "0.79 of it", f"{LARGEST} <= 0.79*L/rho*norm(D)", candidates=NEAR),),
        ),
        step(
            "r1",
            "pointwise, for a unit vector u: <u, g> (a - b) <= L |a - b|, a and b the two densities at the point",
            "dot(u, g)*(a - b) <= L*abs(a - b)",
            (L, vector("u"), vector("g", "gradient"), real("a", "[0, oo)"), real("b", "[0, oo)")),
            ("norm(u) <= 1", "norm(g) <= L"),
            argument=(Solve(),),
            mutants=(mutant("half", "half of it", "dot(u, g)*(a - b) <= L/2*abs(a - b)", "L=1 u=(1,) g=(1,) a=1 b=0"),),
        ),
        step(
            "r2",
            "the density at x + D is the larger one where <z - x - D/2, D> >= 0: the difference of the two exponents",
            "dot(z - x, z - x)/(2*rho**2) - dot(z - x - D, z - x - D)/(2*rho**2) == dot(z - x - D/2, D)/rho**2",
            (RHO, vector("x"), vector("z"), D),
        ),
        step(
            "r3",
            "at z = x + D + xi, in units of rho|D|, that is |D|/(2 rho) plus a standard normal: nonnegative with "
            "probability Phi(|D|/(2 rho)); likewise Phi(-|D|/(2 rho)) at z = x + xi (-D for D)",
            "dot(D/2 + xi, D)/(rho*norm(D)) == norm(D)/(2*rho) + dot(xi, D)/norm(D)/rho",
            (RHO, vector("xi", "a draw"), D),
            ("0 < norm(D)",),
        ),
    ),
)
