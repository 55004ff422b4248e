"""The printed steps of Lemma 5.2: z' and (7) to (10)."""

from dpaudit.claims.writing import *

from .potential import B_TERM, C_TERM
from .symbols import *

SEVEN = f"2*beta*(dot(-eta/beta*grad + b, z_next - x_star) - norm{LEAP}**2)"
EIGHT = f"-2*beta*(dot(eta/beta*grad, z_next - x_star) + norm{LEAP}**2) + 2*beta*dot(b, z_next - x_star)"
NINE = f"eta*dot(grad, z - z_next) - 2*beta*norm{LEAP}**2 + 2*beta*dot(b, z_next - x_star) - eta*dot(q, z - x_star)"
B_SIZES = "L*norm(b)*eta_sum/eta + beta*norm(b)**2*eta_sum/eta**2"
TEN = f"-eta_sum*dot(q, {MOVE}) + {B_SIZES} + 3*beta*norm(b)*norm_C - eta*dot(q, z - x_star)"
LEMMA_5_3 = (
    f"eta_sum*(F_next - F_x) + eta*dot(grad, z - z_next) - 2*beta*norm{LEAP}**2 <= -eta_sum*dot(q, {MOVE}) + {B_SIZES}"
    " + beta*norm(b)*norm_C"
)
REST = real("rest", meaning="B + C")
NUDGED = "eta=1 beta=1 z=(0) z_next=(1) grad=(0) b=(1) x_star=(0)"
FIRST = "eta=4 eta_sum=4 beta=1 M=1 y=(1) z=(1) x_star=(0) grad=(1) b=(0) q=(0) F_x=1/2 F_y=1/2 F_star=0 grad_star=(0)"
"""First step for F = x^2/2, beta = M = 1, eta_0 = 4."""
PAIR = smooth_convex_at("M", (X, "grad - q", "F_x"), ("x_star", "grad_star", "F_star"))
AT_START = (SMOOTH, ETA, ETA_SUM, BETA, Y, Z, Z_NEXT, BEST, ESTIMATE, NOISE, ERROR, AT_BEST, F_X, F_Y, F_STAR)
SET = (FOUR, PART, SMALL_STEP, *PAIR, *minimised_at(("x_star", "grad_star"), members=("z", "z_next")))
COUNTED_TWICE = (
    "(8) has 2 eta_t <nabla_t, z_(t+1) - x*> where (6) has eta_t <nabla_t, z_t - x*>, so that they do not add "
    "up to eta_t <nabla_t, z_t - z_(t+1)>. For F = x^2/2, beta = M = 1, eta_0 = 4, no noise, x_0 = 1 and x* = 0"
)

