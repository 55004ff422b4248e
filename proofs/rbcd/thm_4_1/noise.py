"""The noise of Theorem 4.1 and what tells two runs apart: the formulas that its parts share."""

from .notation import ALPHA, DELTA, EPOCHS, EPS, INNER, LIPSCHITZ, RECORDS, SIGMA

RUN = (INNER, EPOCHS, RECORDS, LIPSCHITZ)
SYMBOLS = (EPS, DELTA, *RUN)
STEP = (ALPHA, SIGMA)


def variance(constant="12", steps="K*T", records="n**2"):
    """sigma_U^2 of the theorem, or of a variant of it."""
    return f"({constant}*L**2*{steps}*log(1/delta)/({records}*eps**2))"


def hockey_stick(mu):
    """delta(eps) of the pair N(0, 1), N(mu, 1) (Balle and Wang 2018, Theorem 8)."""
    return f"Phi(-eps/({mu}) + ({mu})/2) - exp(eps)*Phi(-eps/({mu}) - ({mu})/2)"


def shift(noise_scale):
    """mu: sqrt(K T) steps of sensitivity 2 L/n at this noise scale."""
    return f"sqrt(K*T)*(2*L/n)/{noise_scale}"


def told_apart(squared):
    """The hockey-stick divergence of the run, its noise of this variance."""
    return hockey_stick(shift(f"sqrt({squared})"))


MU = shift(f"sqrt({variance()})")
EXAMPLE = "eps=1 delta=1/100000 K=1 T=1 n=1 L=1"
