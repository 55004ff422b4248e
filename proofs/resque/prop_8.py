"""Proposition 8: the strongly convex ball solver (Algorithm 5), k = ceil(log2 log2 T) calls of Algorithm 4.

Call i + 1 starts from x_i with T_i = 2^(i-k) T, beta_i = 2^((k-i)/2) beta and r_i = min(2 r, sqrt(2 D_i/lambda)), where
E_i = (2 C^2 L^2/lambda)(sqrt d/(beta_i T_i) + 1/sqrt T_i)^2 and D_i = 4 E_i ((2 L^2/lambda)/(4 E_0))^(2^-i). The
induction for the utility (s1 to s7) is right but for details; the privacy part is not:

* The first call has beta_0^2 = 2^k beta^2 >= beta^2 log2 T. The hypothesis and the range of orders name beta alone, so
  that Corollary 2 does not apply to the early calls (s9), and the statement is false for every C_priv: on the linear
  canary, for T = 2^(2^58) and C_priv up to 10^6 (the claim).
* Read with natural logarithms, log(log log T/delta) vanishes at T = 3, delta = log log 3 (s8-loglog).
* x_i is noisy: it may lie outside of the ball, where Algorithm 4 asks for a start in the ball (s4-outside, s5-radius).
* x_{k+1} is returned and never computed; k is not defined for T = 1; T_i is no integer (`index`, `domain`, `whole`).

Repaired: beta_i = beta in every call (the printed powers of two gain nothing: without them E_i <= 4 E_{i+1}, and 32 E_k
takes the place of 8 E_k), log(k/delta), starts projected, r <= rho/2, and the term that Corollary 2 lacks. Then
C_sc = 131072, from C_cvx = 32. Theorems 3 and 4 survive; with the printed beta_i, beta must shrink by sqrt(log n).
"""

import numpy as np

from dpaudit.algorithms.resque import sub_erm_strongly_convex
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses, smoothed_value


def on_the_line(steps, regulariser=1.0, privacy=1.0):
    return sub_erm_strongly_convex.Params(
        centre=(0.0,), radius=1.0, smoothing=2.0, privacy=privacy, steps=steps, regulariser=regulariser
    )


def excess(losses, x, smoothing, regulariser):
    """Mean of F^lam over x less its minimum over [-1, 1], on a grid; F is the smoothed empirical risk, xbar = 0."""

    def objective(points):
        return smoothed_value(losses, points[:, None], smoothing) + regulariser / 2 * points**2

    return objective(x).mean() - objective(np.linspace(-1, 1, 20_001)).min()


def gradients(stream, cases):
    """Gradients counted by the shipped solver for T = 1, 2, ..., claimed at most T."""
    steps = 1 + np.arange(cases)
    flat = ridge_losses([(Ridge.ZERO, (1.0,))])
    one = Trials(stream, np.arange(1))
    return np.array([sub_erm_strongly_convex.cpu(on_the_line(int(t)), flat, one).queries[0] for t in steps]), steps


def gap_over_bound(stream, trials):
    """E gap over (8192 L^2/lambda)(d/(beta^2 T^2) + 1/T), the shipped solver with C_cvx = 16: f = x and f = |x - 1/2|
    on [-1, 1], lambda = 1/10, 1, 10, T = 2 to 4096, beta = 1/10 and 10."""
    slope, kink = ridge_losses([(Ridge.LINEAR, (1.0,))]), ridge_losses([(Ridge.ABSOLUTE, (1.0,), 0.5)])
    ratios, numbers = [], np.arange(min(trials, 200))
    for losses in (slope, kink):
        for lam in (0.1, 1.0, 10.0):
            for steps in (2, 3, 5, 16, 100, 4096):
                for beta in (0.1, 10.0):
                    params = on_the_line(steps, lam, beta)
                    x = sub_erm_strongly_convex.cpu(params, losses, Trials(stream, numbers)).final[:, 0]
                    gap = excess(losses, x, params.smoothing, lam)
                    ratios.append(gap * lam / (8192 * ((beta * steps) ** -2.0 + 1 / steps)))
    return np.array(ratios)


L, LAM, C = positive("L", "Lipschitz constant"), positive("lam", "lambda"), real("C", "[1, oo)", "C_cvx or C_priv")
BETA, D = positive("beta", "privacy parameter"), integer("d", "[1, oo)", "dimension")
T, K, CALL = integer("T", "[1, oo)", "gradients"), integer("k", "[1, oo)", "calls"), integer("i", "[0, oo)", "call")
DELTA = real("delta", "(0, 1/6)", "failure probability")
RATE, RATES = "(sqrt(d)/(beta*T) + 1/sqrt(T))", "(d/(beta*T)**2 + 1/T)"
ENOUGH = "log2(T) <= 2**k"


def error_factor(i):
    """sqrt(d)/(beta_i T_i) + 1/sqrt(T_i) of call i."""
    return f"(sqrt(d)/(2**((k - ({i}))/2)*beta*2**({i} - k)*T) + 1/sqrt(2**({i} - k)*T))"


