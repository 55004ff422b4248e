"""Lemma 4: utility of the convex ball solver (Algorithm 3), k phases of T_i = That/2^i noisy subgradient steps.

F is the smoothed empirical risk, eta = (r/L) min(1/sqrt T, beta/sqrt d), eta_i = eta/4^i, sigma_i = L eta_i/beta, and
h = That is the largest power of two with h <= T. Claimed: E F(x_k) - F(xs) <= C L r (sqrt d/(beta T) + 1/sqrt T). What
is wrong:

* No condition ties the ball to the smoothing radius. For rho far below r the weights vanish away from xbar, the
  iterates stop there, and no constant C is large enough. Lemma 1 gives E|G|^2 <= 3 L^2 for r <= rho only, which
  the users of the lemma have (rho/r >= C log^2); a later phase may start outside of the ball, and 3 becomes 3.4.
* The quoted regret bound is about y_0, ..., y_{T-1}, where gradients are taken. The algorithm averages y_1, ..., y_T,
  and for such averages the bound does not follow from unbiased gradients with E|G|^2 <= 3 L^2 (s4). A slip of the
  reasoning: the repair costs eta_i L^2/(2 T_i), as a start is no better than its comparator, E F(x_{i-1}) >=
  E F(ybar_{i-1}); and where the start is in the ball, the ReSQue oracle itself keeps the printed bound (r5-one to
  r5-many), since E|G| <= L and E|G|^2 <= e L^2.
* s8 prints a factor 2 too much in a denominator; the next display does not have it.

With r <= rho the printed chain has room for all of it: C = 16 (`~repaired`). For linear F, C must exceed 6.6 (`lower`).
"""

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses, smoothed_value

L, R, RHO = positive("L", "Lipschitz constant"), positive("r", "radius of the ball"), positive("rho", "smoothing")
BETA, ETA, SIGMA = positive("beta", "privacy parameter"), positive("eta", "step size"), positive("sigma", "noise")
D, T = integer("d", "[1, oo)", "dimension"), integer("T", "[1, oo)", "number of gradients")
H, PHASE_I, K = real("h", "[1, oo)", "That"), integer("i", "[1, oo)", "phase"), integer("k", "[1, oo)", "phases")
GAP = real("gap", "(-oo, oo)", "E F(x_k) - F(xs)")
RATE = "(sqrt(d)/(beta*T) + 1/sqrt(T))"
HALVED = "T + 1 <= 2*h"
STEPS = ("eta*L*sqrt(T) <= r", "eta*L*sqrt(d) <= r*beta", "r/(L*eta) <= sqrt(T) + sqrt(d)/beta")
"""What eta = (r/L) min(1/sqrt T, beta/sqrt d) amounts to (s10-eta)."""
MINIMUM = "min(1/sqrt(T), beta/sqrt(d))"
WEIGHT = "exp((2*dot(v, xi) - dot(v, v))/(2*rho**2))"
V, XI = vector("v", "y - xbar"), gaussian("xi", "rho", "the draw")
SETTING = (L, R, BETA, ETA, D, T, H)
NOISY = "t**(d/2)*exp(x**2*t)"
SPREAD = (D, real("x", "[0, 1]", "|ybar - xbar|/rho"), real("t", "[1, 8/7]", "1/(1 - 2 sigma^2/rho^2)"))
SMALL_NOISE = "8*d*(t - 1) <= t"

# The line, F(x) = L x, xbar = 0, beta sqrt T >= 1: a = eta_1 L/2 = r/(8 sqrt T), s = a/rho = 1/(8 q sqrt T) with
# q = rho/r. The first step goes to -2a. As long as |y| >= a, a weight is at most exp(-s^2/4) unless its normal draw
# exceeds s/4; and |zeta_i| <= a/2^i unless a normal number exceeds beta/4. Else x_k >= -3a - T eta_1 L exp(-s^2/4). The
# average ybar_k is in the ball, so that nothing is lost elsewhere but the mean of the last noise, sigma_k <= sigma_1.
FAR = "(1/(8*q*sqrt(T)))"
STUCK = (
    f"L*r*(max(0, 1 - 3/(8*sqrt(T)) - T*exp(-{FAR}**2/4)/(4*sqrt(T)))*max(0, 1 - T*Phi(-{FAR}/4) - 2*T*Phi(-beta/4))"
    " - 1/(4*beta*sqrt(T)))"
)


def stuck_at_the_centre(stream, trials):
    """Gap of the shipped solver for F(x) = x on [-1, 1], rho = 1/200, T = 4096, beta = 100: claimed at most 0.25."""
    losses = ridge_losses([(Ridge.LINEAR, (1.0,))])
    params = sub_erm.Params(centre=(0.0,), radius=1.0, smoothing=1 / 200, privacy=100.0, steps=4096)
    return 1 + sub_erm.cpu(params, losses, Trials(stream, np.arange(trials))).final[:, 0]


def gap_over_bound(stream, trials):
    """E gap/(16 L r (...)) of the shipped solver on the line, r = rho = 1: F = x without noise for T = 1..1023, and the
    mean over 2,000 trials for a kink and for a slope with much noise."""
    line, kink = ridge_losses([(Ridge.LINEAR, (1.0,))]), ridge_losses([(Ridge.ABSOLUTE, (1.0,), 0.5)])
    ratios = []
    for horizon in (1, 2, 3, 7, 15, 31, 63, 127, 255, 511, 1023):
        params = sub_erm.Params(
            centre=(0.0,), radius=1.0, smoothing=1.0, privacy=1e9, steps=horizon, estimator="unweighted"
        )
        gap = 1 + sub_erm.cpu(params, line, Trials(stream, np.arange(1))).final[0, 0]
        ratios.append(gap / (16 / np.sqrt(horizon)))
    for losses, beta, best in ((kink, 10.0, 0.5), (line, 0.2, -1.0), (kink, 0.2, 0.5)):
        params = sub_erm.Params(centre=(0.0,), radius=1.0, smoothing=1.0, privacy=beta, steps=63)
        x = sub_erm.cpu(params, losses, Trials(stream, np.arange(min(trials, 2_000)))).final
        gap = smoothed_value(losses, x, 1.0).mean() - smoothed_value(losses, np.array([best]), 1.0)
        ratios.append(gap / (16 * (1 / (beta * 63) + 1 / np.sqrt(63))))
    return np.array(ratios)


