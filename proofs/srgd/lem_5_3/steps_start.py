"""The printed steps of Lemma 5.3: (13) to (15)."""

from dpaudit.claims.writing import *

from .symbols import *

W = "(y_next - x)"
AT_X = smooth_convex_at("M", ("x", "grad - q", "F_x"), ("y_next", "grad_next", "F_next"))
SMOOTHED = f"F_next - F_x <= dot(grad, {W}) - dot(q, {W}) + M/2*norm{W}**2"
NEAREST = projected_at(("x - grad/beta + b/eta", "y_next"), members=("v",))
BELOW = f"dot(grad - beta/eta*b, {W}) + beta/2*norm{W}**2 <= dot(grad - beta/eta*b, v - x) + beta/2*norm(v - x)**2"
MOVED = f"dot(grad, {W}) <= dot(grad, v - x) + beta/eta*dot(b, y_next - v) + beta/2*norm(v - x)**2 - beta/2*norm{W}**2"
PLUGGED = f"dot(grad, v - x) - dot(q, {W}) + beta/eta*dot(b, y_next - v)"
HALF_STEP = "x=(1) v=(0) y_next=(0) grad=(1) b=(0) eta=1 beta=1"
QUADRATIC = f"{HALF_STEP} M=1 q=(0) F_x=1/2 F_next=0 grad_next=(0)"
"""F = x^2/2 with beta = M = 1: the step ends at the minimum."""

