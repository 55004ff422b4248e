"""The folder of a stored pipeline holds the numerical records."""

import struct
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from dpmm.pipelines import AIMPipeline

incomes = np.random.default_rng(1).uniform(0, 1e5, size=1000)
records = pd.DataFrame({"a": ["x", "y"] * 500, "income": incomes})
pipeline = AIMPipeline(epsilon=1, delta=1e-5, n_jobs=1, gen_kwargs={"n_iters": 10, "rounds": 3})
pipeline.fit(records, domain={"a": {"categories": ["x", "y"]}, "income": {"lower": 0.0, "upper": 1e5}})
with tempfile.TemporaryDirectory() as folder:
    pipeline.store(folder)
    stored = (Path(folder) / "processing.joblib").read_bytes()
found = sum(struct.pack("<d", income) in stored for income in incomes)
print(f"processing.joblib has {found} of the 1,000 incomes, all eight bytes of each; expected 0")
sys.exit(int(found > 0))
