"""Corollary 2: utility of the regularised ball solver (Algorithm 4), F^lam(x) = F(x) + (lambda/2)|x - xbar|^2.

As Lemma 4, with eta = (r'/L) min(1/sqrt T, beta/sqrt d), a start x0 with E|x0 - xs|^2 <= r'^2 <= 4 r^2, and composite
steps. Claimed: x_k in the ball, and E F^lam(x_k) - F^lam(xs) <= C L r' (sqrt d/(beta T) + 1/sqrt T) for every lambda.
What is wrong:

* The noise of the last phase adds (lambda/2) sigma_k^2 d, whatever F is; the proof counts only the Lipschitz part. For
  large lambda no constant C is large enough, and for T = 1 the start itself is (lambda/2) r'^2 off.
* x_k is an average plus Gaussian noise: it leaves the ball with positive probability.
* The composite bound of a phase has the shift of averages of Lemma 4 (s1; a slip of the derivation), and r' = 0 makes
  the step size 0 (s3-zero; a boundary case, harmless).

Repaired, with r <= rho/2: C = 16 and an additional (lambda/2) r'^2/That^4, for every lambda and every real T >= 1 (the
caller passes numbers that are not whole). Proposition 8, the only user, has lambda r' <= 2 L for small errors, where
the new term is harmless. Privacy is not touched: s4 to s6.
"""

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses, smoothed_value


def f_is_zero(regulariser, steps, privacy):
    return sub_erm.Params(
        centre=(0.0,), radius=1.0, smoothing=2.0, privacy=privacy, steps=steps, regulariser=regulariser, distance=1.0
    )


def excess(losses, x, smoothing, regulariser):
    """Mean of F^lam over x less its minimum over [-1, 1], on a grid; F is the smoothed empirical risk, xbar = 0."""

    def objective(points):
        return smoothed_value(losses, points[:, None], smoothing) + regulariser / 2 * points**2

    return objective(x).mean() - objective(np.linspace(-1, 1, 20_001)).min()


def gap_over_repaired_bound(stream, trials):
    """f = 0 and f = |x - 1/2| (L = 1, d = 1, r' = 1): E gap over the repaired bound, lambda r'/L from 10^-2 to 10^9."""
    flat, kink = ridge_losses([(Ridge.ZERO, (1.0,))]), ridge_losses([(Ridge.ABSOLUTE, (1.0,), 0.5)])
    ratios, numbers = [], np.arange(min(trials, 400))
    for losses in (flat, kink):
        for steps in (1, 2, 4, 16, 64):
            for lam in 10.0 ** np.arange(-2, 10):
                params = f_is_zero(lam, steps, 1.25 / np.sqrt(steps))
                x = sub_erm.cpu(params, losses, Trials(stream, numbers)).final[:, 0]
                gap = excess(losses, x, params.smoothing, lam)
                horizon = 2 ** int(np.log2(steps))
                bound = 16 * (1 / (params.privacy * steps) + steps**-0.5) + lam / 2 / horizon**4
                ratios.append(gap / bound)
    return np.array(ratios)


def gradients(stream, cases):
    """Gradients counted by the shipped solver for T = 1, 2, ..., against 2^floor(log2 T) - 1."""
    steps = 1 + np.arange(cases)
    flat = ridge_losses([(Ridge.ZERO, (1.0,))])
    counted = [sub_erm.cpu(f_is_zero(1.0, int(t), 1.0), flat, Trials(stream, np.arange(1))).queries[0] for t in steps]
    return np.array(counted), 2 ** np.floor(np.log2(steps)).astype(np.int64) - 1


def outside_of_the_ball(stream, trials):
    """Whether x_k lies outside of the ball: F = x on [-1, 1], T = 2, and much noise (beta = 1/10)."""
    line = ridge_losses([(Ridge.LINEAR, (1.0,))])
    params = sub_erm.Params(
        centre=(0.0,), radius=1.0, smoothing=2.0, privacy=0.1, steps=2, regulariser=0.01, distance=2.0, start=(-1.0,)
    )
    return np.abs(sub_erm.cpu(params, line, Trials(stream, np.arange(trials))).final[:, 0]) > 1


