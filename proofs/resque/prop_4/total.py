"""The number of loops and samples in total."""

from dpaudit.claims.writing import *
from dpaudit.problems.smoothing.ridges import Ridge

from .symbols import *

ALPHA, GAMMA = "(2/(t + 1))", "(4*(L/rho + lam)/(t*(t + 1)))"
BELOW = f"({GAMMA} + (1 - {ALPHA}**2)*lam)"
FIRST = f"(1 - {ALPHA})*(lam + {GAMMA})/{BELOW}"
PRINTED_SECOND = f"{ALPHA}*(1 - {ALPHA})*(lam + {GAMMA})/{BELOW}"
CITED_SECOND = f"{ALPHA}*((1 - {ALPHA})*lam + {GAMMA})/{BELOW}"


def far_gap(stream, trials):
    """Line b as printed on f(x) = x with lambda = 1, xbar = 100."""
    return gaps(stream, trials, Ridge.LINEAR, 0.0, 100.0, 1.0, 4, 4.0, weight="printed")


LINE_B = (
    "The weights sum to 1 - alpha^2 gamma/(gamma + (1 - alpha^2) lambda) < 1, at t = 1 to 0: x_1^md is the origin "
    "instead of "
    "xbar. When |xbar| is much larger than rho, x^md lies outside the ball, the weights of the estimator there have "
    "the second "
    "moment exp(|xbar|^2/rho^2) and the gap exceeds phi. A misprint of alpha ((1 - alpha) lambda + gamma)."
)
TOTAL_STEPS = (
    step(
        "s4",
        "K >= log2(lambda r^2/phi) loops give a gap of at most phi",
        "lam*r**2/2**K <= phi",
        (LAM, RADIUS, PHI, integer("K", "[0, oo)")),
        ("lam*r**2/phi <= 2**K",),
        argument=(Combine(terms=(("phi/2**K", "lam*r**2/phi <= 2**K"),)),),
        candidates=(point("lam=1 r=1 phi=1/2 K=1"),),
        mutants=(
            Mutant(
                "rounded",
                "one loop less",
                conditions=("lam*r**2/phi <= 2**(K + 1)",),
                candidates=(point("lam=1 r=1 phi=1/2 K=0"),),
            ),
        ),
    ),
    erratum(
        "s5",
        "x_t^md is a convex combination of x_{t-1}^ag and x_{t-1}, t = 1, ..., T: its printed weights sum to 1",
        f"{FIRST} + {PRINTED_SECOND} == 1",
        (L, RHO, LAM, TIME),
        place="Algorithm 2, line 9",
        from_standard=(Sampling("far_gap", "<=", 1.0, 4.0, 0.5, trials=2_000),),
        candidates=(point("L=1 rho=1 lam=1 t=1"),),
        finding=LINE_B,
        repair="resque/PROP-4/s5~repaired",
    ),
    step("s5~repaired", "the weights of [GL12] sum to 1", f"{FIRST} + {CITED_SECOND} == 1", (L, RHO, LAM, TIME)),
    step(
        "s5-sign",
        "Not printed: and no combination of them with u and 1 - u in [0, 1] is negative, so that x^md stays in "
        "the ball, where LEM-1.2 bounds the variance",
        f"0 <= u*({FIRST}) + (1 - u)*({CITED_SECOND})",
        (L, RHO, LAM, TIME, real("u", "[0, 1]")),
        reads=Reads.OURS,
        argument=(Positive(),),
        candidates=tuple(
            (("L", "1/10"), ("rho", "1"), ("lam", "1"), ("t", t), ("u", u))
            for t, u in (("1", "0"), ("2", "0"), ("2", "1"))
        ),
        mutants=(
            mutant(
                "sign",
                "the weight of x_{t-1} with gamma - lambda in place of gamma",
                f"0 <= {ALPHA}*((1 - {ALPHA})*lam + {GAMMA} - lam)/{BELOW}*(1 - u)",
                "L=1 rho=1 lam=1 t=100 u=0",
            ),
        ),
    ),
    erratum(
        "s6",
        "At the end of the range, phi near lambda r^2: the total T (N_1 + ... + N_K) is O(sqrt(1 + L/(rho "
        "lambda)) log(lambda r^2/phi) + L^2/(lambda phi)): at most C times",
        "T*N <= C*(sqrt(1 + L/(r*lam))*log(lam*r**2/phi) + L**2/(lam*phi))",
        (L, RADIUS, LAM, PHI, T, integer("N", "[1, oo)"), real("C", "[1, 1000]")),
        ("1 < lam*r**2/phi", "4*sqrt(1 + L/(r*lam)) <= T"),
        reads=Reads.BOUNDARY,
        kind=ClaimKind.COST,
        candidates=(point("L=1/10000 r=1 lam=1 phi=1000000/1000001 T=5 N=1 C=1000"),),
        finding="A boundary slip. One loop of T >= 4 steps with one sample each is the least, while "
        "log(lambda r^2/phi) and "
        "L^2/(lambda phi) may "
        "both be near 0 (phi just below lambda r^2, L much smaller than lambda r): no constant fits. With 1 + "
        "log it holds.",
        repair="resque/PROP-4~repaired/s6~repaired",
    ),
)
