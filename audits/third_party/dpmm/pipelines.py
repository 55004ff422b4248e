"""The pipelines of dpmm 0.1.9: preprocessing, AIM and synthetic tables, end to end.

What: one `fit` and one synthetic table of 1,000 records a trial at epsilon=1, delta=1e-5 and proc_epsilon=0.1, with a
domain for every column, so that nothing is logged as a leak. Why: the documentation calls the pipelines end-to-end
differentially private, and they look at the records before any noise is added.
Worst-case neighbours: one record added, with a value that no other has. The documentation names no relation.
The adversary sees the synthetic table, its dtypes, or the folder of `store`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.content.loading import load_module

SHARED = load_module(Path(__file__).with_name("_process.py"))
audit, refuted, one_more = SHARED.audit, SHARED.refuted, SHARED.one_more

SIZE, EDGE = 200, 863
"""Records; of automatic bins: the most with ten of them, one more has eleven."""
FLAG = -1
"""The column `flag` of a synthetic table, its last."""
RECORD = 0.6180339887498949


def table(flag: Any) -> dict[str, Any]:
    """A column of two categories beside the one in question."""
    return {"a": np.arange(len(flag)) % 2, "flag": np.asarray(flag)}


def with_record(flag: Any, value: Any) -> Any:
    """The table, and with one record of this value more."""
    return one_more(table(flag), a=0, flag=value)


def constant() -> Any:
    """A column with one value, and a record with another; AIM fails where fewer than two columns are left."""
    return one_more({"b": np.arange(SIZE) // 2 % 2, **table(STATIC)}, b=0, a=0, flag=1)


def occurs(value: float, outputs: Any, data: Any, neighbour: Any) -> Any:
    """Does the value not occur in the synthetic column? The record has it."""
    return ~(outputs[:, :, FLAG] == value).any(axis=1)


def rarer(value: float, outputs: Any, data: Any, neighbour: Any) -> Any:
    """How seldom the value occurs in the synthetic column."""
    return -(outputs[:, :, FLAG] == value).sum(axis=1)


def no_third_category(outputs: Any, data: Any, neighbour: Any) -> Any:
    """Is category 2 not one of the synthetic column?"""
    return outputs[:, 2] == 0


def absent(outputs: Any, data: Any, neighbour: Any) -> Any:
    """Are the bytes of the record in no file?"""
    return outputs == 0


def event_or_fewer(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The event of a refuted target does not show; where it never does, or always, how few records look like it."""
    return -(1e6 * outputs[:, -2] + outputs[:, -1])


def in_tenth(outputs: Any, data: Any, neighbour: Any) -> Any:
    """How many synthetic values lie in the last of ten bins and not in the last of eleven."""
    values = outputs[:, :, FLAG]
    return ((values >= 9 / 10) & (values < 10 / 11)).sum(axis=1)


def upper(outputs: Any, data: Any, neighbour: Any) -> Any:
    """How seldom synthetic values lie in the upper half."""
    return -(outputs[:, :, FLAG] > 0.5).sum(axis=1)


STATIC = np.zeros(SIZE, dtype=int)
BOTH = np.append(STATIC, 1)
"""A record with the other value that is public, so that the column is never constant."""
HALF = np.arange(SIZE) // 4 % 2
FILLED = np.r_[np.full(500, -1), 0, 1]
"""Missing but for two records."""
LOW = np.linspace(0.01, 0.49, SIZE)
HIGH = np.linspace(0.91, 0.99, EDGE)


AUDITS = (
    audit("pipeline", "synthetic", "AIMPipeline, both values public", with_record(BOTH, 1), partial(rarer, 1)),
    refuted(
        "static-column",
        "synthetic",
        "AIMPipeline, a column with one value",
        constant(),
        partial(occurs, 1),
        "pipeline",
        "a column that has one value in all records is left out of the model and copied into every synthetic record, "
        "whatever its domain is; with one record that differs it is modelled with noise: a synthetic value other than "
        "the constant one gives that record away",
    ),
    refuted(
        "missing-value",
        "synthetic",
        "AIMPipeline, one missing value",
        with_record(HALF, -1),
        partial(occurs, -1),
        "pipeline",
        "an indicator of missing values is made if and only if a record misses a value: a synthetic missing value "
        "gives away that some record has one; the indicator in a column of its own, as a user would write it, is clean "
        "where both its values are public",
    ),
    refuted(
        "missing-fill",
        "synthetic_whole",
        "AIMPipeline, a column that is mostly missing, compress=False",
        with_record(FILLED, 2),
        partial(rarer, 2),
        "pipeline",
        "all missing values of a column are filled with the value of one record, drawn at random, before the model is "
        "measured: one record of a few then weighs as much as all that miss the value, through noise for one record",
        trials=SHARED.USUAL,
    ),
    audit(
        "category-of-domain",
        "category_of_domain",
        "AIMPipeline, a dtype with the categories of the domain",
        with_record(HALF, 2),
        event_or_fewer,
    ),
    refuted(
        "category-of-records",
        "category_of_records",
        "AIMPipeline, dtype category",
        with_record(HALF, 2),
        no_third_category,
        "category-of-domain",
        "synthetic columns get the dtypes of the records; a categorical one lists the categories that occur, as pandas "
        "makes it, and turns all others of the domain into missing values: the only record of a category is seen",
    ),
    audit(
        "stored-uniform",
        "stored_uniform",
        "AIMPipeline.store, uniform bins",
        with_record(LOW, RECORD),
        event_or_fewer,
    ),
    refuted(
        "stored-records",
        "stored_trees",
        "AIMPipeline.store, PrivTree bins",
        with_record(LOW, RECORD),
        absent,
        "stored-uniform",
        "the file processing.joblib of a stored pipeline holds every number of every numerical column as it is in the "
        "records, and exact counts: the binner keeps the data of each node of its tree",
    ),
    audit("ten-bins", "synthetic_ten_bins", "AIMPipeline, ten bins", with_record(HIGH, 0.99), in_tenth),
    refuted(
        "automatic-bins",
        "synthetic_auto_bins",
        "AIMPipeline, n_bins='auto'",
        with_record(HIGH, 0.99),
        in_tenth,
        "ten-bins",
        "the number of automatic bins is a function of the exact number of records: at 863 and 864 records there are "
        "ten and eleven, and synthetic values fill bins evenly",
    ),
    audit("trees", "synthetic_trees", "AIMPipeline, PrivTree bins", with_record(LOW, 0.99), upper),
    refuted(
        "structural-zeros",
        "synthetic_zeros",
        "AIMPipeline, structural zeros that occur",
        with_record(np.r_[np.zeros(SIZE, dtype=int), [1]], 2),
        partial(rarer, 2),
        "pipeline",
        "a hazard, since the user has called the values impossible: records with a structural zero get the value of "
        "other records, drawn at random, before the model measures them: where most have one, a single record speaks "
        "for all of them",
    ),
)
