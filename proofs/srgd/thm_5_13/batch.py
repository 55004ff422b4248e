"""The printed steps of Theorem 5.13: the error of a batch, and (29)."""

from dpaudit.claims.writing import *

from .symbols import *

PARTIAL = vector_sequence("s", "sums of nabla f(x_t, d) - nabla F(x_t) over the first examples of the batch")
MEAN = vector("m", "nabla F(x_t), the mean of nabla f(x_t, d)")
ADDED = "s[i + 1] - s[i]"
INDEPENDENT = ("norm(s[0]) == 0", f"all(i, 0, B - 1, dot({ADDED}, s[i]) == 0)")
AWAY = "(-(grad_F + q)/beta + b/eta)"
"""y'_(t+1) - x_t."""
CENTRED = ("dot(q, grad_F) == 0", "dot(q, b) == 0")
TWENTY_NINE = f"-dot(q, {AWAY}) == norm(q)**2/beta"
STILL = "eta=1 beta=1 q=(1) grad_F=(0) b=(0)"


def added_up(each, square):
    """That |mean|^2 <= each/B, for B independent vectors; square: what shows that one of them adds at most `each`."""
    whole, first, next_one = f"norm(s[B])**2 <= {each}*B", "s[0 + 1] - s[0]", "s[B + 1] - s[B]"
    base = (("2", f"dot({first}, s[0]) == 0"), ("norm(s[0])", "norm(s[0]) == 0"), *square(first))
    more = (("1", whole), ("2", f"dot({next_one}, s[B]) == 0"), *square(next_one))
    return (
        Have(whole, (Induct("B", base=(AtIndex("0"), Combine(base)), step=(Combine(more),)),)),
        Combine((("1/B**2", whole),)),
    )


BATCHES = (
    step(
        "s1",
        "E[|q_t|^2 | x_t] <= 4 L^2/B: q_t is the mean of B independent vectors with mean 0 and norm at most 2 L",
        "norm(s[B])**2/B**2 <= 4*L**2/B",
        (LIPSCHITZ, BATCH, PARTIAL),
        (*INDEPENDENT, f"all(i, 0, B - 1, norm({ADDED}) <= 2*L)"),
        kind=ClaimKind.MOMENT,
        place="proof of Theorem 5.13, first paragraph",
        printed=r"\mathbb{E}_{\mathbf{q}_t}\left[\|\mathbf{q}_t\|_2^2|\mathbf{x}_t\right] \leq \frac{4L^2}{B}",
        argument=added_up("4*L**2", lambda new: ((f"norm({new}) + 2*L", f"norm({new}) <= 2*L"),)),
        candidates=(point("L=1 B=1 s=[(0),(2)]"),),
        mutants=(
            mutant("three", "3 in the place of 4", "norm(s[B])**2/B**2 <= 3*L**2/B", "L=1 B=1 s=[(0),(2)]"),
            Mutant(
                "dependent",
                "without independence",
                conditions=("norm(s[0]) == 0", f"all(i, 0, B - 1, norm({ADDED}) <= 2*L)"),
                candidates=(point("L=1 B=2 s=[(0),(2),(4)]"),),
            ),
        ),
    ),
    step(
        "s1-best",
        "a gradient has norm at most L, and so variance at most L^2: E[|q_t|^2 | x_t] <= L^2/B, a quarter of s1",
        "norm(s[B])**2/B**2 <= L**2/B",
        (LIPSCHITZ, BATCH, PARTIAL, MEAN),
        (
            *INDEPENDENT,
            f"all(i, 0, B - 1, dot({ADDED}, m) == 0)",
            f"all(i, 0, B - 1, norm({ADDED} + m) <= L)",
        ),
        kind=ClaimKind.MOMENT,
        reads=Reads.OURS,
        place="proof of Theorem 5.13, first paragraph",
        argument=added_up(
            "L**2",
            lambda new: (
                (f"norm({new} + m) + L", f"norm({new} + m) <= L"),
                ("2", f"dot({new}, m) == 0"),
                ("1", "0 <= norm(m)**2"),
            ),
        ),
        candidates=(point("L=1 B=1 s=[(0),(1)] m=(0)"),),
        mutants=(mutant("half", "L^2/2", "norm(s[B])**2/B**2 <= L**2/(2*B)", "L=1 B=1 s=[(0),(1)] m=(0)"),),
    ),
    step(
        "s1-jensen",
        "and E|q_t| <= 2 L/sqrt(B), by Jensen",
        "mean_q <= 2*L/sqrt(B)",
        (LIPSCHITZ, BATCH, MEAN_Q, MEAN_SQUARE),
        ("mean_q**2 <= mean_square",),
        given={f"{HERE}/s1": "mean_square <= 4*L**2/B"},
        place="proof of Theorem 5.13, first paragraph",
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
