"""Proposition 10: the high-probability solver (Algorithm 7), k = 20 log(1/zeta) copies and Aggregate.

The Chernoff step s3 holds with the printed constant 20: with s = 13/25 the Chernoff base is below e^(-1/19.18),
for every k >= 1 at once, so rounding k up is enough; rounding down is proved too (`s3-down`), as long as k >= 1.
The printed k is taken rounded up to a whole number of copies, at least one. For zeta -> 1 the printed privacy loss,
which is proportional to log(1/zeta), goes to 0 while one copy still runs (`privacy-copies`): the claim is meant for
zeta bounded away from 1, and Theorem 3 uses zeta < 1/kappa.

Two further printed statements are false. The gradient count 18 T log(1/zeta) is below k T (s5): 20 is what k
copies of at most T gradients give. And s1 turns a function gap into a distance at outputs that carry Gaussian
noise and may lie outside the ball, where the gap can be negative (`s1-outside`): the outputs must be projected.
The claim states no condition on beta, but its interval of orders is empty unless C_priv beta^2 log^2(...) < 1.
"""

import numpy as np

from dpaudit.algorithms.resque import high_probability_erm
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses

ZETA, COPIES = real("zeta", "(0, 1)", "failure probability"), integer("k", "[1, oo)", "number of copies")
SUCCESS = real("p", "[2/3, 1]", "probability that one copy is good")
TOO_FEW = "binomial_cdf(ceil(51*k/100) - 1, k, {p})"
BASE = "(13/25)**(-51/100)*(1 - {p} + 13*{p}/25)"
D, T = integer("d", "[1, oo)"), integer("T", "[1, oo)")
BETA, LAM, LIP = positive("beta"), positive("lam"), positive("L")
CSC = positive("C", "C_sc")
Q = positive("Q", "d/(beta^2 T^2) + 1/T")
LOG = positive("l", "log(1/zeta)")


def chernoff(rate, p="p"):
    """The argument for P(Bin(k, p) < 0.51 k) <= exp(-k/rate)."""
    base, start = (
        BASE.format(p=p),
        (Bound(left=f"({BASE.format(p=p)})**k", by="binomial-chernoff", because="at s = 13/25"),),
    )
    if p == "p":
        base = "(13/25)**(-51/100)*v"
        start += (
            Substitute(
                (real("v", "[1/2, 681/1000]", "1 - p + s p, at most 17/25"),),
                (("p", "25*(1 - v)/12"),),
                (("v", "1 - 12*p/25"),),
            ),
        )
    return (
        *start,
        Logarithm(),
        Rewrite(left=f"k*log({base})", right=f"-k/({rate})"),
        Scale("1/k"),
        Rewrite(left=f"log({base})", right=f"-1/({rate})"),
        Boxes(),
    )


GOOD_MAJORITY = Statement(f"{TOO_FEW.format(p='p')} <= zeta", (ZETA, COPIES, SUCCESS), ("20*log(1/zeta) <= k",))
ENOUGH_COPIES = (Logarithm(), Rewrite(left="-k/20"), Combine(terms=(("1/20", "20*log(1/zeta) <= k"),)))
FEW = (point("zeta=1/50 k=10 p=2/3"),)


def solver(steps, privacy, failure):
    """Algorithm 7 on f = -x over [-1, 1] with lambda = L = 1 and outputs projected: x* = 1."""
    return high_probability_erm.Params(
        centre=(0.0,),
        radius=1.0,
        smoothing=1.0,
        privacy=privacy,
        steps=steps,
        lipschitz=1.0,
        regulariser=1.0,
        estimator="unweighted",
        project_output="projected",
        failure=failure,
    )


def too_few_good(stream, trials):
    """Fewer than 0.51 k of the k = 25 copies within 1.1 of x* = 1, where a copy is in about 0.68 of all runs."""
    params = solver(16, 1 / 16, 0.3)
    found = high_probability_erm.cpu(params, ridge_losses([(Ridge.LINEAR, (-1.0,))]), Trials(stream, np.arange(trials)))
    return (np.abs(found.copies[:, :, 0] - 1.0) <= 1.1).sum(axis=1) < 0.51 * params.copies


def gradients(stream, cases):
    """Counted gradients at T = 512 against (20 log(1/zeta) + 1) T."""
    counted, formula = [], []
    for failure in (0.5, 0.1, 0.01)[:cases]:
        params = solver(512, 1.0, failure)
        losses = ridge_losses([(Ridge.LINEAR, (-1.0,))])
        counted += high_probability_erm.cpu(params, losses, Trials(stream, np.arange(2))).queries.tolist()
        formula += 2 * [int((20 * np.log(1 / failure) + 1) * 512)]
    return np.array(counted), np.array(formula)


