"""Proposition 1: acceleration by ball optimisation oracles, quoted from [ACJ+21] with larger tolerances.

The heart, the potential decrease quoted as Lemma 5 of [ACJ+21] (s3), is right with its printed constants: it is a
nonnegative combination of convexity at the proximal point, the two oracle guarantees, Jensen's inequality and the
triangle inequality. It reads E|g~ - g|^2 <= sigma^2 about the exact gradient g = lambda (y - xhat) (not about the
mean of g~) and bias |E g~ - g| <= delta; it needs the point v and the comparison point xstar in B(R).

The printed range of lambda is wrong. L/eps_opt has the unit of 1/length, lambda that of objective/length^2; and with
L = R = 1 the range [lamstar/C, C L/eps] is empty as soon as K log(kappa) > C kappa: at the parameters of Theorems 1
and 2 for every d >= kappa with log(kappa) > C, that is in the whole regime for which they are written. What the
search needs is max(lamstar, 2L/r). The printed log(kappa) is 0 at kappa = 1, where it allows no iteration although
eps < LR may be asked for, and phi = lambda r^2/(C log^3 kappa) has no value; max(1, log kappa) mends both.
`PROP-1~repaired` (beside this file) carries the whole argument with explicit constants: 24 K max(1, log kappa)
iterations on average.

Spec and paper agree here. r = 0, which the paper allows, gives no K: the range is read as (0, R].
"""

import numpy as np

from dpaudit.algorithms.resque import ball_acceleration
from dpaudit.algorithms.resque.ball_acceleration import Objective, Shape
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials

L, R = positive("L", "Lipschitz constant"), positive("R", "radius of the domain")
RADIUS, EPS = positive("r", "radius of the oracles"), positive("eps", "target error eps_opt")
C = real("C", "[1, oo)", "the constant C_ba")
K, KAPPA = "((R/r)**(2/3))", "(L*R/eps)"
LAMSTAR = f"(eps*{K}**2/R**2*log({KAPPA})**2)"
PROBLEM = (L, R, RADIUS, EPS)
ADMISSIBLE = ("r <= R", "eps <= L*R")

# One iteration. lambda a^2 = A' = A + a (s1) gives lambda; g = lambda (y - xhat) gives y; A' y = A x + a v gives v.
OLD, STEP = real("A", "[0, oo)", "weight before the iteration"), positive("a", "its increment")
LAM = "((A + a)/a**2)"
Y, V = f"(xhat + g/{LAM})", "(xhat + (A/a)*(xhat - x) + a*g)"
MOVE = f"dot({Y} - xhat, {Y} - xhat)"
ITERATION = (
    OLD,
    STEP,
    real("R", "[0, oo)", "radius of the domain"),
    real("phi", "[0, oo)", "error of the ball optimisation oracle"),
    real("sigma", "[0, oo)", "root mean square error of g~"),
    real("delta", "[0, oo)", "bias of g~"),
    real("F_x", meaning="F at the point x"),
    real("F_xhat", meaning="F at the proximal point"),
    real("F_star", meaning="F at the comparison point"),
    real("EF_new", meaning="mean of F at the new point x'"),
    real("E_moved", "[0, oo)", "mean of |x' - y|^2"),
    real("E_error", "[0, oo)", "mean of |g~ - g|^2"),
    real("E_dist", meaning="mean of |v' - xstar|^2"),
    vector("x"),
    vector("xhat", "the proximal point"),
    vector("g", "lambda (y - xhat), a subgradient at xhat while the ball constraint is inactive"),
    vector("xs", "the comparison point xstar"),
    vector("b", "the bias E g~ - g"),
)
SUBGRADIENT = ("F_xhat + dot(g, xs - xhat) <= F_star", "F_xhat + dot(g, x - xhat) <= F_x")
ORACLES = (
    f"EF_new + {LAM}/2*E_moved <= F_xhat + {LAM}/2*{MOVE} + phi",
    "norm(b) <= delta",
    "dot(b, b) <= E_error",
    "E_error <= sigma**2",
)
PROJECTED = f"E_dist <= dot({V} - xs, {V} - xs) - a*dot(g + b, {V} - xs) + a**2/4*(dot(g, g) + 2*dot(g, b) + E_error)"
HYPOTHESES = (*SUBGRADIENT, *ORACLES, PROJECTED, f"norm({V}) <= R", "norm(xs) <= R")
CHANGE = f"(A + a)*(EF_new - F_star) + E_dist - (A*(F_x - F_star) + dot({V} - xs, {V} - xs))"
ERRORS = "(A + a)*phi + a**2*sigma**2 + 2*R*a*delta"


