"""Lemma 5.4: with the minimiser over R^p in C gradient norms decrease, by induction over t.

The induction closes: for every constant c_2 of s5 there is a c_1 (s18), and the claim is its step. It is an inference
from Theorem 5.1, which is false as printed; an index, eta_{0:t-1} in the place of eta_{0:t}, would not matter here, but
with that the theorem is not proved for Algorithm 1 and eta_t = t + 1 either. On the way

* c_DP <= n^{1/4} does not hold for every delta = 2^{-o(n^{1/6})}, as c_DP has log^{3/2}(n) as well (s2);
* the third line of (22) is c_DP times too small in its second summand (s11). The last line of (22) holds all the same,
  from the first one, once c_DP and log(T/gamma) are at least c_M, which large n gives (s14);
* 1/sqrt(B t) becomes 1/sqrt(B (t + 1)) without the factor sqrt(2); the next line has room for it (s16). c_beta there
  is not defined.

"For all t" the lemma takes the conclusion of Lemma 5.5, and that one the conclusion of this lemma. Read step by step,
Delta_0, x_1, the gradient at x_1, Delta_1, ..., there is no circle: the bound at t uses what comes before t.
"""

from dpaudit.claims.writing import *

from .closing import CLOSING_STEPS
from .display import DISPLAY_STEPS
from .start import START_STEPS
from .sums import SUM_STEPS
from .symbols import *

X, Y, W = real("X", "[0, oo)", "c_DP L R ell/sqrt(B (t + 1))"), real("Y", "[0, oo)"), real("W", "[0, oo)")
AT_X, AT_Y = real("F_x", "[0, oo)", "|grad F(x_t)|"), real("F_y", "[0, oo)", "|grad F(y_t)|")
EXCESS, SUM = real("G", "[0, oo)", "F(y_t) - F(x*)"), real("S", "[0, oo)", "the sum over i < t in the display of s5")
C_1, C_2, SHARE = real("c_1", "[1, oo)"), real("c_2", "[1, oo)"), real("q", "[1, oo)", "8 c_1 + 4 c_1/(3 c_DP) + 1")
MOVED = "F_x <= 2*sqrt(M)*W/t + F_y"
RISK, SUMMED, BOUNDED = "G <= c_2*(S + X + Y + (W/(t + 1))**2)", "S + X <= q*X", "F_y**2 <= 2*M*G"
ROOT = "sqrt(q*X + Y + (W/(t + 1))**2)"
AT_LOSS = f"F_y <= sqrt(2)*c_2*sqrt(M)*{ROOT}"
CLOSED = ("sqrt(2)*c_2*sqrt(q) <= c_1", "sqrt(2)*c_2 + 2 <= c_1")

CLAIM = Claim(
    id=LEM,
    title="gradient norms decrease",
    words=(
        "With the parameters of Section 5.2, |Delta_t(d)| <= c_DP L and |b_t| <= b_max: |grad F(x_t)| <= c_1 sqrt(M) "
        "(sqrt(c_DP L R log(T/gamma)/sqrt(B (t + 1))) + sqrt(beta b_max R/(t + 1)) + 2 sqrt(beta) R/(t + 1)) for large "
        "n and delta < 1/n. Encoded: the step of the induction for t >= 1 (s4 has t = 0), with X and Y under the two "
        "roots, W = sqrt(beta) R, and q as in s16. The display of s5, which is Theorem 5.1 with one constant c_2 for "
        "b_max <= R, is taken over from that theorem; S is its sum, with the bound of the induction put in."
    ),
    place="Lemma 5.4",
    printed=r"\|\nabla F(\mathbf x_t)\|_2\le c_1\sqrt M\left(\sqrt{\frac{c_{DP}LR\log(T/\gamma)}{\sqrt{B(t+1)}}}"
    r"+\sqrt{\frac{\beta b_{max}R}{t+1}}+\frac{2\sqrt\beta R}{t+1}\right)",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        "F_x <= c_1*sqrt(M)*(sqrt(X) + sqrt(Y) + 2*W/(t + 1))",
        (TIME, positive("M"), C_1, C_2, SHARE, X, Y, W, SUM, EXCESS, AT_X, AT_Y),
        (MOVED, BOUNDED, RISK, SUMMED, *CLOSED),
    ),
    origins=(
        Condition(MOVED, Origin.GIVEN, f"{LEM}/s7"),
        Condition(BOUNDED, Origin.GIVEN, "srgd/REM-2"),
        Condition(RISK, Origin.GIVEN, "srgd/THM-5.1"),
        Condition(SUMMED, Origin.GIVEN, f"{LEM}/s16-next"),
        *(Condition(one, Origin.ENOUGH) for one in CLOSED),
    ),
    expects=Outcome.CONSISTENT,
    argument=(
        Have(
            AT_LOSS,
            (
                Power("2"),
                Combine(
                    (
                        ("1", BOUNDED),
                        ("2*M", RISK),
                        ("2*M*c_2", SUMMED),
                        ("2*M*c_2*(q*X + Y + (W/(t + 1))**2)", "1 <= c_2"),
                    )
                ),
            ),
        ),
        Have(
            f"{ROOT} <= sqrt(q)*sqrt(X) + sqrt(Y) + W/(t + 1)",
            (
                Power("2"),
                Combine(
                    (
                        ("2*sqrt(q)*sqrt(X)*sqrt(Y)", "0 <= 1"),
                        ("2*sqrt(q)*sqrt(X)*W/(t + 1)", "0 <= 1"),
                        ("2*sqrt(Y)*W/(t + 1)", "0 <= 1"),
                    )
                ),
            ),
        ),
        Have("2/t <= 4/(t + 1)", (Positive(),)),
        Combine(
            (
                ("1", MOVED),
                ("1", AT_LOSS),
                ("sqrt(2)*c_2*sqrt(M)", f"{ROOT} <= sqrt(q)*sqrt(X) + sqrt(Y) + W/(t + 1)"),
                ("sqrt(M)*W", "2/t <= 4/(t + 1)"),
                ("sqrt(M)*sqrt(X)", CLOSED[0]),
                ("sqrt(M)*(sqrt(Y) + 2*W/(t + 1))", CLOSED[1]),
                ("sqrt(M)*(2*sqrt(Y) + sqrt(2)*c_2*W/(t + 1))", "0 <= 1"),
            )
        ),
    ),
    candidates=(point("t=1 M=1 c_1=20 c_2=1 q=100 X=1 Y=1 W=1 S=1 G=1 F_x=3 F_y=1"),),
    mutants=(
        Mutant(
            "closing",
            "without the second condition on c_1",
            conditions=(MOVED, BOUNDED, RISK, SUMMED, CLOSED[0]),
            candidates=(point("t=1 M=1 c_1=3/2 c_2=1 q=1 X=0 Y=1 W=1 S=0 G=9/8 F_x=7/2 F_y=3/2"),),
        ),
    ),
    steps=(*START_STEPS, *DISPLAY_STEPS, *SUM_STEPS, *CLOSING_STEPS),
)
