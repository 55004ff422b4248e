"""Proposition 7: amplification by subsampling for three mutually close laws (quoted from BDRS18, Theorem 12).

The paper gives no proof. The statement speaks of all triples of laws. At Q = R and whole orders k it is an inequality
between numbers: E_R (1 - s + s p)^k is a sum over j of C(k,j) (1-s)^(k-j) s^j E_R p^j, p = P/R, where the hypothesis
allows E_R p^j up to exp(tau j (j-1)), what Gaussians have (`moments`). This form is searched, and so are the
divergences of triples: Gaussian ones in the plane (every triangle with sides at most sqrt(2 tau), equilateral and
collinear ones included) and random triples on four outcomes, whose tau is computed. The largest ratio found is 0.15:
13 could be 2 for Gaussians.

For orders up to 0.06/tau, all that Lemma 7 uses, it is proved: PROP-7~small (prop_7_small.py), and up to order 2 for
every tau <= 1/3 below, PROP-7~two: D_alpha <= D_2, and with p = P/R, q = Q/R the second moment
is 1 + s^2 E_R (p - q)^2/V with V = 1 + s (q - 1) >= 1 - s. By the hypothesis at order 2 the mean of (p - q)^2 is at
most 4 (e^(2 tau) - 1), hence D_2 <= 11.7 s^2 tau, below the printed bound at every order from 1 to 2.

On the hypotheses: tau <= 1/3 makes the range of orders (1, 3/tau) reach 9, so that it is never empty; Lemma 7
needs some constant multiple of 1/tau only. The text of BDRS18 is not part of this check: whether its order cap (for
truncated concentrated DP it depends on log(1/s)) allows 3/tau at s just below 1/40 has to be read there.
"""

import numpy as np

from dpaudit.claims.writing import *

AXIS, ACROSS = np.arange(-10.0, 16.1, 0.25), np.arange(-9.0, 9.1, 0.25)
X, Y = (grid.ravel()[None, :] for grid in np.meshgrid(AXIS, ACROSS))
LOG_DENSITY = -(X * X + Y * Y) / 2 - np.log(2 * np.pi) + 2 * np.log(0.25)


def divergence(log_weights, log_p, log_q, share, order):
    """D_order(sP + (1-s)R || sQ + (1-s)R) from logarithms of the masses of R, of P/R and of Q/R, row by row."""
    s, alpha = share[:, None], order[:, None]
    first = np.logaddexp(np.log(s) + log_p, np.log1p(-s))
    second = np.logaddexp(np.log(s) + log_q, np.log1p(-s))
    exponent = log_weights + alpha * first + (1 - alpha) * second
    top = exponent.max(axis=1, keepdims=True)
    return (top[:, 0] + np.log(np.exp(exponent - top).sum(axis=1))) / (order - 1)


def gaussian_triangles(points):
    """D/(13 s^2 alpha tau) for R = N(0, I), P and Q at distances a, b <= 1 and angle c, in units of sqrt(2 tau).

    points: tau, s, log alpha as a share of log(3/tau), a, b, c; if |P - Q| exceeds 1 the triangle is shrunk."""
    tau, share, place, a, b, angle = points.T
    order = np.maximum((3 / tau) ** place, 1.0001)
    apart = np.sqrt(a * a + b * b - 2 * a * b * np.cos(angle))
    side = np.sqrt(2 * tau) / np.maximum(apart, 1.0)
    p = (side * a)[:, None], np.zeros((len(tau), 1))
    q = (side * b * np.cos(angle))[:, None], (side * b * np.sin(angle))[:, None]
    log_p, log_q = (u * X + v * Y - (u * u + v * v) / 2 for u, v in (p, q))
    return divergence(LOG_DENSITY, log_p, log_q, share, order) / (13 * share**2 * order * tau)


