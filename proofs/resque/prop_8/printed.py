"""The printed proof: the recursion of the gaps."""

import numpy as np

from dpaudit.algorithms.resque import sub_erm_strongly_convex
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses


def on_the_line(steps, regulariser=1.0, privacy=1.0):
    return sub_erm_strongly_convex.Params(
        centre=(0.0,), radius=1.0, smoothing=2.0, privacy=privacy, steps=steps, regulariser=regulariser
    )


def gradients(stream, cases):
    """Gradients counted by the shipped solver for T = 1, 2, ..., claimed at most T."""
    steps = 1 + np.arange(cases)
    flat = ridge_losses([(Ridge.ZERO, (1.0,))])
    one = Trials(stream, np.arange(1))
    return np.array([sub_erm_strongly_convex.cpu(on_the_line(int(t)), flat, one).queries[0] for t in steps]), steps


L, LAM, C = positive("L", "Lipschitz constant"), positive("lam", "lambda"), real("C", "[1, oo)", "C_cvx or C_priv")
BETA, D = positive("beta", "privacy parameter"), integer("d", "[1, oo)", "dimension")
T, K, CALL = integer("T", "[1, oo)", "gradients"), integer("k", "[1, oo)", "calls"), integer("i", "[0, oo)", "call")
DELTA = real("delta", "(0, 1/6)", "failure probability")
RATE, RATES = "(sqrt(d)/(beta*T) + 1/sqrt(T))", "(d/(beta*T)**2 + 1/T)"
ENOUGH = "log2(T) <= 2**k"


def error_factor(i):
    """sqrt(d)/(beta_i T_i) + 1/sqrt(T_i) of call i."""
    return f"(sqrt(d)/(2**((k - ({i}))/2)*beta*2**({i} - k)*T) + 1/sqrt(2**({i} - k)*T))"


GAP_STEPS = (
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
        place="Algorithm 5, line 7",
        reads=Reads.PRINTED,
        candidates=(point("k=1"),),
        finding="A misprint: no x_{k+1} exists. The analysis bounds Delta_k, the gap of x_k (s7), with which the "
            "number of gradients stays below T; one more call with T_k = T would take up to 2 T gradients. Meant "
            "is x_k; nothing else depends on it.",
        repair="resque/PROP-8/s7",
    ),
    erratum(
        "domain",
        "At the end of the range, T = 1: k = ceil(log2 log2 T) is defined for every T (log2 T > 0)",
        "0 < log2(T)", (T,),
        place="Algorithm 5, line 2",
        reads=Reads.BOUNDARY,
        candidates=(point("T=1"),),
        finding="A boundary case: T = 1 is admitted and log2 log2 1 is not defined (nor is the log^2(loglog T/delta) "
            "of the privacy part at T = 1 and, in base 2, at T = 2, where it is 0). For T <= 2 the algorithm "
            "should return xbar, whose gap is small enough (r10); that needs no noise at all.",
        repair="resque/PROP-8~repaired/r10",
    ),
    Step(
        "whole",
        "Rounding, which the paper leaves out: T_0 = 2^-k T is a natural number, as Algorithm 4 asks",
        Statement("floor(2**(-k)*T) == 2**(-k)*T", (K, T), (ENOUGH, "2**k < 2*log2(T)")),
        place="Algorithm 5, line 4",
        reads=Reads.BOUNDARY,
        expects=Outcome.REFUTED,
        candidates=(point("T=3 k=1"),),
        finding="A matter of rounding: T_i = 2^(i-k) T is no integer in general (T = 3: T_0 = 3/2). Harmless if "
            "Algorithm 4 takes real T >= 1, as only 2^floor(log2 T) steps are made (COR-2~repaired holds for real "
            "T); T_i rounded down may double E_i.",
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
        "sqrt(4*Ei*q*Ei) == 4*(Ei/2)*sqrt(q)", (positive("Ei", "E_i"), positive("q", "D_i/(4 E_i)")),
    ),
    step(
        "s2-roots",
        "D_{i+1}/(4 E_{i+1}) = sqrt(D_i/(4 E_i)): c^(2^-(i+1)) is the root of c^(2^-i)",
        "c**(2**(-i - 1)) == sqrt(c**(2**(-i)))", (positive("c", "(2 L^2/lambda)/(4 E_0)"), CALL),
    ),
    step(
        "s3",
        "D_0 = 2 L^2/lambda, the bound of Lemma 8 for the gap of xbar",
        "4*Ei*((2*L**2/lam)/(4*Ei))**(2**0) == 2*L**2/lam", (L, LAM, positive("Ei", "E_0")),
        rests_on=("resque/LEM-8",),
    ),
    step(
        "s4",
        "E|x_i - xs|^2 <= 2 Delta_i/lambda. For x_i = ybar + zeta: a = E|ybar - xs|^2, s = E|zeta|^2, e = E "
        "F^lam(ybar) - F^lam(xs); strong convexity in the ball for ybar, and zeta of mean 0 raises the mean by at "
        "least (lambda/2) s",
        "a + s <= 2*Delta/lam",
        (LAM, real("a", "[0, oo)"), real("s", "[0, oo)"), real("e", "[0, oo)"), real("Delta", "[0, oo)")),
        given={"resque/LEM-8/s1": "lam/2*a <= e", "resque/COR-2~repaired/r5": "e + lam/2*s <= Delta"},
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
        reads=Reads.REASON,
        candidates=(point("L=2 lam=1 r=1 z=1"),),
        finding="A gap in the reason, inherited from COR-2/membership: xs is optimal among the points of the ball "
            "only, and x_i is an average plus noise, which may be outside of it (nor is it then a start in the "
            "ball, as Algorithm 4 asks for); there F^lam may be smaller than at xs. The printed inequality, in "
            "the mean, is right (s4), because the noise has mean 0 and is independent of the average.",
        repair="resque/PROP-8/s4",
    ),
    step(
        "s5",
        "C L r_i (sqrt d/(beta_i T_i) + 1/sqrt T_i) <= sqrt(D_i E_i), for r_i <= sqrt(2 D_i/lambda), with s the "
        "bracket. In part: the second line of the display; the first, Delta_{i+1} <= C L r_i (...), is Corollary "
        "2",
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
    step(
        "s6",
        "D_k <= 8 E_k, for D_k = 4 E_k c^(2^-k), c <= T (s6-start) and 2^k >= log2 T: T^(2^-k) <= 2 (p = log2 c <= "
        "2^k = g)",
        "4*Ei*2**(p/g) <= 8*Ei",
        (positive("Ei", "E_k"), real("p"), real("g", "[1, oo)")),
        given={"resque/PROP-8/s6-start": "p <= g"},
        argument=(
            Scale("1/(4*Ei)"),
            Rewrite(left="2**(p/g)", right="2"),
            Logarithm(),
            Rewrite(left="log(2)*p/g", right="log(2)"),
            Combine(terms=(("log(2)/g", "p <= g"),)),
        ),
        candidates=(point("Ei=1 p=4 g=4"), point("Ei=1 p=9 g=4")),
        mutants=(
            Mutant("few-calls", "fewer calls", conditions=("p <= 2*g",), candidates=(point("Ei=1 p=8 g=4"),)),
        ),
        tightness=(Tightness("D_k", "8", "4*Ei*2**(p/g) <= {c}*Ei", "8", "7.9", candidates=(point("Ei=1 p=4 g=4"),)),),
    ),
)  # fmt: skip
