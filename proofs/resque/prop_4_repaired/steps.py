"""One step of the inner loop, the mean over a loop, the induction."""

from dpaudit.claims.writing import *

L, LAM, PHI = positive("L", "Lipschitz constant"), positive("lam"), positive("phi", "target error")
RHO, RADIUS = positive("rho", "smoothing radius"), positive("r", "radius of the ball, = rho")
T, TIME = integer("T", "[1, oo)", "steps of a loop"), integer("t", "[1, oo)", "step")
LOOP, SIZE = integer("k", "[1, oo)", "outer loop"), real("N", "[1, oo)", "N_k, samples of a step")
SQUARE = real("E_square", "[0, oo)", "E|x^(k-1) - x*|^2")
ALPHA_RANGE, STEP_GAMMA = real("alpha", "(0, 1]"), positive("gamma")
MU, SMOOTH = positive("mu", "strong convexity, lambda"), positive("Ls", "smoothness, L/rho + lambda")
MIDDLE = (
    "((1 - alpha)*(mu + gamma)/(gamma + (1 - alpha**2)*mu)*ag"
    " + alpha*((1 - alpha)*mu + gamma)/(gamma + (1 - alpha**2)*mu)*x)"
)
PLUS = "(alpha*mu/(mu + gamma)*md + ((1 - alpha)*mu + gamma)/(mu + gamma)*x)"
ONE_STEP = (
    f"Psi_new <= Psi_md + alpha*dot(grad, xn - {PLUS}) + Ls*alpha**2/2*dot(xn - {PLUS}, xn - {PLUS})",
    f"(1 - alpha)*Psi_md + alpha*dot(grad, md - {PLUS}) <= (1 - alpha)*Psi_ag",
    "Psi_md + dot(grad, xs - md) + mu/2*dot(xs - md, xs - md) <= Psi_star",
    "0 <= dot(alpha*(grad + err) + alpha*mu*(xn - md) + ((1 - alpha)*mu + gamma)*(xn - x), xs - xn)",
    "Ls*alpha**2 <= gamma",
)


def one_step(noise):
    """The inequality of one step with `noise` as the factor of alpha^2 |err|^2/mu."""
    return (
        "Psi_new + (mu + gamma)/2*dot(xs - xn, xs - xn) <= (1 - alpha)*Psi_ag + alpha*Psi_star"
        f" + ((1 - alpha)*mu + gamma)/2*dot(xs - x, xs - x) + {noise}*alpha**2*dot(err, err)/mu - alpha*dot(err, "
        f"{PLUS} - xs)"
    )


# Psi = x^2/2 (mu = Ls = 1) at alpha = 1, gamma = 1 from md = x = 1 with err = 1: x' = (1 + 1 - 2)/2 = 0.
NOISY = point(
    "alpha=1 gamma=1 mu=1 Ls=1 Psi_new=0 Psi_md=1/2 Psi_ag=1/2 Psi_star=0 "
    "x=(1,) md=(1,) xn=(0,) xs=(0,) grad=(1,) err=(1,)"
)
# Psi = x^2/2 + shift at alpha = 1/2 from md = x = 1 with err = 0: x' = 3/4; and with one hypothesis broken.
HALF_STEP = {
    "alpha": "1/2", "gamma": "1", "mu": "1", "Ls": "1", "Psi_new": "49/128", "Psi_md": "1/2", "Psi_ag": "1/2",
    "Psi_star": "0", "x": "(1,)", "md": "(1,)", "xn": "(3/4,)", "xs": "(0,)", "grad": "(1,)", "err": "(0,)",
}  # fmt: skip
OTHER_STEPS = tuple(
    tuple((HALF_STEP | changed).items())
    for changed in (
        {},
        {"Psi_new": "1329/128", "Psi_md": "21/2", "Psi_ag": "21/2", "Psi_star": "10"},
        {"Psi_new": "-1231/128", "Psi_md": "-19/2", "Psi_ag": "-19/2", "Psi_star": "-10"},
        {"Psi_ag": "0"},
        {"Psi_star": "-1"},
        {"Ls": "100", "Psi_new": "37/32"},
        {"alpha": "1", "Psi_new": "1/2", "xn": "(1,)", "err": "(-1,)"},
    )
)
POTENTIAL = (
    "gap_new + (mu + 4*Ls/(t*(t + 1)))/2*D_new <= (1 - 2/(t + 1))*gap + ((1 - 2/(t + 1))*mu + 4*Ls/(t*(t + 1)))/2*D"
    " + (2/(t + 1))**2*s2/(2*mu)"
)
SUMMED = "T*(T + 1)/2*gap <= (L/rho + lam)*E_square + T*(3*L**2/N)/lam"

