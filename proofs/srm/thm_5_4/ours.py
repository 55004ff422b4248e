"""What the proof could have had: the display before (2.15) holds as printed (s19-display), by s6 with its best
constant, Lemma 4.1 used once (s10-record), and the factor gamma (2 - gamma) of s16."""

from dpaudit.claims.writing import *

from .notation import *
from .steps_combination import COMBINED, DISPLAY, EVERYTHING
from .steps_descent import SMALLER
from .steps_recursion import EXACT, LAST, START_BOUND, C
from .steps_rule import BEST, GAIN
from .symbols import *

SHARP_STEP = f"F_next <= F_now + {SQUARED_ERROR}/(4*n0*L) - zeta*norm(v_p)/(4*n0*L) + zeta**2/(8*n0*L)"
SHARP_DESCENT = "zeta/(4*n0*L)*sum_v <= D_F + sum_e/(4*n0*L) + T*zeta**2/(8*n0*L)"
SPREAD = "((1 - gamma)*zeta/n0 + gamma*G)"


def sharp_sum(lipschitz="G", b="b", b0="b0"):
    """The bound of s18-sharp on the sum of the errors, for these values of G, b and b0."""
    spread = f"((1 - gamma)*zeta/n0 + gamma*{lipschitz})"
    return f"gamma*(2 - gamma)*sum_e <= T*({spread}**2/{b} + d*sigma**2) + {lipschitz}**2/{b0} + d*sigma0**2"


SHARP_SUM = sharp_sum()
SQUARE = f"{SPREAD}**2 <= (2 - gamma)*(2*(1 - gamma)**2*zeta**2/n0**2 + gamma**2*G**2 + 3/2*gamma*b*zeta**2)"
RECORD = "(1 - gamma)*(h - p) + gamma*h"

