"""The number of loops and samples in total."""

from dpaudit.claims.writing import *
from dpaudit.problems.smoothing.ridges import Ridge

from .symbols import *

ALPHA, GAMMA = "(2/(t + 1))", "(4*(L/rho + lam)/(t*(t + 1)))"
BELOW = f"({GAMMA} + (1 - {ALPHA}**2)*lam)"
FIRST = f"(1 - {ALPHA})*(lam + {GAMMA})/{BELOW}"
PRINTED_SECOND = f"{ALPHA}*(1 - {ALPHA})*(lam + {GAMMA})/{BELOW}"
CITED_SECOND = f"{ALPHA}*((1 - {ALPHA})*lam + {GAMMA})/{BELOW}"


ONE_LOOP = integer("N", "[1, oo)", "N_1")
"""T and N_1 as the paper rounds them, for K = 1."""
ONE_LOOP_ONLY = (
    "1 < lam*r**2/phi",
    "lam*r**2/phi <= 2",
    "4*sqrt(1 + L/(r*lam)) <= T",
    "T < 4*sqrt(1 + L/(r*lam)) + 1",
    "96*L**2/(lam**2*r**2*T) <= N",
    "N < 96*L**2/(lam**2*r**2*T) + 1",
)


# At the point of s6: u = 1/(C + 5) is L and lambda r^2/phi - 1.
ROOTS_BELOW = (
    Rewrite(left="4*sqrt(1 + 1/(C + 5))", right="5"),
    Power("2"),
    Rewrite(left="16*(1 + 1/(C + 5))", right="25"),
    Positive(),
)
ROOTS_ABOVE = (
    Shift("-1"),
    Rewrite(left="4", right="4*sqrt(1 + 1/(C + 5))"),
    Power("2"),
    Rewrite(left="16", right="16*(1 + 1/(C + 5))"),
    Positive(),
)
BELOW_THREE = (
    Rewrite(left="C*(sqrt(1 + 1/(C + 5))*log(1 + 1/(C + 5)) + (C + 6)/(C + 5)**3)", right="5"),
    Have("4*sqrt(1 + 1/(C + 5)) <= 5", ROOTS_BELOW),
    Bound(
        left="C*(5/4*log(1 + 1/(C + 5)) + (C + 6)/(C + 5)**3)",
        argument=(Combine(terms=(("C*log(1 + 1/(C + 5))/4", "4*sqrt(1 + 1/(C + 5)) <= 5"),)),),
    ),
    Bound(
        left="C*(5/4/(C + 5) + (C + 6)/(C + 5)**3)",
        argument=(Combine(terms=(("5*C/4", "log(1 + 1/(C + 5)) <= 1 + 1/(C + 5) - 1"),)),),
    ),
    Positive(),
)


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
        "lambda)) log(lambda r^2/phi) + L^2/(lambda phi)): at most C times, C the constant that O(.) hides. Here for "
        "lambda r^2/phi <= 2, where K = 1",
        "T*N <= C*(sqrt(1 + L/(r*lam))*log(lam*r**2/phi) + L**2/(lam*phi))",
        (constant("C"), L, RADIUS, LAM, PHI, T, ONE_LOOP),
        ONE_LOOP_ONLY,
        reads=Reads.BOUNDARY,
        kind=ClaimKind.COST,
        place="Appendix D, last display",
        printed=(
            r"T \cdot \left(\sum_{k \in [K]} N_k\right) = O\left(\sqrt{1 + \frac{L}{\rho\lambda}} \log\left("
            r"\frac{\lambda r^2}{\phi}\right) + \frac{L^2}{\lambda\phi}\right)"
        ),
        argument=(
            ForEvery(
                where("L=1/(C+5) r=1 lam=1 phi=(C+5)/(C+6) T=5 N=1"),
                BELOW_THREE,
                ((), (), ROOTS_BELOW, ROOTS_ABOVE, (), ()),
                because="one loop of five steps with one sample each, and the right side is below 3",
            ),
        ),
        finding="A boundary slip. One loop of T >= 4 steps with one sample each is the least, while "
        "log(lambda r^2/phi) and "
        "L^2/(lambda phi) may "
        "both be near 0 (phi just below lambda r^2, L much smaller than lambda r): no constant fits (s6-every). With "
        "1 + log it holds.",
        repair="resque/PROP-4~repaired/s6~repaired",
    ),
    step(
        "s6-every",
        "for every constant C the samples of one loop are more than allowed where C log(lambda r^2/phi) <= 1 and (C + "
        "1) L <= lambda r; the paper has O(.), and L, lambda, phi > 0 with no other bound",
        "C*(sqrt(1 + L/(r*lam))*log(lam*r**2/phi) + L**2/(lam*phi)) < T*N",
        (L, RADIUS, LAM, PHI, T, ONE_LOOP, positive("C", "any constant")),
        ONE_LOOP_ONLY,
        ours=("C*log(lam*r**2/phi) <= 1", "(C + 1)*L <= lam*r"),
        kind=ClaimKind.COST,
        argument=(
            Substitute(
                (positive("x", "L/(r lambda)"), positive("y", "lambda r^2/phi")),
                where("L=x*r*lam phi=lam*r**2/y"),
                where("x=L/(r*lam) y=lam*r**2/phi"),
            ),
            Have("1 <= sqrt(1 + x)"),
            Have("(C + 1)*x <= 1", (Combine(terms=(("1/(r*lam)", "(C + 1)*(x*r*lam) <= lam*r"),)),)),
            Combine(
                terms=(
                    ("T", "1 <= N"),
                    ("1", "4*sqrt(1 + x) <= T"),
                    ("sqrt(1 + x)", "C*log(y) <= 1"),
                    ("C*x**2", "y <= 2"),
                    ("2*x", "(C + 1)*x <= 1"),
                    ("3", "1 <= sqrt(1 + x)"),
                    ("2", "0 <= (x - 1/2)**2"),
                    ("5/2", "0 < 1"),
                )
            ),
        ),
        candidates=(point("L=1/1000 r=1 lam=1 phi=100/101 T=5 N=1 C=10"),),
        mutants=(
            Mutant(
                "any-L",
                "for every L",
                conditions=(*ONE_LOOP_ONLY, "C*log(lam*r**2/phi) <= 1"),
                candidates=(point("L=1 r=1 lam=1 phi=999999/1000000 T=6 N=16 C=1000"),),
            ),
        ),
    ),
)