# On the line, f = 0 but for record 1, -L x in one data set and L x in the other; rho -> oo (all weights 1), lambda -> 0
# (r_i = 2 r); T = 2^(2^k), n = C T. In the first half of the first phase of the first call, T_0/4 = T/2^(k+2) draws,
# index 1 comes up with probability s >= 1/(8 C 2^k). Then the average moves by at least eta_1 L/2 = beta_0 sigma_1/2 to
# the right in the first data set, and by nothing to the right in the second. All calls together add noise of
# variance at most (16/15) k sigma_1^2 (sigma_1 is the same in every call, as beta_i^2 T_i is). So x_k > eta_1 L/4 has
# probability at least s Phi(a) for the first and at most Phi(-a) for the second, but for projections. These do no harm
# if the partial sums of the noise stay within r/4: a point that is projected to one end of the ball then stays in that
# half. The at most k 2^k noises have standard deviations that add up to (4/3) k sigma_1, and sigma_1 <= r/(2 beta
# sqrt T) with sqrt T >= 2^k: the sums stay there unless a normal number exceeds 3 beta 2^k/(8 k) (EDGE).
BETA_C = "(sqrt(theta/C)/log(k/delta))"
REACH = f"(2**(k/2)*{BETA_C}/(4*sqrt(16*k/15)))"
EDGE = f"2*k*2**k*Phi(-3*{BETA_C}*2**k/(8*k))"