CLAIM = Claim(
    id="resque/PROP-10",
    title="high-probability distance bound by aggregating independent copies",
    words=(
        "With probability at least 1 - zeta, x' is within C_ls (L/lambda)(sqrt(d)/(beta T) + 1/sqrt(T)) of x*. "
        "Checked here: at least 0.51 k of the k >= 20 log(1/zeta) copies are within 3 sqrt(2 C_sc) (L/lambda) "
        "sqrt(d/(beta^2 T^2) + 1/T) of x*, each being so with probability at least 2/3 (s1, s2); then Aggregate gives "
        "C_ls = 9 sqrt(2 C_sc) (s4, Lemma 11). Gradients: s5; privacy: the privacy steps, from Proposition 8 for one "
        "copy."
    ),
    place="Proposition 10",
    kind=ClaimKind.TAIL,
    statement=GOOD_MAJORITY,
    rests_on=("resque/PROP-10/s1", "resque/PROP-10/s2", "resque/PROP-10/s4", "resque/LEM-11"),
    argument=(
        Bound(left="exp(-k/20)", argument=chernoff("20")),
        Bound(left="zeta", argument=ENOUGH_COPIES),
        Open("the constant C_sc of Proposition 8, on which s1 rests, is hidden"),
    ),
    expects=Outcome.CONSISTENT,
    empirical=(Chance("too_few_good", limit=0.3, near_miss=0.01, trials=4_000),),
    mutants=(Mutant("copies", "2 log(1/zeta) copies", conditions=("2*log(1/zeta) <= k",), candidates=FEW),),
    steps=(
        step(
            "s1",
            "E|x_i - x*| <= sqrt(2 C_sc) (L/lambda) (d/(beta^2 T^2) + 1/T)^(1/2), for outputs in the ball: m is the "
            "mean distance, v the mean square distance, gap the mean function gap",
            "m <= sqrt(2*C)*L/lam*sqrt(Q)",
            (real("m", "[0, oo)"), real("v", "[0, oo)"), real("gap", "[0, oo)"), CSC, LIP, LAM, Q),
            ("m**2 <= v", "lam/2*v <= gap", "gap <= C*L**2/lam*Q"),
            rests_on=("jensen", "strong-convexity-growth"),
            kind=ClaimKind.MOMENT,
            argument=(Solve(),),
            mutants=(
                mutant(
                    "constant", "sqrt(1.9 C_sc)", "m <= sqrt(19/10*C)*L/lam*sqrt(Q)", "C=1 lam=1 L=1 m=2 v=4 gap=2 Q=2"
                ),
            ),
            tightness=(
                Tightness(
                    "constant",
                    "2",
                    "m <= sqrt({c}*C)*L/lam*sqrt(Q)",
                    "2",
                    "1.99",
                    candidates=(point("C=1 lam=1 L=1 m=2 v=4 gap=2 Q=2"),),
                ),
            ),
        ),
        erratum(
            "s1-outside",
            "the growth (lambda/2)|x - x*|^2 <= F(x) - F(x*) is used at outputs with Gaussian noise, on the line: F = "
            "-g x + (lambda/2) x^2 over [-r, r], minimiser r as g >= lambda r, at any x",
            "lam/2*(x - r)**2 <= -g*(x - r) + lam/2*(x**2 - r**2)",
            (LAM, positive("r"), positive("g"), real("x", "(-oo, oo)")),
            ("lam*r <= g",),
            candidates=(point("lam=1 r=1 g=2 x=2"),),
            finding=(
                "Algorithms 3 to 5 return the average plus Gaussian noise without projecting it, so an output may lie "
                "outside the ball, where F can be below F(x*): F(2) - F(1) = -1/2 with g = 2, lambda = r = 1. The "
                "function gap of Proposition 8 then bounds no distance. Projecting the output (post-processing) "
                "repairs Propositions 8 to 10 and all that follows."
            ),
            repair="resque/PROP-10/s1-outside~repaired",
        ),
        step(
            "s1-outside~repaired",
            "the same at x in the ball",
            "lam/2*(x - r)**2 <= -g*(x - r) + lam/2*(x**2 - r**2)",
            (LAM, positive("r"), positive("g"), real("x", "(-oo, oo)")),
            ("lam*r <= g", "x <= r"),
            argument=(Combine(terms=(("r - x", "lam*r <= g"),)),),
            mutants=(
                mutant(
                    "twice",
                    "lambda in place of lambda/2",
                    "lam*(x - r)**2 <= -g*(x - r) + lam/2*(x**2 - r**2)",
                    "lam=1 r=1 g=1 x=0",
                ),
            ),
        ),
        step(
            "s2",
            "Markov at three times the bound mu on the mean: P(|x_i - x*| >= 3 mu) <= 1/3",
            "P <= 1/3",
            (real("P", "[0, 1]"), real("m", "[0, oo)", "E|x_i - x*|"), positive("mu")),
            ("3*mu*P <= m", "m <= mu"),
            rests_on=("markov-inequality",),
            kind=ClaimKind.TAIL,
            argument=(Combine(terms=(("1/(3*mu)", "3*mu*P <= m"), ("1/(3*mu)", "m <= mu"))),),
            tightness=(Tightness("failure", "1/3", "P <= {c}", "1/3", "0.33", candidates=(point("P=1/3 m=1 mu=1"),)),),
            mutants=(
                Mutant(
                    "twice",
                    "Markov at 2 mu",
                    conditions=("2*mu*P <= m", "m <= mu"),
                    candidates=(point("P=1/2 m=1 mu=1"),),
                ),
            ),
        ),
        Step(
            "s3",
            "Chernoff: with k = 20 log(1/zeta) copies (rounded up), P(Bin(k, p) < 0.51 k) <= zeta for every p >= 2/3",
            GOOD_MAJORITY,
            kind=ClaimKind.TAIL,
            argument=(Bound(left="exp(-k/20)", argument=chernoff("20")), *ENOUGH_COPIES),
            mutants=(Mutant("copies", "2 log(1/zeta) copies", conditions=("2*log(1/zeta) <= k",), candidates=FEW),),
        ),
        step(
            "s3-rate",
            "the exponent of s3: P(Bin(k, 2/3) < 0.51 k) <= exp(-k/20), uniformly in k",
            f"{TOO_FEW.format(p='2/3')} <= exp(-k/20)",
            (COPIES,),
            kind=ClaimKind.TAIL,
            argument=chernoff("20", "2/3"),
            mutants=(mutant("rate", "exp(-k/12)", f"{TOO_FEW.format(p='2/3')} <= exp(-k/12)", "k=900"),),
            tightness=(
                Tightness(
                    "copies",
                    "20",
                    f"{TOO_FEW.format(p='2/3')} <= exp(-k/{{c}})",
                    "19.18",
                    "18.8",
                    argument=chernoff("19.18", "2/3"),
                    candidates=(point("k=3751"),),
                ),
            ),
        ),
        step(
            "s3-down",
            "k = 20 log(1/zeta) rounded down is enough too, from one copy on: 20 log(1/zeta) < k + 1",
            f"{TOO_FEW.format(p='2/3')} <= exp(-(k + 1)/20)",
            (COPIES,),
            kind=ClaimKind.TAIL,
            argument=(
                Cases(
                    (
                        ("k <= 40", (Boxes(),)),
                        (
                            "otherwise",
                            (
                                Bound(
                                    left=f"({BASE.format(p='2/3')})**k", by="binomial-chernoff", because="at s = 13/25"
                                ),
                                Logarithm(),
                                Rewrite(left=f"k*log({BASE.format(p='2/3')})", right="-k/20 - 1/20"),
                                Combine(
                                    terms=(("k", f"log({BASE.format(p='2/3')}) <= -1/20 - 1/800"), ("1/800", "40 <= k"))
                                ),
                            ),
                        ),
                    )
                ),
            ),
            mutants=(mutant("rate", "exp(-(k + 12)/20)", f"{TOO_FEW.format(p='2/3')} <= exp(-(k + 12)/20)", "k=2"),),
        ),
        step(
            "s4",
            "Aggregate with Delta = 9 sqrt(2 C_sc) (L/lambda) (...)^(1/2) = 3 times the radius of s2, and (a^2 + "
            "b^2)^(1/2) <= a + b with a = sqrt(d)/(beta T), b = 1/sqrt(T): C_ls = 9 sqrt(2 C_sc)",
            ("3*(3*sqrt(2*C)*L/lam*sqrt(d/(beta**2*T**2) + 1/T)) <= 9*sqrt(2*C)*L/lam*(sqrt(d)/(beta*T) + 1/sqrt(T))"),
            (CSC, LIP, LAM, BETA, D, T),
            rests_on=("resque/LEM-11",),
            argument=(
                Rewrite(left="9*sqrt(2*C)*L/lam*sqrt(d/(beta**2*T**2) + 1/T)"),
                Scale("lam/(9*sqrt(2*C)*L)"),
                Rewrite(left="sqrt(d/(beta**2*T**2) + 1/T)", right="sqrt(d)/(beta*T) + 1/sqrt(T)"),
                Substitute(
                    (positive("a"), positive("b")),
                    where("d=a**2/(b**4)*beta**2 T=1/b**2"),
                    where("a=sqrt(d)/(beta*T) b=1/sqrt(T)"),
                ),
                Rewrite(left="sqrt(a**2 + b**2)", right="a + b"),
                Solve(),
            ),
            mutants=(
                mutant(
                    "constant",
                    "8.9 on the right",
                    (
                        "3*(3*sqrt(2*C)*L/lam*sqrt(d/(beta**2*T**2) + 1/T)) <= 8.9*sqrt(2*C)*L/lam*(sqrt(d)/(beta*T) "
                        "+ 1/sqrt(T))"
                    ),
                    "C=2 L=1 lam=1 beta=1/1000000 d=1 T=1",
                ),
            ),
        ),
        erratum(
            "s5",
            "at most 18 T log(1/zeta) gradients; with T = 2^m one copy uses T (1 - 2^(-q)) - q, q = ceil(log2 m)",
            "20*l*(2**m*(1 - 2**(-ceil(log2(m)))) - ceil(log2(m))) <= 18*2**m*l",
            (LOG, integer("m", "[1, oo)", "log2 T")),
            kind=ClaimKind.COST,
            candidates=(point("l=1 m=9"),),
            finding=(
                "k = 20 log(1/zeta) copies with up to T gradients each are not at most 18 T log(1/zeta) gradients: at "
                "T = 512 the solver of Algorithm 5 uses 476 > 0.9 T of them per copy, and the share tends to 1. The "
                "count holds with 20 log(1/zeta) + 1 in place of 18 log(1/zeta); in Theorem 3 a constant changes."
            ),
            repair="resque/PROP-10/s5~repaired",
        ),
        step(
            "s5~repaired",
            "k <= 20 log(1/zeta) + 1 copies of at most T gradients each",
            "k*g <= (20*l + 1)*T",
            (LOG, COPIES, T, integer("g", "[0, oo)", "gradients of one copy")),
            ("k <= 20*l + 1", "g <= T"),
            kind=ClaimKind.COST,
            argument=(Combine(terms=(("k", "g <= T"), ("T", "k <= 20*l + 1"))),),
            empirical=(Count("gradients", "<=", near_miss=0.9, cases=3),),
            mutants=(mutant("constant", "19 in place of 20", "k*g <= (19*l + 1)*T", "l=1 k=21 T=1 g=1"),),
        ),
        step(
            "privacy-delta",
            "each copy at delta/k: 20 log T log(1/zeta)/delta <= ((1/delta) log(T/zeta))^(16/5), so that log(k log "
            "T/delta) <= 16/5 log((1/delta) log(T/zeta)), for T >= 2; t = log T, l = log(1/zeta)",
            "20*t*l/delta <= ((t + l)/delta)**(16/5)",
            (real("t", "[69/100, oo)"), LOG, real("delta", "(0, 1/6)")),
            kind=ClaimKind.PRIVACY,
            argument=(
                Bound(
                    left="5*((t + l)/delta)**2",
                    argument=(
                        Combine(terms=(("5/delta", "0 <= (t - l)**2"), ("5*(t + l)**2/delta**2", "delta <= 1"))),
                    ),
                ),
                Substitute(
                    (real("u", "[4, oo)", "(t + l)/delta"),), (("l", "u*delta - t"),), (("u", "(t + l)/delta"),)
                ),
                Rewrite(left="5*u**2", right="u**(16/5)"),
                Logarithm(),
                Rewrite(left="log(5) + 2*log(u)", right="16/5*log(u)"),
                Combine(terms=(("6/5", "1.386 <= log(u)"), ("1", "log(5) <= 6/5*1.386"))),
            ),
            mutants=(mutant("power", "power 2", "20*t*l/delta <= ((t + l)/delta)**(3/2)", "t=1 l=1 delta=1/7"),),
        ),
        erratum(
            "privacy-copies",
            "the Renyi loss of k copies is k times that of one; the claim has log(1/zeta) times a universal constant "
            "c: so ceil(20 log(1/zeta)) <= c log(1/zeta)",
            "ceil(20*log(1/zeta)) <= c*log(1/zeta)",
            (ZETA, real("c", "[1, oo)", "any universal constant")),
            kind=ClaimKind.PRIVACY,
            candidates=(point("zeta=999999999/1000000000 c=1000000"),),
            finding=(
                "As zeta -> 1 the claimed Renyi loss, proportional to log(1/zeta), goes to 0, but one copy of "
                "Algorithm 5 still runs (k rounded up): no universal constant is enough. A matter of the boundary: "
                "with zeta bounded away from 1, which Theorem 3 grants, the claim holds."
            ),
            repair="resque/PROP-10/privacy-copies~repaired",
        ),
        step(
            "privacy-copies~repaired",
            "for zeta <= e^(-1/20): k <= 40 log(1/zeta)",
            "k <= 40*l",
            (LOG, COPIES),
            ("1 <= 20*l", "k <= 20*l + 1"),
            kind=ClaimKind.PRIVACY,
            argument=(Combine(terms=(("1", "k <= 20*l + 1"), ("1", "1 <= 20*l"))),),
            mutants=(mutant("constant", "39", "k <= 39*l", "l=1/20 k=2"),),
        ),
    ),
)