CHAIN = (
    ("4*r**2/(eta*h*T)", "T <= 2*h"),
    ("8*L*r/T", STEPS[2]),
    ("4*L**2*eta*d/(beta**2*h*T)", "T <= 2*h"),
    ("8*L*sqrt(d)/(beta**2*T)", STEPS[1]),
    ("L/(beta*h**2)", STEPS[1]),
    ("L*r/(h**2*sqrt(T))", "sqrt(T) <= h**2"),
)
"""r^2/(eta That), d/(beta^2 That) and the last noise, as in s10."""
PRINTED_SUM = "8*r**2/(eta*T) + 4*L**2*eta*d/(beta**2*h) + 3*eta*L**2/2 + L**2*eta*sqrt(d)/(beta*h**2)"
PRINTED_LAST = "16*L*r*sqrt(d)/(beta*T) + 8*L*r/sqrt(T) + 3*L*r/(2*sqrt(T)) + L*r/sqrt(T)"
NO_CONDITION = (
    "Lemma 1 bounds the second moment by 3 L^2 for points within rho of xbar; the lemma allows every r and rho. At r = "
    "2 rho the second moment is e^4 L^2. The statement itself then fails for every constant (see the claim). Theorems "
    "3 and 4 survive: they have rho/r >= C log^2, far above 1."
)

