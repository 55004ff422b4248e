"""What the lemma needs beyond its printed proof."""

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.claims.writing import *

from .symbols import *

LOG = "log(log(T)/delta)"
DIMENSION, ORDER = integer("d", "[1, oo)", "dimension"), real("s", "[0, 1)", "p - 60 log(log T/delta), rounding up")
NEAR = point("T=4 delta=99/100 y=0 d=1 s=9/10")


def failure(constant="1500", factor="1728", share="60", offset="0"):
    """log2(T) times: drift above sqrt(2 * constant) b eta L in one phase, and a start too far from xbar."""
    order, ratio = f"({share}*{LOG} + {offset} + s)", f"({factor}*{LOG}**2 + y)"
    return (
        f"log2(T)*(exp(7/10 - {order}*log(({constant})/2)) + exp(d*log(2) - 6*d*({ratio}/(2*{order}) - 1)**2)) <= delta"
    )


def argument(constant="1500", factor="1728", share="60", offset="0", reach="10"):
    """Both probabilities as exponentials in l = log(log T/delta), with rho/(2p r) - 1 >= reach l."""
    order, near = f"({share}*l + {offset} + s)", f"({reach}*l)**2"
    drift = f"exp(7/10 - {order}*log(({constant})/2))"
    start = f"(({factor}*l**2 + y)/(2*{order}) - 1)**2"
    return (
        Scale("1/delta"),
        Substitute((L_LONG,), where("delta=log(T)*exp(-l)"), (("l", LOG),)),
        Rewrite(left=f"exp(l)/log(2)*{drift} + exp(l)/log(2)*exp(d*log(2) - 6*d*{start})", right="1"),
        Bound(
            left=f"exp(l)/log(2)*{drift} + exp(l)/log(2)*exp(d*log(2) - 6*d*{near})",
            argument=(
                Shift(f"-exp(l)/log(2)*{drift}"),
                Scale("log(2)/exp(l)/exp(d*log(2))"),
                Rewrite(left=f"exp(-6*d*{start})", right=f"exp(-6*d*{near})"),
                Logarithm(),
                Rewrite(left=f"-6*d*{start}", right=f"-6*d*{near}"),
                Scale("1/(6*d)"),
                Rewrite(left=f"-{start}", right=f"-{near}"),
                Solve(),
            ),
            because="the start may lie rho/(2p) from xbar",
        ),
        Rewrite(
            left=f"exp(7/10 - l*({share}*log(({constant})/2) - 1) - ({offset} + s)*log(({constant})/2))/log(2)"
            f" + exp(d*(log(2) - {near}*3) + l*(1 - 3*d*({reach})**2*l))/log(2)"
        ),
        Boxes(),
    )


def canary_shift(stream, trials):
    """The shift of the canary pair in units of 2 beta b_i: 1 for a single hit at the first step of a phase."""
    params = sub_erm.Params(centre=(0.0,), radius=1.0, smoothing=1.0, privacy=0.5, steps=64, estimator="unweighted")
    hits = stream.uniforms(np.arange(trials), 0, 63) < 0.1
    hits[0] = np.arange(63) == 0
    shifts = sub_erm.canary_shifts(params, np.where(hits, 0, 1))
    lengths = [length for length, _, _ in params.phases]
    counts = np.stack([part.sum(axis=1) for part in np.split(hits, np.cumsum(lengths)[:-1], axis=1)], axis=1)
    return (shifts / (2 * params.privacy * np.maximum(counts, 1))).max(axis=1)


