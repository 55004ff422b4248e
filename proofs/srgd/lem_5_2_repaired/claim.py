r"""Lemma 5.2, repaired: the steps of y and z, the potential and the condition on eta_t go together.

z_(t+1) is the projection of z_t - (eta_t nabla_t - beta b_t)/(kappa beta), Phi_t = eta_{0:t-1} (F(y_t) - F(x*)) +
(kappa beta/2) |z_t - x*|^2, and eta_t^2 <= kappa eta_{0:t}. kappa = 1 is Algorithm 1, for which eta_t = (t + 1)/2
will do; kappa = 2 is z' of the printed proof with half of its noise, with eta_t = t + 1; kappa = 4 has the
condition and the potential of the paper. For every kappa y and z use one and the same noisy sum eta_t nabla_t -
beta b_t, as the privacy proof needs.
"""

from dpaudit.claims.writing import *

from .notation import *
from .steps import *

CLAIM = Claim(
    id=HERE,
    title="potential drop, repaired",
    words=(
        "With z_(t+1) the projection of z_t - (eta_t nabla_t - beta b_t)/(kappa beta), eta_t^2 <= kappa "
        "eta_{0:t} and beta >= M: on the event |q_t| <= r, eta_{0:t-1} (F(y_t) - F(x*)) + (kappa beta/2) |z_t "
        "- x*|^2 grows by at most the printed sum of errors."
    ),
    place="Lemma 5.2",
    reads=Reads.OURS,
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{WEIGHED} <= {BOUND}", (SIZE, RADIUS, *SMALL), (PART, f"{WEIGHED} <= {LEAST}", ON_EVENT)),
    origins=(
        Condition(f"{WEIGHED} <= {LEAST}", Origin.GIVEN, f"{HERE}/sharper"),
        Condition(ON_EVENT, Origin.GIVEN, "srgd/LEM-5.2/s18"),
    ),
    argument=(
        Combine(
            (
                ("1", f"{WEIGHED} <= {LEAST}"),
                ("eta_sum/beta*norm(grad)", ON_EVENT),
                ("eta_sum/beta*r", "norm(grad) <= norm(grad - q) + norm(q)"),
                ("eta_sum/beta*r", ON_EVENT),
                ("eta_sum/beta*r", "0 <= norm(grad - q)"),
                ("eta_sum/beta*r", "0 <= r"),
                ("eta_sum/eta*norm(b)", ON_EVENT),
                ("2*eta_sum/eta*r", "0 <= norm(b)"),
                ("eta*norm_C", ON_EVENT),
                ("2*beta*norm_C", "0 <= norm(b)"),
                ("beta*eta_sum/(2*eta**2)", "0 <= norm(b)**2"),
            )
        ),
    ),
    candidates=(
        point(f"norm_C=2 r=0 {PULL} z_next=(0) y_next=(0) grad=(0) b=(0) q=(0) F_x=0 F_y=0 F_next=0 F_star=0"),
    ),
    mutants=(
        mutant(
            "noise",
            "beta/3 in the place of beta before |b_t|^2",
            f"{WEIGHED} <= {BOUND.replace('+ beta*norm', '+ beta/3*norm')}",
            f"norm_C=1/100 r=0 {PULL} z_next=(0) y_next=(1) grad=(0) b=(1) q=(0) F_x=0 F_y=0 F_next=1/2 F_star=0",
        ),
    ),
    steps=STEPS,
)
