"""(90) to (95): the inner product of the gradient and the estimate."""

from dpaudit.claims.writing import *

from .steps_collect import LOWER
from .symbols import *

GRAD, U, LONG = vector("g", "the gradient"), vector_sequence("u", "u_(t,k)"), vector("u", "u'_(t,k)")
DIFFERENCE = sequence("D", meaning="D[k]: lbar(w + xi u_k) - lbar(w - xi u_k)")
INNER, QUOTIENT = real("t", meaning="<grad lbar, u'>"), real("q", meaning="the quotient in u' and xi'")
GIVEN, BAD = real("there", meaning="the mean given Q_t"), real("elsewhere", meaning="the mean given not Q_t")
REST = "M**2*xi**2*d**3/8"
CLOSE = "abs(q - t) <= sqrt(d)*(1/2*M*xi)"
IN_U = "1/K*sum(k, 1, K, D[k]/(2*xi)*dot(g, u[k]))"
IN_LONG = "1/(K*sqrt(d))*sum(k, 1, K, D[k]/(2*xi)*dot(g, sqrt(d)*u[k]))"
SCALED = "1/(K*d)*sum(k, 1, K, D[k]/(2*(xi/sqrt(d)))*dot(g, sqrt(d)*u[k]))"
TWO_DIRECTIONS = "K=2 d=4 xi=1 D=[0,1,2] g=(1) u=[(0),(1),(1)]"
WHOLE, OF_SQUARES = real("whole", meaning="its mean"), real("square", "[0, oo)", "E <grad lbar, u'>^2")
AT_ONE = "t=1/2 q=0 M=1 xi=1 d=1"
ROOT = "M*xi*sqrt(d)/2"
LARGER = Have(
    f"M**2*xi**2*d/8 <= {REST}",
    (Scale("8/(M**2*xi**2*d)"), Rewrite(left="1", right="d**2"), Power("1/2"), Solve()),
)


def pointwise(*more):
    """t q is at least t^2/2 - M^2 xi^2 d/8, for each sign of t."""
    near = (("1", CLOSE),)
    below = (("t", f"t - q <= {ROOT}"), ("1/2", f"0 <= (t - {ROOT})**2"))
    above = (("-t", f"q - t <= {ROOT}"), ("1/2", f"0 <= (t + {ROOT})**2"))
    return (
        Have(f"t - q <= {ROOT}", (Combine((*near, ("1", "-(q - t) <= abs(q - t)"))),)),
        Have(f"q - t <= {ROOT}", (Combine((*near, ("1", "q - t <= abs(q - t)"))),)),
        Cases((("0 <= t", (Combine((*below, *more)),)), ("otherwise", (Combine((*above, *more)),)))),
    )


