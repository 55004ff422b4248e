"""Theorem 3.2: the last iterate of Noisy-ZOGD, when nothing else is released.

As printed the recursion z_{t-1} = (z_t + a_t - c_2)/c_1 starts with a_T, while the sum that is minimised ends with
a_{T-1}. So a_T is free: large enough, it pays for every distance, and all other a_t may be 0. What is left of the bound
is one step of composition, whatever T is. This is a misprint of the index: the first line of the recursion in the proof
has a_{T-1} where it belongs, and with it the theorem holds (`~repaired`), given Lemma 3.8.

The printed proof does not show it, for two reasons (s7, s8). A map with K < d directions does not bring all pairs of
points closer, whatever the directions are; Lemma 3.8 is about one pair that does not depend on them. And given the
later releases the earlier noise is no longer the Gaussian that it was. The repaired proof couples the two runs step by
step instead: run X on D and run Y on D' have the same directions and, up to a shift h_t that the past and the
directions fix, the same noise. The shift undoes the change of the data and a part of length a_t of the distance, so
that the runs meet; what the shifts cost is an adaptive composition of Gaussian mechanisms. The pair (X_t, Y_t) does not
depend on the directions of its step, so Lemma 3.8 is about this pair. Its event is thinned by a coin to a probability
that does not depend on the past: so it is the same on D and on D', and no noise is another one on it.
"""

from dpaudit.claims.writing import *

from .coupling import COUPLING
from .ours import OURS
from .recursion import RECURSION
from .steps import ONE_STEP
from .symbols import *

DISPLAY = (
    r"\varepsilon(\alpha)\leq\min_{\tau,\beta_t,a_t}\sum_{t=\tau}^{T-1}\left(\frac{\alpha}{2\beta_t\sigma^2}"
    r"\left(\frac{2\Delta}{n}\right)^2+\frac{\alpha a_t^2d}{2\eta^2(1-\beta_t)\sigma^2}\right),\ s.t.\ "
    r"z_{t-1}=c_1^{-1}(z_t+a_t-c_2),\ z_T=0,\ z_\tau\geq\min\left(2R,\frac{2\eta\Delta\tau}{\sqrt K}\right)"
)
MEAN, SPREAD = "T*eta*Delta/(n*d)", "T*((eta*Delta/(n*K))**2*2*K*(d - K)/(d**2*(d + 2)) + eta**2*sigma**2/d)"
CANTELLI = f"(({SPREAD})/({SPREAD} + ({MEAN})**2))"
"""Bound on the probability that a variable with this mean and variance has the other sign."""
OF_ONE_STEP = "(alpha*(2*Delta/n)**2/(2*beta*sigma**2) + alpha*a_used**2*d/(2*eta**2*(1 - beta)*sigma**2))"

AS_PRINTED = Claim(
    id=HERE,
    title="the bound of Theorem 3.2 with the recursion of its display",
    words=(
        "For M-smooth and Delta-Lipschitz losses, d >= 2K, alpha > 1 and e >= 0 the last iterate of Noisy-ZOGD is "
        "(alpha, eps(alpha))-RDP on an event of probability at least 1 - 2 (T - tau) exp(-3 e^2 d K/(12 (d - K) + 8 "
        "e (d - 2K))), with the printed minimum, where z_{t-1} = (z_t + a_t - c_2)/c_1. Encoded: tau = T - 1, the "
        "loss -Delta <v, w> for one record on D and Delta <v, w> on D', 0 for the others, and the event <w_T, v> > "
        "0. By Cantelli's inequality it fails on D, and happens on D', with probability at most s/(s + m^2), m and s "
        "the mean and the variance of <w_T, v> on D; `slack` covers the event of the theorem and that a run meets "
        "the boundary of a large ball."
    ),
    place="Theorem 3.2",
    printed=DISPLAY,
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        f"1 - {CANTELLI} - slack <= (exp({OF_ONE_STEP})*({CANTELLI} + slack))**(1 - 1/alpha)",
        (
            *(ALPHA, SIGMA, ETA, CLIP, RECORDS, DIRECTIONS, DIMENSION, SHARE, CONTRACTION, SLACK, SMOOTH, REACH),
            *(RADIUS, integer("T", "[1, oo)", "steps"), C_1, C_2),
            real("a_used", "[0, oo)", "a_{T-1}"),
            real("a_last", "[0, oo)", "a_T"),
            real("z_used", "[0, oo)", "z_{T-1}"),
            real("slack", "[0, 1/1000]", "probability outside of the event, and of meeting the boundary"),
        ),
        (
            *("2*K <= d", C_1_IS, "c_2 == eta*M*xi"),
            "z_used == (0 + a_last - c_2)/c_1",
            "min(2*R, 2*eta*Delta*(T - 1)/sqrt(K)) <= z_used",
            "2*exp(-3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K))) <= slack",
        ),
    ),
    expects=Outcome.REFUTED,
    candidates=(
        point(
            "alpha=2 sigma=100 eta=1 Delta=1 n=1 K=1 d=2 beta=1/2 c=1 e=8 M=1 xi=0 R=1000000000 T=1000000 c_1=3 c_2=0 "
            "a_used=0 a_last=9000000 z_used=3000000 slack=1/1000"
        ),
    ),
    finding=(
        "In the display z_{T-1} is made of a_T, which the sum does not contain (and if t stops at T - 1, z_{T-1} is "
        "free). So a_T = c_1 z_{T-1} + c_2 and a_t = 0 before it are allowed for every distance, and the minimum is "
        "one step of composition, alpha (2 Delta/n)^2/(2 beta sigma^2), for every T. Linear losses in a large ball "
        "tell more after T steps: with sigma = 100 Delta, n = 1 and T = 10^6 an event has probability 0.98 on D and "
        "0.02 on D', where the printed bound at alpha = 2 is 0.0008. A misprint of the index, in both displays: the "
        "text of the proof has z_{T-1} = c_1^{-1} (z_T + a_{T-1} - c_2), and with it the theorem is proved, given "
        "Lemma 3.8."
    ),
    repair=f"{HERE}~repaired",
    steps=(*COUPLING, *ONE_STEP, *RECURSION, *OURS),
)

