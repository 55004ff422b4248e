"""epsilon_at is too small at small deltas after many steps: the rounding of the FFT."""

import sys

import numpy as np
import opake.dpsgd.accounting as accounting
from scipy.optimize import brentq
from scipy.stats import norm


def exact(mu, delta):
    """The epsilon of mu-GDP (Balle, Wang 2018, theorem 8); both terms are computed in logarithms."""

    def excess(epsilon):
        first, second = norm.logcdf(mu / 2 - epsilon / mu), epsilon + norm.logcdf(-mu / 2 - epsilon / mu)
        return first + np.log1p(-np.exp(second - first)) - np.log(delta)

    return brentq(excess, 0.01, 100)


short = 0.0
for mu in (1, 2):
    for steps in (10_000, 100_000):
        training = accounting.gaussian(steps**0.5 / mu) * steps
        for delta in (1e-8, 1e-10, 1e-11, 1e-12):
            stated, true = training.epsilon_at(delta), exact(mu, delta)
            short = max(short, true - stated)
            print(f"{mu}-GDP in {steps} steps, delta {delta:g}: stated {stated:.5f}, true {true:.5f}")
print("a stated epsilon may not be below the true one")
sys.exit(int(short > 0.001))