INNER_STEPS = (
    step(
        "s12",
        "(90): with u' = sqrt(d) u. Encoded at one draw; the mean is linear",
        f"{IN_U} == {IN_LONG}",
        (DIRECTIONS, DIMENSION, XI, DIFFERENCE, GRAD, U),
        place="(90)",
        printed=r"=\frac1{K\sqrt d}\sum_{k=1}^K\mathbb{E}[\nabla\bar\ell(w_t)^T\frac{\bar\ell(w_t+\xi u_{t,k})-\bar"
        r"\ell(w_t-\xi u_{t,k})}{2\xi}u'_{t,k}|Q_t]",
        candidates=(point(TWO_DIRECTIONS),),
    ),
    step(
        "s12-second",
        "(91): and xi' = xi/sqrt(d). Encoded at one draw; the mean is linear",
        f"{IN_LONG} == {SCALED}",
        (DIRECTIONS, DIMENSION, XI, DIFFERENCE, GRAD, U),
        place="(91)",
        printed=r"=\frac1{Kd}\sum_{k=1}^K\mathbb{E}[\nabla\bar\ell(w_t)^T\frac{\bar\ell(w_t+\xi'u'_{t,k})-\bar"
        r"\ell(w_t-\xi'u'_{t,k})}{2\xi'}u'_{t,k}|Q_t]",
        candidates=(point(TWO_DIRECTIONS),),
    ),
    step(
        "s13-point",
        "the integrand of (92): the quotient in u' is sqrt(d) times that in u, and so within sqrt(d) M xi/2 of "
        "<grad lbar, u'>. The paper follows Zhang et al. here and shows nothing",
        f"1/2*t**2 - {REST} <= t*q",
        (INNER, QUOTIENT, SMOOTH, XI, DIMENSION),
        reads=Reads.OURS,
        given={f"{HERE}/near": CLOSE},
        place="(93)",
        argument=(LARGER, *pointwise(("1", LARGER.fact))),
        candidates=(point(AT_ONE),),
        tightness=(
            Tightness(
                "power",
                "3",
                "1/2*t**2 - M**2*xi**2*d**{c}/8 <= t*q",
                "1",
                "99/100",
                argument=pointwise(),
                candidates=(point("t=1 q=0 M=1 xi=1 d=4"),),
            ),
        ),
        mutants=(mutant("ninth", "1/16", "1/2*t**2 - M**2*xi**2*d**3/16 <= t*q", AT_ONE),),
    ),
    step(
        "s13",
        "(92), (93): the mean given Q_t, with E <grad lbar, u'>^2 = |grad lbar|^2; xi stands for the xi' before it, "
        "and with xi' it is right too, as s13-point holds with d for d^3",
        f"G/(2*P) - {REST}/P - elsewhere*(1 - P)/P <= there",
        (SQUARE, P, SMOOTH, XI, DIMENSION, GIVEN, BAD, WHOLE, OF_SQUARES),
        ("whole == there*P + elsewhere*(1 - P)",),
        given={
            f"{HERE}/s13-point": f"1/2*square - {REST} <= whole",
            "zeroth/LEM-C1/ii": "square == d*(G/d)",
        },
        rests_on=("zeroth/LEM-C1/ii",),
        place="(92), (93)",
        printed=r"\geq\frac{\mathbb{E}_{\leq t}[\|\nabla\bar\ell(w_t)\|^2]}{2\mathbb{P}(Q_t)}-\frac{M^2"
        r"\xi^2d^3}{8\mathbb{P}(Q_t)}"
        r"-\frac{\mathbb{E}_{\leq t}[\cdot|\bar Q_t]\mathbb{P}(\bar Q_t)}{\mathbb{P}(Q_t)}",
        argument=(
            Scale("P"),
            Combine(
                (
                    ("1", f"1/2*square - {REST} <= whole"),
                    ("1/2", "d*(G/d) <= square"),
                    ("1", "whole <= there*P + elsewhere*(1 - P)"),
                )
            ),
        ),
        candidates=(point("G=2 P=1/2 M=1 xi=1 d=2 there=0 elsewhere=0 whole=0 square=2"),),
        mutants=(
            mutant(
                "whole",
                "G/P for its half",
                f"G/P - {REST}/P - elsewhere*(1 - P)/P <= there",
                "G=2 P=1/2 M=1 xi=1 d=1 there=7/4 elsewhere=0 whole=7/8 square=2",
            ),
        ),
    ),
    step(
        "s14",
        "(95): Cauchy-Schwarz and the Lipschitz constant",
        "q*dot(g, u) <= L**2*d",
        (QUOTIENT, LIPSCHITZ, DIMENSION, GRAD, LONG),
        ("abs(q) <= L*norm(u)", "norm(g) <= L", "norm(u)**2 == d"),
        place="(95)",
        printed=r"\nabla\bar\ell(w_t)^T\frac{\bar\ell(w_t+\xi'u'_{t,k})-\bar\ell(w_t-\xi'u'_{t,k})}{2\xi'}u'_{t,k}"
        r"\leq L^2\|u'_{t,k}\|^2=L^2d",
        argument=(
            Have(
                "abs(q)*norm(g) <= L**2*norm(u)",
                (Combine((("norm(g)", "abs(q) <= L*norm(u)"), ("L*norm(u)", "norm(g) <= L"))),),
            ),
            Have(
                "q*dot(g, u) <= abs(q)*(norm(g)*norm(u))",
                (
                    Cases(
                        (
                            (
                                "0 <= q",
                                (
                                    Rewrite(right="q*(norm(g)*norm(u))"),
                                    Combine((("q", "dot(g, u) <= norm(g)*norm(u)"),)),
                                ),
                            ),
                            (
                                "otherwise",
                                (
                                    Rewrite(right="-q*(norm(g)*norm(u))"),
                                    Combine((("-q", "dot(-g, u) <= norm(-g)*norm(u)"),)),
                                ),
                            ),
                        )
                    ),
                ),
            ),
            Combine(
                (
                    ("1", "q*dot(g, u) <= abs(q)*(norm(g)*norm(u))"),
                    ("norm(u)", "abs(q)*norm(g) <= L**2*norm(u)"),
                    ("L**2", "norm(u)**2 <= d"),
                )
            ),
        ),
        candidates=(point("q=1 L=1 d=1 g=(1) u=(1)"),),
        mutants=(mutant("half", "half of it", "q*dot(g, u) <= 1/2*L**2*d", "q=1 L=1 d=1 g=(1) u=(1)"),),
    ),
    step(
        "s14-term",
        "(94): (93), whose last term is at most L^2 d P(not Q_t)/P(Q_t)",
        f"{LOWER} <= there",
        (SQUARE, P, SMOOTH, XI, DIMENSION, LIPSCHITZ, GIVEN, BAD),
        given={
            f"{HERE}/s13": f"G/(2*P) - {REST}/P - elsewhere*(1 - P)/P <= there",
            f"{HERE}/s14": "elsewhere <= L**2*d",
        },
        place="(94)",
        printed=r"\geq\frac{\mathbb{E}[\|\nabla\bar\ell(w_t)\|^2]}{2\mathbb{P}(Q_t)}-\frac{M^2\xi^2d^3}{8"
        r"\mathbb{P}(Q_t)}-\frac{L^2d\mathbb{P}(\bar Q_t)}{\mathbb{P}(Q_t)}",
        argument=(
            Combine(
                (
                    ("1", f"G/(2*P) - {REST}/P - elsewhere*(1 - P)/P <= there"),
                    ("(1 - P)/P", "elsewhere <= L**2*d"),
                )
            ),
        ),
        candidates=(point("G=2 P=1/2 M=1 xi=1 d=1 L=1 there=3/4 elsewhere=1"),),
        mutants=(
            mutant(
                "half",
                "half of the last term",
                f"{LOWER.replace('L**2', '1/2*L**2')} <= there",
                "G=2 P=1/2 M=1 xi=1 d=1 L=1 there=3/4 elsewhere=1",
            ),
        ),
    ),
)