PRINTED = Claim(
    id="resque/LEM-4",
    title="utility of the convex ball solver",
    words=(
        "For all r, rho, beta > 0 and T: E F(x_k) - F(xs) <= C_cvx L r (sqrt(d)/(beta T) + 1/sqrt(T)); C_cvx is "
        "hidden, 16 by the printed proof. Here on the line for F(x) = L x and rho = q r, where the left side is a "
        "lower bound of the gap: a = r/(8 sqrt T) is half of the first step, s = a/rho; while |y| >= a, a weight "
        "exceeds exp(-s^2/4) only if a normal number exceeds s/4, and a noise exceeds a/2^i only if one exceeds "
        "beta/4; else x_k stays within 3a + T eta_1 L exp(-s^2/4) of xbar."
    ),
    place="Lemma 4",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        f"{STUCK} <= 16*L*r*(1/(beta*T) + 1/sqrt(T))",
        (L, R, BETA, T, positive("q", "rho/r")),
        ("1 <= beta*sqrt(T)", "2 <= T"),
    ),
    empirical=(Sampling("stuck_at_the_centre", "<=", 16 * (1 / 409_600 + 1 / 64), 1.1, 0.2, trials=2_600),),
    expects=Outcome.REFUTED,
    candidates=(point("L=1 r=1 beta=100 T=4096 q=1/20480"),),
    finding=(
        "False for r much larger than rho, for every constant: the weights are then almost surely 0 away from xbar, "
        "the iterates stay within 3 r/(8 sqrt T) of it, and the gap stays near L r while the bound decreases like "
        "1/sqrt T (T = 4096: 0.99 against 0.25; the shipped solver shows it at rho = r/200). Theorems 3 and 4 survive, "
        "they use rho/r >= C log^2; the lemma needs r <= rho."
    ),
    repair="resque/LEM-4~repaired",
    steps=(
        step(
            "s1",
            "E[G | y] is a subgradient of F at y: each record's estimate is one of its smoothed loss (Lemma 1), and "
            "the mean over records (z is uniform) keeps the subgradient inequality; here from n records to n + 1, v = "
            "x - y",
            "dot(n*m/(n + 1) + g/(n + 1), v) <= (n*M + e)/(n + 1)",
            (
                integer("n", "[1, oo)", "records"),
                vector("m", "mean gradient of n records"), vector("g", "gradient of record n + 1"), vector("v"),
                real("M", "(-oo, oo)", "mean of f(x) - f(y) over n "
                                       "records"), real("e", "(-oo, oo)", "that of n + 1"),
            ),
            ("dot(m, v) <= M", "dot(g, v) <= e"),
            rests_on=("resque/LEM-1.1",),
            argument=(Combine(terms=(("n/(n + 1)", "dot(m, v) <= M"), ("1/(n + 1)", "dot(g, v) <= e"))),),
            candidates=(point("n=1 m=(1,) g=(9,) v=(1,) M=1 e=0"), point("n=1 m=(9,) g=(1,) v=(1,) M=0 e=1")),
            mutants=(
                mutant("weights", "the new record with weight 1", "dot(n*m/(n + 1) + g, v) <= (n*M + e)/(n + 1)",
                       "n=1 m=(1,) g=(1,) v=(1,) M=1 e=1"),
                Mutant("one-record", "nothing known of record n + 1", conditions=("dot(m, v) <= M",)),
            ),
        ),
        erratum(
            "s2",
            "E|G|^2 <= 3 L^2 at every y of the ball, by Lemma 1 (whose hypothesis is |y - xbar| <= rho)",
            f"L**2*E({WEIGHT}**2) <= 3*L**2", (L, R, RHO, V, XI), ("norm(v) <= r",),
            kind=ClaimKind.MOMENT,
            candidates=(point("L=1 r=2 rho=1 v=(2,)"),),
            finding=NO_CONDITION,
            repair="resque/LEM-4~repaired/r1",
        ),
        erratum(
            "s2-start",
            "E|G|^2 <= 3 L^2 also at the start x_{i-1} = ybar_{i-1} + noise of a phase, for r <= rho: the mean of "
            "exp(|x_{i-1} - xbar|^2/rho^2), with 1 - 1/t = 2 sigma^2/rho^2 <= 1/(8 d) since sigma sqrt d <= r/4",
            f"{NOISY} <= 3", SPREAD, (SMALL_NOISE,),
            rests_on=("noncentral-chi-square",),
            kind=ClaimKind.MOMENT,
            candidates=(point("d=1 x=1 t=8/7"),),
            finding=(
                "A phase starts from an average plus Gaussian noise, which lies outside the ball with positive "
                "probability; Lemma 1 does not cover such points. At r = rho on the line the mean of the second moment "
                "comes near sqrt(8/7) e^(8/7) = 3.35 (linear F, beta = 1/sqrt T, T large). One step per phase is "
                "affected: the constant of the lemma is not."
            ),
            repair="resque/LEM-4~repaired/r2",
        ),
        step(
            "s3",
            "telescoping: (F(ybar_k) - F(ybar_0)) + (F(ybar_{k+1}) - F(ybar_k)) + (F(x) - F(ybar_{k+1})) = F(x) - "
            "F(xs), as ybar_0 = xs; the sum over the first k phases is the first bracket",
            "(fk - f0) + (fnext - fk) + (fx - fnext) == fx - f0",
            tuple(real(name, "(-oo, oo)") for name in ("f0", "fk", "fnext", "fx")),
        ),
        erratum(
            "s4",
            "(13), line 2, as it is derived: s1 and s2 imply, by the quoted regret bound, that a phase costs at most "
            "|x_{i-1} - u|^2/(2 eta_i T_i) + 3 eta_i L^2/2. Here for an oracle with s1 and s2 that is not the ReSQue "
            "one: T_i = 1 on the line, F(x) = L|x|, x_{i-1} = 0, gradients +g and -g with probability 1/2, so that "
            "their mean 0 is a subgradient, and ybar_i = -eta g or eta g",
            "L*eta*g - L*abs(u) <= u**2/(2*eta) + 3*eta*L**2/2",
            (L, ETA, positive("g", "size of the gradients"), real("u", "(-oo, oo)", "comparator")),
            ("g**2 <= 3*L**2",),
            candidates=(point("L=1 eta=1 g=17/10 u=0"),),
            finding=(
                "A slip of the derivation, not of the result. The quoted bound holds for the average of y_0, ..., "
                "y_{T-1}, where gradients are taken; the algorithm averages y_1, ..., y_T, and for these it does not "
                "follow from s1 and s2: an oracle with |g| = 1.7 L at a kink gives 1.7 eta L^2 against 1.5. The shift "
                "costs eta_i L^2/(2 T_i) at most, which the next display can pay. For r <= rho and starts in the ball "
                "the ReSQue oracle, with E|G| <= L, does keep the printed bound (LEM-4~repaired/r5-one to r5-many)."
            ),
            repair="resque/LEM-4~repaired/r5",
        ),
        step(
            "s5",
            "E[F(x_k) - F(ybar_k)] <= L E|zeta_k| <= L sigma_k sqrt(d), m = E|zeta_k| with m^2 <= E|zeta_k|^2 = "
            "sigma^2 d (k >= 1)",
            "L*m <= L*sigma*sqrt(d)", (L, SIGMA, D, real("m", "[0, oo)", "E|zeta|")),
            ("m**2 <= sigma**2*d",),
            rests_on=("jensen",),
            argument=(Combine(terms=(("L/(sigma*sqrt(d) + m)", "m**2 <= sigma**2*d"),)),),
            candidates=(point("L=1 sigma=1 d=4 m=2"), point("L=1 sigma=1 d=1 m=9")),
            mutants=(
                Mutant("factor", "0.95 in place of 1", "L*m <= 0.95*L*sigma*sqrt(d)"),
                Mutant("lost-root", "d in place of sqrt d on the left", "L*m*sqrt(d) <= L*sigma*sqrt(d)"),
                Mutant("no-moment", "no second moment", conditions=()),
            ),
        ),
        step(
            "s6",
            "r^2/(2 eta_1 T_1) <= 8 r^2/(eta T), with eta_1 = eta/4, T_1 = That/2 and T < 2 That",
            "r**2/(2*(eta/4)*(h/2)) <= 8*r**2/(eta*T)", (R, ETA, T, H), (HALVED,),
            argument=(Combine(terms=(("4*r**2/(eta*h*T)", HALVED), ("4*r**2/(eta*h*T)", "0 <= 1"))),),
            candidates=(point("r=1 eta=1 T=255 h=128"), point("r=1 eta=1 T=9 h=1")),
            mutants=(
                Mutant("phase", "T_1 = That/4", "r**2/(2*(eta/4)*(h/4)) <= 8*r**2/(eta*T)"),
                Mutant("no-rounding", "That any number", conditions=()),
            ),
            tightness=(
                Tightness("first-term", "8", "r**2/(2*(eta/4)*(h/2)) <= {c}*r**2/(eta*T)", "8", "7.9",
                          candidates=(point("r=1 eta=1 T=255 h=128"),)),
            ),
        ),
        step(
            "s7",
            "sigma_i^2 d/(2 eta_{i+1} T_{i+1}) = 4 sigma_i^2 d/(eta_i T_i), for e = eta_i and n = T_i",
            "sigma**2*d/(2*(e/4)*(n/2)) == 4*sigma**2*d/(e*n)", (SIGMA, D, positive("e"), positive("n")),
        ),
        erratum(
            "s8",
            "sigma_i^2/(eta_i T_i) <= 2^-i L^2 eta/(2 beta^2 That)",
            "(L*eta*4**(-i)/beta)**2/(eta*4**(-i)*2**(-i)*h) <= 2**(-i)*L**2*eta/(2*beta**2*h)",
            (L, ETA, BETA, H, PHASE_I),
            candidates=(point("L=1 eta=1 beta=1 h=2 i=1"),),
            finding=(
                "With sigma_i = L eta_i/beta, eta_i = eta/4^i, T_i = That/2^i the quotient is 2^-i L^2 eta/(beta^2 "
                "That): the 2 in the printed denominator is not there. The next display is computed without it and is "
                "right."
            ),
            repair="resque/LEM-4/s8~repaired",
        ),
        step(
            "s8~repaired",
            "sigma_i^2/(eta_i T_i) = 2^-i L^2 eta/(beta^2 That)",
            "(L*eta*4**(-i)/beta)**2/(eta*4**(-i)*2**(-i)*h) == 2**(-i)*L**2*eta/(beta**2*h)",
            (L, ETA, BETA, H, PHASE_I),
        ),
        step(
            "s9",
            "with A = 1/2 + ... + 2^-(k-1) <= 1, B = 1/4 + ... + 4^-k <= 1/3 (r7) and sigma_k = L eta/(beta That^2), "
            "the sum of the bounds is at most 8r^2/(eta T) + 4L^2 eta d/(beta^2 That) + 3 eta L^2/2 + L^2 eta "
            "sqrt(d)/(beta That^2)",
            "8*r**2/(eta*T) + 4*d*A*L**2*eta/(beta**2*h) + 3*eta*L**2/2*B + L*(L*eta/(beta*h**2))*sqrt(d) <= "
            + PRINTED_SUM,
            (*SETTING, real("A", "[0, oo)"), real("B", "[0, oo)")),
            ("A <= 1", "B <= 1/3"),
            rests_on=("resque/LEM-4/s8~repaired", "resque/LEM-4~repaired/r7"),
            argument=(
                Combine(
                    terms=(("4*L**2*eta*d/(beta**2*h)", "A <= 1"), ("3*eta*L**2/2", "B <= 1/3"), ("eta*L**2", "0 <= 1"))
                ),
            ),
            candidates=(point("L=1 r=1 beta=1 eta=1 d=1 T=1 h=1 A=1 B=1/3"),),
            mutants=(
                Mutant("no-sum", "A up to 2", conditions=("A <= 2", "B <= 1/3"),
                       candidates=(point("L=1 r=1 beta=1 eta=1 d=9 T=1 h=1 A=2 B=0"),)),
            ),
            tightness=(
                Tightness(
                    "third-term", "1.5",
                    "8*r**2/(eta*T) + 4*d*A*L**2*eta/(beta**2*h) + 3*eta*L**2/2*B + L*(L*eta/(beta*h**2))*sqrt(d) <= "
                    "8*r**2/(eta*T) + 4*L**2*eta*d/(beta**2*h) + {c}*eta*L**2 + L**2*eta*sqrt(d)/(beta*h**2)",
                    "0.5", "0.49", candidates=(point("L=1 r=1 beta=1 eta=1 d=1 T=1 h=1 A=1 B=1/3"),),
                    argument=(
                        Combine(terms=(("4*L**2*eta*d/(beta**2*h)", "A <= 1"), ("3*eta*L**2/2", "B <= 1/3"))),
                    ),
                ),
            ),
        ),
        step(
            "s10",
            "which is at most (8Lr/sqrt T + 8Lr sqrt(d)/(beta T)) + 8Lr sqrt(d)/(beta T) + 3Lr/(2 sqrt T) + Lr/sqrt T",
            f"{PRINTED_SUM} <= {PRINTED_LAST}", SETTING, (*STEPS, HALVED, "sqrt(T) <= h**2"),
            rests_on=("resque/LEM-4/s10-eta", "resque/LEM-4/s11"),
            argument=(
                Combine(
                    terms=(
                        *CHAIN[1:2], ("4*L**2*eta*d/(beta**2*h*T)", HALVED), ("4*L**2*eta*d/(beta**2*h*T)", "0 <= 1"),
                        *CHAIN[3:], ("3*L/(2*sqrt(T))", STEPS[0]),
                    )
                ),
            ),
            candidates=(
                point("L=1 r=1 beta=1/100 eta=1/100 d=1 T=255 h=128"),
                point("L=1 r=1 beta=1000000 eta=1/16 d=1 T=256 h=256"),
            ),
            mutants=(
                Mutant("noise", "4 in place of the second 8",
                       f"{PRINTED_SUM} <= {PRINTED_LAST.replace('16*', '12*')}"),
                Mutant("first", "4 in place of the first 8",
                       f"{PRINTED_SUM} <= {PRINTED_LAST.replace('8*L*r/', '4*L*r/')}"),
            ),
        ),
        step(
            "s10-eta",
            "1/min(1/sqrt T, beta/sqrt d) <= sqrt T + sqrt(d)/beta, in the form that s10 uses (p = sqrt T, b = sqrt d)",
            "1 <= min(1/p, beta/b)*(p + b/beta)", (BETA, positive("p"), positive("b")),
            argument=(Solve(),),
            mutants=(
                mutant("one-term", "only sqrt T", "1 <= min(1/p, beta/b)*p", "beta=1 p=1 b=2"),
                mutant("maximum", "max in place of min, half the sum", "1 <= max(1/p, beta/b)*(p + b/beta)/3",
                       "beta=1 p=1 b=1"),
            ),
        ),
        step(
            "s10-eta-steps",
            "eta L sqrt T <= r, from eta = (r/L) min(1/sqrt T, beta/sqrt d)",
            f"r/L*{MINIMUM}*L*sqrt(T) <= r", (L, R, BETA, D, T),
            argument=(Combine(terms=(("r*sqrt(T)", f"{MINIMUM} <= 1/sqrt(T)"),)),),
            mutants=(
                mutant("factor", "0.95 r", f"r/L*{MINIMUM}*L*sqrt(T) <= "
                                           f"0.95*r", "L=1 r=1 beta=9 d=1 T=4"),
            ),
        ),
        step(
            "s10-eta-noise",
            "eta L sqrt d <= r beta, likewise",
            f"r/L*{MINIMUM}*L*sqrt(d) <= r*beta", (L, R, BETA, D, T),
            argument=(Combine(terms=(("r*sqrt(d)", f"{MINIMUM} <= beta/sqrt(d)"),)),),
            mutants=(
                mutant("factor", "0.95 r", f"r/L*{MINIMUM}*L*sqrt(d) <= 0.95*r*beta",
                       "L=1 r=1 beta=1/9 d=1 T=4"),
            ),
        ),
        step(
            "s11",
            "That^2 >= sqrt T for all T, from 2 That >= T + 1",
            "sqrt(T) <= h**2", (T, H), (HALVED,),
            argument=(
                Combine(
                    terms=(
                        ("1/(h**2 + sqrt(T))", HALVED),
                        ("1/(h**2 + sqrt(T))", "0 <= (h**2 - 1)**2"),
                        ("2*h/(h**2 + sqrt(T))", "1 <= h"),
                    )
                ),
            ),
            candidates=(point("T=1 h=1"), point("T=3 h=2"), point("T=9 h=1")),
            mutants=(
                Mutant("constant", "0.99 That^2", "sqrt(T) <= 0.99*h**2"),
                Mutant("power", "That in place of That^2, without the root", "T <= h"),
                Mutant("no-rounding", "That any number", conditions=()),
            ),
        ),
        step(
            "s11-half",
            "2 That >= T",
            "T <= 2*h", (T, H), (HALVED,),
            argument=(Combine(terms=(("1", HALVED), ("1", "0 <= 1"))),),
            candidates=(point("T=255 h=128"), point("T=9 h=1")),
            mutants=(
                Mutant("factor", "1.9 in place of 2", "T <= 1.9*h"),
                Mutant("no-rounding", "That any number", conditions=()),
            ),
        ),
        step(
            "s12",
            "so C_cvx = 16 (the paper does not name it)",
            f"{PRINTED_LAST} <= 16*L*r*{RATE}", (L, R, BETA, D, T),
            argument=(Combine(terms=(("11*L*r/(2*sqrt(T))", "0 <= 1"),)),),
            candidates=(point("L=1 r=1 beta=1/1000000 d=1 T=1"),),
            mutants=(Mutant("lost-noise", "1/sqrt T alone", f"{PRINTED_LAST} <= 16*L*r/sqrt(T)"),),
            tightness=(
                Tightness("C_cvx-of-the-display", "16", PRINTED_LAST + " <= {c}*L*r*" + RATE, "16", "15.9",
                          candidates=(point("L=1 r=1 beta=1/1000000 d=1 T=1"),)),
            ),
        ),
        step(
            "s12-one",
            "T = 1: no phase is run, xbar is returned, and its gap is at most L r",
            f"L*r <= 16*L*r*{RATE}", (L, R, BETA, D, T), ("T <= 1",),
            argument=(
                Bound(right="16*L*r/sqrt(T)", argument=(Combine(terms=(("16*L*r*sqrt(d)/(beta*T)", "0 <= 1"),)),)),
                Scale("sqrt(T)/(L*r)"),
                Rewrite(left="sqrt(T)", right="16"),
                Combine(terms=(("1/(1 + sqrt(T))", "T <= 1"), ("15", "0 <= 1"))),
            ),
            candidates=(point("L=1 r=1 beta=1 d=1 T=1"), point("L=1 r=1 beta=9 d=1 T=400")),
            mutants=(Mutant("all-T", "for every T", conditions=()),),
        ),
    ),
)  # fmt: skip