L, RP, LAM = positive("L", "Lipschitz constant"), positive("rp", "r', distance of the start"), positive("lam", "lambda")
BETA, ETA, SIGMA = positive("beta", "privacy parameter"), positive("eta", "step size"), positive("sigma", "noise")
D, T, H = integer("d", "[1, oo)", "dimension"), real("T", "[2, oo)", "gradients"), real("h", "[2, oo)", "That")
RATE = "(sqrt(d)/(beta*T) + 1/sqrt(T))"
MINIMUM = "min(1/sqrt(T), beta/sqrt(d))"
STEPS = ("eta*L*sqrt(T) <= rp", "eta*L*sqrt(d) <= rp*beta", "rp/(L*eta) <= sqrt(T) + sqrt(d)/beta")
ROUNDED = ("h <= T", "T <= 2*h")
Y, Y0, G, C = vector("y"), vector("y0", "y_{j-1}"), vector("g", "the gradient"), vector("c", "xbar")
Z = "((y0 + eta*lam*c - eta*g)/(1 + eta*lam))"
NOISE = f"(rp*{MINIMUM}/(beta*h**2))"


def square(text):
    return f"dot({text}, {text})"


def objective(at_point):
    return f"(eta*dot(g, {at_point}) + {square(f'{at_point} - y0')}/2 + eta*lam/2*{square(f'{at_point} - c')})"