LOOP_STEPS = (
    step(
        "r1-weights",
        "with p = (alpha mu x^md + ((1 - alpha) mu + gamma) x_{t-1})/(mu + gamma) the weights of [GL12] make "
        "alpha p = x^md - (1 - alpha) x^ag, so that x_t^ag - x^md = alpha (x_t - p) (times any w)",
        f"dot(w, alpha*{PLUS.replace('md', MIDDLE)}) == dot(w, {MIDDLE} - (1 - alpha)*ag)",
        (ALPHA_RANGE, STEP_GAMMA, MU, vector("w"), vector("x"), vector("ag")),
    ),
    Step(
        "r1",
        "one step: smoothness, convexity at x_{t-1}^ag, strong convexity at x*, and x_t the minimiser of line d "
        "over the ball "
        "give a decrease of the potential up to the error err of the gradient",
        Statement(
            one_step("1/2"),
            (
                ALPHA_RANGE,
                STEP_GAMMA,
                MU,
                SMOOTH,
                *(real(f"Psi_{n}") for n in ("new", "md", "ag", "star")),
                vector("x", "x_{t-1}"),
                vector("md", "x^md"),
                vector("xn", "x_t"),
                vector("xs", "x*"),
                vector("grad", "gradient of Psi at x^md"),
                vector("err", "error of its estimate"),
            ),
            ONE_STEP,
        ),
        argument=(
            Combine(
                terms=(
                    ("1", ONE_STEP[0]),
                    ("1", ONE_STEP[1]),
                    ("alpha", ONE_STEP[2]),
                    ("1", ONE_STEP[3]),
                    (f"norm(xn - {PLUS})**2/2", ONE_STEP[4]),
                    ("1/(2*mu)", f"0 <= dot(mu*(xn - {PLUS}) + alpha*err, mu*(xn - {PLUS}) + alpha*err)"),
                    ("alpha*mu*((1 - alpha)*mu + gamma)/(2*(mu + gamma))", "0 <= dot(md - x, md - x)"),
                )
            ),
        ),
        kind=ClaimKind.IMPLICATION,
        rests_on=("resque/PROP-4~repaired/r1-weights", "first-order-optimality"),
        candidates=(NOISY, *OTHER_STEPS),
        mutants=(Mutant("noise", "a tenth of the error term", one_step("1/20")),),
    ),
    step(
        "r2",
        "its mean with alpha_t = 2/(t + 1), gamma_t = 4 Ls/(t(t + 1)) (the product with err has mean 0 as the "
        "samples are "
        "fresh): U_t = t(t + 1)/2 (gap_t + mu/2 D_t) + Ls D_t, D_t = E|x_t - x*|^2, grows by s^2/mu or less",
        "t*(t + 1)/2*(gap_new + mu/2*D_new) + Ls*D_new <= (t - 1)*t/2*(gap + mu/2*D) + Ls*D + s2/mu",
        (
            TIME,
            MU,
            SMOOTH,
            real("gap"),
            real("gap_new"),
            real("D", "[0, oo)"),
            real("D_new", "[0, oo)"),
            real("s2", "[0, oo)", "variance of the estimate"),
        ),
        (POTENTIAL,),
        argument=(Combine(terms=(("t*(t + 1)/2", POTENTIAL), ("s2/mu", "0 <= 1/(t + 1)"))),),
        kind=ClaimKind.IMPLICATION,
        rests_on=("resque/PROP-4~repaired/r1", "tower-property"),
        candidates=(point("t=1 mu=1 Ls=1 gap=0 gap_new=1 D=1 D_new=0 s2=1"),),
        mutants=(
            mutant(
                "noise",
                "s^2/(3 mu) in place of s^2/mu",
                "t*(t + 1)/2*(gap_new + mu/2*D_new) + Ls*D_new <= (t - 1)*t/2*(gap + mu/2*D) + Ls*D + s2/(3*mu)",
                "t=1 mu=1 Ls=1 gap=0 gap_new=3/2 D=1 D_new=0 s2=1",
            ),
        ),
    ),
    step(
        "s2~repaired",
        "the bound of [GL12] for one loop, with 6L^2 in place of 24L^2: r2 summed over t = 1, ..., T, where U_0 "
        "= Ls D_0, "
        "s^2 = 3L^2/N_k and Ls = L/rho + lambda",
        "gap <= 2*(L/rho + lam)*E_square/(T*(T + 1)) + 6*L**2/(lam*N*(T + 1))",
        (L, RHO, LAM, T, SIZE, SQUARE, real("gap", meaning="E Psi(x^k) - Psi*")),
        (SUMMED,),
        argument=(Combine(terms=(("2/(T*(T + 1))", SUMMED),)),),
        kind=ClaimKind.IMPLICATION,
        rests_on=("resque/PROP-4~repaired/r2", "resque/LEM-1.1", "resque/LEM-1.2", "resque/FACT-5"),
        candidates=(point("L=1 rho=1 lam=1 T=1 N=1 E_square=1 gap=5"),),
        tightness=(
            Tightness(
                "variance of [GL12]",
                printed="24",
                form="gap <= 2*(L/rho + lam)*E_square/(T*(T + 1)) + {c}*L**2/(lam*N*(T + 1))",
                proved="6",
                refuted="5",
                candidates=(point("L=1 rho=1 lam=1 T=1 N=1 E_square=1 gap=5"),),
            ),
        ),
    ),
)