PRINTED = Claim(
    id="resque/PROP-8",
    title="utility and privacy of the strongly convex ball solver",
    words=(
        "Gap at most (C_sc L^2/lambda)(d/(beta^2 T^2) + 1/T) (steps s1 to s7), and if T/n <= 1/C_priv, beta^2 "
        "log^2(loglog T/delta) <= 1/C_priv and rho/r is large: (alpha, alpha tau, delta)-RDP, tau = C_priv (beta "
        "log(loglog T/delta) T/n)^2, for all alpha < 1/(C_priv beta^2 log^2(loglog T/delta)). Here on the linear "
        "canary with T = 2^(2^k), loglog T = k (base 2, as in the number of calls), n = C T and theta = C beta^2 "
        "log^2(k/delta) < 1: the event that x_k is to the right has probability at least Phi(a)/(8 C 2^k) - e for one "
        "data set and at most Phi(-a) + e for the other, a^2 = 15 beta_0^2/(256 k), beta_0^2 = 2^k beta^2, e the "
        "probability that the noise crosses the ball; the claim bounds the first by delta + (e^(alpha tau) (second + "
        "delta))^(1 - 1/alpha)."
    ),
    place="Proposition 8",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        f"Phi({REACH})/(8*C*2**k) - {EDGE} <= "
        f"delta + (exp(alpha*theta/C**2)*(Phi(-{REACH}) + {EDGE} + delta))**(1 - 1/alpha)",
        (C, K, DELTA, real("theta", "(0, 1)", "C beta^2 log^2(k/delta)"), real("alpha", "(1, oo)", "order")),
        ("alpha*theta < 1",),
    ),
    rests_on=("renyi-probability-preservation",),
    expects=Outcome.REFUTED,
    candidates=(
        point(f"C=1000000 k=58 delta=1/{160 * 2**58 * 10**6} theta=1/100 alpha=50"),
        point(f"C=1 k=34 delta=1/{160 * 2**34} theta=1/100 alpha=50"),
    ),
    finding=(
        "The privacy statement is false for every C_priv, though only for astronomically large T: the first call runs "
        "with beta_0^2 = 2^k beta^2, which grows like log T while the hypothesis bounds beta alone. At T = 2^(2^58) "
        "and C_priv = 10^6 the noise of the first call is far below the effect of one hit, and the event `hit` alone "
        "breaks the claim. The utility (C_sc = 32 C_cvx^2) is right up to LEM-4's condition and COR-2's missing term. "
        "With beta_i = beta in every call the printed privacy follows from that of Corollary 2 with log(k/delta), and "
        "C_sc = 128 C_cvx^2: Theorems 3 and 4 survive with larger constants."
    ),
    repair="resque/PROP-8~repaired/r9",
    steps=(
        step(
            "gradients",
            "at most T gradients: the T_i add up to T (1/2 + ... + 2^-k) = T (1 - 2^-k)",
            "sum(j, 1, k, 2**(-j)) == 1 - 2**(-k)", (K,),
            kind=ClaimKind.COST,
            argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
            empirical=(Count("gradients", "<=", near_miss=0.3, cases=130),),
        ),
        erratum(
            "index",
            "x_{k+1} is returned; the loop computes x_1, ..., x_k",
            "k + 1 <= k", (K,),
            candidates=(point("k=1"),),
            finding=(
                "No x_{k+1} exists. The analysis bounds Delta_k, the gap of x_k, with which the number of gradients "
                "stays below T; one more call with T_k = T would take up to 2 T gradients. Meant is x_k; nothing else "
                "depends on it."
            ),
            repair="resque/PROP-8~repaired",
        ),
        erratum(
            "domain",
            "k = ceil(log2 log2 T) is defined for every T (log2 T > 0)",
            "0 < log2(T)", (T,),
            candidates=(point("T=1"),),
            finding=(
                "T = 1 is admitted and log2 log2 1 is not defined (nor is the log^2(loglog T/delta) of the privacy "
                "part at T = 1 and, in base 2, at T = 2, where it is 0). For T <= 2 the algorithm should return xbar, "
                "whose gap is small enough (r10); that needs no noise at all."
            ),
            repair="resque/PROP-8~repaired/r10",
        ),
        Step(
            "whole",
            "T_0 = 2^-k T is a natural number, as Algorithm 4 asks",
            Statement("floor(2**(-k)*T) == 2**(-k)*T", (K, T), (ENOUGH, "2**k < 2*log2(T)")),
            expects=Outcome.REFUTED,
            candidates=(point("T=3 k=1"),),
            finding=(
                "T_i = 2^(i-k) T is no integer in general (T = 3: T_0 = 3/2). Harmless if Algorithm 4 takes real T >= "
                "1, as only 2^floor(log2 T) steps are made (COR-2~repaired holds for real T); T_i rounded down may "
                "double E_i."
            ),
            repair="resque/PROP-8~repaired",
        ),
        step(
            "s1",
            "E_{i+1} = E_i/2, as beta_i T_i = 2^((i-k)/2) beta T",
            f"{error_factor('i + 1')}**2 == {error_factor('i')}**2/2", (BETA, D, T, K, CALL),
            candidates=(point("beta=1 d=4 T=16 k=2 i=0"),),
        ),
        step(
            "s2",
            "(29): sqrt(D_i E_i) = D_{i+1}, with D_i = 4 E q, q = c^(2^-i), and D_{i+1} = 4 (E/2) sqrt q",
            "sqrt(4*E*q*E) == 4*(E/2)*sqrt(q)", (positive("E", "E_i"), positive("q", "D_i/(4 E_i)")),
        ),
        step(
            "s2-roots",
            "D_{i+1}/(4 E_{i+1}) = sqrt(D_i/(4 E_i)): c^(2^-(i+1)) is the root of c^(2^-i)",
            "c**(2**(-i - 1)) == sqrt(c**(2**(-i)))", (positive("c", "(2 L^2/lambda)/(4 E_0)"), CALL),
        ),
        step(
            "s3",
            "D_0 = 2 L^2/lambda, the bound of Lemma 8 for the gap of xbar",
            "4*E*((2*L**2/lam)/(4*E))**(2**0) == 2*L**2/lam", (L, LAM, positive("E", "E_0")),
            rests_on=("resque/LEM-8",),
        ),
        step(
            "s4",
            "E|x_i - xs|^2 <= 2 Delta_i/lambda. For x_i = ybar + zeta: a = E|ybar - xs|^2, s = E|zeta|^2, e = E "
            "F^lam(ybar) - F^lam(xs); strong convexity in the ball for ybar, and zeta of mean 0 raises the mean by at "
            "least (lambda/2) s",
            "a + s <= 2*Delta/lam",
            (LAM, real("a", "[0, oo)"), real("s", "[0, oo)"), real("e", "[0, oo)"), real("Delta", "[0, oo)")),
            ("lam/2*a <= e", "e + lam/2*s <= Delta"),
            rests_on=("resque/LEM-8/s1", "resque/COR-2~repaired/r5"),
            argument=(Combine(terms=(("2/lam", "lam/2*a <= e"), ("2/lam", "e + lam/2*s <= Delta"))),),
            candidates=(point("lam=1 a=2 s=2 e=1 Delta=2"), point("lam=1 a=9 s=2 e=1 Delta=2")),
            mutants=(
                Mutant("factor", "1.9 in place of 2", "a + s <= 1.9*Delta/lam"),
                Mutant("no-strong-convexity", "nothing known of ybar", conditions=("e + lam/2*s <= Delta",)),
            ),
        ),
        erratum(
            "s4-outside",
            "the reason given for s4, strong convexity, at a given x_i: (lambda/2)|x - xs|^2 <= F^lam(x) - F^lam(xs). "
            "Here on the line, F(x) = -L x, lambda r < L, xs = r and x = r + z outside of the ball",
            "lam/2*z**2 <= -L*z + lam/2*((r + z)**2 - r**2)",
            (L, LAM, positive("r", "radius"), positive("z", "how far outside")), ("lam*r <= L",),
            candidates=(point("L=2 lam=1 r=1 z=1"),),
            finding=(
                "A gap in the reason, inherited from COR-2/membership: xs is optimal among the points of the ball "
                "only, and x_i is an average plus noise, which may be outside of it; there F^lam may be smaller than "
                "at xs. The printed inequality, in the mean, is right (s4), because the noise has mean 0 and is "
                "independent of the average."
            ),
            repair="resque/PROP-8/s4",
        ),
        step(
            "s5",
            "C L r_i (sqrt d/(beta_i T_i) + 1/sqrt T_i) <= sqrt(D_i E_i), for r_i <= sqrt(2 D_i/lambda), with s the "
            "bracket",
            "C*L*r*s <= sqrt(Di*(2*C**2*L**2/lam*s**2))",
            (L, LAM, C, positive("r", "r_i"), positive("s"), positive("Di", "D_i")),
            ("r <= sqrt(2*Di/lam)",),
            argument=(Combine(terms=(("C*L*s", "r <= sqrt(2*Di/lam)"),)),),
            candidates=(point("L=1 lam=2 C=1 r=1 s=1 Di=1"), point("L=1 lam=2 C=1 r=9 s=1 Di=1")),
            mutants=(
                Mutant("factor", "0.95", "C*L*r*s <= 0.95*sqrt(Di*(2*C**2*L**2/lam*s**2))"),
                Mutant("any-radius", "r_i any number", conditions=()),
            ),
        ),
        erratum(
            "s5-radius",
            "r_i = min(2 r, ...) bounds the distance of the start, as `x_i is in the ball` implies: E|x_i - xs|^2 <= "
            "(2 r)^2 for x_i = ybar + noise, ybar and xs in the ball. Here ybar = -r, xs = r on the line",
            "(2*r)**2 + sigma**2 <= (2*r)**2", (positive("r", "radius"), positive("sigma", "noise of x_i")),
            candidates=(point("r=1 sigma=1"),),
            finding=(
                "Inherited from COR-2/membership: two points of the ball are at most 2 r apart, but x_i carries noise, "
                "is not in the ball, as Algorithm 4 asks of its start, and 2 r does not bound its distance from xs for "
                "that reason. (The point shown is no run of the algorithm; nothing is said against the bound for its "
                "iterates.) Projecting x_i repairs both: post-processing, which does not increase the distance."
            ),
            repair="resque/PROP-8~repaired/r8",
        ),
        step(
            "s6",
            "D_k <= 8 E_k, for D_k = 4 E_k c^(2^-k), c <= T (s6-start) and 2^k >= log2 T: T^(2^-k) <= 2 (p = log2 c <= "
            "2^k = g)",
            "4*E*2**(p/g) <= 8*E", (positive("E", "E_k"), real("p"), real("g", "[1, oo)")), ("p <= g",),
            argument=(
                Scale("1/(4*E)"),
                Rewrite(left="2**(p/g)", right="2"),
                Logarithm(),
                Rewrite(left="log(2)*p/g", right="log(2)"),
                Combine(terms=(("log(2)/g", "p <= g"),)),
            ),
            candidates=(point("E=1 p=4 g=4"), point("E=1 p=9 g=4")),
            mutants=(
                Mutant("few-calls", "fewer calls", conditions=("p <= 2*g",), candidates=(point("E=1 p=8 g=4"),)),
            ),
            tightness=(Tightness("D_k", "8", "4*E*2**(p/g) <= {c}*E", "8", "7.9", candidates=(point("E=1 p=4 g=4"),)),),
        ),
        step(
            "s6-start",
            "E_0 >= L^2/(2 lambda T), for C_cvx >= 1/2 (here C_cvx >= 1) and T_0 = T/g <= T",
            "L**2/(2*lam*T) <= 2*C**2*L**2/lam*(sqrt(d)/(beta*T/g) + 1/sqrt(T/g))**2",
            (L, LAM, C, BETA, D, T, real("g", "[1, oo)", "2^k")),
            argument=(
                Bound(
                    right="2*C**2*L**2/lam*(1/sqrt(T/g))**2",
                    argument=(
                        Combine(
                            terms=(
                                ("2*C**2*L**2/lam", "0 <= (sqrt(d)/(beta*T/g))**2"),
                                ("4*C**2*L**2/lam/sqrt(T/g)", "0 <= sqrt(d)/(beta*T/g)"),
                            )
                        ),
                    ),
                ),
                Scale("lam*T/L**2"),
                Rewrite(left="1/2", right="2*C**2*g"),
                Positive(),
            ),
            candidates=(point("L=1 lam=1 C=1 beta=100 d=1 T=1 g=1"),),
            mutants=(
                Mutant("constant", "2.1 in place of 1/2", "2.1*L**2/(lam*T) <= 2*C**2*L**2/lam*(sqrt(d)/(beta*T/g) + "
                                                          "1/sqrt(T/g))**2"),
                Mutant("small-C", "any C_cvx > 0",
                       symbols=(L, LAM, positive("C"), BETA, D, T, real("g", "[1, oo)")),
                       candidates=(point("L=1 lam=1 C=1/4 beta=100 d=1 T=1 g=1"),)),
            ),
        ),
        step(
            "s7",
            "8 E_k <= (32 C_cvx^2 L^2/lambda)(d/(beta^2 T^2) + 1/T), so C_sc = 32 C_cvx^2: (a + b)^2 <= 2 a^2 + 2 b^2",
            f"8*(2*C**2*L**2/lam*{RATE}**2) <= 32*C**2*L**2/lam*{RATES}", (L, LAM, C, BETA, D, T),
            kind=ClaimKind.CONVERGENCE,
            argument=(Combine(terms=(("16*C**2*L**2/lam", "0 <= (sqrt(d)/(beta*T) - 1/sqrt(T))**2"),)),),
            empirical=(Search("gap_over_bound", near_miss=0.004, trials=200),),
            candidates=(point("L=1 lam=1 C=1 beta=1 d=1 T=1"),),
            mutants=(Mutant("one-term", "1/T alone", f"8*(2*C**2*L**2/lam*{RATE}**2) <= 32*C**2*L**2/lam/T"),),
            tightness=(
                Tightness("C_sc", "32", f"8*(2*C**2*L**2/lam*{RATE}**2) <= "
                                                     f"" + "{c}*C**2*L**2/lam*" + RATES,
                          "32", "31.9", candidates=(point("L=1 lam=1 C=1 beta=1 d=1 T=1"),)),
            ),
        ),
        step(
            "s8",
            "beta_i^2 T_i^2 doubles from call to call",
            "(2**((k - (i + 1))/2)*beta*2**(i + 1 - k)*T)**2 == 2*(2**((k - i)/2)*beta*2**(i - "
            "k)*T)**2", (BETA, T, K, CALL),
        ),
        step(
            "s8-end",
            "and is beta^2 T^2/2 in the last call, i = k - 1",
            "(2**((k - (k - 1))/2)*beta*2**(k - 1 - k)*T)**2 == (beta*T)**2/2", (BETA, T, K),
        ),
        erratum(
            "s8-loglog",
            "k calls at delta/k: log(k/delta) is at most a constant (here 1000) times log(loglog T/delta), natural "
            "logarithms as elsewhere in the paper; T = 3 and k = 1",
            "log(1/delta)**2 <= 1000*log(log(log(3))/delta)**2", (DELTA,),
            candidates=(point("delta=47/500"),),
            finding=(
                "log log 3 = 0.094 lies in the range of delta: at delta = log log 3 the printed tau and the printed "
                "bound on beta vanish. With base 2, as in the number of calls, or with k in place of loglog T, it is a "
                "matter of constants."
            ),
            repair="resque/PROP-8~repaired/r9",
        ),
        erratum(
            "s9",
            "every call meets the hypotheses of Corollary 2 at (beta_i, delta/k): the first, i = 0, with T = 2^(2^k)",
            "(2**(k/2)*beta)**2*log(k/delta)**2 <= 1/C", (C, BETA, K, DELTA), ("beta**2*log(k/delta)**2 <= "
            "1/C",),
            candidates=(point("C=1 beta=1/10 k=8 delta=1/10"), point("C=1 beta=1/4 k=4 delta=1/10")),
            finding=(
                "beta_0^2 = 2^k beta^2 lies between log2 T and 2 log2 T times beta^2, so that neither beta_0^2 "
                "log^2(k/delta) <= 1/C_priv nor the order alpha < 1/(C_priv beta_0^2 log^2) follows from what is "
                "assumed, for any choice of constants. Theorem 3 checks the hypotheses as printed and inherits the "
                "gap: its alpha is out of range by a factor of log n for constant eps_dp. It survives with beta_i = "
                "beta."
            ),
            repair="resque/PROP-8~repaired/r9",
        ),
        step(
            "s9-radius",
            "the condition on rho/r at (T_i, delta/k), with 2 in place of 1 before the logarithm (4 C_priv): log(k "
            "l/delta) <= 2 log(l/delta) for l = log T >= 1, k <= 6 l, delta <= 1/6",
            "log(k*l/delta) <= 2*log(l/delta)",
            (real("k", "[1, oo)"), real("l", "[1, oo)"), real("delta", "(0, 1/6]")),
            ("k <= 6*l", "6*delta <= 1"),
            argument=(
                Rewrite(left="log(k) + log(l) - log(delta)", right="2*log(l) - 2*log(delta)"),
                Bound(left="k/(6*l) - 1 + log(6*l) + log(l) - log(delta)", argument=(Tangent("k", "6*l"),)),
                Bound(right="2*log(l) - log(delta) + log(6) + 1 - 6*delta", argument=(Tangent("delta", "1/6"),)),
                Rewrite(left="k/(6*l) - 1 + log(6) + 2*log(l) - log(delta)"),
                Combine(terms=(("1/(6*l)", "k <= 6*l"), ("1", "6*delta <= 1"))),
            ),
            candidates=(point("k=6 l=1 delta=1/6"), point("k=99 l=1 delta=1/6")),
            mutants=(
                Mutant("factor", "1.4 in place of 2", "log(k*l/delta) <= 1.4*log(l/delta)"),
                Mutant("any-k", "k any number", conditions=("6*delta <= 1",)),
            ),
        ),
    ),
)  # fmt: skip

