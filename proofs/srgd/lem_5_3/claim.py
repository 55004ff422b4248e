r"""Lemma 5.3: what a step towards y_(t+1) gains, against the step from z_t to z_(t+1).

It holds as printed, with room: of the three terms with b_t only half of the second is needed (`sharper`), so that
neither L nor |C|_2 nor a bound on nabla_t enters. Its proof has a false display: (15) keeps -(beta/2)|y_(t+1) -
x_t|^2, which is used up by beta >= M; (16) and the first line of (17) inherit it, and the second line of (17) drops
it again. The next line bounds nabla_t by L, which holds for independent batches and not for stochastic recursive
gradients (s10-recursive).
"""

from dpaudit.claims.writing import *

from .ours import OURS, PROOF
from .steps_last import LAST
from .steps_middle import MIDDLE
from .steps_start import START
from .symbols import *

CLAIM = Claim(
    id=HERE,
    title="gain of one step",
    words=(
        "For eta_t^2 <= 4 eta_{0:t} and beta >= M: eta_{0:t}(F(y_(t+1)) - F(x_t)) + eta_t <nabla_t, z_t - "
        "z_(t+1)> - 2 beta |z_(t+1) - z_t|^2 <= -eta_{0:t} <q_t, y_(t+1) - x_t> + (L|b_t|/tau_t + beta "
        "|b_t|^2/(eta_t tau_t) + beta |b_t| |C|_2), for every estimate nabla_t and every point z_(t+1) of C. Encoded "
        "for F that is convex and M-smooth on R^p, by its values and gradients at x_t and y_(t+1); what is used of "
        "this is `descent`, which smoothness over C gives as well."
    ),
    place="Lemma 5.3",
    printed=r"\eta_{0:t}(F(\mathbf{y}_{t+1})-F(\mathbf{x}_t)) + \eta_t\langle\nabla_t, "
    r"\mathbf{z}_t-\mathbf{z}_{t+1}\rangle - 2\beta\|\mathbf{z}_{t+1}-\mathbf{z}_t\|_2^2 \leq "
    r"-\eta_{0:t}\langle\mathbf{q}_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle + "
    r"\left(\frac{L\|\mathbf{b}_t\|_2}{\tau_t} + \frac{\beta\|\mathbf{b}_t\|_2^2}{\eta_t\tau_t} + "
    r"\beta\|\mathbf{b}_t\|_2\|\mathcal{C}\|_2\right)",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        f"{LEFT} <= {ERRORS} + {B_TERMS}",
        (LIPSCHITZ, SMOOTH, SIZE, *WEIGHTS, *POINTS, *VALUES),
        (FOUR, PART, SMALL_STEP, *CLASS, *PROJECTED),
    ),
    argument=(
        Have(DESCENT, (ByTheorem(f"{HERE}/descent"),)),
        Combine(
            (
                *PROOF,
                ("eta_sum/eta", "0 <= L*norm(b)"),
                ("beta*eta_sum/(2*eta**2)", "0 <= norm(b)**2"),
                ("beta*norm_C", "0 <= norm(b)"),
            )
        ),
    ),
    candidates=(point(f"L=2 norm_C=1 {FIRST_STEP}"),),
    mutants=(
        mutant(
            "distance",
            "beta in the place of 2 beta on the left side",
            f"{LEFT.replace('2*beta', 'beta')} <= {ERRORS} + {B_TERMS}",
            f"L=1 norm_C=1 {FIRST_STEP.replace('eta=1 eta_sum=1', 'eta=4 eta_sum=4')}",
        ),
        Mutant(
            "smoothness",
            "without beta >= M",
            conditions=(FOUR, PART, *CLASS, *PROJECTED),
            candidates=(
                point(
                    "L=1 norm_C=1 eta=1 eta_sum=1 beta=1 M=4 y=(1) z=(1) z_next=(1) y_next=(-3) grad=(4) b=(0) "
                    "q=(0) F_x=2 F_next=18 grad_next=(-12)"
                ),
            ),
        ),
        Mutant(
            "condition",
            "eta_t^2 <= 8 eta_{0:t}",
            conditions=("eta**2 <= 8*eta_sum", PART, SMALL_STEP, *CLASS, *PROJECTED),
            candidates=(point(f"L=1 norm_C=1 {FIRST_STEP.replace('eta=1 eta_sum=1', 'eta=8 eta_sum=8')}"),),
        ),
    ),
    steps=(*START, *MIDDLE, *LAST, *OURS),
)