def decrease(constant):
    """The potential decrease with `constant` in place of 1/6."""
    return f"{CHANGE} <= -{constant}*{LAM}*(A + a)*{MOVE} + {ERRORS}"


DECREASE = (
    Combine(
        terms=(
            ("a", SUBGRADIENT[0]),
            ("A", SUBGRADIENT[1]),
            ("A + a", ORACLES[0]),
            ("(A + a)**2/(2*a**2)", "0 <= E_moved"),
            ("1", PROJECTED),
            ("a", f"dot(b, xs - {V}) <= norm(b)*norm(xs - {V})"),
            ("a*norm(b)", f"norm(xs - {V}) <= norm(xs) + norm({V})"),
            ("a*norm(b)", "norm(xs) <= R"),
            ("a*norm(b)", f"norm({V}) <= R"),
            ("2*a*R", "norm(b) <= delta"),
            ("a**2/12", "0 <= dot(g - 3*b, g - 3*b)"),
            ("3*a**2/4", "dot(b, b) <= E_error"),
            ("a**2", "E_error <= sigma**2"),
        ),
        because="convexity at xhat, the oracles' guarantees, and 2<g, b> <= |g|^2/3 + 3|b|^2",
    ),
)
# F(x) = 3(x + 4), v = -1, xstar = 1, bias 1 along xstar - v, x' = y: every hypothesis with equality.
EXTREME = point("A=1 a=1 R=1 phi=0 sigma=1 delta=1 F_x=0 F_xhat=0 F_star=15 EF_new=9/4 E_moved=0 E_error=1 E_dist=16 x=(-4,) xhat=(-4,) g=(3,) xs=(1,) b=(1,)")  # fmt: skip
# Each breaks one hypothesis, in their order, and the decrease with it.
BROKEN = tuple(
    tuple((name, changed.get(name, value)) for name, value in EXTREME)
    for changed in (
        {"F_star": "14"}, {"F_x": "-1"}, {"EF_new": "3"}, {"delta": "1/2"},
        {"E_error": "0", "sigma": "0", "E_dist": "63/4"}, {"sigma": "0"}, {"E_dist": "17"},
        {"x": "(-5,)", "xhat": "(-5,)", "F_star": "18", "E_dist": "25"}, {"xs": "(2,)", "F_star": "18", "E_dist": "25"},
    )
)  # fmt: skip
# F(x) = 3x with exact oracles: equality in s3a.
LINEAR = point("A=0 a=1 F_x=12 F_xhat=0 F_star=15 E_dist=49/4 x=(0,) xhat=(-4,) g=(3,) xs=(1,)")  # fmt: skip
# The same with a = 1/2 or 2 from other points.
LINEAR_SHORT = point("A=0 a=1/2 F_x=0 F_xhat=0 F_star=-2 E_dist=9/4 x=(1,) xhat=(1,) g=(2,) xs=(0,)")  # fmt: skip
LINEAR_LONG = point("A=0 a=2 F_x=0 F_xhat=0 F_star=-1 E_dist=4 x=(1,) xhat=(1,) g=(1,) xs=(0,)")  # fmt: skip
GREW = "(1 + sqrt(1 + 4*lam*A))/(2*lam)"
LAMBDA = positive("lam", "regularisation strength")
LK = real("lk", "[1, oo)", "max(1, log kappa)")
SEARCH = (real("D", "[12/16, 14/16]", "the measured movement"), real("error", "[-1/17, 1/17]", "of the measurement"))
RANGE = (
    "The upper end C_ba L/eps_opt of the range of lambda is wrong. It has the unit of 1/length instead of "
    "objective/length^2, and with L = R = 1 the range is empty when K log(kappa) > C_ba kappa (lamstar/C_ba lies above "
    "it): for r = eps/(sqrt(d) L), as in Theorems 1 and 2, for all d >= kappa once log(kappa) > C_ba. L/r was "
    "meant, it seems. The theorems use the lower end only and survive; max(lamstar, 2L/r) is what is needed. The "
    "number of iterations, the error and the oracles' errors are right up to constants (PROP-1~repaired), but for "
    "kappa near 1 (budget)."
)


def printed_range(stream, trials):
    """The largest lambda of runs on F(x) = |x - c|, |c| = 1, over the printed 6 L/eps, for R/r = 1000 and kappa = 3."""
    centres = stream.part("centres").normals(np.arange(trials), 0, 4)
    centres /= np.linalg.norm(centres, axis=1)[:, None]
    params = ball_acceleration.Params(1.0, 1e-3, 1.0, 1 / 3, acceleration_constant=6.0)
    objective = Objective(Shape.NORM, centres)
    found = ball_acceleration.runs(ball_acceleration.cpu(params, objective, Trials(stream, np.arange(trials))))
    return found.highest / (6 * params.lipschitz / params.accuracy)