OURS = f"(2*32**2*L**2/lam*{RATE}**2)"
REAL_T, H = real("T", "[1, oo)", "T_i"), real("h", "[1, oo)", "That of the call")
RATIO = positive("R", "D_i/E_i")
ROOT = positive("p", "sqrt(D_i)")
RADIUS = ("r <= p*sqrt(2/lam)", "2*p <= h**4*(32*L*s*sqrt(2/lam))")

REPAIRED = Claim(
    id="resque/PROP-8~repaired",
    title="utility of the strongly convex ball solver with one beta",
    words=(
        "Algorithm 5 with beta_i = beta, every start projected onto the ball, x_k returned, r <= rho/2, D_0 = 2 "
        "L^2/lambda, D_{i+1} = sqrt(D_i E_i) and C_cvx = 32 in E_i: for T >= 3 the gap is at most (131072 "
        "L^2/lambda)(d/(beta^2 T^2) + 1/T). The hypotheses say gap <= D_k (r2, by induction) and D_k <= R E_k with R "
        "<= 32 (r3, r5). For T <= 2 see r10. Its privacy is r9: (alpha, alpha tau/3, delta)-RDP with the printed tau, "
        "hypotheses and orders, k in place of loglog T, and rho/r >= 4 C_priv log^2(log T/delta)."
    ),
    place="Proposition 8",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        f"gap <= 131072*L**2/lam*{RATES}", (L, LAM, BETA, D, T, RATIO, real("gap")), (f"gap <= R*{OURS}", "R <= 32")
    ),
    rests_on=("resque/COR-2~repaired", "resque/LEM-8", *(f"resque/PROP-8~repaired/r{i}" for i in range(1, 11))),
    argument=(
        Combine(
            terms=(
                ("1", f"gap <= R*{OURS}"), (OURS, "R <= 32"),
                ("65536*L**2/lam", "0 <= (sqrt(d)/(beta*T) - 1/sqrt(T))**2"),
            )
        ),
    ),
    candidates=(point("L=1 lam=1 beta=1 d=1 T=1 R=32 gap=262144"), point("L=1 lam=1 beta=1 d=1 T=1 R=99 gap=300000")),
    mutants=(
        Mutant("constant", "131000", f"gap <= 131000*L**2/lam*{RATES}"),
        Mutant("few-calls", "R any number", conditions=(f"gap <= R*{OURS}",)),
        Mutant("one-term", "1/T alone", "gap <= 131072*L**2/lam/T"),
    ),
    steps=(
        step(
            "r1",
            "with one beta, E_i <= 4 E_{i+1}: T_{i+1} = 2 T_i, u = sqrt(d)/(beta T_i), w = 1/sqrt(T_i)",
            "(u + w)**2 <= 4*(u/2 + w/sqrt(2))**2", (real("u", "[0, oo)"), real("w", "[0, oo)")),
            argument=(Positive(),),
            candidates=(point("u=1 w=0"),),
            mutants=(Mutant("factor", "3.9 in place of 4", "(u + w)**2 <= 3.9*(u/2 + w/sqrt(2))**2"),),
            tightness=(Tightness("loss-per-call", "2", "(u + w)**2 <= {c}*(u/2 + w/sqrt(2))**2", "4", "3.99",
                                 candidates=(point("u=1 w=0"),)),),
        ),
        step(
            "r2",
            "one call: by COR-2~repaired its gap is at most 16 L r_i s + (lambda/2) r_i^2/That^4, s = sqrt d/(beta "
            "T_i) + 1/sqrt T_i, and that is at most sqrt(D_i E_i) = p e, sqrt(E_i) = e = 32 L s sqrt(2/lambda), if 2 "
            "sqrt(D_i/E_i) <= That^4 (r4)",
            "16*L*r*s + lam/2*r**2/h**4 <= p*(32*L*s*sqrt(2/lam))",
            (L, LAM, ROOT, H, positive("r", "r_i"), positive("s")), RADIUS,
            rests_on=("resque/COR-2~repaired", "resque/COR-2~repaired/r8", "resque/COR-2~repaired/r8-rate",
                      *(f"resque/PROP-8~repaired/{name}" for name in ("r4", "r4-first", "r8"))),
            argument=(
                Combine(
                    terms=(
                        ("16*L*s", RADIUS[0]), ("lam/(2*h**4)*(p*sqrt(2/lam) + "
                                                "r)", RADIUS[0]), ("p/(2*h**4)", RADIUS[1]),
                    )
                ),
            ),
            candidates=tuple(point(f"L=1 lam=2 s=1 h=1 {more}") for more in ("p=16 r=16", "p=16 r=99", "p=99 r=99")),
            mutants=(
                Mutant("factor", "31 in place of 32", "16*L*r*s + lam/2*r**2/h**4 <= p*(31*L*s*sqrt(2/lam))"),
                Mutant("any-radius", "r_i any number", conditions=RADIUS[1:]),
                Mutant("few-steps", "no condition on That", conditions=RADIUS[:1]),
            ),
        ),
        step(
            "r3",
            "the ratio R_i = D_i/E_i: R_{i+1} = sqrt(D_i E_i)/E_{i+1} = sqrt(R_i) E_i/E_{i+1} <= 4 sqrt(R_i), and so "
            "R_i <= 16 q implies R_{i+1} <= 16 sqrt q",
            "sqrt(R)*E/En <= 16*sqrt(q)",
            (RATIO, positive("E", "E_i"), positive("En", "E_{i+1}"), positive("q")),
            ("E <= 4*En", "R <= 16*q"),
            rests_on=("resque/PROP-8~repaired/r1",),
            argument=(
                Combine(terms=(("sqrt(R)/En", "E <= 4*En"), ("4/(sqrt(R) + 4*sqrt(q))", "R <= 16*q"))),
            ),
            candidates=(point("R=16 E=4 En=1 q=1"), point("R=16 E=9 En=1 q=1"), point("R=99 E=4 En=1 q=1")),
            mutants=(
                Mutant("factor", "15 in place of 16", "sqrt(R)*E/En <= 15*sqrt(q)"),
                Mutant("no-r1", "E_i any number", conditions=("R <= 16*q",)),
            ),
        ),
        step(
            "r4",
            "calls i >= 1 (T_i >= 2, so That >= 2): 4 R_i <= That^8, with R_i <= 16 + R_0 by r3 and R_0 <= T_0/1024 "
            "(r4-start), T_0 <= 2 That",
            "4*R <= h**8", (RATIO, real("t0", "[1, oo)", "T_0"), real("h", "[2, oo)", "That")),
            ("R <= 16 + t0/1024", "t0 <= 2*h"),
            rests_on=("resque/PROP-8~repaired/r3", "resque/PROP-8~repaired/r4-start"),
            argument=(
                Bound(
                    left="64 + h/128",
                    argument=(Combine(terms=(("4", "R <= 16 + t0/1024"), ("1/256", "t0 <= 2*h"))),),
                ),
                Positive(),
            ),
            candidates=(point("R=16 t0=1 h=2"), point("R=99 t0=1 h=2"), point("R=66 t0=51200 h=2")),
            mutants=(
                Mutant("power", "That^6", "4*R - 1/100 <= h**6 - 1"),
                Mutant("any-ratio", "R_i any number", conditions=("t0 <= 2*h",)),
                Mutant("long-first-call", "T_0 any number", conditions=("R <= 16 + t0/1024",)),
            ),
        ),
        step(
            "r4-first",
            "call 0: 4 R_0 <= That^8, with R_0 <= T_0/1024 and T_0 <= 2 That, That >= 1",
            "4*R <= h**8", (RATIO, real("t0", "[1, oo)", "T_0"), H), ("R <= t0/1024", "t0 <= 2*h"),
            rests_on=("resque/PROP-8~repaired/r4-start",),
            argument=(
                Bound(
                    left="h/128", argument=(Combine(terms=(("4", "R <= t0/1024"), ("1/256", "t0 <= 2*h"))),),
                ),
                Positive(),
            ),
            candidates=(point("R=1/512 t0=2 h=1"), point("R=9 t0=2 h=1"), point("R=9 t0=9999 h=1")),
            mutants=(
                Mutant("any-ratio", "R_0 any number", conditions=("t0 <= 2*h",)),
                Mutant("long-first-call", "T_0 any number", conditions=("R <= t0/1024",)),
            ),
        ),
        step(
            "r4-start",
            "R_0 = D_0/E_0 = (2 L^2/lambda)/((2048 L^2/lambda) s_0^2) <= T_0/1024, since s_0 >= 1/sqrt T_0",
            "2*L**2/lam <= t0/1024*(2*32**2*L**2/lam*(sqrt(d)/(beta*t0) + 1/sqrt(t0))**2)",
            (L, LAM, BETA, D, positive("t0", "T_0")),
            argument=(
                Combine(
                    terms=(
                        ("2*L**2*t0/lam", "0 <= (sqrt(d)/(beta*t0))**2"),
                        ("4*L**2*sqrt(t0)/lam", "0 <= sqrt(d)/(beta*t0)"),
                    )
                ),
            ),
            candidates=(point("L=1 lam=1 beta=1000 d=1 t0=1"),),
            mutants=(
                Mutant("constant", "T_0/1100", "2*L**2/lam <= t0/1100*(2*32**2*L**2/lam*(sqrt(d)/(beta*t0) + "
                                               "1/sqrt(t0))**2)"),
            ),
        ),
        step(
            "r5",
            "after k calls R_k <= 16 q^(2^-k) with q = max(1, R_0/16) <= T <= 2^(2^k), so R_k <= 32 (p = log2 q, g = "
            "2^k)",
            "16*2**(p/g) <= 32", (real("p", "[0, oo)"), real("g", "[1, oo)")), ("p <= g",),
            rests_on=("resque/PROP-8~repaired/r3", "resque/PROP-8~repaired/r4-start"),
            argument=(
                Scale("1/16"),
                Rewrite(left="2**(p/g)", right="2"),
                Logarithm(),
                Rewrite(left="log(2)*p/g", right="log(2)"),
                Combine(terms=(("log(2)/g", "p <= g"),)),
            ),
            candidates=(point("p=4 g=4"), point("p=9 g=4")),
            mutants=(
                Mutant("constant", "31", "16*2**(p/g) <= 31"),
                Mutant("few-calls", "g any number", conditions=()),
            ),
        ),
        step(
            "r6",
            "32 E_k <= (131072 L^2/lambda)(d/(beta^2 T^2) + 1/T), 131072 = 128 * 32^2",
            f"32*{OURS} <= 128*32**2*L**2/lam*{RATES}", (L, LAM, BETA, D, T),
            argument=(Combine(terms=(("65536*L**2/lam", "0 <= (sqrt(d)/(beta*T) - 1/sqrt(T))**2"),)),),
            candidates=(point("L=1 lam=1 beta=1 d=1 T=1"),),
            mutants=(Mutant("constant", "127", f"32*{OURS} <= 127*32**2*L**2/lam*{RATES}"),),
        ),
        step(
            "r7",
            "T_0 = T/2^k is at least 1 for T >= 3, as COR-2~repaired asks: 2^k < 2 log2 T <= T for T >= 4, and T_0 = "
            "3/2 for T = 3",
            "2*log(T) <= T*log(2)", (real("T", "[4, oo)"),),
            argument=(
                Monotone("T", "low", (Rewrite(right="log(2) - 2/T"), Bound(right="log(2) - 1/2", argument=(
                    Combine(terms=(("1/(2*T)", "4 <= T"),)),)), Boxes())),
                Identical(),
            ),
            mutants=(
                mutant("factor", "2.1 in place of 2", "2.1*log(T) <= T*log(2)", "T=4"),
                Mutant("small-T", "T from 3 on", symbols=(real("T", "[3, oo)"),), candidates=(point("T=3"),)),
            ),
        ),
        step(
            "r8",
            "a projected start p is within 2 r of xs (both in the ball; v = p - xbar, w = xs - xbar), and no further "
            "from xs than x_i was (COR-2~repaired/r9), so that r_i = min(2 r, sqrt(2 D_i/lambda)) bounds its distance",
            "norm(v - w) <= 2*r", (positive("r", "radius"), vector("v"), vector("w")),
            ("norm(v) <= r", "norm(w) <= r"),
            rests_on=("resque/PROP-8/s4", "resque/COR-2~repaired/r9", "projection-onto-a-convex-set"),
            argument=(
                Combine(
                    terms=(
                        ("1", "norm(v - w) <= norm(v) + norm(w)"), ("1", "norm(v) <= r"), ("1", "norm(w) <= r"),
                    )
                ),
            ),
            candidates=(point("r=1 v=(1,) w=(-1,)"), point("r=1 v=(9,) w=(-1,)"), point("r=1 v=(1,) w=(-9,)")),
            mutants=(
                Mutant("factor", "1.9 r", "norm(v - w) <= 1.9*r"),
                Mutant("outside", "p outside of the ball", conditions=("norm(w) <= r",)),
            ),
        ),
        step(
            "r9",
            "privacy: every call has the same beta and at most T/2 gradients, at delta/k (and delta/k < 1/6): its "
            "hypothesis is beta^2 log^2(k/delta) <= 1/C and its order range alpha < 1/(C beta^2 log^2(k/delta)), those "
            "of the repaired claim (rho/r: s9-radius); the costs alpha C (beta log(1/(delta/k)) T_i/n)^2 add up to a "
            "third of the printed one, as T_i = 2^(i-k) T and B = 1/4 + ... + 4^-k <= 1/3",
            "alpha*C*(beta*log(1/(delta/k))*T/n)**2*B <= alpha*C*(beta*log(k/delta)*T/n)**2/3",
            (C, BETA, K, T, DELTA, integer("n", "[1, oo)"), real("alpha", "(1, oo)"), real("B", "[0, oo)")),
            ("B <= 1/3",),
            rests_on=("resque/LEM-3", "resque/LEM-4~repaired/r7", "resque/LEM-7", "resque/COR-2/s5",
                      "resque/COR-2/s6-doubled", "resque/PROP-8/s9-radius"),
            kind=ClaimKind.PRIVACY,
            argument=(
                Rewrite(left="alpha*C*(beta*log(k/delta)*T/n)**2*B"),
                Combine(terms=(("alpha*C*(beta*log(k/delta)*T/n)**2", "B <= 1/3"),)),
            ),
            candidates=(point("C=1 beta=1 k=1 T=1 delta=1/10 n=1 alpha=2 B=1/3"), point("C=1 beta=1 k=1 T=1 delta=1/10 n=1 "
                                                                                  "alpha=2 B=1")),
            mutants=(
                Mutant("constant", "a quarter",
                       "alpha*C*(beta*log(1/(delta/k))*T/n)**2*B <= alpha*C*(beta*log(k/delta)*T/n)**2/4"),
                Mutant("long-sum", "B any number", conditions=()),
            ),
        ),
        step(
            "r10",
            "T <= 2: xbar is returned, with gap at most 2 L^2/lambda (Lemma 8)",
            f"2*L**2/lam <= 131072*L**2/lam*{RATES}", (L, LAM, BETA, D, real("T", "[1, 2]")),
            rests_on=("resque/LEM-8",),
            argument=(
                Bound(
                    right="131072*L**2/lam/T",
                    argument=(Combine(terms=(("131072*L**2/lam", "0 <= d/(beta*T)**2"),)),),
                ),
                Scale("lam/L**2"),
                Rewrite(left="2", right="131072/T"),
                Boxes(),
            ),
            mutants=(
                mutant("noise-only", "the noise term alone", "2*L**2/lam <= 131072*L**2/lam*(d/(beta*T)**2)",
                       "L=1 lam=1 beta=1000 d=1 T=1"),
            ),
        ),
    ),
)  # fmt: skip

CLAIMS = (PRINTED, REPAIRED)
