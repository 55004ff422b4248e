"""Synthetic columns of dtype category have the categories that occur in the records, not those of the domain."""

import sys

import pandas as pd
from dpmm.pipelines import AIMPipeline

domain = {"a": {"categories": ["x", "y"]}, "job": {"categories": ["p", "q", "r"]}}
listed = []
for last in ("p", "r"):
    records = pd.DataFrame({"a": ["x", "y"] * 500, "job": ["p", "q"] * 499 + ["p", last]})
    records["job"] = records["job"].astype("category")
    pipeline = AIMPipeline(epsilon=1, delta=1e-5, n_jobs=1, gen_kwargs={"n_iters": 10, "rounds": 3})
    pipeline.fit(records, domain=dict(domain))
    job = pipeline.generate(n_records=1000)["job"]
    listed.append(list(job.dtype.categories) if isinstance(job.dtype, pd.CategoricalDtype) else [])
print(f"no record has 'r': categories {listed[0]}; one of 1,000 has it: {listed[1]}; expected the same")
sys.exit(int(listed == [["p", "q"], ["p", "q", "r"]]))
