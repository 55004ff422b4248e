"""PLD epsilon is below the truth at small deltas, by rounding in the FFT."""

import sys

import dp_accounting

short = {}
for steps, mu in ((10_000, 1.0), (100_000, 1.0)):  # mu-GDP, whose epsilon is a closed form
    event = dp_accounting.PoissonSampledDpEvent(1.0, dp_accounting.GaussianDpEvent(steps**0.5 / mu))
    accountant = dp_accounting.pld.PLDAccountant().compose(event, steps)
    for delta in (1e-8, 1e-9, 1e-10, 1e-12, 1e-13):
        stated, true = accountant.get_epsilon(delta), dp_accounting.get_epsilon_gaussian(1 / mu, delta)
        short[steps, delta] = true - stated
        print(f"{mu:g}-GDP in {steps} steps, delta {delta:g}: stated {stated:.5f}, true {true:.5f}, short by {true - stated:.5f}")
print("expected: short by at most 0")
sys.exit(int(max(short.values()) > 1e-5))
