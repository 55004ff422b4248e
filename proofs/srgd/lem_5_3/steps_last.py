"""The printed steps of Lemma 5.3: (17), from its second line, and (18)."""

from dpaudit.claims.writing import *

from .steps_middle import ADDED
from .symbols import *

APART = f"(y_next - {X} - eta/eta_sum*{LEAP})"
CAUCHY = f"{LEFT} <= {ERRORS} + beta*eta_sum/eta*norm(b)*norm{APART}"
SIZES = f"norm{APART} <= L/beta + norm(b)/eta + eta/eta_sum*norm_C"
SET = (f"norm{LEAP} <= norm_C", *projected_at((INNER_STEP, "y_next"), members=(X,)))
RUN = (LIPSCHITZ, SMOOTH, BETA, *map(real, ("x_0", "d_0", "b_0", "x_1", "g_0", "g_1")))
STILL = "eta=1 eta_sum=1 beta=1 y=(0) z=(0) z_next=(0) y_next=(1) grad=(-1) b=(0) q=(0) F_x=0 F_next=0"

LAST = (
    step(
        "s9",
        "(17), second line, from the first without its last term: what is not positive is dropped, Cauchy-Schwarz for "
        "the rest",
        CAUCHY,
        (*WEIGHTS, *POINTS, ERROR, F_X, F_NEXT),
        (FOUR, PART),
        given={f"{HERE}/s7~repaired": ADDED},
        place="(17), second line",
        printed=r"\leq -\eta_{0:t}\langle\mathbf{q}_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle + "
        r"\frac{\beta}{\tau_t}\|\mathbf{b}_t\|_2\|\mathbf{y}_{t+1}-\mathbf{x}_t-\tau_t(\mathbf{z}_{t+1}-\mathbf{"
        r"z}_t)\|_2",
        argument=(
            Combine(
                (
                    ("1", ADDED),
                    (f"beta/(2*eta_sum)*norm{LEAP}**2", FOUR),
                    ("eta_sum*beta/eta", f"dot(b, {APART}) <= norm(b)*norm{APART}"),
                )
            ),
        ),
        candidates=(point(STILL),),
        mutants=(
            mutant(
                "half",
                "half of it",
                CAUCHY.replace("+ beta*eta_sum", "+ beta/2*eta_sum"),
                "eta=1 eta_sum=1 beta=1 y=(0) z=(0) z_next=(0) y_next=(1) grad=(-1) b=(1) q=(0) F_x=0 F_next=1",
            ),
        ),
    ),
    step(
        "s10",
        "(17), third line, for an estimate with |nabla_t| <= L, such as the mean gradient of a batch: y_(t+1) "
        "is no further from x_t than the point that is projected. Encoded: the bound on the norm in the second line",
        SIZES,
        (LIPSCHITZ, SIZE, *WEIGHTS, *POINTS),
        ("norm(grad) <= L", PART, *SET),
        reads=Reads.READING,
        place="(17), third line",
        printed=r"\leq -\eta_{0:t}\langle\mathbf{q}_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle + "
        r"\frac{\beta}{\tau_t}\|\mathbf{b}_t\|_2\left(\frac{L}{\beta} + \frac{\|\mathbf{b}_t\|_2}{\eta_t} + "
        r"\tau_t\|\mathcal{C}\|_2\right)",
        argument=(
            Have(
                f"norm{MOVE} <= norm(grad/beta - b/eta)",
                (
                    Power("2"),
                    Combine(
                        (
                            ("2", SET[1]),
                            ("1", f"0 <= norm({INNER_STEP} - y_next)**2"),
                        )
                    ),
                ),
            ),
            Combine(
                (
                    ("1", f"norm{MOVE} <= norm(grad/beta - b/eta)"),
                    ("1", f"norm{APART} <= norm{MOVE} + norm(eta/eta_sum*{LEAP})"),
                    ("1", "norm(grad/beta - b/eta) <= norm(grad/beta) + norm(b/eta)"),
                    ("1/beta", "norm(grad) <= L"),
                    ("eta/eta_sum", SET[0]),
                )
            ),
        ),
        candidates=(point("L=1 norm_C=1 eta=1 eta_sum=1 beta=1 y=(0) z=(0) z_next=(0) y_next=(1) grad=(-1) b=(0)"),),
        mutants=(
            mutant(
                "half",
                "half of L",
                SIZES.replace("L/beta", "L/2/beta"),
                "L=1 norm_C=1/10 eta=1 eta_sum=1 beta=1 y=(0) z=(0) z_next=(0) y_next=(1) grad=(-1) b=(0)",
            ),
        ),
    ),
    erratum(
        "s10-recursive",
        "the same for the stochastic recursive gradients of Algorithm 1: |nabla_1| <= L, in one dimension, "
        "with B = 1 and eta_t = t + 1, where x_1 = y_1 = z_1; d_0 is the gradient of the first example, g_0 "
        "and g_1 are those of the second at x_0 and x_1",
        "abs(d_0 + (2*g_1 - g_0))/2 <= L",
        RUN,
        (
            *(f"abs({name}) <= L" for name in ("d_0", "g_0", "g_1")),
            "0 <= (g_1 - g_0)*(x_1 - x_0)",
            "abs(g_1 - g_0) <= M*abs(x_1 - x_0)",
            SMALL_STEP,
            "x_1 == x_0 - d_0/beta + b_0",
        ),
        reads=Reads.GAP,
        place="(17), third line",
        candidates=(point("L=1 M=1 beta=1 x_0=0 d_0=1 b_0=3 x_1=2 g_0=-1 g_1=1"),),
        finding=(
            "The line needs |nabla_t| <= L. A recursive gradient can be longer: with L = M = beta = 1, first "
            "example f = x, b_0 = 3 and a second example with gradient -1 at x_0 = 0 and 1 at x_1 = 2 (Huber's "
            "loss) it is nabla_1 = (1 + (2 + 1))/2 = 2. The lemma holds without this bound (sharper)."
        ),
        repair=f"{HERE}/sharper",
    ),
    step(
        "s11",
        "(18): multiplied out",
        "beta/tau*u*(L/beta + u/eta + tau*norm_C) == L*u/tau + beta*u**2/(eta*tau) + beta*u*norm_C",
        (LIPSCHITZ, SIZE, ETA, BETA, real("tau", "(0, 1]"), real("u", "[0, oo)", "|b_t|")),
        place="(18)",
        printed=r"\leq -\eta_{0:t}\langle\mathbf{q}_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle + "
        r"\left(\frac{L\|\mathbf{b}_t\|_2}{\tau_t} + \frac{\beta\|\mathbf{b}_t\|_2^2}{\eta_t\tau_t} + "
        r"\beta\|\mathbf{b}_t\|_2\|\mathcal{C}\|_2\right)",
    ),
)
