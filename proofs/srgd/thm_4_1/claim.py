r"""Theorem 4.1: the excess population risk, simplified.

Read for every beta >= M, as Theorem 5.1 is, it is false for every constant and with sqrt(T) in the place of the hidden
logarithms, already by a run without any sampling error; beta there is of the size that Theorem 5.12 has. The line can
also be read with beta among what is set appropriately: with beta = L T^2/R it is true, and says nothing.

Its terms with S or b_max are by a factor T or sqrt(T) smaller than those of Theorem 5.1, of which it is called a
simplification, as if the sum over the steps had been a mean; and beta b_max^2/T is left out. The rate that Theorem 5.1,
repaired, does give is ~repaired; the proofs of Theorems 5.8 and 5.12 use that one. The display has an expectation and
stands under "with high probability"; the run has no randomness.
"""

from dpaudit.claims.writing import *

from .remarks import REMARKS
from .stuck import STUCK
from .symbols import *

CLAIM = Claim(
    id=HERE,
    title="excess population risk, simplified",
    words=(
        "For |b_t| <= b_max, beta >= M and E|Delta_t - E Delta_t|^2 <= S^2 and an appropriate eta_t: F(y_T) - "
        "F(x*) is O~((S L + S^2)/(beta sqrt(T)) + S R/T^(3/2) + (S + L) b_max/T + beta b_max R/T^2 + beta "
        "R^2/T^2). In part: encoded is the family F = -L x on C = [0, R], all examples alike (S = 0), with b_t "
        "= -b_max, for every tau_t, every beta >= M (M = 0) and every eta_t with eta_t^2 <= 4 eta_{0:t}, as in "
        "Theorem 5.1, so that eta_t <= 4 T (largest-all); sqrt(T) stands for the logarithms. Read for every "
        "beta >= M, as in Theorem 5.1; read with a beta that is to be set as eta_t is, beta = L T^2/R makes it true "
        "and empty, as the bound is then at least L R."
    ),
    place="Theorem 4.1",
    printed=r"\mathbb{E}[F(\mathbf{y}_T)]-F(\mathbf{x}^*) = \widetilde{O}\left(\frac{SL+S^2}{\beta\sqrt{T}} + "
    r"\frac{SR}{T^{3/2}} + \frac{(S+L)b_{max}}{T} + \frac{\beta b_{max}R}{T^2} + \frac{\beta}{T^2}R^2\right)",
    kind=ClaimKind.CONVERGENCE,
    reads=Reads.READING,
    statement=Statement(
        f"L*R <= C*sqrt(T)*({RATE})",
        (constant("C"), STEPS, *SIZES, VARIANCE, positive("eta_max", "the largest eta_t")),
        ("eta_max <= 4*T", "eta_max*L <= beta*b_max", "S == 0"),
    ),
    rests_on=tuple(f"{HERE}/{name}" for name in ("stuck", "stuck-y", "largest", "largest-all")),
    expects=Outcome.REFUTED,
    argument=(
        ForEvery(
            where("T=(ceil(9*C)+1)**2 eta_max=4*(ceil(9*C)+1)**2 beta=4*(ceil(9*C)+1)**2 L=1 R=1 b_max=1 S=0"),
            because="L R = 1 against 9 C/sqrt(T)",
        ),
    ),
    finding=(
        "Noise b_t = -b_max with beta b_max >= eta_t L keeps Algorithm 1 at x_0 = 0, the wrong end of [0, R], "
        "for F = -L x and all examples alike (stuck): F(y_T) - F(x*) = L R. With L = beta b_max/(4 T) and "
        "b_max = R this is beta R^2/(4 T), and the bound O(beta R^2/T^2). Such a beta, about T L/R, is that of "
        "Theorem 5.12 at B = T; with a beta of T^2 L/R or more the bound is empty. In Theorem 5.1 the term is beta "
        "b_max R/T. The terms with S or b_max lost a factor T or sqrt(T) (see ~repaired); "
        "Theorems 5.8 and 5.12 use the right ones."
    ),
    repair=f"{HERE}~repaired",
    steps=(*STUCK, *REMARKS),
)
