"""The step size min{zeta/(n0 L |v_p|), 1/(2 n0 L)}: what a step gains, (2.6), and the sum over the steps, (2.7) (s5 to
s8). Written with x = |v_p|/zeta the printed estimate is min{2 x, x^2} >= 2 x - 4; 2 x - 1 holds."""

from dpaudit.claims.writing import *

from .notation import *
from .runs import *
from .steps_descent import SMALLER
from .symbols import *

RATE = "min(zeta/(n0*L*norm(v_p)), 1/(2*n0*L))"
GAIN = "zeta**2/(8*n0*L)*min(2*norm(v_p/zeta), norm(v_p/zeta)**2)"
FLOOR = "(zeta*norm(v_p) - 2*zeta**2)/(4*n0*L)"
BEST = "(zeta*norm(v_p) - zeta**2/2)/(4*n0*L)"
ONE_STEP = f"F_next <= F_now + {SQUARED_ERROR}/(4*n0*L) - zeta*norm(v_p)/(4*n0*L) + zeta**2/(2*n0*L)"
BELOW, ABOVE = "norm(v_p) <= 2*zeta", "2*zeta <= norm(v_p)"
# Which of the two terms of a minimum is the smaller one, in each case.
SHORT_RULE = Have("1/(2*n0*L) <= zeta/(n0*L*norm(v_p))", (Combine(terms=(("1/(2*n0*L*norm(v_p))", BELOW),)),))
LONG_RULE = Have("zeta/(n0*L*norm(v_p)) <= 1/(2*n0*L)", (Combine(terms=(("1/(2*n0*L*norm(v_p))", ABOVE),)),))
SHORT_GAIN = Have("norm(v_p)**2/zeta**2 <= 2*norm(v_p)/zeta", (Combine(terms=(("norm(v_p)/zeta**2", BELOW),)),))
LONG_GAIN = Have("2*norm(v_p)/zeta <= norm(v_p)**2/zeta**2", (Combine(terms=(("norm(v_p)/zeta**2", ABOVE),)),))
LENGTH_ONE = point("L=1 n0=1 zeta=1 v_p=(1,)")


def _floor(constant):
    """How s6 is shown with this constant, 1 or larger: min{2 x, x^2} >= 2 x - constant."""
    rest = (f"({constant} - 1)*zeta**2/(8*n0*L)", "0 <= 1")
    short = (("zeta**2/(8*n0*L)", "0 <= (norm(v_p)/zeta - 1)**2"), rest)
    return (
        Cases(
            (
                (BELOW, (SHORT_GAIN, Combine(terms=short))),
                ("otherwise", (LONG_GAIN, Combine(terms=(rest, ("zeta**2/(8*n0*L)", "0 <= 1"))))),
            )
        ),
    )


