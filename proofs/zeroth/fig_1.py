"""Figure 1 and Appendix A.3: the three curves for R = M = Delta = 1, m = 0.9 and eta = K/M.

n, d, sigma, delta, the K and the range of T are not printed, so that the curves cannot be drawn again. What follows
from what is printed: the bound of output perturbation falls with eta; if the curves have the constants of the proofs,
composition has the sensitivity Delta of Theorem 3.1 and the other curve 2 Delta, so that they do not meet for small T,
and the other curve ends at (29), which is half of what (27) gives. With N = n R sqrt(2d)/(Delta eta), all at one order
alpha.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/FIG-1"
ALPHA, SIGMA = real("alpha", "(1, oo)", "order"), positive("sigma", "noise scale")
ETA, LATER = positive("eta", "step size"), positive("eta_last", "the largest one")
CLIP, RADIUS = positive("Delta", "clipping threshold"), positive("R", "radius of the ball")
RECORDS, DIMENSION = integer("n", "[1, oo)", "number of records"), integer("d", "[2, oo)", "dimension")
OUTPUT = "alpha*(2*R)**2*d/(2*{}**2*sigma**2)"
COMPOSITION = "alpha*{}*Delta**2/(2*n**2*sigma**2)"
HIDDEN = "8*alpha*Delta*R*sqrt(2*d)/(eta*n*sigma**2)"
LENGTH = "n*R*sqrt(2*d)/(Delta*eta)"
BOTH = (ALPHA, SIGMA, ETA, CLIP, RADIUS, RECORDS, DIMENSION)
C, FACTOR = "(1 - 9/10)", "20/3*((1 + c**2)/(1 - c**2))**2"

CLAIM = Claim(
    id=HERE,
    title="the largest step size gives output perturbation its smallest bound",
    words=(
        "In Figure 1 output perturbation has the last tested eta, which gives it the smallest loss, alpha (2R)^2 "
        "d/(2 eta^2 sigma^2). Encoded: that this falls with eta. The curves themselves are not encoded: n, d, sigma, "
        "delta and the K are not printed."
    ),
    place="Appendix A.3",
    printed=r"\frac{\alpha(2R)^2d}{2\eta^2\sigma^2}",
    kind=ClaimKind.COST,
    statement=Statement(
        f"{OUTPUT.format('eta_last')} <= {OUTPUT.format('eta')}",
        (ALPHA, SIGMA, ETA, LATER, RADIUS, DIMENSION),
        ("eta <= eta_last",),
    ),
    argument=(
        Have("eta**2 <= eta_last**2", (Power("1/2"), Combine((("1", "eta <= eta_last"),)))),
        Scale("2*eta**2*eta_last**2*sigma**2/(alpha*(2*R)**2*d)"),
        Combine((("1", "eta**2 <= eta_last**2"),)),
    ),
    candidates=(point("alpha=2 sigma=1 eta=1 eta_last=1 R=1 d=2"),),
    mutants=(mutant("half", "half of it", f"{OUTPUT.format('eta_last')} <= 1/2*{OUTPUT.format('eta')}"),),
    steps=(
        step(
            "minimum-k",
            "for the constants of the figure c = 0.1, and the factor of the logarithm in the smallest K is 6.938...",
            f"abs({FACTOR} - 69387/10000) <= 1/10000",
            (real("c", "[0, 1)", "1 - m/M"),),
            (f"c == {C}",),
            argument=(Substitute((), where("c=1/10"), ()), Boxes()),
            candidates=(point("c=1/10"),),
            mutants=(mutant("digit", "6.9390", f"abs({FACTOR} - 69390/10000) <= 1/10000", "c=1/10"),),
        ),
        step(
            "ball",
            "the constants can be met for xi up to 1/9: the loss 0.9 |w|^2/2 is 0.9-strongly convex and 1-smooth, and "
            "its gradient has length at most Delta = 1 on the ball of radius R + xi. Encoded: this length; that no "
            "loss does better is COR-3.3/ball",
            "norm(9/10*w) <= 1",
            (vector("w", "a point of the ball"), real("xi", "[0, 1/9]", "perturbation scale")),
            ("norm(w) <= 1 + xi",),
            kind=ClaimKind.NON_VACUITY,
            argument=(Rewrite(left="9/10*norm(w)"), Combine((("9/10", "norm(w) <= 1 + xi"), ("9/10", "xi <= 1/9")))),
            candidates=(point("w=(10/9,) xi=1/9"),),
            mutants=(mutant("more", "99/100 in place of 1", "norm(9/10*w) <= 99/100", "w=(10/9,) xi=1/9"),),
        ),
        step(
            "crossing",
            "with the constants of the proofs composition, T times (10) for K directions, passes (29) at T = 16 N, N = "
            "n R sqrt(2d)/(Delta eta), and (27), which is twice that, at T = 32 N. Encoded: equality at 16 N",
            f"{COMPOSITION.format(f'(16*({LENGTH}))')} == {HIDDEN}",
            BOTH,
        ),
        step(
            "crossing-right",
            "with the sensitivity 2 Delta in composition too it passes (27) at T = 8 N. Encoded: that they are equal "
            "there",
            f"4*{COMPOSITION.format(f'(8*({LENGTH}))')} == 2*{HIDDEN}",
            BOTH,
        ),
        step(
            "output",
            "(29) is below output perturbation exactly where N is above 8. Encoded: where it is at least 8",
            f"{HIDDEN} <= {OUTPUT.format('eta')}",
            BOTH,
            (f"8 <= {LENGTH}",),
            argument=(
                Rewrite(right=f"{HIDDEN}*({LENGTH})/8"),
                Combine(((f"{HIDDEN}/8", f"8 <= {LENGTH}"),)),
            ),
            candidates=(point("alpha=2 sigma=1 eta=1 Delta=1 R=1 n=4 d=2"),),
            mutants=(mutant("half", "half of it", f"{HIDDEN} <= 1/2*{OUTPUT.format('eta')}"),),
        ),
    ),
)