UPDATES = (
    erratum(
        "s5",
        "z'_(t+1) = z_t - eta_t/(2 beta) nabla_t + b_t is what Algorithm 1 projects to z_(t+1), as the use of "
        "the projection in (7) needs",
        f"dot({PRIMED}, w) == dot({ALGORITHM}, w)",
        (ETA, BETA, Z, ESTIMATE, NOISE, vector("w", "any vector")),
        reads=Reads.GAP,
        place="before (7), and Algorithm 1, line 7",
        printed=r"\mathbf{z}'_{t+1} = \mathbf{z}_t - \frac{\eta_t}{2\beta}\nabla_t + \mathbf{b}_t",
        candidates=(point("eta=1 beta=1 z=(0) grad=(1) b=(0) w=(1)"),),
        finding=(
            "Algorithm 1 projects z_t - (eta_t/beta) nabla_t + b_t: twice the step of z'. (7) uses that z_(t+1) is the "
            "projection of z'. All that follows is asked of both updates."
        ),
        repair=f"{HERE}~repaired",
    ),
    erratum(
        "s7",
        "(7), for z_(t+1) the projection of z'",
        f"{C_TERM} <= {SEVEN}",
        (ETA, BETA, Z, Z_NEXT, BEST, ESTIMATE, NOISE),
        z_step(PRIMED),
        reads=Reads.READING,
        place="(7)",
        printed=r"\leq 2\beta\left(\left\langle-\frac{\eta_t}{\beta}\nabla_t+\mathbf{b}_t,\mathbf{z}_{t+1}-\mathbf{x}^*"
        r"\right\rangle - \|\mathbf{z}_{t+1}-\mathbf{z}_t\|_2^2\right)",
        candidates=(point(NUDGED),),
        finding=(
            "2 <z' - z_t, z_(t+1) - x*> has 2 b_t, and the display has b_t. With nabla_t = 0, b_t = 1, z_t = "
            "x* = 0 and C = [-1, 1], z_(t+1) = 1: the left side is 2, the right side 0. With "
            "b_t/2 in z' it holds (s7~repaired), which leaves the noise as it is printed in (8)."
        ),
        repair=f"{HERE}/s7~repaired",
    ),
    erratum(
        "s7-algorithm",
        "(7), for the z-update of Algorithm 1",
        f"{C_TERM} <= {SEVEN}",
        (ETA, BETA, Z, Z_NEXT, BEST, ESTIMATE, NOISE),
        z_step(ALGORITHM),
        reads=Reads.READING,
        place="(7)",
        candidates=(point(NUDGED),),
        finding=(
            "The same point: 2 on the left side, 0 on the right side. For this update the projection gives "
            "twice the inner product of (7)."
        ),
        repair=f"{HERE}/s7~repaired",
    ),
    step(
        "s7~repaired",
        "(7), for z_(t+1) the projection of z_t - eta_t/(2 beta) nabla_t + b_t/2",
        f"{C_TERM} <= {SEVEN}",
        (ETA, BETA, Z, Z_NEXT, BEST, ESTIMATE, NOISE),
        z_step("z - eta/(2*beta)*grad + b/2"),
        argument=(Combine((("4*beta", z_step("z - eta/(2*beta)*grad + b/2")[0]),)),),
        candidates=(point("eta=1 beta=1 z=(0) z_next=(1) grad=(0) b=(2) x_star=(0)"),),
        mutants=(
            mutant(
                "three",
                "3 beta",
                f"{C_TERM.replace('2*beta', '3*beta', 1)} <= {SEVEN}",
                NUDGED.replace("b=(1)", "b=(2)"),
            ),
        ),
    ),
    step(
        "s8",
        "(8): the same, b_t apart",
        f"{SEVEN} == {EIGHT}",
        (ETA, BETA, Z, Z_NEXT, BEST, ESTIMATE, NOISE),
        place="(8)",
        printed=r"= -2\beta\left(\left\langle\frac{\eta_t}{\beta}\nabla_t,\mathbf{z}_{t+1}-\mathbf{x}^*\right\rangle + "
        r"\|\mathbf{z}_{t+1}-\mathbf{z}_t\|_2^2\right) + "
        r"2\beta\langle\mathbf{b}_t,\mathbf{z}_{t+1}-\mathbf{x}^*\rangle",
    ),
    erratum(
        "s9",
        "(9): (8) and (6), for z_(t+1) the projection of z'",
        f"{B_TERM} + {C_TERM} <= {NINE}",
        AT_START,
        (*SET, *z_step(PRIMED)),
        reads=Reads.READING,
        place="(9)",
        printed=r"B + C \leq \eta_t\langle\nabla_t,\mathbf{z}_t-\mathbf{z}_{t+1}\rangle - "
        r"2\beta\|\mathbf{z}_{t+1}-\mathbf{z}_t\|_2^2 + "
        r"2\beta\langle\mathbf{b}_t,\mathbf{z}_{t+1}-\mathbf{x}^*\rangle - "
        r"\eta_t\langle\mathbf{q}_t,\mathbf{z}_t-\mathbf{x}^*\rangle",
        candidates=(point(f"{FIRST} z_next=(-1)"),),
        finding=f"{COUNTED_TWICE}: z_1 = -1, B = 2 and C = 0, and the right side is 8 - 8 = 0. A quarter of the step, "
        "eta_t/(4 beta), with half of the noise makes it true (s9~repaired).",
        repair=f"{HERE}/s9~repaired",
    ),
    erratum(
        "s9-algorithm",
        "(9), for the z-update of Algorithm 1",
        f"{B_TERM} + {C_TERM} <= {NINE}",
        AT_START,
        (*SET, *z_step(ALGORITHM)),
        reads=Reads.READING,
        place="(9)",
        candidates=(point(f"{FIRST} z_next=(-3)"),),
        finding=f"{COUNTED_TWICE}: z_1 = -3, B = 2 and C = 2 (9 - 1) = 16, and the right side is 16 - 32 = -16.",
        repair=f"{HERE}/s9~repaired",
    ),
    step(
        "s9~repaired",
        "(9), by (5) and (6), for z_(t+1) the projection of z_t - (eta_t nabla_t - 2 beta b_t)/(4 beta)",
        f"{B_TERM} + {C_TERM} <= {NINE}",
        (ETA, ETA_SUM, BETA, Y, Z, Z_NEXT, BEST, ESTIMATE, NOISE, ERROR, F_X, F_Y, F_STAR),
        (PART, *z_step("z - (eta*grad - 2*beta*b)/(4*beta)")),
        given={f"{HERE}/s2": "", f"{HERE}/s4": f"{B_TERM} <= eta*dot(grad, z - x_star) - eta*dot(q, z - x_star)"},
        argument=(
            Combine(
                (
                    ("1", f"{B_TERM} <= eta*dot(grad, z - x_star) - eta*dot(q, z - x_star)"),
                    ("4*beta", z_step("z - (eta*grad - 2*beta*b)/(4*beta)")[0]),
                )
            ),
        ),
        candidates=(
            point(
                "eta=4 eta_sum=4 beta=1 y=(1) z=(1) z_next=(0) x_star=(0) grad=(1) b=(0) q=(0) F_x=1/2 F_y=1/2 F_star=0"
            ),
        ),
        mutants=(
            mutant(
                "noise",
                "beta <b_t, z_(t+1) - x*>",
                f"{B_TERM} + {C_TERM} <= {NINE.replace('2*beta*dot', '1*beta*dot')}",
                "eta=1 eta_sum=1 beta=1 y=(0) z=(0) z_next=(1) x_star=(0) grad=(0) b=(2) q=(0) F_x=0 F_y=0 F_star=0",
            ),
        ),
    ),
    erratum(
        "s10",
        "(10): with Lemma 5.3 and tau_t <= 1, for Algorithm 1",
        f"{DROP} <= {TEN}",
        (LIPSCHITZ, *SYMBOLS),
        (*SETTING, *z_step(ALGORITHM)),
        place="(10)",
        printed=r"\Delta\Phi_t \leq -\eta_{0:t}\langle\mathbf{q}_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle + "
        r"\frac{L\|\mathbf{b}_t\|_2}{\tau_t} + \frac{\beta\|\mathbf{b}_t\|_2^2}{\eta_t\tau_t} + "
        r"3\beta\|\mathbf{b}_t\|_2\|\mathcal{C}\|_2 - \eta_t\langle\mathbf{q}_t,\mathbf{z}_t-\mathbf{x}^*\rangle",
        candidates=(point(f"L=1 {RUN}"),),
        finding=(
            "The run that refutes the lemma: without noise and without error the right side is 0, the left "
            "side 30/1024. It is what (9) and Lemma 5.3 give (s10-inference)."
        ),
        repair=f"{HERE}~repaired/ten",
    ),
    step(
        "s10-inference",
        "(10) from (9) and Lemma 5.3",
        f"eta_sum*(F_next - F_x) + rest <= {TEN}",
        (LIPSCHITZ, SIZE, ETA, ETA_SUM, BETA, *PLACES, F_X, F_NEXT, REST),
        ("norm(z_next - x_star) <= norm_C",),
        given={"srgd/LEM-5.3": LEMMA_5_3, f"{HERE}/s9": f"rest <= {NINE}"},
        reads=Reads.REASON,
        place="(10)",
        expects=Outcome.CONSISTENT,
        argument=(
            Combine(
                (
                    ("1", LEMMA_5_3),
                    ("1", f"rest <= {NINE}"),
                    ("2*beta", "dot(b, z_next - x_star) <= norm(b)*norm(z_next - x_star)"),
                    ("2*beta*norm(b)", "norm(z_next - x_star) <= norm_C"),
                )
            ),
        ),
        candidates=(
            point(
                "L=1 norm_C=1 eta=1 eta_sum=1 beta=1 y=(0) z=(0) y_next=(0) z_next=(1) x_star=(0) grad=(0) "
                "b=(1) q=(0) F_x=0 F_next=0 rest=0"
            ),
        ),
        mutants=(
            mutant(
                "two",
                "2 beta |b_t| |C|_2",
                f"eta_sum*(F_next - F_x) + rest <= {TEN.replace('3*beta', '2*beta')}",
                "L=1 norm_C=1 eta=1 eta_sum=1 beta=1 y=(0) z=(0) y_next=(0) z_next=(1) x_star=(0) grad=(0) "
                "b=(1) q=(0) F_x=0 F_next=5 rest=0",
            ),
        ),
    ),
)