PRINTED = Claim(
    id="resque/COR-2",
    title="utility of the regularised ball solver",
    words=(
        "For every lambda > 0: E F^lam(x_k) - F^lam(xs) <= C_cvx L r' (sqrt(d)/(beta T) + 1/sqrt(T)), C_cvx = 16. Here "
        "for f = 0, which is L-Lipschitz, with xs = x0 = xbar and T >= 2: the gap is (lambda/2) E|x_k - xbar|^2, at "
        "least (lambda/2) sigma_k^2 d with sigma_k = r' min(1/sqrt T, beta/sqrt d)/(beta That^2)."
    ),
    place="Corollary 2",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(f"lam/2*{NOISE}**2*d <= 16*L*rp*{RATE}", (L, RP, LAM, BETA, D, T, H), ROUNDED),
    expects=Outcome.REFUTED,
    candidates=(point("L=1 rp=1 lam=10000 beta=1 d=1 T=2 h=2"),),
    finding=(
        "False for every constant as lambda grows: the noise costs (lambda/2) sigma_k^2 d and the bound does not know "
        "lambda. Proposition 8, the only user, calls it with lambda r' <= 2 L unless the bound exceeds the trivial "
        "one, so that the missing term is absorbed: Theorems 3 and 4 survive with larger constants. The words "
        "`produces x in the ball` are false as well (see `membership`), and LEM-4's condition on r and rho is missing."
    ),
    repair="resque/COR-2~repaired",
    steps=(
        step(
            "gradients",
            "at most T gradients: T_k + ... + T_1 = 1 + 2 + ... + 2^(k-1) = That - 1",
            "sum(j, 0, k - 1, 2**j) == 2**k - 1", (integer("k", "[1, oo)", "number of phases"),),
            kind=ClaimKind.COST,
            argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
            empirical=(Count("gradients", cases=130),),
        ),
        erratum(
            "membership",
            "x_k lies in the ball. Here on the line: if the noise exceeds 2 r to the right, x_k is outside wherever "
            "the average was; the probability of that is claimed to be 0",
            "Phi(-2*r/sigma) <= 0", (positive("r", "radius of the ball"), SIGMA),
            kind=ClaimKind.TAIL,
            empirical=(Chance("outside_of_the_ball", 0.0, 0.0, trials=2_000),),
            candidates=(point("r=1 sigma=1"),),
            finding=(
                "The returned x_k = ybar_k + N(0, sigma_k^2 I) is not projected and leaves the ball with positive "
                "probability (in every dimension, for every T >= 2). Callers that need a point of the ball (the start "
                "of the next call in Algorithm 5, the answer of the oracles) must project: privacy is kept by "
                "post-processing, and the projection onto a ball around xbar raises neither the regulariser nor the "
                "distance to xs."
            ),
            repair="resque/COR-2~repaired/r9",
        ),
        erratum(
            "s1",
            "the bound of a phase, |x_{i-1} - u|^2/(2 eta_i T_i) + 3 eta_i L^2/2, also holds for F^lam with composite "
            "steps, as it is derived (unbiased gradients with E|G|^2 <= 3 L^2, and the quoted composite bound). As in "
            "LEM-4/s4, for such an oracle that is not the ReSQue one: T_i = 1, F(x) = L|x|, x_{i-1} = u = xbar = 0, "
            "gradients +g and -g",
            "L*(eta*g/(1 + eta*lam)) + lam/2*(eta*g/(1 + eta*lam))**2 <= 3*eta*L**2/2",
            (L, LAM, ETA, positive("g", "size of the gradients")), ("g**2 <= 3*L**2",),
            candidates=(point("L=1 lam=1/100 eta=1 g=17/10"),),
            finding=(
                "A slip of the derivation. The quoted composite bound is about F at y_0, ..., y_{T-1} and the "
                "regulariser at y_1, ..., y_T; the algorithm averages y_1, ..., y_T, for which the bound does not "
                "follow. The shift costs eta_i L^2/(2 T_i), and L r'/T_1 once for a start "
                "that may have a smaller F than xs: both fit into the constant."
            ),
            repair="resque/COR-2~repaired/r3",
        ),
        erratum(
            "s2",
            "E[F^lam(x_k) - F^lam(ybar_k)] has the same bound L sigma_k sqrt d as its counterpart for F. Here f = 0, "
            "ybar_k = xbar",
            "lam/2*sigma**2*d <= L*sigma*sqrt(d)", (L, LAM, SIGMA, D),
            candidates=(point("L=1 lam=4 sigma=1 d=1"),),
            finding=(
                "The regulariser adds exactly (lambda/2) sigma_k^2 d. It is below the Lipschitz part only if lambda "
                "sigma_k sqrt d <= 2 L, which nothing in the corollary asks for. With lambda r' <= 2 L, as in the "
                "calls of Proposition 8 that matter, the step holds with 5/4 L in place of L."
            ),
            repair="resque/COR-2/s2~repaired",
        ),
        step(
            "s2~repaired",
            "with lambda r' <= 2 L and T >= 2: at most (5/4) L sigma_k sqrt d, as sigma_k sqrt d <= r'/That^2 (s = "
            "sigma_k sqrt d)",
            "L*s + lam/2*s**2 <= 5/4*L*s", (L, LAM, RP, positive("s"), H), ("lam*rp <= 2*L", "s <= rp/h**2"),
            rests_on=("resque/COR-2~repaired/r5",),
            argument=(
                Combine(
                    terms=(
                        ("lam*s/2", "s <= rp/h**2"), ("s/(2*h**2)", "lam*rp <= 2*L"),
                        ("L*s*(h + 2)/(4*h**2)", "2 <= h"),
                    )
                ),
            ),
            candidates=(point("L=1 lam=2 rp=1 s=1/4 h=2"), point("L=1 lam=99 rp=1 s=1/4 h=2"), point("L=1 lam=2 rp=1 s=9 h=2")),
            mutants=(
                Mutant("factor", "6/5 in place of 5/4", "L*s + lam/2*s**2 <= 6/5*L*s"),
                Mutant("any-lambda", "no condition on lambda", conditions=("s <= rp/h**2",)),
                Mutant("any-noise", "no condition on the noise", conditions=("lam*rp <= 2*L",)),
            ),
        ),
        step(
            "s3",
            "E|zeta_0|^2 <= r'^2 in place of r^2, so that the first phase costs at most 8 r'^2/(eta T) (a0 = "
            "E|zeta_0|^2)",
            "a0/(2*(eta/4)*(h/2)) <= 8*rp**2/(eta*T)", (RP, ETA, T, H, real("a0", "[0, oo)")),
            ("a0 <= rp**2", *ROUNDED),
            argument=(Combine(terms=(("4/(eta*h)", "a0 <= rp**2"), ("4*rp**2/(eta*h*T)", "T <= 2*h"))),),
            candidates=(point("rp=1 eta=1 T=4 h=2 a0=1"), point("rp=1 eta=1 T=4 h=2 a0=9")),
            mutants=(
                Mutant("factor", "7.5 in place of 8", "a0/(2*(eta/4)*(h/2)) <= 7.5*rp**2/(eta*T)"),
                Mutant("far-start", "any start", conditions=ROUNDED),
            ),
        ),
        erratum(
            "s3-zero",
            "eta is positive (s3 divides by it) for every r' in [0, 2 r]",
            f"0 < rp/L*{MINIMUM}", (L, real("rp", "[0, oo)", "r'"), BETA, D, T),
            candidates=(point("L=1 rp=0 beta=1 d=1 T=2"),),
            finding=(
                "The algorithm admits r' = 0; then eta = 0 and the quotients of the proof are 0/0. Harmless: r' = 0 "
                "means that x0 = xs almost surely and the algorithm returns x0, without noise; the range should be (0, "
                "2 r]."
            ),
            repair="resque/COR-2~repaired",
        ),
        step(
            "s4",
            "completing the square: up to a constant the step minimises (1 + eta lambda)/2 |y - z|^2 with z = (y0 + "
            "eta lambda xbar - eta g)/(1 + eta lambda); here as the difference of the values at y and w",
            f"{objective('y')} - {objective('w')} == (1 + eta*lam)/2*({square(f'y - {Z}')} - {square(f'w - {Z}')})",
            (ETA, LAM, Y, vector("w"), Y0, G, C),
            candidates=(point("eta=1 lam=2 y=(1,) w=(3,) y0=(5,) g=(7,) c=(11,)"),),
        ),
        step(
            "s5",
            "before the projection, two runs are apart by |y0 - w0 - eta (g - h)|/(1 + eta lambda) (the regulariser "
            "has one centre), so that (15) and (22) improve by (1 + eta lambda)^2",
            f"{square(f'{Z} - (w0 + eta*lam*c - eta*q)/(1 + eta*lam)')} == "
            f"{square('y0 - w0 - eta*(g - q)')}/(1 + eta*lam)**2",
            (ETA, LAM, Y0, G, C, vector("w0", "y_{j-1} of the other run"), vector("q", "its gradient")),
            candidates=(point("eta=1 lam=2 y0=(5,) g=(7,) c=(11,) w0=(1,) q=(2,)"),),
        ),
        step(
            "s6",
            "eta L sqrt T <= r'",
            f"rp/L*{MINIMUM}*L*sqrt(T) <= rp", (L, RP, BETA, D, T),
            argument=(Combine(terms=(("rp*sqrt(T)", f"{MINIMUM} <= 1/sqrt(T)"),)),),
            candidates=(point("L=1 rp=1 beta=9 d=1 T=4"),),
            mutants=(Mutant("factor", "0.95 r'", f"rp/L*{MINIMUM}*L*sqrt(T) <= 0.95*rp"),),
        ),
        step(
            "s6-doubled",
            "with r' <= 2 r and rho/r >= 2 * 1728 l^2 the ratio r'/rho is at most 1/(1728 l^2), as r/rho was in Lemma "
            "5: the drift, which knows the steps through eta L/rho only, is bounded as there",
            "rp/rho <= 1/(1728*l**2)",
            (RP, positive("r", "radius"), positive("rho", "smoothing"), positive("l", "log(log T/delta)")),
            ("rp <= 2*r", "2*1728*l**2*r <= rho"),
            argument=(
                Combine(terms=(("1/rho", "rp <= 2*r"), ("1/(1728*l**2*rho)", "2*1728*l**2*r <= rho"))),
            ),
            candidates=(point("rp=2 r=1 rho=3456 l=1"), point("rp=9 r=1 rho=3456 l=1"), point("rp=2 r=1 rho=1728 l=1")),
            mutants=(
                Mutant("not-doubled", "rho/r >= 1728 l^2 as in Lemma "
                                      "5", conditions=("rp <= 2*r", "1728*l**2*r <= rho")),
                Mutant("any-start", "r' above 2 r", conditions=("2*1728*l**2*r <= rho",)),
            ),
        ),
    ),
)  # fmt: skip

