"""The printed steps of Theorem 5.13: the error of a batch, and (29)."""

from dpaudit.claims.writing import *

from .symbols import *

SQUARES = sequence("v", "[0, oo)", "E|nabla f(x_t, d_i) - nabla F(x_t)|^2")
ONE, MEAN = vector("g", "gradient of one example"), vector("m", "its mean nabla F(x_t)")
AWAY = "(-(grad_F + q)/beta + b/eta)"
"""y'_(t+1) - x_t."""
CENTRED = ("dot(q, grad_F) == 0", "dot(q, b) == 0")
TWENTY_NINE = f"-dot(q, {AWAY}) == norm(q)**2/beta"
STILL = "eta=1 beta=1 q=(1) grad_F=(0) b=(0)"

BATCHES = (
    step(
        "s1",
        "E[|q_t|^2 | x_t] <= 4 L^2/B: q_t is the mean of B independent vectors with mean 0 and norm at most 2 L",
        "sum(i, 1, B, v[i])/B**2 <= 4*L**2/B",
        (LIPSCHITZ, BATCH, SQUARES),
        ("all(i, 1, B, v[i] <= (2*L)**2)",),
        kind=ClaimKind.MOMENT,
        printed=r"\mathbb{E}_{\mathbf{q}_t}\left[\|\mathbf{q}_t\|_2^2|\mathbf{x}_t\right] \leq \frac{4L^2}{B}",
        argument=(
            Have("sum(i, 1, B, v[i]) <= 4*L**2*B", (Induct("B"),)),
            Combine((("1/B**2", "sum(i, 1, B, v[i]) <= 4*L**2*B"),)),
        ),
        candidates=(point("L=1 B=1 v=[4,4]"),),
        mutants=(mutant("three", "3 in the place of 4", "sum(i, 1, B, v[i])/B**2 <= 3*L**2/B", "L=1 B=1 v=[4,4]"),),
    ),
    step(
        "s1-best",
        "the norm of a gradient is at most L, so that its variance is at most L^2: E|q_t|^2 <= L^2/B, a quarter",
        "norm(g - m)**2 <= L**2",
        (LIPSCHITZ, ONE, MEAN),
        (*conditional_mean("m", "g"), "norm(g) <= L"),
        kind=ClaimKind.MOMENT,
        argument=(
            Have("norm(g)**2 <= L**2", (Combine((("norm(g) + L", "norm(g) <= L"),)),)),
            Combine((("1", "norm(g)**2 <= L**2"), ("2", conditional_mean("m", "g")[0]), ("1", "0 <= norm(m)**2"))),
        ),
        candidates=(point("L=1 g=(1) m=(0)"),),
        mutants=(mutant("half", "L^2/2", "norm(g - m)**2 <= L**2/2", "L=1 g=(1) m=(0)"),),
    ),
    step(
        "s1-jensen",
        "and E|q_t| <= 2 L/sqrt(B), by Jensen",
        "mean_q <= 2*L/sqrt(B)",
        (LIPSCHITZ, BATCH, MEAN_Q, MEAN_SQUARE),
        ("mean_q**2 <= mean_square",),
        given={f"{HERE}/s1": "mean_square <= 4*L**2/B"},
        printed=r"\mathbb{E}_{\mathbf{q}_t}\left[\|\mathbf{q}_t\|_2|\mathbf{x}_t\right] \leq \frac{2L}{\sqrt{B}}",
        rests_on=("jensen",),
        argument=(
            Power("2"),
            Combine((("1", "mean_q**2 <= mean_square"), ("1", "mean_square <= 4*L**2/B"))),
        ),
        candidates=(point("L=1 B=4 mean_q=1 mean_square=1"),),
        mutants=(mutant("batch", "B in the place of sqrt(B)", "mean_q <= 2*L/B", "L=1 B=4 mean_q=1 mean_square=1"),),
    ),
    step(
        "s2",
        "(29): E[-<q_t, y'_(t+1) - x_t> | x_t] = E|q_t|^2/beta, as q_t has mean 0 given x_t",
        TWENTY_NINE,
        (ETA, BETA, ERROR, TRUE, NOISE),
        CENTRED,
        place="(29)",
        printed=r"\mathbb{E}_{\mathbf{q}_t}\left[-\langle\mathbf{q}_t,\mathbf{y}'_{t+1}-\mathbf{x}_t\rangle|\mathbf{x}_t"
        r"\right] = \frac{1}{\beta}\mathbb{E}_{\mathbf{q}_t}\left[\|\mathbf{q}_t\|_2^2|\mathbf{x}_t\right] "
        r"\leq \frac{4L^2}{B\beta}",
        argument=(Combine((("1/beta", CENTRED[0]), ("-1/eta", CENTRED[1]))),),
        candidates=(point(STILL),),
    ),
    step(
        "s2-bound",
        "which is at most 4 L^2/(B beta)",
        "mean_square/beta <= 4*L**2/(B*beta)",
        (LIPSCHITZ, BATCH, BETA, MEAN_SQUARE),
        given={f"{HERE}/s1": "mean_square <= 4*L**2/B"},
        place="(29)",
        argument=(Combine((("1/beta", "mean_square <= 4*L**2/B"),)),),
        candidates=(point("L=1 B=1 beta=1 mean_square=4"),),
        mutants=(
            mutant(
                "three", "3 in the place of 4", "mean_square/beta <= 3*L**2/(B*beta)", "L=1 B=1 beta=1 mean_square=4"
            ),
        ),
    ),
)