COST = (
    "all(t, 0, N - 1, cost[t] <= alpha/2*((2*Delta*eta/n)**2/K/(eta**2/K*beta[t]*sigma**2) + "
    "a[t]**2/(eta**2/d*rest[t]*sigma**2)))"
)
(COMPOSED,) = composed("released", "sum(t, 0, N - 1, cost[t])", "far*dist[N]")
FAR_ENOUGH, APART = f"{START} <= z[0]", f"dist[0] <= {START}"
SUM_OF_COSTS = f"sum(t, 0, N - 1, cost[t]) <= {BOUND}"
RUN = "alpha=2 sigma=1 eta=1 Delta=1 n=1 K=1 d=2 N=1 R=1 tau=1 c_1=1 c_2=0 beta=[1/2] rest=[1/2] far=1 "
EXAMPLE = point(RUN + "a=[2] z=[2,0] dist=[2,0] cost=[24] released=24")
WITHOUT = tuple(
    point(RUN + text)
    for text in (
        "a=[2] z=[2,0] dist=[2,0] cost=[24] released=0",
        "a=[0] z=[0,0] dist=[2,2] cost=[8] released=10",
        "a=[2] z=[2,0] dist=[9,7] cost=[24] released=31",
        "a=[2] z=[2,0] dist=[2,5] cost=[24] released=29",
        "a=[2] z=[2,0] dist=[2,0] cost=[99] released=99",
        "a=[2] z=[2,0] dist=[2,0] cost=[24] released=99",
    )
)
"""What happens where one of the conditions does not hold."""

REPAIRED = Claim(
    id=f"{HERE}~repaired",
    title="the bound of Theorem 3.2 with the recursion of its proof, for two coupled runs",
    words=(
        "With z_t = (z_{t+1} + a_t - c_2)/c_1 for t = tau, ..., T - 1 in place of the printed index the last iterate "
        "is (alpha, eps(alpha))-RDP on an event of the printed probability, the same on D and on D'. Encoded: a "
        "coupling in which the distance of the two runs grows by c_1 and c_2 and falls by a_t in each of the N = T - "
        "tau steps (pair, shrink), so that they meet (meet), and what the shifts cost (noise, data), by the rule for "
        "adaptive compositions; `far` is whatever would be known of runs that do not meet. That the event has the "
        "printed probability is Lemma 3.8 for the pair of each step, which is a premise here, and s11 for their union."
    ),
    place="Theorem 3.2, with the recursion of its proof",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        f"released <= {BOUND}",
        (
            *(ALPHA, SIGMA, ETA, CLIP, RECORDS, DIRECTIONS, DIMENSION, WINDOW, RADIUS, integer("tau", "[0, oo)")),
            *(C_1, C_2, SHIFTS, DISTANCES, SHARES, RESTS),
            sequence("dist", "[0, oo)", "how far apart the two runs are"),
            sequence("cost", "[0, oo)", "the divergence of the noise of a step and of its shift by h_t"),
            real("far", "[0, oo)", "what a distance at T would add"),
            real("released", "[0, oo)", "the divergence of W_T on D and on D', on the event"),
        ),
        (FAR_ENOUGH, PROOF_RECURSION, "z[N] == 0", SPLIT, APART, SHORTER, COST, COMPOSED),
    ),
    origins=(
        Condition(APART, Origin.GIVEN, "zeroth/LEM-3.9"),
        Condition(SHORTER, Origin.GIVEN, f"{HERE}/shrink"),
        Condition(COST, Origin.GIVEN, f"{HERE}/noise"),
        Condition("", Origin.GIVEN, f"{HERE}/data"),
        Condition("", Origin.GIVEN, "zeroth/LEM-3.8"),
    ),
    rests_on=("renyi-composition", "post-processing", *ids(HERE, "pair shrink meet noise data s11")),
    argument=(
        Have("dist[0] <= z[0]", (Combine((("1", APART), ("1", FAR_ENOUGH))),)),
        Have("dist[N] <= z[N]", (ByTheorem(f"{HERE}/meet"),)),
        Have(
            SUM_OF_COSTS,
            (
                Termwise(
                    (
                        AtIndex("t"),
                        Combine((("1", COST[len("all(t, 0, N - 1, ") : -1]),)),
                    )
                ),
            ),
        ),
        Combine((("1", COMPOSED), ("1", SUM_OF_COSTS), ("far", "dist[N] <= z[N]"), ("far", "z[N] == 0"))),
    ),
    candidates=(EXAMPLE, *WITHOUT),
    mutants=(
        Mutant("half", "half of it", f"released <= ({BOUND})/2", candidates=(EXAMPLE,)),
        Mutant(
            "display",
            "the recursion of the display",
            conditions=(
                *(FAR_ENOUGH, "all(t, 1, N, c_1*z[t - 1] == z[t] + a[t] - c_2)", "z[N] == 0", SPLIT),
                *(APART, SHORTER, COST, COMPOSED),
            ),
            candidates=(point(RUN + "a=[0,2] z=[2,0] dist=[2,2] cost=[8] released=10"),),
            own_sentence=True,
        ),
    ),
)

CLAIMS = (AS_PRINTED, REPAIRED)