START = (
    step(
        "s1",
        "(13), by smoothness. Encoded for F convex and M-smooth on R^p, by its values and gradients at both points; "
        "smoothness over C gives it as well",
        SMOOTHED,
        (SMOOTH, FREE_X, Y_NEXT, ESTIMATE, *VALUES),
        AT_X,
        place="(13)",
        printed=r"F(\mathbf{y}_{t+1})-F(\mathbf{x}_t) \leq \langle\nabla_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle - "
        r"\langle\mathbf{q}_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle + \frac{M}{2}\|\mathbf{y}_{t+1}-\mathbf{x}_t\|_2^2",
        argument=(Combine((("1", AT_X[0]), ("1/(2*M)", f"0 <= norm(grad - q - grad_next + M*{W})**2"))),),
        candidates=(point("M=1 x=(1) y_next=(0) grad=(1) q=(0) F_x=1/2 F_next=0 grad_next=(0)"),),
        mutants=(
            mutant(
                "third",
                "M/3 in the place of M/2",
                SMOOTHED.replace("M/2", "M/3"),
                "M=1 x=(1) y_next=(0) grad=(1) q=(0) F_x=1/2 F_next=0 grad_next=(0)",
            ),
        ),
    ),
    step(
        "s2",
        "y_(t+1) minimises <nabla_t - (beta/eta_t) b_t, y - x_t> + (beta/2)|y - x_t|^2 over C",
        BELOW,
        (BETA, ETA, FREE_X, FREE_V, Y_NEXT, ESTIMATE, NOISE),
        NEAREST,
        place="before (14)",
        printed=r"\left\langle\nabla_t-\frac{\beta}{\eta_t}\mathbf{b}_t,\mathbf{y}_{t+1}-\mathbf{x}_t\right\rangle + "
        r"\frac{\beta}{2}\|\mathbf{y}_{t+1}-\mathbf{x}_t\|_2^2 \leq "
        r"\left\langle\nabla_t-\frac{\beta}{\eta_t}\mathbf{b}_t,\mathbf{v}-\mathbf{x}_t\right\rangle + "
        r"\frac{\beta}{2}\|\mathbf{v}-\mathbf{x}_t\|_2^2",
        argument=(Combine((("beta", NEAREST[0]), ("beta/2", "0 <= norm(v - y_next)**2"))),),
        candidates=(point(HALF_STEP),),
        mutants=(
            mutant("third", "beta/3 before |v - x_t|^2", BELOW.replace("beta/2*norm(v", "beta/3*norm(v"), HALF_STEP),
        ),
    ),
    step(
        "s3",
        "(14): the same, with <b_t, y_(t+1) - v> on the right side",
        MOVED,
        (BETA, ETA, FREE_X, FREE_V, Y_NEXT, ESTIMATE, NOISE),
        given={f"{HERE}/s2": BELOW},
        place="(14)",
        printed=r"\langle\nabla_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle \leq "
        r"\langle\nabla_t,\mathbf{v}-\mathbf{x}_t\rangle + "
        r"\frac{\beta}{\eta_t}\langle\mathbf{b}_t,\mathbf{y}_{t+1}-\mathbf{v}\rangle + "
        r"\frac{\beta}{2}\|\mathbf{v}-\mathbf{x}_t\|_2^2 - \frac{\beta}{2}\|\mathbf{y}_{t+1}-\mathbf{x}_t\|_2^2",
        argument=(Combine((("1", BELOW),)),),
        candidates=(point(HALF_STEP),),
        mutants=(mutant("third", "beta/3", MOVED.replace("beta/2*norm(v", "beta/3*norm(v"), HALF_STEP),),
    ),
    erratum(
        "s4",
        "(15): (14) into (13), with beta >= M",
        f"F_next - F_x <= {PLUGGED} - beta/2*norm{W}**2 + beta/2*norm(v - x)**2",
        (SMOOTH, BETA, ETA, FREE_X, FREE_V, Y_NEXT, ESTIMATE, NOISE, *VALUES),
        (SMALL_STEP, *AT_X, *NEAREST),
        place="(15)",
        printed=r"F(\mathbf{y}_{t+1})-F(\mathbf{x}_t) \leq \langle\nabla_t,\mathbf{v}-\mathbf{x}_t\rangle - "
        r"\langle\mathbf{q}_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle + "
        r"\frac{\beta}{\eta_t}\langle\mathbf{b}_t,\mathbf{y}_{t+1}-\mathbf{v}\rangle - "
        r"\frac{\beta}{2}\|\mathbf{y}_{t+1}-\mathbf{x}_t\|_2^2 + \frac{\beta}{2}\|\mathbf{v}-\mathbf{x}_t\|_2^2",
        candidates=(point(QUADRATIC),),
        finding=(
            "The two terms M/2 of (13) and -beta/2 of (14) before |y_(t+1) - x_t|^2 add up to (M - beta)/2 <= "
            "0, not to -beta/2. For F = x^2/2, beta = M = 1, no noise, x_t = 1 and v = y_(t+1) = 0 the left "
            "side is -1/2 and the right side -1. Without this term the line holds (s4~repaired), and what "
            "follows drops it: the lemma stands."
        ),
        repair=f"{HERE}/s4~repaired",
    ),
    step(
        "s4~repaired",
        "(15) without the term, and more: (M - beta)/2 before |y_(t+1) - x_t|^2",
        f"F_next - F_x <= {PLUGGED} + (M - beta)/2*norm{W}**2 + beta/2*norm(v - x)**2",
        (SMOOTH, BETA, ETA, FREE_X, FREE_V, Y_NEXT, ESTIMATE, NOISE, ERROR, F_X, F_NEXT),
        given={f"{HERE}/s1": SMOOTHED, f"{HERE}/s3": MOVED},
        argument=(Combine((("1", SMOOTHED), ("1", MOVED))),),
        candidates=(point(f"{HALF_STEP} M=1 q=(0) F_x=1/2 F_next=0"),),
        mutants=(
            mutant(
                "third",
                "beta/3 before |v - x_t|^2",
                f"F_next - F_x <= {PLUGGED} + (M - beta)/2*norm{W}**2 + beta/3*norm(v - x)**2",
                f"{HALF_STEP} M=1 q=(0) F_x=1/2 F_next=0",
            ),
        ),
    ),
)