OURS = (
    step(
        "s7-sharp",
        "(2.6) with zeta^2/(8 n0 L) in place of zeta^2/(2 n0 L), for n0 >= 1: s6 with its best constant",
        SHARP_STEP,
        (NOW, NEXT, SMOOTH, ZETA, DIVISOR, ETA, GRADIENT, ESTIMATE),
        given={
            f"{HERE}/s4": SMALLER,
            f"{HERE}/s5": f"eta/4*norm(v_p)**2 == {GAIN}",
            f"{HERE}/s6-best": f"{BEST} <= {GAIN}",
        },
        reads=Reads.OURS,
        argument=(Combine(terms=(("1", SMALLER), ("1", f"{BEST} <= {GAIN}"), ("1", f"{GAIN} <= eta/4*norm(v_p)**2"))),),
        mutants=(
            mutant(
                "constant",
                "zeta^2/(9 n0 L)",
                SHARP_STEP.replace("8*n0", "9*n0"),
                "L=1 n0=1 zeta=1 eta=1/2 grad_F=(1,) v_p=(1,) F_now=0 F_next=-1/8",
            ),
        ),
    ),
    step(
        "s8-sharp",
        "summed up over one step more, as in s8",
        "zeta/(4*n0*L)*(sum_v + v) <= F_0 - F_next + (sum_e + e)/(4*n0*L) + (T + 1)*zeta**2/(8*n0*L)",
        ONE_STEP_MORE,
        ("zeta/(4*n0*L)*sum_v <= F_0 - F_T + sum_e/(4*n0*L) + T*zeta**2/(8*n0*L)",),
        given={f"{HERE}/s7-sharp": "F_next <= F_T + e/(4*n0*L) - zeta*v/(4*n0*L) + zeta**2/(8*n0*L)"},
        kind=ClaimKind.INDUCTION,
        reads=Reads.OURS,
        rests_on=("monotone-mean",),
        argument=(
            Combine(
                terms=(
                    ("1", "zeta/(4*n0*L)*sum_v <= F_0 - F_T + sum_e/(4*n0*L) + T*zeta**2/(8*n0*L)"),
                    ("1", "F_next <= F_T + e/(4*n0*L) - zeta*v/(4*n0*L) + zeta**2/(8*n0*L)"),
                )
            ),
        ),
        mutants=(
            mutant(
                "count",
                "T in place of T + 1",
                "zeta/(4*n0*L)*(sum_v + v) <= F_0 - F_next + (sum_e + e)/(4*n0*L) + T*zeta**2/(8*n0*L)",
                "T=0 L=1 zeta=1 n0=1 sum_v=0 sum_e=0 F_0=0 F_T=0 F_next=1/8 v=0 e=0",
            ),
        ),
    ),
    step(
        "s10-record",
        "Lemma 4.1 for (1 - gamma) D + gamma E as a whole: h, p are a record's gradients at theta^t and theta^(t-1); "
        "(1/b)(1/n) sum of |(1 - gamma)(h - p) + gamma h|^2 is at most ((1 - gamma) zeta/n0 + gamma G)^2/b, by "
        "induction over the records, n = k + 1",
        f"(Q + norm({RECORD})**2)/(b*(k + 1)) <= {SPREAD}**2/b",
        (
            integer("k", "[0, oo)", "records so far"),
            BATCH,
            GAMMA,
            ZETA,
            DIVISOR,
            LIPSCHITZ,
            real("Q", "[0, oo)", "the sum over the first k"),
            vector("h"),
            vector("p"),
        ),
        (f"Q <= k*{SPREAD}**2", "norm(h) <= G"),
        given={f"{HERE}/s12-step": "norm(h - p) <= zeta/n0"},
        kind=ClaimKind.INDUCTION,
        reads=Reads.OURS,
        rests_on=("srm/LEM-4.1", f"{HERE}/s11-variance"),
        argument=(
            Have(
                f"norm({RECORD}) <= {SPREAD}",
                (
                    Combine(
                        terms=(
                            ("1", f"norm({RECORD}) <= norm((1 - gamma)*(h - p)) + norm(gamma*h)"),
                            ("1 - gamma", "norm(h - p) <= zeta/n0"),
                            ("gamma", "norm(h) <= G"),
                        )
                    ),
                ),
            ),
            Combine(
                terms=(
                    ("1/(b*(k + 1))", f"Q <= k*{SPREAD}**2"),
                    (f"(norm({RECORD}) + {SPREAD})/(b*(k + 1))", f"norm({RECORD}) <= {SPREAD}"),
                )
            ),
        ),
        mutants=(
            mutant(
                "weights",
                "gamma and 1 - gamma exchanged",
                f"(Q + norm({RECORD})**2)/(b*(k + 1)) <= (gamma*zeta/n0 + (1 - gamma)*G)**2/b",
                "k=0 b=1 gamma=1 zeta=1/2 n0=1 G=1 Q=0 h=(1,) p=(1,)",
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s18-sharp",
        "the sum of the errors with Lemma 4.1 used once and the exact factor: c = ((1 - gamma) zeta/n0 + gamma "
        "G)^2/b + d sigma^2 in s16-step. The deviations have mean 0, so that no cross term with the error before is "
        "left",
        SHARP_SUM,
        (*EVERYTHING, SUM_E, LAST, START, C),
        (f"c == {SPREAD}**2/b + d*sigma**2",),
        given={f"{HERE}/s16-step": EXACT, f"{HERE}/s17": START_BOUND},
        reads=Reads.OURS,
        rests_on=("srm/LEM-4.1/sums", *ids(HERE, "s10-record s9-definition s9 s9-regroup")),
        argument=(
            Combine(
                terms=(
                    ("1", EXACT),
                    ("1", START_BOUND),
                    ("(1 - gamma)**2*e_last", "0 <= 1"),
                    ("T", f"c <= {SPREAD}**2/b + d*sigma**2"),
                    ("c", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "factor",
                "a factor 2 - gamma more",
                SHARP_SUM.replace("gamma*(2 - gamma)*sum_e", "gamma*(2 - gamma)*3/2*sum_e"),
                "T=1 gamma=1/2 zeta=1 n0=1 G=1 d=1 sigma=1/10 sigma0=1/10 b=100 b0=1 L=1 D_F=1"
                " sum_e=101/100 e_last=101/100 e_0=101/100 c=1/50",
            ),
        ),
    ),
    step(
        "s19-square",
        "with p = (1 - gamma) zeta/n0 and q = gamma G: (p + q)^2 <= (2 - gamma)(2 p^2 + q^2 + (3/2) gamma b zeta^2) "
        "for n0 >= 1",
        SQUARE,
        (GAMMA, ZETA, DIVISOR, LIPSCHITZ, BATCH),
        ours=("1 <= n0",),
        reads=Reads.OURS,
        argument=(
            Combine(
                terms=(
                    ("1 - gamma", "0 <= (gamma*G - zeta/n0)**2"),
                    ("zeta**2/n0**2*gamma*(4 - gamma)/2", "0 <= 1"),
                    ("zeta**2/n0**2*2*(1 - gamma)**3", "0 <= 1"),
                    ("3/2*gamma*(2 - gamma)*zeta**2", "1 <= b"),
                    ("3/2*gamma*(2 - gamma)*zeta**2*(n0 + 1)/n0**2", "1 <= n0"),
                )
            ),
        ),
        mutants=(
            mutant(
                "no-slack",
                "without the slack of s6",
                f"{SPREAD}**2 <= (2 - gamma)*(2*(1 - gamma)**2*zeta**2/n0**2 + gamma**2*G**2)",
                "gamma=9/10 zeta=9/2 n0=1 G=1 b=1",
            ),
        ),
    ),
    step(
        "s19-display",
        "in part, for n0 >= 1: the display before (2.15). That condition is ours, and so are the steps that it follows "
        "from",
        COMBINED,
        (*EVERYTHING, SUM_V, SUM_E),
        given={f"{HERE}/s8-sharp": SHARP_DESCENT, f"{HERE}/s18-sharp": SHARP_SUM, f"{HERE}/s19-square": SQUARE},
        ours=("1 <= n0",),
        reads=Reads.PRINTED,
        printed=DISPLAY,
        place="display before (2.15)",
        rests_on=(f"{HERE}/s8-minimum",),
        argument=(
            Combine(
                terms=(
                    ("1", SHARP_DESCENT),
                    ("1/(4*n0*L*gamma*(2 - gamma))", SHARP_SUM),
                    ("T/(4*n0*L*gamma*b*(2 - gamma))", SQUARE),
                    (
                        "(T*d*sigma**2 + d*sigma0**2 + G**2/b0)/(4*n0*L*gamma)*(1 - gamma)/(2 - gamma)",
                        "0 <= 1",
                    ),
                )
            ),
        ),
        mutants=(
            mutant(
                "last",
                "a quarter of the last term",
                COMBINED.replace("T*zeta**2/(2*n0*L)", "T*zeta**2/(8*n0*L)"),
                "T=1 gamma=3/5 zeta=1 n0=1 G=4/3 d=1 sigma=1/1000 sigma0=1/1000 b=1 b0=1000000 L=1 D_F=1"
                " sum_v=621/100 sum_e=12/7",
            ),
        ),
    ),
)