OURS = (
    "4*rp**2/(eta*h) + 2*L*rp/h + 4*L**2*eta*d/(beta**2*h) + 2/3*eta*L**2 + L**2*eta*sqrt(d)/(beta*h**2) + "
    "lam/2*(L*eta/(beta*h**2))**2*d"
)
A0, AN, SUM = real("a0", "[0, oo)", "E|y_0 - u|^2"), real("an", "[0, oo)", "E|y_n - u|^2"), real("S", "(-oo, oo)")
F0, FN = real("f0", "(-oo, oo)", "E F(y_0) - F(u)"), real("fn", "(-oo, oo)", "E F(y_n) - F(u)")
N, M = integer("n", "[1, oo)", "T_i"), real("m", "[0, oo)", "E|y_n - u|")
W = real("w", "[0, oo)", "how much better than u the start may be")
PHASE = ("2*eta*S + an <= a0 + 3*eta**2*L**2*n", "fn <= L*m", "m**2 <= an", "0 <= f0 + w")
ONE_STEP = "2*eta*f + anext <= an + 3*eta**2*L**2"
OPTIMAL = "0 <= dot(eta*g + (y - y0) + eta*lam*(y - c), u - y)"
GAP_HYPOTHESES = (f"gap <= {OURS}", *STEPS, "T <= 2*h", "sqrt(T) <= h")
START = ("Fx - Fu <= L*norm(a)", "lam*norm(b) <= L")