OURS = "4*r**2/(eta*h) + 4*L**2*eta*d/(beta**2*h) + 11/15*eta*L**2 + L**2*eta*sqrt(d)/(beta*h**2)"
A0, AN, SUM = real("a0", "[0, oo)", "E|y_0 - u|^2"), real("an", "[0, oo)", "E|y_n - u|^2"), real("S", "(-oo, oo)")
F0, FN = real("f0", "(-oo, oo)", "E F(y_0) - F(u)"), real("fn", "(-oo, oo)", "E F(y_n) - F(u)")
N, M = integer("n", "[1, oo)", "T_i"), real("m", "[0, oo)", "E|y_n - u|")
PHASE = ("2*eta*S + an <= a0 + 3*eta**2*L**2*n + 2/5*eta**2*L**2", "fn <= L*m", "m**2 <= an", "0 <= f0")
ONE_STEP = "2*eta*f + anext <= an + 3*eta**2*L**2"
Y, YP, G, U = vector("y", "y_{j-1}"), vector("yp", "y_j"), vector("g", "the gradient"), vector("u", "comparator")
NEAREST = "dot(yp - u, yp - u) <= dot(y - eta*g - u, y - eta*g - u)"

REPAIRED = Claim(
    id="resque/LEM-4~repaired",
    title="utility of the convex ball solver, for r <= rho",
    words=(
        "For r <= rho, beta > 0 and T >= 2: E F(x_k) - F(xs) <= 16 L r (sqrt(d)/(beta T) + 1/sqrt(T)); the hypothesis "
        "on the gap is what r1 to r8 give for the algorithm as printed. For T = 1 it is LEM-4/s12-one."
    ),
    place="Lemma 4",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(f"gap <= 16*L*r*{RATE}", (*SETTING, GAP),
                        (f"gap <= {OURS}", *STEPS, "T <= 2*h", "sqrt(T) <= h**2")),
    rests_on=(
        *(f"resque/LEM-4~repaired/r{i}" for i in range(1, 9)),
        *(f"resque/LEM-4/{name}" for name in ("s1", "s3", "s5", "s8~repaired", "s10-eta", "s11")),
    ),
    argument=(
        Combine(
            terms=(
                ("1", f"gap <= {OURS}"), *CHAIN, ("11*L/(15*sqrt(T))", STEPS[0]), ("94*L*r/(15*sqrt(T))", "0 <= 1"),
            )
        ),
    ),
    empirical=(Search("gap_over_bound", near_miss=0.35, trials=2_000),),
    candidates=(
        point("L=1 r=1 beta=1/100000 eta=1/100000 d=1 T=255 h=128 gap=1600000"),
        point("L=1 r=1 beta=1/1000000 eta=1/1000000 d=1 T=65535 h=32768 gap=244"),
        point("L=1 r=1 beta=9 eta=1 d=1 T=1 h=1 gap=99"),
    ),
    mutants=(
        Mutant("constant", "15.9 in place of 16", f"gap <= 15.9*L*r*{RATE}"),
        Mutant("lost-noise", "1/sqrt T alone", "gap <= 16*L*r/sqrt(T)"),
        Mutant("no-hypothesis", "any gap", conditions=(*STEPS, "T <= 2*h", "sqrt(T) <= h**2")),
        Mutant("long-steps", "eta too large", conditions=(f"gap <= {OURS}", *STEPS[1:], "T <= 2*h", "sqrt(T) <= h**2"),
               candidates=(point("L=1 r=1 beta=9999 eta=99 d=1 T=1 h=1 gap=60"),)),
    ),
    steps=(
        step(
            "r1",
            "for r <= rho every point of the ball is within rho of xbar, so that Lemma 1 gives E|G|^2 <= 3 L^2 there",
            "norm(v) <= rho", (R, RHO, V), ("norm(v) <= r", "r <= rho"),
            rests_on=("resque/LEM-1.2",),
            argument=(Combine(terms=(("1", "norm(v) <= r"), ("1", "r <= rho"))),),
            candidates=(point("r=1 rho=1 v=(1,)"), point("r=2 rho=1 v=(2,)"), point("r=1 rho=1 v=(9,)")),
            mutants=(
                Mutant("no-condition", "any r", conditions=("norm(v) <= r",)),
                Mutant("factor", "0.95 rho", "norm(v) <= 0.95*rho"),
            ),
        ),
        step(
            "r2",
            "at the start of a phase, an average of the ball plus noise as in s2-start, the mean of the second moment "
            "is at most 3.4 L^2",
            f"{NOISY} <= 3.4", SPREAD, (SMALL_NOISE,),
            rests_on=("noncentral-chi-square",),
            kind=ClaimKind.MOMENT,
            argument=(
                Logarithm(),
                Rewrite(left="d/2*log(t) + x**2*t"),
                Bound(left="d/2*(t - 1) + x**2*t", argument=(Scale("2/d"), Tangent("t", "1"))),
                Bound(left="(1/16 + x**2)*t", argument=(Combine(terms=(("1/16", SMALL_NOISE),)),)),
                Boxes(),
            ),
            candidates=(point("d=1 x=1 t=8/7"), point("d=100 x=1 t=8/7")),
            mutants=(
                Mutant("constant", "3.35", f"{NOISY} <= 3.35"),
                Mutant("more-noise", "t up to 8/7 in every dimension", conditions=()),
            ),
        ),
        step(
            "r3",
            "one step: |y_j - u|^2 <= |y_{j-1} - u|^2 - 2 eta <g, y_{j-1} - u> + eta^2 |g|^2 for u in the ball, "
            "wherever y_{j-1} is, since a projection brings no point further away from u",
            "dot(yp - u, yp - u) <= dot(y - u, y - u) - 2*eta*dot(g, y - u) + eta**2*dot(g, g)",
            (ETA, Y, YP, G, U), (NEAREST,),
            rests_on=("projection-onto-a-convex-set",),
            argument=(Combine(terms=(("1", NEAREST),)),),
            candidates=(point("eta=1 y=(1,) yp=(0,) g=(1,) u=(-1,)"), point("eta=1 y=(0,) yp=(9,) g=(0,) u=(0,)")),
            mutants=(
                Mutant("factor", "eta^2/2", "dot(yp - u, yp - u) <= dot(y - u, y - u) - 2*eta*dot(g, y - u) + "
                       "eta**2*dot(g, g)/2"),
                Mutant("no-projection", "y_j anywhere", conditions=()),
            ),
        ),
        step(
            "r4",
            "the sum over a phase, by induction: S sums f_j = E F(y_j) - F(u) over the steps taken, the mean of r3 is "
            "the second hypothesis (f_j <= E<g, y_j - u>, E|g|^2 <= 3 L^2), and c the excess of the first step",
            "2*eta*(S + f) + anext <= a0 + 3*eta**2*L**2*(n + 1) + c",
            (L, ETA, N, A0, AN, SUM, real("f"), real("anext", "[0, oo)"), real("c", "[0, oo)")),
            ("2*eta*S + an <= a0 + 3*eta**2*L**2*n + c", ONE_STEP),
            argument=(
                Combine(terms=(("1", "2*eta*S + an <= a0 + 3*eta**2*L**2*n + c"), ("1", ONE_STEP))),
            ),
            candidates=(point("L=1 eta=1 n=1 a0=1 an=4 S=0 f=0 anext=7 c=0"), point("L=1 eta=1 n=1 a0=1 an=4 S=0 f=9 "
                                                                              "anext=7 c=0")),
            mutants=(
                Mutant("no-growth", "3 eta^2 L^2 n", "2*eta*(S + f) + anext <= a0 + 3*eta**2*L**2*n + c"),
                Mutant("no-step", "nothing known of the next "
                                  "step", conditions=("2*eta*S + an <= a0 + 3*eta**2*L**2*n + c",)),
            ),
        ),
        step(
            "r5",
            "the phase as the algorithm averages it, over y_1, ..., y_n: S sums f_0, ..., f_{n-1}; f_n <= L E|y_n - u| "
            "is paid by the a_n that r4 keeps. The first step may have 3.4 L^2 (r2). The cost is (a_0/(2 eta) + (3/2) "
            "n eta L^2 + (7/10) eta L^2)/n, at most a_0/(2 eta n) + (11/5) eta L^2",
            "(S - f0 + fn)/n <= a0/(2*eta*n) + 11/5*eta*L**2", (L, ETA, N, A0, AN, SUM, F0, FN, M), PHASE,
            rests_on=("jensen", *(f"resque/LEM-4~repaired/{name}" for name in ("r2", "r3", "r4", "r6"))),
            argument=(
                Combine(
                    terms=(
                        ("1/(2*eta*n)", PHASE[0]), ("1/n", PHASE[1]), ("1/(2*eta*n)", PHASE[2]), ("1/n", PHASE[3]),
                        ("1/(2*eta*n)", "0 <= (m - eta*L)**2"), ("7*eta*L**2/(10*n)", "1 <= n"),
                    )
                ),
            ),
            candidates=(
                point("L=1 eta=1 n=1 a0=0 an=1 S=6/5 f0=0 fn=1 m=1"),
                point("L=1 eta=1 n=1 a0=0 an=1 S=6/5 f0=-9 fn=1 m=1"),
                point("L=1 eta=1 n=1 a0=0 an=1 S=6/5 f0=0 fn=9 m=1"),
                point("L=1 eta=1 n=1 a0=0 an=0 S=17/10 f0=0 fn=9 m=9"),
                point("L=1 eta=1 n=1 a0=0 an=1 S=9 f0=0 fn=1 m=1"),
            ),
            mutants=(
                Mutant("printed", "3/2 in place of 11/5, as in s4", "(S - f0 + fn)/n <= a0/(2*eta*n) + 3/2*eta*L**2"),
                Mutant("downhill", "the start may be better than u", conditions=PHASE[:3]),
                mutant("lost-distance", "a_0/(4 eta n)", "(S - f0 + fn)/n <= a0/(4*eta*n) + 11/5*eta*L**2",
                       "L=1 eta=1 n=1 a0=100 an=0 S=50 f0=0 fn=0 m=0"),
            ),
            tightness=(
                Tightness("per-phase", "1.5", "(S - f0 + fn)/n <= a0/(2*eta*n) + {c}*eta*L**2", "2.2", "2.19",
                          candidates=(point("L=1 eta=1 n=1 a0=0 an=1 S=6/5 f0=0 fn=1 m=1"),)),
            ),
        ),
        step(
            "r5-one",
            "the printed bound for the ReSQue oracle, started in the ball, T_i = 1: E|G| <= L (a weight has mean 1, "
            "LEM-1.1), so that f_1 <= f_0 + eta L^2, and f_0 <= L m with m = E|y_0 - u|",
            "f1 <= a0/(2*eta) + 3/2*eta*L**2", (L, ETA, A0, F0, real("f1"), M),
            ("f1 <= f0 + eta*L**2", "f0 <= L*m", "m**2 <= a0"),
            rests_on=("jensen", "projection-onto-a-convex-set", "resque/LEM-1.1"),
            argument=(
                Combine(
                    terms=(
                        ("1", "f1 <= f0 + eta*L**2"), ("1", "f0 <= L*m"), ("1/(2*eta)", "m**2 <= a0"),
                        ("1/(2*eta)", "0 <= (m - eta*L)**2"),
                    )
                ),
            ),
            candidates=(point("L=1 eta=1 a0=1 f0=1 f1=2 m=1"), point("L=1 eta=1 a0=1 f0=1 f1=9 m=1")),
            mutants=(
                Mutant("constant", "1.4 in place of 3/2", "f1 <= a0/(2*eta) + 1.4*eta*L**2"),
                Mutant("any-oracle", "nothing known of E|G|", conditions=("f0 <= L*m", "m**2 <= a0")),
            ),
        ),
        step(
            "r5-two",
            "the same for T_i = 2, with E|G|^2 <= e^(|y-xbar|^2/rho^2) L^2 <= 2.72 L^2",
            "(f1 + f2)/2 <= a0/(4*eta) + 3/2*eta*L**2",
            (L, ETA, A0, real("a1", "[0, oo)"), real("a2", "[0, oo)"), F0, real("f1"), real("f2"), M),
            ("0 <= f0", "f1 <= f0 + eta*L**2", "a1 <= a0 - 2*eta*f0 + 2.72*eta**2*L**2",
             "a2 <= a1 - 2*eta*f1 + 2.72*eta**2*L**2", "f2 <= L*m", "m**2 <= a2"),
            rests_on=(
                "jensen", "resque/LEM-1.1", "resque/LEM-1.2/s1~repaired", "resque/LEM-1.2/s4~repaired",
                *(f"resque/LEM-4~repaired/{name}" for name in ("r1", "r3", "r6")),
            ),
            argument=(
                Combine(
                    terms=(
                        ("1/2", "f2 <= L*m"), ("1/(7.4*eta)", "m**2 <= a2"),
                        ("1/(7.4*eta)", "0 <= (m - 1.85*eta*L)**2"),
                        ("1/(7.4*eta)", "a2 <= a1 - 2*eta*f1 + 2.72*eta**2*L**2"),
                        ("1/(7.4*eta)", "a1 <= a0 - 2*eta*f0 + 2.72*eta**2*L**2"),
                        ("1/2 - 1/3.7", "f1 <= f0 + eta*L**2"), ("2/3.7 - 1/2", "0 <= f0"),
                        ("(1/4 - 1/7.4)/eta", "0 <= a0"),
                        ("(1 + 1/3.7 - 1.85/4 - 2.72/3.7)*eta*L**2", "0 <= 1"),
                    )
                ),
            ),
            candidates=(
                point("L=1 eta=1 a0=0 a1=68/25 a2=86/25 f0=0 f1=1 f2=9/5 m=9/5"),
                point("L=1 eta=1 a0=0 a1=68/25 a2=86/25 f0=0 f1=1 f2=9 m=9"),
                point("L=1 eta=1 a0=0 a1=68/25 a2=16 f0=0 f1=1 f2=4 m=4"),
            ),
            mutants=(
                Mutant("constant", "1.35 in place of 3/2", "(f1 + f2)/2 <= a0/(4*eta) + 1.35*eta*L**2"),
                Mutant("no-step", "nothing known of the second step",
                       conditions=("0 <= f0", "f1 <= f0 + eta*L**2", "a1 <= a0 - 2*eta*f0 + 2.72*eta**2*L**2",
                                   "f2 <= L*m", "m**2 <= a2")),
            ),
        ),
        step(
            "r5-many",
            "the same for T_i >= 4, from r4 with 2.72 in place of 3 and nothing extra in the first step",
            "(S - f0 + fn)/n <= a0/(2*eta*n) + 3/2*eta*L**2",
            (L, ETA, integer("n", "[4, oo)", "T_i"), A0, AN, SUM, F0, FN, M),
            ("2*eta*S + an <= a0 + 2.72*eta**2*L**2*n", *PHASE[1:]),
            rests_on=(
                "jensen", "resque/LEM-1.2/s1~repaired", "resque/LEM-1.2/s4~repaired",
                *(f"resque/LEM-4~repaired/{name}" for name in ("r1", "r3", "r4", "r6")),
            ),
            argument=(
                Combine(
                    terms=(
                        ("1/(2*eta*n)", "2*eta*S + an <= a0 + 2.72*eta**2*L**2*n"), ("1/n", PHASE[1]),
                        ("1/(2*eta*n)", PHASE[2]), ("1/n", PHASE[3]), ("1/(2*eta*n)", "0 <= (m - eta*L)**2"),
                        ("eta*L**2/(8*n)", "4 <= n"), ("3/200*eta*L**2", "0 <= 1"),
                    )
                ),
            ),
            candidates=(
                point("L=1 eta=1 n=4 a0=0 an=1 S=247/50 f0=0 fn=1 m=1"), point("L=1 eta=1 n=4 a0=0 an=1 S=4 f0=-9 fn=1 m=1"),
            ),
            mutants=(
                Mutant("constant", "1.45 in place of 3/2", "(S - f0 + fn)/n <= a0/(2*eta*n) + 1.45*eta*L**2"),
                Mutant("downhill", "the start may be better than u",
                       conditions=("2*eta*S + an <= a0 + 2.72*eta**2*L**2*n", *PHASE[1:3])),
            ),
        ),
        step(
            "r6",
            "the start of a phase is no better than its comparator, f_0 >= 0: in the first xs is optimal; later the "
            "start is u + zeta and zeta is as likely as -zeta: (F(u + zeta) + F(u - zeta))/2 >= F(u)",
            "F <= (Fplus + Fminus)/2",
            (*(real(name) for name in ("F", "Fplus", "Fminus")), vector("g", "a subgradient at u"),
             vector("z", "zeta")),
            ("F + dot(g, z) <= Fplus", "F - dot(g, z) <= Fminus"),
            argument=(Combine(terms=(("1/2", "F + dot(g, z) <= Fplus"), ("1/2", "F - dot(g, z) <= Fminus"))),),
            candidates=(point("F=0 Fplus=1 Fminus=-1 g=(1,) z=(1,)"), point("F=0 Fplus=1 Fminus=-9 g=(1,) z=(1,)"),
                        point("F=0 Fplus=-9 Fminus=1 g=(-1,) z=(1,)")),
            mutants=(
                Mutant("one-sided", "F(u + zeta) alone", "F <= Fminus"),
                Mutant("not-convex", "no subgradient on one side", conditions=("F + dot(g, z) <= Fplus",)),
            ),
        ),
        step(
            "r7",
            "1/4 + ... + 4^-k = (1 - 4^-k)/3",
            "sum(i, 1, k, 4**(-i)) == (1 - 4**(-k))/3", (K,),
            argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
        ),
        step(
            "r7-halves",
            "1/2 + ... + 2^-k = 1 - 2^-k",
            "sum(i, 1, k, 2**(-i)) == 1 - 2**(-k)", (K,),
            argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
        ),
        step(
            "r8",
            "the phases together, with A = 1 - 2^-(k-1) and B = (1 - 4^-k)/3 of r7, s7 and s8~repaired: the first "
            "phase starts at distance at most r, phase i + 1 at mean square distance sigma_i^2 d",
            f"r**2/(2*(eta/4)*(h/2)) + 4*d*A*L**2*eta/(beta**2*h) + 11/5*eta*L**2*B + "
            f"L*(L*eta/(beta*h**2))*sqrt(d) <= {OURS}",
            (*SETTING, real("A", "[0, oo)"), real("B", "[0, oo)")), ("A <= 1", "B <= 1/3"),
            rests_on=(
                "resque/LEM-4/s7", "resque/LEM-4/s8~repaired",
                *(f"resque/LEM-4~repaired/{name}" for name in ("r5", "r7", "r7-halves")),
            ),
            argument=(
                Combine(terms=(("4*L**2*eta*d/(beta**2*h)", "A <= 1"), ("11*eta*L**2/5", "B <= 1/3"))),
            ),
            candidates=(point("L=1 r=1 beta=1 eta=1 d=1 T=1 h=1 A=1 B=1/3"),),
            mutants=(
                Mutant("first-phase", "T_1 = That/4",
                       "r**2/(2*(eta/4)*(h/4)) + 4*d*A*L**2*eta/(beta**2*h) + 11/5*eta*L**2*B + "
                       f"L*(L*eta/(beta*h**2))*sqrt(d) <= {OURS}"),
                Mutant("noise", "5 in place of 4",
                       "r**2/(2*(eta/4)*(h/2)) + 5*d*A*L**2*eta/(beta**2*h) + 11/5*eta*L**2*B + "
                       f"L*(L*eta/(beta*h**2))*sqrt(d) <= {OURS}"),
            ),
        ),
        Step(
            "lower",
            "a constant below 6.6 is too small: on the line, F(x) = L x, r = 1, T = 255 (That = 128, k = 7) and beta = "
            "10^6 the mean of x_k is at least -e (That (1 - 8^-k)/7 + (1 - 4^-k)/3)/2 - e/(3 beta) for e = eta L/r = "
            "1/sqrt T: a step moves the mean by at most eta_i L (E w = 1), step j of T_i counts (T_i - j + 1)/T_i, a "
            "projection takes at most the noise",
            Statement(
                "6.6*(1/(beta*T) + 1/sqrt(T)) <= 1 - (h*(1 - 8**(-k))/7 + (1 - 4**(-k))/3)/(2*sqrt(T)) - "
                "1/(3*beta*sqrt(T))",
                (BETA, T, H, K), ("h <= T", "T + 1 <= 2*h", "2**k <= h", "h <= 2**k", "1 <= beta*sqrt(T)"), exists=True,
            ),
            kind=ClaimKind.NON_VACUITY,
            argument=(Exhibit(point("beta=1000000 T=255 h=128 k=7")),),
            mutants=(
                Mutant("constant", "6.7",
                       "6.7*(1/(beta*T) + 1/sqrt(T)) <= 1 - (h*(1 - 8**(-k))/7 + (1 - 4**(-k))/3)/(2*sqrt(T)) - "
                       "1/(3*beta*sqrt(T))"),
            ),
        ),
    ),
)  # fmt: skip

CLAIMS = (PRINTED, REPAIRED)
