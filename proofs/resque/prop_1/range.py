"""Whether the range of lambda is empty, and its units."""

from dpaudit.claims.writing import *

L, R = positive("L", "Lipschitz constant"), positive("R", "radius of the domain")
RADIUS, EPS = positive("r", "radius of the oracles"), positive("eps", "target error eps_opt")
C = real("C", "[1, oo)", "the constant C_ba")
K, KAPPA = "((R/r)**(2/3))", "(L*R/eps)"
LAMSTAR = f"(eps*{K}**2/R**2*log({KAPPA})**2)"
PROBLEM = (L, R, RADIUS, EPS)
ADMISSIBLE = ("r <= R", "eps <= L*R")

# One iteration. lambda a^2 = A' = A + a (s1) gives lambda; g = lambda (y - xhat) gives y; A' y = A x + a v gives v.
OLD, STEP = real("A", "[0, oo)", "weight before the iteration"), positive("a", "its increment")
LAMBDA = positive("lam", "regularisation strength")

# At L = R = 1, eps = 1/3 and K = 9 (C + 1)^2.
EMPTY = (
    Rewrite(left="3*C", right="27*(C + 1)**4*log(3)**2/C"),
    Have("1 <= log(3)**2", (Boxes(),)),
    Combine((("27*(C + 1)**4/C", "1 <= log(3)**2"), ("27*(C + 1)**4/C - 3*C", "0 < 1"))),
)


def small_log(factor, over):
    """The argument for factor log(1 + 1/over) < 1."""
    log = f"log(1 + 1/({over}))"
    return (
        Rewrite(left=f"{factor}*{log}"),
        Bound(left=f"{factor}/({over})", argument=(Combine(((factor, f"{log} <= 1 + 1/({over}) - 1"),)),)),
        Positive(),
    )


def at_one(text):
    """With L = R = 1."""
    return text.replace("L*R/eps", "1/eps").replace("/R**2", "").replace("R/r", "1/r")


