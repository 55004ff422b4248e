"""The tools of diffprivlib 0.6.6: statistics of one column of records, with public bounds.

What: one call a trial, epsilon 1. Why: the tools promise differential privacy whatever the records are; their noise
follows from `bounds`, from the number of records and from nothing else. Where missing values, weights, narrow integers
or automatic bins come in, the sensitivity that they use is not that of what they compute.
Worst-case neighbours: one record replaced by another one, at the other end of the bounds, or by a missing value; of the
histogram, one record removed (its relation). The documentation states no relation; each target names the one under
which the sensitivity of the code is right.
The adversary sees the return value.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.content.loading import load_module
from dpaudit.records.privacy import Neighbours

SHARED = load_module(Path(__file__).with_name("_process.py"))


def sample(*records: float) -> dict[str, Any]:
    """A column of records."""
    return {"sample": np.array(records)}


def high(outputs: Any, data: Any, neighbour: Any) -> Any:
    """Of a vector, the first number."""
    return -SHARED.low(outputs, data, neighbour)


def second(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The bin of the record that was removed."""
    return outputs[:, 1]


def inside(outputs: Any, data: Any, neighbour: Any) -> Any:
    """Is the sum above the least that so many records can have?"""
    return outputs > 1000


_audit, _refuted = partial(SHARED.modelled, "tools"), partial(SHARED.refuted, "tools")


ENDS = (sample(0, 0, 0, 0, 0), sample(0, 0, 0, 0, 1))
MISSING = [np.nan] * 98
NARROW = np.linspace(0, 0.1, 8)

AUDITS = (
    _audit("mean", "mean", "mean", ENDS),
    _audit("var", "var", "var", (sample(0, 0), sample(0, 1))),
    _audit("sum", "total", "sum", ENDS),
    _audit("count-nonzero", "count_nonzero", "count_nonzero", ENDS),
    _audit("median", "median", "median", (sample(0.05, 0.05, 0.95, 0.95), sample(0.05, 0.95, 0.95, 0.95)), None),
    _audit(
        "histogram",
        "histogram",
        "histogram",
        (sample(0.5, 1.5), sample(0.5)),
        second,
        neighbours=Neighbours.ADD_OR_REMOVE,
    ),
    _audit("nanmean", "nanmean", "nanmean without missing values", ENDS),
    _audit("nanvar", "nanvar", "nanvar without missing values", (sample(0, 0), sample(0, 1))),
    _audit("sum-int64", "total_int64", "sum, dtype=int64", (sample(*[1] * 127, 0), sample(*[1] * 128)), SHARED.low),
    _refuted(
        "nanmean-missing",
        "nanmean",
        "nanmean with missing values",
        (sample(0, 0, *MISSING), sample(0, 1, *MISSING)),
        SHARED.low,
        "nanmean",
        "the noise is that of a mean of 100 values, the mean is one of the 2 that are there: 50 times too little "
        "noise; the fewer values are there, the nearer the release is to the exact mean",
    ),
    _refuted(
        "nanvar-missing",
        "nanvar",
        "nanvar with missing values",
        (sample(0, 0, *MISSING), sample(0, 1, *MISSING)),
        SHARED.low,
        "nanvar",
        "the noise is that of a variance of 100 values, the variance is one of the 2 that are there",
    ),
    _refuted(
        "nansum-missing",
        "nansum_far",
        "nansum with a missing value",
        (sample(*[100.5] * 10), sample(*[100.5] * 9, np.nan)),
        inside,
        "sum",
        "with bounds (100, 101) the noise is for changes of 1, but a record that goes missing takes 100 off the "
        "sum: the sum shows exactly whether it is there",
    ),
    _refuted(
        "mean-nan",
        "mean_with_nan",
        "mean of a column with NaN",
        (sample(0, np.nan), sample(0, 0)),
        high,
        "mean",
        "one record that is not a number makes the released mean not a number, with certainty, and no other record "
        "does: whoever sees it knows that this record is in the data",
    ),
    _refuted(
        "sum-int8",
        "total_int8",
        "sum, dtype=int8",
        (sample(*[1] * 127, 0), sample(*[1] * 128)),
        high,
        "sum-int64",
        "a hazard of narrow accumulators: the exact sum wraps round before noise is added; the 128th one turns 127 "
        "into -128, which is released as 0, so that one record moves the release by 127 where the noise moves it by 2",
    ),
    _refuted(
        "histogram-weights",
        "histogram_weighted",
        "histogram with weights",
        (
            {"sample": np.array([0.5, 0.5]), "weights": np.array([1.0, 100.0])},
            {"sample": np.array([0.5]), "weights": np.array([1.0])},
        ),
        high,
        "histogram",
        "the noise is for counts, but a record counts as much as its weight: one of weight 100 is seen through "
        "noise of scale 1, and the guarantee is epsilon 100 where 1 is stated",
        neighbours=Neighbours.ADD_OR_REMOVE,
    ),
    _refuted(
        "histogram-auto",
        "histogram_auto",
        "histogram with bins='auto'",
        (sample(*NARROW), sample(*NARROW[:-1], 1.0)),
        high,
        "histogram",
        "how many bins there are is computed from the exact records and released without noise, and, with `range` "
        "given, without the PrivacyLeakWarning: one record takes 40 bins to 6",
    ),
)
