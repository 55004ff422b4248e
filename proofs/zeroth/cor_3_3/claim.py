"""Corollary 3.3: epsilon in closed form for strongly convex losses.

The closed form is 0 in the limit of a small ball, as if a fraction of a step could be released: the proof rounds the
length n R sqrt(2d)/(Delta eta) of its window up to a whole number of steps, and then assumes that it was whole. No
constant hidden in O() repairs this, as one step in a small ball still shows the direction of its move. With the length
rounded up in the closed form too it holds (`~repaired`), for beta_t = 1/2 in all steps.

On the way (29) is half of (27) at (28) (s10), and the condition on xi is enough for eta >= 1 alone (s7): eta is in it
once too often, since its unit is no length. (30) has eta twice (s11), and (33) puts beta_t = 1 where a_t > 0 (s14).
"""

from dpaudit.claims.writing import *

from .closing import CLOSING
from .ours import OURS
from .rolled import ROLLED
from .symbols import *
from .window import WINDOW_STEPS

DISPLAY = (
    r"\varepsilon=O\left(\sqrt{\frac{\Delta^2\log(1/\delta)}{n^2\sigma^2}\min\left(T,\frac{MRn\sqrt d}{K\Delta}"
    r"\right)}\right),\ c=1-\frac mM"
)
MEAN = "rho*K/(n*d)"
SPREAD = "(rho/n)**2*2*K*(d - K)/(d**2*(d + 2)) + (K/M*sigma)**2/d"
CANTELLI = f"(({SPREAD})/({SPREAD} + ({MEAN})**2))"
PRINTED_EPS = "C*sqrt(Delta**2*log(1/delta)/(n**2*sigma**2)*min(T, M*R*n*sqrt(d)/(K*Delta)))"
WINDOW_OF_K = "20/3*log(4/delta*N_main) <= K"
SMALL = "100*C*sqrt(log(2)*min(1, sqrt(38)/(190000*C**2)))"
AT_POINT = "((1/320 + 361/380000)/(1/320 + 361/380000 + 1/16))"
"""Cantelli's bound at the point of the refutation, and epsilon there for a constant C."""
LENGTH_MAIN = "M*R*n*sqrt(2*d)/Delta"

AS_PRINTED = Claim(
    id=HERE,
    title="the closed form of Corollary 3.3, for every radius of the ball",
    words=(
        "For M-smooth, m-strongly convex and Delta-Lipschitz losses, eta = K/M, K between its printed bounds and xi "
        "below its printed bound, Noisy-ZOGD is (eps, delta)-DP with eps = O(sqrt(Delta^2 log(1/delta)/(n^2 sigma^2) "
        "min(T, M R n sqrt(d)/(K Delta)))). Encoded: there is a constant C >= 1 with which this holds for T = 1, w_0 "
        "= 0, losses M |w - x|^2/2 (m = M, so c = 0) with x = rho v for one record on D and -rho v on D', 0 for the "
        "others, and the event <w_1, v> > 0, which the projection does not change. By Cantelli's inequality it fails "
        "on D, and happens on D', with probability at most s/(s + m^2), m and s the mean and the variance of <w_1, "
        "v>, whatever the split is."
    ),
    place="Corollary 3.3",
    printed=DISPLAY,
    kind=ClaimKind.PRIVACY,
    reads=Reads.BOUNDARY,
    statement=Statement(
        f"1 - {CANTELLI} <= exp({PRINTED_EPS})*{CANTELLI} + delta",
        (
            constant("C", "[1, oo)", "the constant hidden in O()"),
            *(PROBABILITY, SIGMA, CLIP, RECORDS, DIRECTIONS, DIMENSION, STEPS, SMOOTH, RADIUS, REACH),
            positive("rho", "length of x"),
            integer("N_main", "[1, oo)", "ceil(M R n sqrt(2d)/Delta)"),
        ),
        (
            *("2*K <= d", "T == 1", f"{LENGTH_MAIN} <= N_main", f"N_main < {LENGTH_MAIN} + 1", WINDOW_OF_K),
            "xi <= 2*Delta/(n*(K/M)*M*sqrt(2*d))",
            "M*(rho + R + xi) <= Delta",
        ),
    ),
    expects=Outcome.REFUTED,
    argument=(
        ForEvery(
            where("delta=1/2 sigma=1/100 Delta=1 n=1 K=19 d=38 T=1 M=1 R=1/(10000*C**2) xi=0 rho=1/2 N_main=1"),
            (
                Have(
                    f"{SMALL} <= 1",
                    (
                        Power("2"),
                        Rewrite(left="10000*C**2*log(2)*min(1, sqrt(38)/(190000*C**2))"),
                        Have("log(2) <= 1", (Boxes(),)),
                        Have("sqrt(38) <= 19", (Boxes(),)),
                        Combine(
                            (
                                ("10000*C**2*log(2)", "min(1, sqrt(38)/(190000*C**2)) <= sqrt(38)/(190000*C**2)"),
                                ("sqrt(38)/19", "log(2) <= 1"),
                                ("1/19", "sqrt(38) <= 19"),
                            )
                        ),
                    ),
                ),
                Have(f"exp({SMALL}) <= exp(1)", (Logarithm(), Combine((("1", f"{SMALL} <= 1"),)))),
                Bound(left=f"exp(1)*{AT_POINT} + 1/2", argument=(Combine(((AT_POINT, f"exp({SMALL}) <= exp(1)"),)),)),
                Boxes(),
            ),
            (
                (),
                (),
                (
                    Rewrite(left="sqrt(76)/(10000*C**2)"),
                    Have("sqrt(76) <= 10000", (Boxes(),)),
                    Scale("C**2"),
                    Combine((("1/10000", "sqrt(76) <= 10000"), ("C + 1", "1 <= C"))),
                ),
                (),
                (),
                (),
                (),
            ),
        ),
    ),
    finding=(
        "A boundary case, which an author can be supposed to leave out: a ball so small that M R n sqrt(d) is below K "
        "Delta. As R tends to 0 the printed epsilon does too, while one step stays as visible as it was: the "
        "projection onto a small ball keeps the direction of the noisy move. With delta = 1/2, d = 38, K = 19, sigma "
        "= 1/100 and R = 1/(10^4 C^2) an event has probability at least 0.93 on D and at most 0.07 on D', so that "
        "epsilon is at least 1.9, where the printed one is less than 1/2, whatever C is. The proof takes ceil(n R "
        "sqrt(2d)/(Delta eta)) steps and then assumes that the number is whole, which leaves out numbers below 1; "
        "min(T, ceil(.)) in the closed form is right. Where M R n sqrt(d) is at least K Delta the printed form has "
        "the order of the repaired one (large-ball), if epsilon is at most about log(1/delta) (root) and xi is small "
        "enough (s7)."
    ),
    repair=f"{HERE}~repaired",
    steps=(*ROLLED, *WINDOW_STEPS, *CLOSING, *OURS),
)