RANGE_STEPS = (
    step(
        "range-every",
        "for every constant C the range is empty: with L = R = 1, for all r <= 1 and eps <= 1/3 with eps K >= C, such "
        "as eps = 1/3 and K = 3 C; the paper has a universal constant C_ba > 0, r in [0, R] and eps in (0, L R]",
        f"C*1/eps < {at_one(LAMSTAR)}/C",
        (RADIUS, EPS, positive("C", "any constant")),
        ("r <= 1", "eps <= 1"),
        ours=("eps <= 1/3", f"C <= eps*{at_one(K)}"),
        argument=(
            Scale("C*eps"),
            Substitute((positive("k", "K"),), where("r=1/k**(3/2)"), where("k=(1/r)**(2/3)")),
            Rewrite(left="C**2", right="(eps*k)**2*log(1/eps)**2"),
            Have("1 < log(1/eps)", (Monotone("eps", "high"), Boxes())),
            Have("C**2 <= (eps*k)**2", (Combine((("C + eps*k", "C <= eps*k"),)),)),
            Combine(
                (
                    ("1", "C**2 <= (eps*k)**2"),
                    ("(eps*k)**2*(log(1/eps) + 1)", "1 < log(1/eps)"),
                )
            ),
        ),
        kind=ClaimKind.NON_VACUITY,
        candidates=(point("r=1/125 eps=1/3 C=1"),),
        mutants=(
            Mutant(
                "smaller",
                "with eps K >= C/4",
                conditions=("r <= 1", "eps <= 1", "eps <= 1/3", f"C/4 <= eps*{at_one(K)}"),
                candidates=(point("r=1/8 eps=1/4 C=4"),),
            ),
        ),
    ),
    step(
        "empty-parallel",
        "with L = R = 1 and r = eps/sqrt(d), as in Theorems 1 and 2, lamstar/C > C L/eps once d >= kappa and "
        "log(kappa) > C (q = kappa^(1/3), so that K = d^(1/3) q^2)",
        "C*q**3 < 1/q**3*(cbrt_d*q**2)**2*ell**2/C",
        (C, real("q", "[1, oo)"), real("cbrt_d", "[1, oo)", "d^(1/3)"), positive("ell", "log kappa")),
        ("q <= cbrt_d", "C < ell"),
        argument=(Scale("C/q"), Rewrite(left="C**2*q**2", right="cbrt_d**2*ell**2"), Solve()),
        kind=ClaimKind.NON_VACUITY,
        candidates=(point("C=1 q=8 cbrt_d=8 ell=6"),),
        mutants=(
            Mutant(
                "dimension",
                "d >= kappa^(1/2) in place of d >= kappa",
                conditions=("q <= cbrt_d**2", "C < ell"),
                candidates=(point("C=1 q=100 cbrt_d=10 ell=2"),),
            ),
        ),
    ),
    erratum(
        "budget",
        "At the end of the range, kappa near 1: where C K log(kappa) < 1 no iteration is allowed, so no oracle is "
        "called; then L R <= eps, for some constant C and all problems",
        "L*R <= eps",
        (constant("C"), *PROBLEM),
        (*ADMISSIBLE, f"C*{K}*log({KAPPA}) < 1"),
        reads=Reads.BOUNDARY,
        kind=ClaimKind.NON_VACUITY,
        argument=(
            ForEvery(
                where("L=1 R=1 r=1 eps=(C+1)/(C+2)"),
                conditions=((), (), small_log("C", "C + 1")),
                because="C log(kappa) <= C/(C + 1), and an error below L R is asked for",
            ),
        ),
        finding="A slip at the end of the range. For kappa near 1 the printed bound C_ba K log(kappa) is "
        "below 1 whatever C_ba is: no oracle may "
        "be "
        "called, but an error eps < LR is promised. By the step no-call a point chosen without a call has an "
        "error of "
        "at least LR for |x - R u| or |x + R u|. max(1, log kappa) in place of log kappa mends it; nothing else "
        "changes.",
        repair="resque/PROP-1~repaired",
    ),
    step(
        "no-call",
        "a point chosen without a call is at distance R or more from R u or from -R u",
        "2*R <= norm(x - R*u) + norm(x + R*u)",
        (R, vector("x"), vector("u")),
        ("norm(u) == 1",),
        argument=(
            Bound(left="norm((x - R*u) - (x + R*u))", argument=(Rewrite(right="2*R*norm(u)"), Solve())),
            Combine(terms=(("1", "norm((x - R*u) - (x + R*u)) <= norm(x - R*u) + norm(x + R*u)"),)),
        ),
        candidates=((("R", "1"), ("x", "(0, 0)"), ("u", "(3/5, 4/5)")),),
        mutants=(Mutant("twice", "4R in place of 2R", "4*R <= norm(x - R*u) + norm(x + R*u)"),),
    ),
    Step(
        "units",
        "the printed end C L/eps of the range has the unit of lambda",
        homogeneous("lam <= C*L/eps", (LAMBDA, C, L, EPS), {"lam": (1, -2), "L": (1, -1), "eps": (1, 0)}),
        reads=Reads.PRINTED,
        kind=ClaimKind.HOMOGENEITY,
        expects=Outcome.REFUTED,
        candidates=((*((n, "1") for n in ("lam", "C", "L", "eps", "value_unit")), ("length_unit", "2")),),
        finding="L/eps_opt is 1/length while lambda, and lamstar at the other end of the range, are "
        "objective/length^2: the printed range changes when lengths are measured in other units. L/r has the unit.",
        repair="resque/PROP-1/units~repaired",
    ),
    Step(
        "units~repaired",
        "L/r has the unit of lambda",
        homogeneous("lam <= C*L/r", (LAMBDA, C, L, RADIUS), {"lam": (1, -2), "L": (1, -1), "r": (0, 1)}),
        kind=ClaimKind.HOMOGENEITY,
        argument=(Identical(),),
    ),
    Step(
        "units-lamstar",
        "lamstar has the unit of lambda, and phi = lambda r^2/C that of the objective",
        homogeneous(
            f"lam*phi <= {LAMSTAR}*lam*r**2/C",
            (LAMBDA, C, positive("phi"), *PROBLEM),
            {"lam": (1, -2), "phi": (1, 0), "L": (1, -1), "R": (0, 1), "r": (0, 1), "eps": (1, 0)},
        ),
        kind=ClaimKind.HOMOGENEITY,
        argument=(Identical(),),
    ),
)
