"""The worker beside this file, in C, audited: a sum of records in [0, 1] with Laplace noise, epsilon 1."""

from pathlib import Path

import numpy as np

from dpaudit import Command, claim

WORKER = Path(__file__).with_name("worker")
SCALE = "1"  # "0.5" halves the noise

AUDIT = Command(
    "mine/sum-in-c",
    (str(WORKER), SCALE),
    worker=True,
    form="csv",
    pair=(np.ones(10), np.ones(9)),
    claim=claim(epsilon=1.0),
)
