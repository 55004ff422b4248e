"""All missing values of a column are filled with the value of one record before the model measures them."""

import sys

import pandas as pd
from dpmm.pipelines import AIMPipeline

domain = {"a": {"categories": ["x", "y"]}, "job": {"categories": ["p", "q", "r"]}}
records = pd.DataFrame({"a": ["x", "y"] * 1001, "job": [None] * 2000 + ["p", "r"]})
large = []
for seed in range(8):
    options = {"n_iters": 10, "rounds": 3}
    pipeline = AIMPipeline(epsilon=1, delta=1e-5, n_jobs=1, compress=False, gen_kwargs=options)
    pipeline.fit(records, domain=dict(domain), random_state=seed)
    [noisy] = [y for _, y, _, columns in pipeline.gen.generator.measures if columns == ("job",)][:1]
    large.append(noisy[2] > 1000)
print(f"2,002 records, one has job 'r': its noisy count is above 1,000 in {sum(large)} of 8 fits; expected 0")
sys.exit(int(any(large)))
