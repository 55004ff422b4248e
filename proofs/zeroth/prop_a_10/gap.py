"""What the utility analysis leaves out: the projection of Noisy-ZOGD."""

from dpaudit.claims.writing import *

from .symbols import *

SIGMA, RADIUS = positive("sigma"), positive("R", "radius of the ball")
GAP_BOUND = "4*d/(T*eta) + M**2*xi**2*d**3 + 2*eta*r*M*sigma**2"
AT = "d=12 K=1 T=10000 M=1/4 xi=1/1000 eta=4 r=1 sigma=1/100 R=1"

GAP = (
    erratum(
        "projection",
        "(109) for Noisy-ZOGD as (3) has it, with its projection onto the ball. Encoded for one loss, lbar(w) = "
        "-Phi(w_1), with B = 1, M >= 1/4, L = 1 and H = M e_1 e_1^T, and C_0 >= L, so that nothing is clipped: |grad "
        "lbar| is at least the normal density at R on the whole ball",
        f"(exp(-R**2/2)/sqrt(2*pi))**2 <= {GAP_BOUND}",
        (DIMENSION, DIRECTIONS, STEPS, SMOOTH, XI, ETA, real("r", "[1, oo)", "effective rank"), SIGMA, RADIUS),
        ("1/4 <= M", "eta*M == K", "4*(2 + r)*K <= d"),
        reads=Reads.GAP,
        place="Appendix A.10",
        candidates=(point(AT),),
        rests_on=(f"{HERE}/projection-smooth",),
        finding=(
            "(77) takes the step without its projection. With it, no iterate leaves the ball of radius 1, where |grad "
            "lbar|^2 is at least 0.058; at d = 12, K = 1, eta = 4, xi = 0.001, sigma = 0.01 and T = 10000 the bound is "
            "below 0.004. What converges under a projection is the gradient mapping, not the gradient. The analysis "
            "holds as it stands where the projection never acts, or R is infinite; but the privacy bound that A.10.1 "
            "puts in needs a finite R."
        ),
        repair=HERE,
    ),
    step(
        "projection-smooth",
        "|x| times the normal density, the size of the second derivative of Phi, is at most 1/4: -Phi(w_1) is "
        "1/4-smooth. Encoded for x >= 0; it is even in x",
        "x*exp(-x**2/2)/sqrt(2*pi) <= 1/4",
        (real("x", "[0, oo)"),),
        argument=(
            Have(
                "x*exp(-x**2/2) <= exp(-1/2)",
                (
                    Cases(
                        (
                            (
                                "1/1000 <= x",
                                (
                                    Logarithm(),
                                    Rewrite(left="log(x) - x**2/2", right="-1/2"),
                                    Combine((("1/2", "log(x**2) <= x**2 - 1"),)),
                                ),
                            ),
                            ("otherwise", (Boxes(),)),
                        )
                    ),
                ),
            ),
            Have("exp(-1/2)/sqrt(2*pi) <= 1/4", (Boxes(),)),
            Combine(
                (
                    ("1/sqrt(2*pi)", "x*exp(-x**2/2) <= exp(-1/2)"),
                    ("1", "exp(-1/2)/sqrt(2*pi) <= 1/4"),
                )
            ),
        ),
        mutants=(mutant("fifth", "1/5", "x*exp(-x**2/2)/sqrt(2*pi) <= 1/5", "x=1"),),
    ),
)