REPAIRED = Claim(
    id="resque/COR-2~repaired",
    title="utility of the regularised ball solver, with the cost of the noise",
    words=(
        "For r <= rho/2, r' in (0, 2 r], lambda > 0 and real T >= 2: E F^lam(x_k) - F^lam(xs) <= 16 L r' "
        "(sqrt(d)/(beta T) + 1/sqrt(T)) + (lambda/2) r'^2/That^4; the hypothesis on the gap is what r1 to r6 give. For "
        "T < 2 see r8."
    ),
    place="Corollary 2",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        f"gap <= 16*L*rp*{RATE} + lam/2*rp**2/h**4", (L, RP, LAM, BETA, ETA, D, T, H, real("gap")), GAP_HYPOTHESES
    ),
    rests_on=(
        *(f"resque/COR-2~repaired/r{i}" for i in range(1, 8)),
        *(f"resque/LEM-4/{name}" for name in ("s1", "s3", "s7", "s8~repaired", "s10-eta", "s10-eta-noise")),
        "resque/COR-2/s3", "resque/COR-2/s6",
    ),
    argument=(
        Combine(
            terms=(
                ("1", f"gap <= {OURS}"),
                ("4*rp**2/(eta*h*T)", "T <= 2*h"), ("8*L*rp/T", STEPS[2]),
                ("2*L*rp/(h*sqrt(T))", "sqrt(T) <= h"),
                ("4*L**2*eta*d/(beta**2*h*T)", "T <= 2*h"), ("8*L*sqrt(d)/(beta**2*T)", STEPS[1]),
                ("2*L/(3*sqrt(T))", STEPS[0]),
                ("L/(beta*h**2)", STEPS[1]), ("L*rp/(h**2*sqrt(T))", "sqrt(T) <= h"), ("L*rp/(h*sqrt(T))", "1 <= h"),
                ("lam/(2*beta**2*h**4)*(rp*beta + eta*L*sqrt(d))", STEPS[1]),
                ("13*L*rp/(3*sqrt(T))", "0 <= 1"),
            )
        ),
    ),
    empirical=(Search("gap_over_repaired_bound", near_miss=0.4, trials=400),),
    candidates=(
        point("L=1 rp=1 lam=1 beta=1/1000000 eta=1/1000000 d=1 T=65535 h=32768 gap=244"),
        point("L=1 rp=1 lam=100000000 beta=1 eta=7/10 d=1 T=2 h=2 gap=1530000"),
        point("L=1 rp=1 lam=1 beta=1 eta=7/10 d=1 T=2 h=2 gap=9999"),
    ),
    mutants=(
        Mutant("constant", "15.9 in place of 16", f"gap <= 15.9*L*rp*{RATE} + lam/2*rp**2/h**4"),
        Mutant("printed", "without the cost of the noise", f"gap <= 16*L*rp*{RATE}"),
        Mutant("noise", "lambda/5 in place of lambda/2", f"gap <= 16*L*rp*{RATE} + lam/5*rp**2/h**4"),
        Mutant("no-hypothesis", "any gap", conditions=GAP_HYPOTHESES[1:]),
    ),
    steps=(
        step(
            "r1",
            "the composite step: y minimises eta <g, .> + |. - y0|^2/2 + (eta lambda/2)|. - c|^2 over the ball, so "
            "that for u in the ball eta <g, y0 - u> + (eta lambda/2)(|y - c|^2 - |u - c|^2) <= |y0 - u|^2/2 - |y - "
            "u|^2/2 + eta^2 |g|^2/2",
            f"eta*dot(g, y0 - u) + eta*lam/2*({square('y - c')} - {square('u - c')}) <= "
            f"{square('y0 - u')}/2 - {square('y - u')}/2 + eta**2*dot(g, g)/2",
            (ETA, LAM, Y, Y0, G, C, vector("u", "comparator")), (OPTIMAL,),
            rests_on=("first-order-optimality",),
            argument=(
                Combine(
                    terms=(
                        ("1", OPTIMAL), ("1/2", "0 <= dot(y - y0 + eta*g, y - y0 + eta*g)"),
                        ("eta*lam/2", "0 <= dot(y - u, y - u)"),
                    )
                ),
            ),
            candidates=(
                point("eta=1 lam=1 y=(0,) y0=(1,) g=(1,) c=(0,) u=(-1,)"), point("eta=1 lam=1 y=(9,) y0=(0,) g=(0,) c=(0,) "
                                                                           "u=(0,)"),
                point("eta=1 lam=1/1000 y=(0,) y0=(1,) g=(1,) c=(0,) u=(0,)"),
            ),
            mutants=(
                Mutant("factor", "eta^2/4 in place of eta^2/2",
                       f"eta*dot(g, y0 - u) + eta*lam/2*({square('y - c')} - {square('u - c')}) <= "
                       f"{square('y0 - u')}/2 - {square('y - u')}/2 + eta**2*dot(g, g)/4"),
                Mutant("not-optimal", "y any point", conditions=()),
            ),
        ),
        step(
            "r2",
            "the sum over a phase, by induction: S sums f_{j-1} + p_j (F at y_{j-1}, the regulariser at y_j, each less "
            "its value at u), the mean of r1 is the second hypothesis",
            "2*eta*(S + f) + anext <= a0 + 3*eta**2*L**2*(n + 1)",
            (L, ETA, N, A0, AN, SUM, real("f"), real("anext", "[0, oo)")), (PHASE[0], ONE_STEP),
            argument=(Combine(terms=(("1", PHASE[0]), ("1", ONE_STEP))),),
            candidates=(point("L=1 eta=1 n=1 a0=1 an=4 S=0 f=0 anext=7"), point("L=1 eta=1 n=1 a0=1 an=4 S=0 f=9 anext=7")),
            mutants=(
                Mutant("no-growth", "3 eta^2 L^2 n", "2*eta*(S + f) + anext <= a0 + 3*eta**2*L**2*n"),
                Mutant("no-step", "nothing known of the next step", conditions=(PHASE[0],)),
            ),
        ),
        step(
            "r2-start",
            "E|G|^2 <= 3 L^2 also at the start of a later phase, outside of the ball: t^(d/2) exp(x^2 t) with x = "
            "r/rho <= 1/2 and 1/t = 1 - 2 sigma^2/rho^2; sigma sqrt d <= r'/4 <= rho/4",
            "t**(d/2)*exp(x**2*t) <= 3", (D, real("x", "[0, 1/2]"), real("t", "[1, 8/7]")),
            ("8*d*(t - 1) <= t",),
            rests_on=("noncentral-chi-square",),
            kind=ClaimKind.MOMENT,
            argument=(
                Logarithm(),
                Rewrite(left="d/2*log(t) + x**2*t"),
                Bound(left="d/2*(t - 1) + x**2*t", argument=(Scale("2/d"), Tangent("t", "1"))),
                Bound(left="(1/16 + x**2)*t", argument=(Combine(terms=(("1/16", "8*d*(t - 1) <= t"),)),)),
                Boxes(),
            ),
            candidates=(point("d=100 x=1/2 t=8/7"), point("d=1 x=1/2 t=8/7")),
            mutants=(
                Mutant("constant", "1.4", "t**(d/2)*exp(x**2*t) <= 1.4"),
                Mutant("more-noise", "t up to 8/7 in every dimension", conditions=()),
            ),
        ),
        step(
            "r3",
            "the phase as the algorithm averages it: (S - f_0 + f_n)/n <= a_0/(2 eta n) + 2 eta L^2 + w/n, if the "
            "start is at most w better than u: w = L r' in the first phase, 0 later (LEM-4~repaired/r6)",
            "(S - f0 + fn)/n <= a0/(2*eta*n) + 2*eta*L**2 + "
            "w/n", (L, ETA, N, A0, AN, SUM, F0, FN, M, W), PHASE,
            rests_on=(
                "jensen", "resque/LEM-4~repaired/r1", "resque/LEM-4~repaired/r6",
                *(f"resque/COR-2~repaired/{name}" for name in ("r1", "r2", "r2-start")),
            ),
            argument=(
                Combine(
                    terms=(
                        ("1/(2*eta*n)", PHASE[0]), ("1/n", PHASE[1]), ("1/(2*eta*n)", PHASE[2]), ("1/n", PHASE[3]),
                        ("1/(2*eta*n)", "0 <= (m - eta*L)**2"), ("eta*L**2/(2*n)", "1 <= n"),
                    )
                ),
            ),
            candidates=(
                point("L=1 eta=1 n=1 a0=0 an=1 S=1 f0=-1 fn=1 m=1 w=1"), point("L=1 eta=1 n=1 a0=0 an=1 S=1 f0=-9 fn=1 m=1 "
                                                                         "w=1"),
            ),
            mutants=(
                Mutant("printed", "3/2 in place of 2", "(S - f0 + fn)/n <= a0/(2*eta*n) + 3/2*eta*L**2 + w/n"),
                Mutant("downhill", "the start better than u by any amount", conditions=PHASE[:3]),
                Mutant("free-start", "without w", "(S - f0 + fn)/n <= a0/(2*eta*n) + 2*eta*L**2"),
            ),
        ),
        step(
            "r4",
            "in the first phase F(u) - E F(x0) <= L E|x0 - u| <= L r', as (E|x0 - u|)^2 <= E|x0 - u|^2 <= r'^2",
            "L*m <= L*rp", (L, RP, M, A0), ("m**2 <= a0", "a0 <= rp**2"),
            rests_on=("jensen",),
            argument=(Combine(terms=(("L/(m + rp)", "m**2 <= a0"), ("L/(m + rp)", "a0 <= rp**2"))),),
            candidates=(point("L=1 rp=1 m=1 a0=1"), point("L=1 rp=1 m=9 a0=1"), point("L=1 rp=1 m=9 a0=81")),
            mutants=(
                Mutant("factor", "0.95 r'", "L*m <= 0.95*L*rp"),
                Mutant("no-moment", "no second moment", conditions=("a0 <= rp**2",)),
                Mutant("far", "any start", conditions=("m**2 <= a0",)),
            ),
        ),
        step(
            "r5",
            "the noise of the last phase: zeta is as likely as -zeta, and |u + z - c|^2 averages to |u - c|^2 + |z|^2; "
            "so it costs at most L sigma sqrt d + (lambda/2) sigma^2 d",
            f"({square('u + z - c')} + {square('u - z - c')})/2 == {square('u - c')} + {square('z')}",
            (vector("u"), vector("z", "zeta"), C),
            rests_on=("resque/LEM-4/s5",),
            candidates=(point("u=(1,) z=(3,) c=(7,)"),),
        ),
        step(
            "r6",
            "the phases together, with A = 1 - 2^-(k-1), B = (1 - 4^-k)/3 and sigma_k = L eta/(beta That^2), as "
            "LEM-4~repaired/r8",
            "rp**2/(2*(eta/4)*(h/2)) + L*rp/(h/2) + 4*d*A*L**2*eta/(beta**2*h) + 2*eta*L**2*B + "
            f"L*(L*eta/(beta*h**2))*sqrt(d) + lam/2*(L*eta/(beta*h**2))**2*d <= {OURS}",
            (L, RP, LAM, BETA, ETA, D, H, real("A", "[0, oo)"), real("B", "[0, oo)")), ("A <= 1", "B <= 1/3"),
            rests_on=("resque/LEM-4~repaired/r7", "resque/LEM-4~repaired/r7-halves",
                      *(f"resque/COR-2~repaired/{name}" for name in ("r3", "r4", "r5"))),
            argument=(Combine(terms=(("4*L**2*eta*d/(beta**2*h)", "A <= 1"), ("2*eta*L**2", "B <= 1/3"))),),
            candidates=(point("L=1 rp=1 lam=1 beta=1 eta=1 d=1 h=2 A=1 B=1/3"), point("L=1 rp=1 lam=1 beta=1 eta=1 d=1 h=2 "
                                                                                "A=9 B=0")),
            mutants=(
                Mutant("first-phase", "T_1 = That/4",
                       "rp**2/(2*(eta/4)*(h/4)) + L*rp/(h/2) + 4*d*A*L**2*eta/(beta**2*h) + 2*eta*L**2*B + "
                       f"L*(L*eta/(beta*h**2))*sqrt(d) + lam/2*(L*eta/(beta*h**2))**2*d <= {OURS}"),
                Mutant("long-sum", "A any number", conditions=("B <= 1/3",)),
            ),
        ),
        step(
            "r7",
            "sqrt T <= That for T >= 2, from T <= 2 That and That >= 2",
            "sqrt(T) <= h", (T, H), ("T <= 2*h",),
            argument=(Combine(terms=(("1/(h + sqrt(T))", "T <= 2*h"), ("h/(h + sqrt(T))", "2 <= h"))),),
            candidates=(point("T=4 h=2"), point("T=9 h=2")),
            mutants=(
                Mutant("factor", "0.95 That", "sqrt(T) <= 0.95*h"),
                Mutant("any-That", "That any number from 2 on", conditions=()),
            ),
        ),
        step(
            "r8",
            "T < 2: no phase is run (That = 1), x0 is returned; with a = x0 - u, b = u - xbar, lambda|b| <= L "
            "(LEM-8/r1) its gap is at most 2 L|a| + (lambda/2)|a|^2, in the mean 2 L r' + (lambda/2) r'^2 by r4",
            f"Fx + lam/2*{square('a + b')} - (Fu + lam/2*{square('b')}) <= 2*L*norm(a) + lam/2*{square('a')}",
            (L, LAM, real("Fx"), real("Fu"), vector("a", "x0 - u"), vector("b", "u - xbar")), START,
            rests_on=("resque/LEM-8/r1",),
            argument=(
                Combine(terms=(("1", START[0]), ("lam", "dot(a, b) <= norm(a)*norm(b)"), ("norm(a)", START[1]))),
            ),
            candidates=(
                point("L=1 lam=1 Fx=1 Fu=0 a=(1,) b=(1,)"), point("L=1 lam=1 Fx=1 Fu=0 a=(1,) b=(9,)"),
                point("L=1 lam=1 Fx=9 Fu=0 a=(1,) b=(1,)"),
            ),
            mutants=(
                Mutant("factor", "1.9 L", f"Fx + lam/2*{square('a + b')} - (Fu + lam/2*{square('b')}) <= "
                                          f"1.9*L*norm(a) + "
                       f"lam/2*{square('a')}"),
                Mutant("far-minimiser", "u anywhere", conditions=START[:1]),
                Mutant("not-lipschitz", "F any function", conditions=START[1:]),
            ),
        ),
        step(
            "r8-rate",
            "and 2 L r' <= 16 L r' (sqrt(d)/(beta T) + 1/sqrt(T)) for T < 2, so that the claim holds there with That = "
            "1",
            f"2*L*rp <= 16*L*rp*{RATE}", (L, RP, BETA, D, real("T", "[1, 2]")),
            argument=(
                Bound(right="16*L*rp/sqrt(T)", argument=(Combine(terms=(("16*L*rp*sqrt(d)/(beta*T)", "0 <= 1"),)),)),
                Scale("1/(L*rp)"),
                Rewrite(left="2", right="16/sqrt(T)"),
                Boxes(),
            ),
            mutants=(
                mutant("noise-only", "the noise term alone", "2*L*rp <= 16*L*rp*sqrt(d)/(beta*T)",
                       "L=1 rp=1 beta=99 d=1 T=1"),
            ),
        ),
        step(
            "r9",
            "a projected output p of x: it is in the ball, no further from xs, and no further from xbar, so that the "
            "regulariser does not grow; F grows by at most L|zeta| over F(ybar). Here |p - xbar| <= |x - xbar|, by the "
            "nearest-point property",
            f"{square('p - c')} <= {square('x - c')}", (vector("p"), vector("x"), C),
            ("dot(x - p, c - p) <= 0",),
            rests_on=("projection-onto-a-convex-set",),
            argument=(Combine(terms=(("2", "dot(x - p, c - p) <= 0"), ("1", "0 <= dot(x - p, x - p)"))),),
            candidates=(point("p=(1,) x=(3,) c=(0,)"), point("p=(9,) x=(1,) c=(0,)"), point("p=(1,) x=(1,) c=(0,)")),
            mutants=(
                Mutant("nearer", "0.95 of it", f"{square('p - c')} <= 0.95*{square('x - c')}"),
                Mutant("any-point", "p any point", conditions=()),
            ),
        ),
    ),
)  # fmt: skip

CLAIMS = (PRINTED, REPAIRED)
