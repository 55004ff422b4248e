"""Pipelines copy a column with one value, and mark missing values, if and only if the records say so."""

import sys

import pandas as pd
from dpmm.pipelines import AIMPipeline


def shown(flags, value):
    """In how many of four synthetic tables the value occurs."""
    domain = {"a": {"categories": ["x", "y"]}, "b": {"categories": ["x", "y"]}, "flag": {"categories": ["no", "yes"]}}
    records = pd.DataFrame({"a": ["x", "y"] * 500, "b": ["x"] * 500 + ["y"] * 500, "flag": flags})
    found = 0
    for _ in range(4):
        pipeline = AIMPipeline(epsilon=1, delta=1e-5, n_jobs=1, gen_kwargs={"n_iters": 50, "rounds": 4})
        pipeline.fit(records, domain=dict(domain))
        flag = pipeline.generate(n_records=1000)["flag"]
        found += bool((flag.isna() if value is None else flag == value).any())
    return found


static = [shown(["no"] * 999 + [last], "yes") for last in ("no", "yes")]
print(f"1,000 records, flag 'no'; synthetic 'yes' in {static[0]} of 4 tables, in {static[1]} with one record 'yes'")
missing = [shown(["no", "yes"] * 499 + ["no", last], None) for last in ("yes", None)]
print(f"nothing missing; synthetic NaN in {missing[0]} of 4 tables, in {missing[1]} with one record that misses its flag")
sys.exit(int(static[0] == 0 < static[1] or missing[0] == 0 < missing[1]))
