"""Bare accounting of identity_strategy counts one participation of a record, however many the schema allows."""

import sys

from opake.dpftrl.accounting import mf_gaussian
from opake.dpftrl.noise import band_mf_strategy, identity_strategy

found = {}
for times in (1, 4, 16):
    for name, strategy in (
        ("identity_strategy()", identity_strategy()),
        ("band_mf_strategy(bands=1)", band_mf_strategy(bands=1)),
    ):
        schema = {"n_steps": 16, "min_sep": 16 // times, "max_participations": times}
        found[name, times] = mf_gaussian(2.0, strategy, **schema).epsilon_at(1e-5)
        print(f"{name}, a record in {times} of 16 steps: epsilon {found[name, times]:.4f}")
print("both have the same noise: expected the same epsilon")
sys.exit(int(found["identity_strategy()", 16] < found["band_mf_strategy(bands=1)", 16] - 0.01))