def discrete_triples(stream, trials):
    """The same ratio for random triples on four outcomes; tau is the largest D_alpha/alpha of the six pairs."""
    draws = stream.normals(np.arange(trials), 0, 12).reshape(trials, 3, 4)
    spread = 0.6 * stream.part("spread").uniforms(np.arange(trials), 0, 1)[:, :, None]
    logs = spread * draws
    logs -= np.log(np.exp(logs).sum(axis=2, keepdims=True))
    orders = np.array([1.0001, 1.2, 1.5, 2.0, 3.0, 5.0, 9.0, 20.0, 100.0])
    tau = np.zeros(trials)
    for i, j in ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)):
        for order in orders:
            moment = np.exp(order * logs[:, i] + (1 - order) * logs[:, j]).sum(axis=1)
            tau = np.maximum(tau, np.log(moment) / (order * (order - 1)))
    kept = (tau <= 1 / 3) & (tau > 1e-6)
    logs, tau = logs[kept], tau[kept]
    share = 0.02499 * stream.part("share").uniforms(np.arange(trials), 0, 1)[kept, 0] ** 0.25
    order = np.maximum((3 / tau) ** stream.part("order").uniforms(np.arange(trials), 0, 1)[kept, 0], 1.0001)
    found = divergence(logs[:, 2], logs[:, 0] - logs[:, 2], logs[:, 1] - logs[:, 2], share, order)
    return found / (13 * share**2 * order * tau)


K = integer("k", "[2, oo)", "order")
TRIPLE = (K, real("tau", "(0, 1/3]"), real("s", "(0, 1/40)", "sampling rate"))
MOMENT = "sum(j, 0, k, binomial(k, j)*(1 - s)**(k - j)*s**j*exp(tau*j*(j - 1)))"
LAST = (point("k=8 tau=1/3 s=1/41"), point("k=2 tau=1/3 s=1/41"))

RANGES = ((0.003, 1 / 3), (0.001, 0.024999), (0.0, 0.9999), (0.0, 1.0), (0.0, 1.0), (0.0, float(np.pi)))

AS_PRINTED = Claim(
    id="resque/PROP-7",
    title="amplification by subsampling",
    words=(
        "tau <= 1/3, 0 < s < 1/40, D_alpha(P1 || P2) <= alpha tau for all alpha > 1 and all ordered pairs of P, Q, R: "
        "D_alpha(sP + (1-s)R || sQ + (1-s)R) <= 13 s^2 alpha tau for 1 < alpha < 3/tau. Encoded: Q = R and whole "
        "orders k, for the largest moment that the hypothesis allows (search); the checks try triples and real orders."
    ),
    place="Proposition 7 (quoted: BDRS18, Theorem 12)",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(f"log({MOMENT}) <= 13*s**2*k*(k - 1)*tau", TRIPLE, ("k*tau < 3",)),
    rests_on=("resque/PROP-7/moments",),
    expects=Outcome.CONSISTENT,
    candidates=LAST,
    empirical=(
        Search("gaussian_triangles", near_miss=0.14, trials=500, ranges=RANGES),
        Search("discrete_triples", near_miss=0.1),
    ),
    mutants=(
        Mutant("constant", "s^2 in place of 13 s^2", f"log({MOMENT}) <= s**2*k*(k - 1)*tau", candidates=LAST),
        Mutant("all-orders", "no bound on the order", conditions=(), candidates=((("k", "90"), *LAST[0][1:]),)),
    ),
    steps=(
        step(
            "moments",
            "what the hypothesis says of E_R p^j at a whole order j >= 2, A = E_R p^j: at most exp(tau j (j - 1))",
            "A <= exp(tau*j*(j - 1))",
            (integer("j", "[2, oo)"), TRIPLE[1], positive("A")),
            ("log(A)/(j - 1) <= j*tau",),
            argument=(Logarithm(), Combine(terms=(("j - 1", "log(A)/(j - 1) <= j*tau"),))),
            candidates=(point("j=2 tau=1/3 A=19/10"),),
            mutants=(mutant("power", "exp(tau j)", "A <= exp(tau*j)", "j=3 tau=1/3 A=7"),),
        ),
    ),
)

TAU, SHARE = real("tau", "(0, 1/3]"), real("s", "(0, 1/40)", "sampling rate")
ALPHA, H = real("alpha", "(1, 2]", "order"), real("h", "(0, 1]", "alpha - 1")
M2 = real("M2", "[1, oo)", "mean of (U/V)^2 under V")
SECOND = (real("A", "[1, oo)", "mean of (P/R)^2 under R"), real("B", "[1, oo)", "mean of (Q/R)^2"))
# exp(2 tau) = 1 + 2 tau exprel(2 tau).
CLOSE = ("A <= 1 + 2*tau*exprel(2*tau)", "B <= 1 + 2*tau*exprel(2*tau)")
MEAN = "M2 <= 1 + s**2/(1 - s)*(2*(A - 1) + 2*(B - 1))"
POINT = point("tau=1/3 s=1/50 A=19/10 B=19/10 M2=1001/1000")

