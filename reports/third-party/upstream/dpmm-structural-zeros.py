"""Records with a structural zero get the value of other records before AIM and MST measure them."""

import sys

import numpy as np
import pandas as pd
from dpmm.models.aim import AIMGM


def high(column):
    """The noisy count of value 2 in the pair that is measured first."""
    records = pd.DataFrame({"a": column, "b": np.zeros(len(column), dtype=int)})
    options = {"rounds": 2, "n_iters": 1, "compress": False, "n_jobs": 1}
    model = AIMGM(epsilon=1, delta=1e-5, domain={"a": 3, "b": 2}, **options)
    model.set_structural_zeros({"a": [0]})
    model.fit(records)
    [noisy] = [y for _, y, _, columns in model.generator.measures if columns == ("a", "b")][:1]
    return float(noisy.reshape(-1, 2)[-1, 0])


counts = [high([0] * 999 + [1] + more) for more in ([], [2])]
print(f"999 records are 0, impossible, one is 1: noisy count of 2 is {counts[0]:.0f}; with one 2 more {counts[1]:.0f}; noise for 1")
sys.exit(int(counts[1] - counts[0] > 200))
