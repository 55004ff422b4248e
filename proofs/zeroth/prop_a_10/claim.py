r"""Appendix A.10: how small the gradient becomes, after Zhang et al. (2023).

(109) holds for the iteration without its projection, with two displays of its proof put right: (80) is an inequality
(s5), and (107) is about the gradients of the single losses (s2). With the projection of (3) it is false (`projection`).
"""

from dpaudit.claims.writing import *

from .frame import FRAME
from .gap import GAP
from .steps_average import AVERAGE, LOSSES, OTHERS, SIGMA, SIZES, SQUARES, averaged_over_steps
from .steps_clip import CLIP
from .steps_collect import COLLECT
from .steps_descent import DESCENT
from .steps_inner import INNER_STEPS
from .symbols import *

REST = "M**2*xi**2*d**3 + (4*L**2*d + 8*B*d/eta)*(1 - P) + 2*eta*r*M*sigma**2"
PER_STEP = f"all(t, 0, T - 1, G[t] <= 4*d*P/eta*(l[t] - l[t + 1]) + ({OTHERS}))"
NOISE = "2*d*r*M/eta*(s_1*K/d + s_2) == 2*eta*r*M*sigma**2"

CLAIM = Claim(
    id=HERE,
    title="the bound on the mean squared gradient follows from that of one step, without the projection",
    words=(
        "Under the assumptions of the section, for eta = K/M, K <= d/(4 (2 + r)) and tau uniform in 0, ..., T - 1, "
        "E|grad lbar(w_tau)|^2 is at most (109). Read for the iteration without its projection, which the proof takes. "
        "Encoded: the sum over t of what (103), (104) say of one step, with the noise of s20."
    ),
    place="(108), (109)",
    printed=r"\mathbb{E}[\|\nabla\bar\ell(w_\tau)\|^2]\leq\frac{4d\mathbb{P}(Q)}{T\eta}\left(\mathbb{E}[\bar"
    r"\ell(w_0)-\bar\ell(w_T)"
    r"|Q]\right)+M^2\xi^2d^3+(4L^2d+\frac{8Bd}\eta)\mathbb{P}(\bar Q)+2\eta rM\sigma^2",
    kind=ClaimKind.CONVERGENCE,
    reads=Reads.READING,
    statement=Statement(
        f"1/T*sum(t, 0, T - 1, G[t]) <= 4*d*P/(T*eta)*(l[0] - l[T]) + {REST}",
        (*SIZES, SIGMA, STEPS, LOSSES, SQUARES),
        (PER_STEP, NOISE),
    ),
    origins=(
        Condition(PER_STEP, Origin.GIVEN, f"{HERE}/s19-step"),
        Condition(NOISE, Origin.GIVEN, f"{HERE}/s20"),
    ),
    argument=averaged_over_steps(OTHERS, ("1", NOISE.replace("==", "<="))),
    candidates=(point("d=1 K=1 P=1 M=1 xi=1 eta=1 L=1 B=1 r=1 s_1=1 s_2=0 sigma=1 T=1 l=[0,0] G=[0,0]"),),
    mutants=(
        Mutant(
            "two",
            "2 d for 4 d",
            f"1/T*sum(t, 0, T - 1, G[t]) <= 2*d*P/(T*eta)*(l[0] - l[T]) + {REST}",
            candidates=(
                point("d=1 K=1 P=1 M=1 xi=1/10 eta=1 L=1 B=1 r=0 s_1=0 s_2=0 sigma=1 T=1 l=[100,0] G=[400,0]"),
            ),
        ),
    ),
    steps=(*CLIP, *DESCENT, *INNER_STEPS, *COLLECT, *AVERAGE, *FRAME, *GAP),
)