UP_TO_TWO = Claim(
    id="resque/PROP-7~two",
    title="amplification by subsampling, orders up to 2",
    words=(
        "The bound of Proposition 7 for 1 < alpha <= 2, from its hypothesis at order 2 alone: with U = sP + (1-s)R and "
        "V = sQ + (1-s)R, D_2 = log M2 and D_alpha <= D_2 (step `order`)."
    ),
    place="Proposition 7, orders up to 2",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement("log(M2) <= 13*s**2*alpha*tau", (ALPHA, TAU, SHARE, *SECOND, M2), (*CLOSE, MEAN)),
    rests_on=("monotone-mean", *(f"resque/PROP-7~two/{name}" for name in ("order", "square", "moment"))),
    argument=(
        Bound(left="M2 - 1", argument=(Tangent("M2", "1"),)),
        Bound(left="s**2/(1 - s)*(2*(A - 1) + 2*(B - 1))", argument=(Combine(terms=(("1", MEAN),)),)),
        Bound(
            left="8*s**2*tau/(1 - s)*exprel(2*tau)",
            argument=(Combine(terms=(("2*s**2/(1 - s)", CLOSE[0]), ("2*s**2/(1 - s)", CLOSE[1]))),),
        ),
        Bound(right="13*s**2*tau", argument=(Combine(terms=(("13*s**2*tau", "1 <= alpha"),)),)),
        Scale("1/(s**2*tau)"),
        Rewrite(left="8/(1 - s)*exprel(2*tau)", right="13"),
        Boxes(),
    ),
    candidates=((("alpha", "3/2"), *POINT),),
    mutants=(
        Mutant(
            "lost-square",
            "s^2 in place of 13 s^2",
            "log(M2) <= s**2*alpha*tau",
            candidates=((("alpha", "101/100"), *POINT),),
        ),
    ),
    steps=(
        step(
            "order",
            "D_alpha <= D_2 for alpha <= 2: the mean of t^h, t = U/V under U, is at most M2^h, h = alpha - 1, because "
            "t^h lies below its tangent at the mean of t, which is M2",
            "t**h <= M2**h + h*M2**(h - 1)*(t - M2)",
            (H, positive("t", "U/V"), M2),
            rests_on=("monotone-mean",),
            argument=(Tangent("t", "M2"),),
            mutants=(
                mutant("slope", "twice the slope", "t**h <= M2**h + 2*h*M2**(h - 1)*(t - M2)", "h=1/2 t=1/4 M2=1"),
            ),
        ),
        step(
            "square",
            "(p - q)^2 <= 2 (p - 1)^2 + 2 (q - 1)^2, of mean 2 (A - 1) + 2 (B - 1)",
            "(p - q)**2 <= 2*(p - 1)**2 + 2*(q - 1)**2",
            (real("p", "[0, oo)"), real("q", "[0, oo)")),
            argument=(Combine(terms=(("1", "0 <= (p + q - 2)**2"),)),),
            mutants=(
                mutant(
                    "factor",
                    "without the factors 2",
                    "(p - q)**2 <= (p - 1)**2 + (q - 1)**2",
                    "p=2 q=0",
                    own_sentence=True,
                ),
            ),
        ),
        step(
            "moment",
            "U^2/V = V + 2 s (p - q) + s^2 (p - q)^2/V, of mean 1 + 0 + ..., and 1/V <= 1/(1 - s)",
            "(1 + s*(p - 1))**2/(1 + s*(q - 1)) <= 1 + s*(q - 1) + 2*s*(p - q) + s**2*(p - q)**2/(1 - s)",
            (SHARE, real("p", "[0, oo)"), real("q", "[0, oo)")),
            argument=(
                Rewrite(
                    left="1 + s*(q - 1) + 2*s*(p - q) + s**2*(p - q)**2/(1 + s*(q - 1))", because="U = V + s (p - q)"
                ),
                Combine(terms=(("s**3*q*(p - q)**2/((1 - s)*(1 - s + s*q))", "0 <= 1"),)),
            ),
            mutants=(
                mutant(
                    "factor",
                    "half the square",
                    "(1 + s*(p - 1))**2/(1 + s*(q - 1)) <= 1 + s*(q - 1) + 2*s*(p - q) + s**2*(p - q)**2/2",
                    "s=1/50 p=2 q=0",
                ),
            ),
        ),
    ),
)

CLAIMS = (AS_PRINTED, UP_TO_TWO)
