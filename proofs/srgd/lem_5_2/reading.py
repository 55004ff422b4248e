"""Lemma 5.2 with the update of z_t that its proof has."""

from dpaudit.claims.writing import *

from .symbols import *

READING = (
    erratum(
        "halved",
        "the lemma for z_(t+1) the projection of z'_(t+1) = z_t - eta_t/(2 beta) nabla_t + b_t",
        f"{DROP} <= {BOUND}",
        SYMBOLS,
        (*SETTING, *z_step(PRIMED)),
        reads=Reads.READING,
        candidates=(point(PRIMED_RUN),),
        finding=(
            "Without noise and with eta_t = t + 1, beta = M = 1, F = (3/8) x^2 and x_0 = z_0 at distance 1 "
            "from x* the potential grows in the eighth step, from x_7 = -19/40960, y_7 = -67/81920, z_7 = "
            "127/163840 to y_8 = -19/163840, z_8 = 71/32768: by 14451/10737418240. With beta|z_t - x*|^2 in "
            "the potential, kappa = 2, it does not (~repaired)."
        ),
        repair=f"{HERE}~repaired",
    ),
)