CLAIM = Claim(
    id="resque/PROP-1",
    title="ball acceleration: the range of lambda is not empty",
    words="For r <= R and eps <= LR all oracle calls have lambda in [lamstar/C_ba, C_ba L/eps]; here: there is such a "
    "lambda. (The number of iterations and the final error are PROP-1~repaired, the oracle parameters the steps.)",
    place="Proposition 1; Appendix B",
    kind=ClaimKind.NON_VACUITY,
    statement=Statement(f"{LAMSTAR}/C <= C*L/eps", (*PROBLEM, C), ADMISSIBLE),
    empirical=(Search("printed_range", near_miss=0.5, trials=10),),
    expects=Outcome.REFUTED,
    candidates=(point("L=1 R=1 r=1/1000 eps=1/3 C=6"),),
    finding=RANGE,
    repair="resque/PROP-1~repaired",
    steps=(
        step(
            "empty",
            "whatever C is, there is an instance whose range is empty: L = R = 1, kappa = 3, K = 3C",
            "C*3 < 1/3*(3*C)**2*log(3)**2/C",
            (C,),
            argument=(
                Rewrite(left="3*C*1", right="3*C*log(3)**2"),
                Scale("1/(3*C)"),
                Rewrite(left="1", right="log(3)**2"),
                Boxes(),
            ),
            kind=ClaimKind.NON_VACUITY,
            mutants=(Mutant("iterations", "K = C in place of 3C", "C*3 < 1/3*C**2*log(3)**2/C"),),
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
            "where C K log(kappa) < 1 no iteration is allowed, so no oracle is called; then L R <= eps",
            "L*R <= eps",
            (*PROBLEM, C),
            (*ADMISSIBLE, f"C*{K}*log({KAPPA}) < 1"),
            kind=ClaimKind.NON_VACUITY,
            candidates=(point("L=1 R=1 r=1 eps=10/11 C=6"),),
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
        step(
            "s1",
            "lambda a^2 = A + a for a = (1 + sqrt(1 + 4 lambda A))/(2 lambda)",
            f"lam*({GREW})**2 == A + {GREW}",
            (LAMBDA, OLD),
        ),
        step(
            "s2",
            "sqrt(A') >= sqrt(A) + 1/(2 sqrt(lambda))",
            "sqrt(A) + 1/(2*sqrt(lam)) <= sqrt(A + a)",
            (LAMBDA, OLD, STEP),
            ("lam*a**2 == A + a",),
            argument=(Solve(),),
            candidates=(point("lam=1 A=2 a=2"),),
            mutants=(
                mutant(
                    "growth",
                    "51/100 in place of 1/2",
                    "sqrt(A) + 51/100/sqrt(lam) <= sqrt(A + a)",
                    "lam=1 A=9900 a=100",
                ),
            ),
        ),
        Step(
            "s3",
            "E[A'(F(x') - F*) + |v' - xstar|^2] - (A(F(x) - F*) + |v - xstar|^2) <= "
            "-(1/6) lambda A' |xhat - y|^2 + A' phi + a^2 sigma^2 + 2 R a delta while the ball constraint is inactive",
            Statement(decrease("1/6"), ITERATION, HYPOTHESES),
            rests_on=("first-order-optimality", "projection-onto-a-convex-set", "jensen"),
            argument=DECREASE,
            kind=ClaimKind.IMPLICATION,
            candidates=(EXTREME,),
            mutants=(
                Mutant(
                    "bias", "R a delta in place of 2 R a delta", decrease("1/6").replace("2*R*a*delta", "R*a*delta")
                ),
                Mutant(
                    "variance",
                    "a^2 sigma^2/2 in place of a^2 sigma^2",
                    decrease("1/6").replace("*sigma**2", "*sigma**2/2"),
                ),
                *(
                    Mutant(
                        f"without-{i + 1}",
                        f"without {dropped}",
                        conditions=(*HYPOTHESES[:i], *HYPOTHESES[i + 1 :]),
                        candidates=(BROKEN[i],),
                    )
                    for i, dropped in enumerate(HYPOTHESES)
                ),
            ),
            tightness=(
                Tightness(
                    "decrease",
                    printed="1/6",
                    form=decrease("{c}"),
                    proved="1/6",
                    refuted="17/100",
                    candidates=(EXTREME,),
                ),
            ),
        ),
        step(
            "s3a",
            "with exact oracles the potential decreases by (3/4) lambda A' |xhat - y|^2",
            f"(A + a)*(F_xhat - F_star) + E_dist - (A*(F_x - F_star) + dot({V} - xs, {V} - xs))"
            f" <= -3/4*{LAM}*(A + a)*{MOVE}",
            tuple(
                s
                for s in ITERATION
                if s.name in ("A", "a", "F_x", "F_xhat", "F_star", "E_dist", "x", "xhat", "g", "xs")
            ),
            (*SUBGRADIENT, f"E_dist <= dot({V} - xs, {V} - xs) - a*dot(g, {V} - xs) + a**2/4*dot(g, g)"),
            argument=(
                Combine(
                    terms=(
                        ("a", SUBGRADIENT[0]),
                        ("A", SUBGRADIENT[1]),
                        ("1", f"E_dist <= dot({V} - xs, {V} - xs) - a*dot(g, {V} - xs) + a**2/4*dot(g, g)"),
                    )
                ),
            ),
            kind=ClaimKind.IMPLICATION,
            candidates=(LINEAR, LINEAR_SHORT, LINEAR_LONG),
            mutants=(
                Mutant(
                    "constant",
                    "0.76 in place of 3/4",
                    f"(A + a)*(F_xhat - F_star) + E_dist - (A*(F_x - F_star) + dot({V} - xs, {V} - xs))"
                    f" <= -0.76*{LAM}*(A + a)*{MOVE}",
                ),
            ),
        ),
        step(
            "s3b",
            "(a^2/4) E|g~|^2 <= (a^2/4)((4/3)|g|^2 + 4 sigma^2)",
            "a**2/4*(dot(g, g) + 2*dot(g, b) + E_error) <= a**2/4*(4/3*dot(g, g) + 4*sigma**2)",
            (STEP, real("sigma", "[0, oo)"), real("E_error", "[0, oo)"), vector("g"), vector("b")),
            ("dot(b, b) <= E_error", "E_error <= sigma**2"),
            argument=(
                Combine(
                    terms=(
                        ("a**2/12", "0 <= dot(g - 3*b, g - 3*b)"),
                        ("3*a**2/4", "dot(b, b) <= E_error"),
                        ("a**2", "E_error <= sigma**2"),
                    )
                ),
            ),
            candidates=(
                point("a=1 sigma=1 E_error=1 g=(3,) b=(1,)"),
                point("a=1 sigma=1/2 E_error=1/4 g=(3/2,) b=(1/2,)"),
            ),
            mutants=(
                Mutant(
                    "constant",
                    "3.9 sigma^2 in place of 4 sigma^2",
                    "a**2/4*(dot(g, g) + 2*dot(g, b) + E_error) <= a**2/4*(4/3*dot(g, g) + 3.9*sigma**2)",
                ),
            ),
        ),
        step(
            "s3b-root",
            "sqrt(2 lambda phi) w <= (1/2) lambda w^2 + phi",
            "sqrt(2*lam*phi)*w <= 1/2*lam*w**2 + phi",
            (LAMBDA, real("phi", "[0, oo)"), real("w", "[0, oo)", "|xhat - y|")),
            argument=(
                Rewrite(left="sqrt(2*lam)*sqrt(phi)*w", right="(sqrt(lam/2)*w)**2 + sqrt(phi)**2"),
                Combine(terms=(("1", "0 <= (sqrt(lam/2)*w - sqrt(phi))**2"),)),
            ),
            mutants=(Mutant("constant", "0.45 in place of 1/2", "sqrt(2*lam*phi)*w <= 0.45*lam*w**2 + phi"),),
        ),
        step(
            "s4",
            "while running, |xhat - y| = Omega(r), here (11/16) r or more, or lambda = lamstar: the search "
            "(ALG-13) accepts lambda > "
            "lamstar only if "
            "the measured movement D lies in [(12/16) r, (14/16) r], and it errs by at most r/17 (D and error in "
            "units of r)",
            "11/16 <= D - error",
            SEARCH,
            argument=(Positive(),),
            kind=ClaimKind.IMPLICATION,
            mutants=(mutant("movement", "0.7 r in place of (11/16) r", "0.7 <= D - error", "D=3/4 error=1/17"),),
        ),
        step(
            "s4-inactive",
            "and then the ball constraint is inactive, as s3 needs: |xhat - y| <= (15/16) r",
            "D - error <= 15/16",
            SEARCH,
            argument=(Positive(),),
            kind=ClaimKind.IMPLICATION,
            mutants=(mutant("narrower", "0.93 r in place of (15/16) r", "D - error <= 0.93", "D=7/8 error=-1/17"),),
        ),
        step(
            "s5",
            "the A' phi terms of the case lambda = O(lamstar): K log(kappa) (R^2/eps) lamstar r^2/log(kappa)^3 = R^2",
            f"{K}*log({KAPPA})*R**2/eps*{LAMSTAR}*r**2/log({KAPPA})**3 == R**2",
            PROBLEM,
            ("r <= R", "eps < L*R"),
        ),
        step(
            "s6",
            "eps sqrt(lamstar) sqrt(eps)/R = eps^2 K log(kappa)/R^2 (ell = log kappa)",
            f"eps*sqrt(eps*{K}**2/R**2*ell**2)*sqrt(eps)/R == eps**2*{K}*ell/R**2",
            (R, RADIUS, EPS, real("ell", "[0, oo)", "log kappa")),
        ),
        step(
            "s6-bound",
            "eps/a = eps sqrt(lambda)/sqrt(A') is at least that, as lambda >= lamstar and A' <= R^2/eps (m = K log "
            "kappa)",
            "eps**2*m/R**2 <= eps/a",
            (R, EPS, real("m", "[0, oo)", "K log kappa"), LAMBDA, positive("A_new", "A'"), STEP),
            ("eps*m**2/R**2 <= lam", "A_new <= R**2/eps", "lam*a**2 == A_new"),
            argument=(Scale("a*R**2/eps"), Rewrite(left="eps*m*a", right="R**2"), Solve()),
            kind=ClaimKind.IMPLICATION,
            candidates=(tuple((n, "1") for n in ("R", "eps", "m", "lam", "A_new", "a")),),
            mutants=(Mutant("constant", "2 eps^2 K log(kappa)/R^2", "2*eps**2*m/R**2 <= eps/a"),),
        ),
        erratum(
            "s6-variance",
            "so the declared variance sigma^2 = eps^2 K/(C R)^2 meets sigma^2 <= eps/a: eps^2 K/(C R)^2 <= eps^2 K "
            "log(kappa)/R^2",
            f"eps**2*{K}/(C*R)**2 <= eps**2*{K}*log({KAPPA})/R**2",
            (*PROBLEM, C),
            ADMISSIBLE,
            candidates=(point("L=1 R=1 r=1 eps=100/101 C=6"),),
            finding="A slip at the end of the range: needs log(kappa) >= 1/C_ba^2; for kappa nearer to 1 the "
            "declared variance is larger than the "
            "one that the "
            "analysis allows, whatever the universal constant is. With max(1, log kappa) in lamstar it holds for "
            "C_ba >= 1.",
            repair="resque/PROP-1/s6-variance~repaired",
        ),
        step(
            "s6-variance~repaired",
            "the same with lk = max(1, log kappa)",
            f"eps**2*{K}/(C*R)**2 <= eps**2*{K}*lk/R**2",
            (R, RADIUS, EPS, C, LK),
            argument=(Scale(f"R**2/(eps**2*{K})"), Rewrite(left="1/C**2", right="lk"), Positive()),
            mutants=(
                Mutant(
                    "printed",
                    "lk may be as small as 1/100",
                    symbols=(R, RADIUS, EPS, C, real("lk", "[1/100, oo)")),
                    candidates=(point("R=1 r=1 eps=1 C=6 lk=1/100"),),
                ),
            ),
        ),
        step(
            "s7",
            "a tolerance of r/17 suffices: a lambda measured above (14/16) r and one measured below (12/16) r differ "
            "truly",
            "w_low < w_high",
            (RADIUS, *(real(n, "[0, oo)") for n in ("w_low", "w_high", "D_low", "D_high"))),
            ("D_low < 12/16*r", "14/16*r < D_high", "w_low <= D_low + r/17", "D_high <= w_high + r/17"),
            argument=(Solve(),),
            kind=ClaimKind.IMPLICATION,
            candidates=(point("r=1 w_low=1/2 w_high=1 D_low=1/2 D_high=1"),),
            mutants=(
                Mutant(
                    "tolerance",
                    "r/15 in place of r/17",
                    conditions=(
                        "D_low < 12/16*r",
                        "14/16*r < D_high",
                        "w_low <= D_low + r/15",
                        "D_high <= w_high + r/15",
                    ),
                    candidates=(point("r=1 w_low=813/1000 w_high=812/1000 D_low=299/400 D_high=351/400"),),
                ),
            ),
        ),
    ),
)
