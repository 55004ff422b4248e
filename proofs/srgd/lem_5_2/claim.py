r"""Lemma 5.2: how much the potential grows in a step.

False as printed, for the z-update of Algorithm 1 and for that of its proof (`halved`), without any noise and with
the paper's own eta_t = t + 1. With eta_t/(kappa beta) as the step of z, (kappa beta/2)|z_t - x*|^2 in the potential
and eta_t^2 <= kappa eta_{0:t} it holds (`~repaired`): kappa = 1 is Algorithm 1, with eta_t = (t + 1)/2; kappa = 2
is z' of the proof but for half of the noise, with eta_t = t + 1; kappa = 4 is the condition and the potential of
the paper. The printed sum of errors then holds too, with better constants and without L (`sharper`), though the
proof loses terms on the way to it (s19).
"""

from dpaudit.claims.writing import *

from .errors import ERRORS
from .potential import POTENTIAL
from .projection import PROJECTION
from .reading import READING
from .symbols import *
from .updates import UPDATES

CLAIM = Claim(
    id=HERE,
    title="potential drop",
    words=(
        "For eta_t^2 <= 4 eta_{0:t} and beta >= M, with probability 1 - gamma, Phi_(t+1) - Phi_t is at most "
        "eta_{0:t} times the sum of the errors, for Phi_t = eta_{0:t-1} (F(y_t) - F(x*)) + 2 beta |z_t - "
        "x*|^2. Encoded: on the event that |q_t| <= r, for every state y_t, z_t in C with x_t between them and "
        "the updates of Algorithm 1."
    ),
    place="Lemma 5.2",
    printed=r"\Delta\Phi_t \leq \eta_{0:t}\Bigg(\frac{2Q\sqrt{3(t+1)\log(6/\gamma)}\left(\|\nabla F(\mathbf{x}_t)\|_2 "
    r"+ \frac{Q\sqrt{3(t+1)\log(6/\gamma)}}{\sqrt{B}\eta_t}\right)}{\sqrt{B}\eta_t\beta} + "
    r"\frac{3Q\sqrt{3(t+1)\log(6/\gamma)}\|\mathbf{b}_t\|_2}{\sqrt{B}\eta_t^2} + "
    r"\frac{Q\|\mathcal{C}\|_2\sqrt{3(t+1)\log(6/\gamma)}}{\sqrt{B}\eta_{0:t}} + "
    r"\frac{3\beta}{\eta_{0:t}}\|\mathbf{b}_t\|_2\cdot\|\mathcal{C}\|_2 + "
    r"\frac{\beta\|\mathbf{b}_t\|_2^2}{\eta_t^2}\Bigg)",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{DROP} <= {BOUND}", SYMBOLS, (*SETTING, *z_step(ALGORITHM))),
    origins=(Condition(ON_EVENT, Origin.GIVEN, f"{HERE}/s18"),),
    expects=Outcome.REFUTED,
    candidates=(point(RUN),),
    finding=(
        "The potential can grow without noise and without sampling error. Algorithm 1 with eta_t = t + 1 and "
        "beta = M = 1 on F = x^2/4 (all examples alike), x_0 = z_0 at distance 1 from x* (here x* = 0): y_2 = "
        "1/4, z_2 = 0, x_2 = 1/8, y_3 = 1/16, z_3 = -3/16, so that Phi_2 = 3/64 and Phi_3 = 6/1024 + 2 "
        "(3/16)^2 = 78/1024, where the lemma has Phi_3 <= Phi_2. The step eta_t/beta of z goes with "
        "(beta/2)|z_t - x*|^2 and eta_t^2 <= eta_{0:t}. It holds with the factors matched (~repaired)."
    ),
    repair=f"{HERE}~repaired",
    steps=(*POTENTIAL, *UPDATES, *PROJECTION, *ERRORS, *READING),
)
