"""gdp() takes the errors of ranked guesses for independent: its p-value is smaller than the exact probability."""

import sys

import numpy as np
from opake.auditing import canary_scores, coin_flip, one_run
from opake.random import key
from scipy.stats import norm

worst = 0.0
for canaries, significance in ((20, 0.05), (100, 0.05), (100, 0.01), (1000, 0.01)):
    coins = coin_flip(range(canaries), num_canaries=canaries, key=key(1))
    right = np.isin(coins.canary_indices, coins.in_indices).astype(float)  # every guess at the threshold 1/2 is right
    estimate = one_run(canary_scores(right, canary_indices=coins.canary_indices), coin_flip=coins)
    mu = 2 * norm.ppf((1 + estimate.advantage(significance=significance, threshold=0.5)) / 2)
    # Scores mu * coin + N(0, 1) are mu-GDP; at the threshold mu/2 each guess is wrong with probability Phi(-mu/2).
    exact = (1 - norm.cdf(-(mu - 1e-3) / 2)) ** canaries
    worst = max(worst, exact / significance)
    print(
        f"{canaries} canaries: a mechanism with mu {mu - 1e-3:.3f} gets the bound {mu:.3f} with probability {exact:.4f}"
    )
    print(f"    at significance {significance}")
sys.exit(int(worst > 1.01))
