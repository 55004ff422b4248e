"""AIM measures every column with noise for `rounds` measurements, however many columns there are."""

import sys

import numpy as np
import pandas as pd
from dpmm.models.aim import AIMGM

spent = []
for columns, rounds in ((10, 10), (10, 5), (10, 1), (32, 1)):
    records = pd.DataFrame(np.zeros((100, columns), dtype=int), columns=[f"c{i}" for i in range(columns)])
    options = {"rounds": rounds, "n_iters": 1, "compress": False, "n_jobs": 1}
    model = AIMGM(epsilon=1, delta=1e-5, domain=dict.fromkeys(records, 2), **options)
    model.fit(records)
    rho = sum(1 / (2 * sigma**2) for _, _, sigma, _ in model.generator.measures)
    spent.append(rho / model.generator.rho)
    print(f"{columns} columns, rounds={rounds}: the noisy counts spend {spent[-1]:.2f} of the budget; expected at most 1")
sys.exit(int(max(spent) > 1.001))
