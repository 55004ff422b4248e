"""The number of automatic bins is a function of the exact number of records."""

import sys

import numpy as np
import pandas as pd
from dpmm.pipelines import AIMPipeline

bins = []
for n in (863, 864):
    records = pd.DataFrame({"a": np.where(np.arange(n) % 2, "x", "y"), "age": np.linspace(91.0, 99.0, n)})
    options = {"n_iters": 10, "rounds": 3}
    pipeline = AIMPipeline(epsilon=1, delta=1e-5, n_jobs=1, binner_type="uniform", n_bins="auto", gen_kwargs=options)
    pipeline.fit(records, domain={"a": {"categories": ["x", "y"]}, "age": {"lower": 0.0, "upper": 100.0}})
    bins.append(pipeline.proc.n_bins["age"])
print(f"bins of 863 and of 864 records: {bins[0]} and {bins[1]}, in every fit; expected the same")
sys.exit(int(bins[0] != bins[1]))