RULE_STEPS = (
    step(
        "s5",
        "(eta_t/4)|v_p^t|^2 = (zeta^2/(8 n0 L)) min{2|v_p^t/zeta|, |v_p^t/zeta|^2}, for v_p^t not 0",
        f"{RATE}/4*norm(v_p)**2 == {GAIN}",
        (SMOOTH, ZETA, DIVISOR, ESTIMATE),
        ("0 < norm(v_p)",),
        printed=r"\frac{\eta_t}{4} \|\mathbf{v}_p^t\|_2^2 = \frac{\zeta^2}{8n_0L} \min\left\{2\|\mathbf{v}_p^t/"
        r"\zeta\|_2, \|\mathbf{v}_p^t/\zeta\|_2^2\right\}",
        place="Section 2.3, fourth display, equality",
        argument=(
            Cases(((BELOW, (SHORT_RULE, SHORT_GAIN, Identical())), ("otherwise", (LONG_RULE, LONG_GAIN, Identical())))),
        ),
    ),
    step(
        "s6",
        "(zeta^2/(8 n0 L)) min{2|v_p^t/zeta|, |v_p^t/zeta|^2} >= (zeta|v_p^t| - 2 zeta^2)/(4 n0 L); the best constant "
        "is zeta^2/2 in place of 2 zeta^2",
        f"{FLOOR} <= {GAIN}",
        (SMOOTH, ZETA, DIVISOR, ESTIMATE),
        printed=r"\frac{\zeta^2}{8n_0L} \min\left\{2\|\mathbf{v}_p^t/\zeta\|_2, \|\mathbf{v}_p^t/\zeta\|_2^2\right\} "
        r"\ge \frac{\zeta\|\mathbf{v}_p^t\|_2 - 2\zeta^2}{4n_0L}",
        place="Section 2.3, fourth display, inequality",
        argument=_floor("4"),
        mutants=(
            mutant(
                "constant", "zeta^2/4", f"(zeta*norm(v_p) - zeta**2/4)/(4*n0*L) <= {GAIN}", "L=1 n0=1 zeta=1 v_p=(1,)"
            ),
        ),
        tightness=(
            Tightness(
                "constant",
                "2",
                f"(zeta*norm(v_p) - {{c}}*zeta**2)/(4*n0*L) <= {GAIN}",
                "1/2",
                "49/100",
                argument=_floor("1"),
                candidates=(LENGTH_ONE,),
            ),
        ),
    ),
    step(
        "s6-best",
        "with the best constant: (zeta|v_p^t| - zeta^2/2)/(4 n0 L) is at most that gain",
        f"{BEST} <= {GAIN}",
        (SMOOTH, ZETA, DIVISOR, ESTIMATE),
        reads=Reads.OURS,
        argument=_floor("1"),
        mutants=(
            mutant("constant", "zeta^2/3", f"{BEST.replace('/2)', '/3)')} <= {GAIN}", "L=1 n0=1 zeta=1 v_p=(1,)"),
        ),
    ),
    step(
        "s7",
        "(2.6): F(theta^(t+1)) <= F(theta^t) + |grad F(theta^t) - v_p^t|^2/(4 n0 L) - zeta|v_p^t|/(4 n0 L) + "
        "zeta^2/(2 n0 L)",
        ONE_STEP,
        (NOW, NEXT, SMOOTH, ZETA, DIVISOR, ETA, GRADIENT, ESTIMATE),
        given={
            f"{HERE}/s4": SMALLER,
            f"{HERE}/s5": f"eta/4*norm(v_p)**2 == {GAIN}",
            f"{HERE}/s6": f"{FLOOR} <= {GAIN}",
        },
        printed=r"F(\boldsymbol{\theta}^{t+1}) \le F(\boldsymbol{\theta}^{t}) + \frac{1}{4n_0 L} \|\nabla "
        r"F(\boldsymbol{\theta}^{t}) - \mathbf{v}_p^t\|_2^2 - \frac{\zeta \|\mathbf{v}_p^t\|_2}{4n_0 L} + "
        r"\frac{\zeta^2}{2n_0 L}",
        place="(2.6)",
        argument=(
            Combine(terms=(("1", SMALLER), ("1", f"{FLOOR} <= {GAIN}"), ("1", f"{GAIN} <= eta/4*norm(v_p)**2"))),
        ),
        mutants=(
            mutant(
                "half",
                "zeta|v_p|/(2 n0 L)",
                f"F_next <= F_now + {SQUARED_ERROR}/(4*n0*L) - zeta*norm(v_p)/(2*n0*L) + zeta**2/(2*n0*L)",
                "L=1 n0=1 zeta=1 eta=1/4 grad_F=(4,) v_p=(4,) F_now=0 F_next=-1",
            ),
        ),
    ),
    step(
        "s8",
        "(2.7), first line, by induction over T: with one more step the sum of E|v_p^t| grows by v, that of the mean "
        "square errors by e, and (2.6) holds for the means",
        "zeta/(4*n0*L)*(sum_v + v) <= F_0 - F_next + (sum_e + e)/(4*n0*L) + (T + 1)*zeta**2/(2*n0*L)",
        ONE_STEP_MORE,
        ("zeta/(4*n0*L)*sum_v <= F_0 - F_T + sum_e/(4*n0*L) + T*zeta**2/(2*n0*L)",),
        given={f"{HERE}/s7": "F_next <= F_T + e/(4*n0*L) - zeta*v/(4*n0*L) + zeta**2/(2*n0*L)"},
        kind=ClaimKind.INDUCTION,
        printed=r"\frac{\zeta}{4n_0L} \sum_{t=0}^{T-1} \mathbb{E} \left\| \mathbf{v}_p^t \right\|_2 \leq "
        r"F(\boldsymbol{\theta}^0) - \mathbb{E} F(\boldsymbol{\theta}^T) + \frac{1}{4n_0L} \sum_{t=0}^{T-1} "
        r"\mathbb{E} \left\| \nabla F(\boldsymbol{\theta}^t) - \mathbf{v}_p^t \right\|_2^2 + \frac{T\zeta^2}{2n_0L}",
        place="(2.7), first line",
        rests_on=("monotone-mean",),
        argument=(
            Combine(
                terms=(
                    ("1", "zeta/(4*n0*L)*sum_v <= F_0 - F_T + sum_e/(4*n0*L) + T*zeta**2/(2*n0*L)"),
                    ("1", "F_next <= F_T + e/(4*n0*L) - zeta*v/(4*n0*L) + zeta**2/(2*n0*L)"),
                )
            ),
        ),
        empirical=(Search("descent_runs", near_miss=0.95, rounding=1e-9, trials=4_000),),
        mutants=(
            mutant(
                "count",
                "T in place of T + 1",
                "zeta/(4*n0*L)*(sum_v + v) <= F_0 - F_next + (sum_e + e)/(4*n0*L) + T*zeta**2/(2*n0*L)",
                "T=0 L=1 zeta=1 n0=1 sum_v=0 sum_e=0 F_0=0 F_T=0 F_next=1/2 v=0 e=0",
            ),
        ),
    ),
    step(
        "s8-minimum",
        "(2.7), second line: E F(theta^T) >= F(theta*), and D_F = F(theta^0) - F(theta*)",
        "zeta/(4*n0*L)*sum_v <= D_F + sum_e/(4*n0*L) + T*zeta**2/(2*n0*L)",
        (
            STEPS,
            SMOOTH,
            ZETA,
            DIVISOR,
            GAP,
            SUM_V,
            SUM_E,
            real("F_0", meaning="F(theta^0)"),
            real("F_T", meaning="E F(theta^T)"),
            real("F_least", meaning="F(theta*)"),
        ),
        ("D_F == F_0 - F_least", "F_least <= F_T"),
        given={f"{HERE}/s8": "zeta/(4*n0*L)*sum_v <= F_0 - F_T + sum_e/(4*n0*L) + T*zeta**2/(2*n0*L)"},
        printed=r"\leq F(\boldsymbol{\theta}^0) - F(\boldsymbol{\theta}^*) + \frac{1}{4n_0L} \sum_{t=0}^{T-1} "
        r"\mathbb{E} \|\nabla F(\boldsymbol{\theta}^t) - \mathbf{v}_p^t\|_2^2 + \frac{T\zeta^2}{2n_0L}",
        place="(2.7), second line",
        argument=(Solve(),),
        mutants=(
            mutant(
                "half",
                "half of the gap",
                "zeta/(4*n0*L)*sum_v <= D_F/2 + sum_e/(4*n0*L) + T*zeta**2/(2*n0*L)",
                "T=1 L=1 zeta=1 n0=1 sum_v=6 sum_e=0 D_F=1 F_0=1 F_T=0 F_least=0",
            ),
        ),
    ),
)
