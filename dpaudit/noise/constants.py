"""The constants of the noise, and what an address may be: read by its three forms."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Integers
from dpaudit.records.errors import ConfigurationError

MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)

KEY_STEPS = (0x9E3779B9, 0xBB67AE85)

ROUNDS = 10

LOW_WORD = 0xFFFFFFFF

# Wichura 1988, algorithm AS241: numerators and denominators of PPND16, lowest order first.
CENTRE = (
    (3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
     4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3),
    (1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3),
)  # fmt: skip

MIDDLE = (
    (1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4),
    (1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9),
)  # fmt: skip

FAR = (
    (6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7),
    (1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15),
)  # fmt: skip

# log(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2))), s = f/(2 + f); minimax coefficients of R as in FreeBSD's e_log.c.
LOG_SERIES = (
    6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
)  # fmt: skip

LOG_TWO_HIGH, LOG_TWO_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10

MANTISSA, EXPONENT_OF_ONE = 0xFFFFFFFFFFFFF, 0x3FF

SQRT_TWO_MANTISSA = 0x6A09E667F3BCD
"""Mantissa bits of sqrt(2): above it a number is halved, so that the series argument stays within 0.172."""

SQRT_SEED = 0x1FF7A3BEA91D9B1B
"""Half the exponent bias: adding it to half the bits of x gives sqrt(x) to 3.5 %; four Newton steps do the rest."""

MOST_STEPS = 1 << 32

MOST_DRAWS = 1 << 33


def check_trials(trials: ArrayLike) -> Integers:
    """`trials` as int64, shape (trials,); ConfigurationError unless they are integers in [0, 2^63)."""
    numbers = np.asarray(trials)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise ConfigurationError(
            f"trials must be a list of integers, got dtype {numbers.dtype} and shape {numbers.shape}; "
            "pass np.arange(number) or a list of trial numbers"
        )
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < 1 << 63):
        raise ConfigurationError(f"trial numbers must be in [0, 2^63), got {numbers.min()} to {numbers.max()}")
    return numbers.astype(np.int64)