OWN = (
    step(
        "gaussian",
        "N(v, sigma^2 I) against N(0, sigma^2 I): E of the density ratio to the power alpha, whose logarithm over "
        "alpha - 1 is alpha |v|^2/(2 sigma^2), for every alpha > 1",
        "E(exp((2*dot(v, xi) - dot(v, v))/(2*sigma**2))**alpha) == exp((alpha - 1)*alpha*dot(v, v)/(2*sigma**2))",
        (ALPHA, positive("sigma"), vector("v"), gaussian("xi", "sigma")),
        kind=ClaimKind.DIVERGENCE,
    ),
    step(
        "level",
        "a drift of at most sqrt(2c) b eta L in phase i and sigma_i = eta_i L/beta give the level c alpha beta^2 b_i^2",
        "alpha*(2*c*b**2*h**2)/(2*(h/beta)**2) == c*alpha*beta**2*b**2",
        (ALPHA, BETA, H, HITS, positive("c")),
        kind=ClaimKind.PRIVACY,
        rests_on=(f"{HERE}/gaussian",),
    ),
    step(
        "tail",
        "Markov's inequality at order 2p: the drift exceeds sqrt(2c) b eta L with probability at most "
        "(2 e^(7/(20p))/sqrt(2c))^(2p) = exp(7/10 - p log(c/2))",
        "log((2*exp(7/(20*p)))**(2*p)/(2*c)**p) == 7/10 - p*log(c/2)",
        (integer("p", "[1, oo)"), positive("c")),
        rests_on=("resque/LEM-5~drift", "markov-inequality"),
    ),
    step(
        "far-start",
        "x_(i-1) = average + zeta, zeta ~ N(0, s^2 I), s <= r/(4 sqrt d), lies further than (1 + t) r from xbar with "
        "probability at most 2^d exp(-6 d t^2): Markov's inequality for exp(3|zeta|^2/(8 s^2)), of mean 4^(d/2)",
        "4**(d/2)*exp(-3*(t*r)**2/(8*s**2)) <= 4**(d/2)*exp(-6*d*t**2)",
        (DIMENSION, RADIUS, positive("s"), real("t", "[0, oo)")),
        ("16*d*s**2 <= r**2",),
        kind=ClaimKind.TAIL,
        rests_on=("noncentral-chi-square", "markov-inequality"),
        argument=(
            Scale("1/4**(d/2)"),
            Rewrite(left="exp(-3*(t*r)**2/(8*s**2))", right="exp(-6*d*t**2)"),
            Logarithm(),
            Rewrite(left="-3*(t*r)**2/(8*s**2)", right="-6*d*t**2"),
            Combine(terms=(("3*t**2/(8*s**2)", "16*d*s**2 <= r**2"),)),
        ),
        mutants=(
            mutant(
                "exponent",
                "7 in place of 6",
                "4**(d/2)*exp(-3*(t*r)**2/(8*s**2)) <= 4**(d/2)*exp(-7*d*t**2)",
                "d=1 r=4 s=1 t=1",
            ),
        ),
    ),
    step(
        "noise",
        "the noise of phase i - 1 >= 1 has s = eta_(i-1) L/beta <= r/(4 sqrt d), as eta <= (r/L) beta/sqrt d",
        "L*(eta/4**i)/beta <= r/(4*sqrt(d))",
        (SLOPE, positive("eta"), BETA, RADIUS, DIMENSION, integer("i", "[1, oo)")),
        ("eta*L*sqrt(d) <= r*beta",),
        argument=(
            Combine(
                terms=(("1/(4**i*beta*sqrt(d))", "eta*L*sqrt(d) <= r*beta"), ("r/sqrt(d)/4", "(1/4)**(i - 1) <= 1"))
            ),
        ),
        mutants=(
            Mutant(
                "first",
                "from phase 0 on",
                symbols=(SLOPE, positive("eta"), BETA, RADIUS, DIMENSION, integer("i", "[0, oo)")),
                candidates=(point("L=1 eta=1 beta=1 r=1 d=1 i=0"),),
            ),
        ),
    ),
    step(
        "short",
        "T = 2, 3: one gradient at xbar, where the weight is 1; the level is 2 alpha beta^2 whatever rho is",
        "alpha*dot(eta*g - eta*g2, eta*g - eta*g2)/(2*(L*eta/beta)**2) <= 2*alpha*beta**2",
        (ALPHA, BETA, ETA, SLOPE, vector("g"), vector("g2")),
        ("norm(g) <= L", "norm(g2) <= L"),
        kind=ClaimKind.PRIVACY,
        rests_on=(f"{HERE}/gaussian",),
        argument=(
            Combine(
                terms=(
                    ("alpha*beta**2/(2*L**2)", "0 <= dot(g + g2, g + g2)"),
                    ("alpha*beta**2/L**2*(L + norm(g))", "norm(g) <= L"),
                    ("alpha*beta**2/L**2*(L + norm(g2))", "norm(g2) <= L"),
                )
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "1.9 in place of 2",
                "alpha*dot(eta*g - eta*g2, eta*g - eta*g2)/(2*(L*eta/beta)**2) <= 1.9*alpha*beta**2",
                "alpha=2 beta=1 eta=1 L=1 g=(1,) g2=(-1,)",
            ),
        ),
    ),
    step(
        "canary",
        "no constant below 2 can stand: f = L<u, x> against -L<u, x> as record 1, all others 0, one hit at the first "
        "step of a phase and rho -> oo shift the average by 2 eta L, which is 2 beta in units of the noise",
        "alpha*(2*beta*b)**2/2 == 2*alpha*beta**2*b**2",
        (ALPHA, BETA, HITS),
        kind=ClaimKind.PRIVACY,
        rests_on=(f"{HERE}/gaussian",),
        empirical=(Search("canary_shift", near_miss=0.999, trials=100),),
    ),
    Step(
        "least-ratio",
        "1500 needs much less than rho/r >= 1728 log^2(log T/delta): the lemma at orders 2p with p = l/2 rounded up",
        Statement(failure(share="1/2", offset="0.84"), (LONG, DELTA, RATIO, DIMENSION, ORDER)),
        kind=ClaimKind.PRIVACY,
        rests_on=ids(HERE, "tail far-start noise level"),
        argument=argument(share="1/2", offset="0.84", reach="1.8"),
        candidates=(NEAR,),
        mutants=(
            Mutant("tiny", "10 in place of 1728", failure(factor="10", share="1/2", offset="0.84"), candidates=(NEAR,)),
        ),
        tightness=(
            Tightness(
                "ratio",
                printed="1728",
                form=failure(factor="{c}", share="1/2", offset="0.84"),
                proved="62",
                argument=argument(factor="62", share="1/2", offset="0.84", reach="1.8"),
            ),
        ),
    ),
)