RHO = "(12*min(T, N)*Delta**2/(n**2*sigma**2))"
INSIDE = simply_converted("inside", "eps", "renyi", "1 + s")[0]

REPAIRED = Claim(
    id=f"{HERE}~repaired",
    title="Corollary 3.3 with a whole number of steps, with constants",
    words=(
        "Under the assumptions of the corollary on the ball of radius R + xi, with beta_t = 1/2 for all t and xi <= "
        "2 Delta/(n M sqrt(2d)) in the place of the printed condition: (3) is (eps, delta)-DP with eps = rho + 2 "
        "sqrt(rho log(2/delta)), rho = 12 min(T, N) Delta^2/(n^2 sigma^2) and N = ceil(M R n sqrt(2d)/(K Delta)). "
        "Encoded: from the Renyi divergence of Theorem 3.2~repaired at the order 1 + sqrt(log(2/delta)/rho), by the "
        "simple conversion, with the failure of the event."
    ),
    place="Corollary 3.3, with the window of its proof",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        "told <= delta",
        (
            *(SIGMA, CLIP, RECORDS, STEPS, WINDOW),
            positive("s", "the order less 1"),
            PROBABILITY,
            positive("eps", "epsilon"),
            real("renyi", "[0, oo)", "the divergence at the order 1 + s, on the event"),
            real("inside", "[0, 1]", "the hockey-stick divergence at epsilon on the event"),
            real("fails", "[0, 1]", "the probability that the event does not happen"),
            real("told", "[0, 1]", "the hockey-stick divergence at epsilon of w_T on D and on D'"),
        ),
        (
            f"log(2/delta) <= s**2*{RHO}",
            f"eps == {RHO} + 2*s*{RHO}",
            INSIDE,
            f"renyi <= {RHO}*(1 + s)",
            "fails <= delta/2",
            "told <= inside + fails",
        ),
    ),
    origins=(
        Condition(f"renyi <= {RHO}*(1 + s)", Origin.GIVEN, f"{HERE}/late"),
        Condition("", Origin.GIVEN, f"{HERE}/early"),
        Condition("fails <= delta/2", Origin.GIVEN, f"{HERE}/s13-main"),
        Condition("told <= inside + fails", Origin.GIVEN, f"{HERE}/split"),
    ),
    rests_on=(
        *("zeroth/THM-3.2~repaired", "zeroth/FACT-RDP2DP"),
        *ids(HERE, "late early s13-main split order"),
    ),
    argument=(
        Have(
            "inside <= delta/2",
            (
                Bound(
                    left=f"exp(-s**2*{RHO})",
                    argument=(
                        Bound(left="exp((1 + s - 1)*(renyi - eps))", argument=(Combine((("1", INSIDE),)),)),
                        Logarithm(),
                        Combine(
                            (
                                ("s", f"renyi <= {RHO}*(1 + s)"),
                                ("s", f"eps == {RHO} + 2*s*{RHO}"),
                            )
                        ),
                    ),
                ),
                Logarithm(),
                Combine((("1", f"log(2/delta) <= s**2*{RHO}"),)),
            ),
        ),
        Combine((("1", "told <= inside + fails"), ("1", "inside <= delta/2"), ("1", "fails <= delta/2"))),
    ),
    candidates=(point("sigma=1 Delta=1 n=1 T=1 N=1 s=1 delta=1/2 eps=36 renyi=24 inside=0 fails=1/4 told=1/4"),),
    mutants=(
        mutant(
            "part",
            "a tenth of it",
            "told <= delta/10",
            ("sigma=1 Delta=1 n=1 T=1 N=1 s=1 delta=1/2 eps=36 renyi=24 inside=0 fails=1/4 told=1/4"),
        ),
    ),
)

CLAIMS = (AS_PRINTED, REPAIRED)
