"""The models of diffprivlib 0.6.6 with public bounds: what is fitted, and what its documented attributes give away.

What: one `fit` a trial, epsilon 1, every bound given, so that the library warns of no leak. Why: each model promises
differential privacy of the training sample; each splits its budget over several noisy statistics.
Worst-case neighbours: one record replaced by another one, chosen for the statistic in question; of the tree, one record
removed (its relation). The documentation states no relation.
The adversary sees attributes that the documentation lists: coefficients, means, counts, classes, inertia.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.content.loading import load_module
from dpaudit.records.privacy import Neighbours

SHARED = load_module(Path(__file__).with_name("_process.py"))


def records(inputs: Any, **columns: Any) -> dict[str, Any]:
    """A data set: (records, features), and targets or labels."""
    return {"inputs": np.array(inputs, dtype=float), **{name: np.array(column) for name, column in columns.items()}}


def steep(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The size of the slope, however small or large."""
    return np.log(np.abs(outputs[:, 0]) + 1e-300)


def flat(outputs: Any, data: Any, neighbour: Any) -> Any:
    """A slope near 0."""
    return -np.abs(outputs[:, 0])


def first(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The first number of a release."""
    return outputs[:, 0]


def counted_and_inside(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The noisy count of class 0 is the true one, 10, and its mean is none of the bounds."""
    return (outputs[:, 0] == 10) & (outputs[:, 2] > 100) & (outputs[:, 2] < 101)


def no_second_class(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The count of class 1 is 0."""
    return outputs[:, 1] == 0


def at_upper_bound(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The mean of the first feature of class 0, in units of its bound, is the bound."""
    return outputs[:, 2] >= 1


def explains_inertia(outputs: Any, data: Any, neighbour: Any) -> Any:
    """How well the inertia fits the data set under the released centre."""
    centre, inertia = outputs[:, :1], outputs[:, 1]
    return -np.abs(((data["inputs"][:, 0] - centre) ** 2).sum(axis=1) - inertia)


_audit, _refuted = partial(SHARED.modelled, "models"), partial(SHARED.refuted, "models")


LINEAR, BAYES = "LinearRegression", "GaussianNB"

AUDITS = (
    _audit(
        "linear-regression",
        "linear_regression_symmetric",
        f"{LINEAR}, symmetric bounds",
        (records([[1.0]], targets=[1.0]), records([[1.0]], targets=[-1.0])),
        first,
    ),
    _audit(
        "gaussian-nb",
        "gaussian_nb",
        f"{BAYES}, a feature replaced",
        (records([[-1.0]] * 4, labels=[0, 0, 1, 1]), records([[1.0], *[[-1.0]] * 3], labels=[0, 0, 1, 1])),
        None,
    ),
    _audit("k-means", "k_means", "KMeans, centres", (records([[0.0]]), records([[1.0]])), SHARED.low),
    _audit(
        "standard-scaler",
        "standard_scaler",
        "StandardScaler",
        (records([[0.0], [0.0]]), records([[0.0], [1.0]])),
        SHARED.low,
    ),
    _audit("pca", "pca", "PCA", (records([[1.0, 0.0], [0.0, 0.0]]), records([[0.0, 1.0], [0.0, 0.0]])), first),
    _audit(
        "decision-tree",
        "decision_tree",
        "DecisionTreeClassifier",
        (records([[0.1], [0.1]], labels=[0, 1]), records([[0.1]], labels=[1])),
        None,
        neighbours=Neighbours.ADD_OR_REMOVE,
    ),
    _refuted(
        "linear-regression-lower-bound-0",
        "linear_regression_positive",
        f"{LINEAR}, bounds_X=(0, 100)",
        (records([[100.0]], targets=[0.0]), records([[0.01]], targets=[0.0])),
        flat,
        "linear-regression",
        "no noise at all is added to the sum of squares of a feature whose lower bound is 0: the slope, noisy "
        "numerator over exact denominator, gives the size of that sum away",
    ),
    _refuted(
        "linear-regression-intercept",
        "linear_regression_intercept",
        f"{LINEAR}, bounds_X=(0, 100), with intercept",
        (records([[0.01]] * 5, targets=[0.0] * 5), records([[100.0], *[[0.01]] * 4], targets=[0.0] * 5)),
        steep,
        "linear-regression",
        "with an intercept the noise on the sum of squares shrinks with the distance of the noisy mean from the "
        "lower bound, and is 0 where the mean is clipped to it, as it is every other time here",
    ),
    _refuted(
        "linear-regression-no-clipping",
        "linear_regression_symmetric",
        f"{LINEAR}, fit_intercept=False, a far record",
        (records([[1000.0]], targets=[0.0]), records([[0.0]], targets=[0.0])),
        flat,
        "linear-regression",
        "with fit_intercept=False records are not clipped to bounds_X and bounds_y: one outside of them moves the "
        "statistics by as much as it likes, through noise for the bounds",
    ),
    _refuted(
        "gaussian-nb-far-bounds",
        "gaussian_nb_far",
        f"{BAYES}, bounds=(100, 101), a label replaced",
        (records([[100.5]] * 20, labels=[0] * 10 + [1] * 10), records([[100.5]] * 20, labels=[0] * 9 + [1] * 11)),
        counted_and_inside,
        "gaussian-nb",
        "the noise on the sum of a class is for changes of upper - lower = 1, but a record that leaves the class "
        "takes 100 off it: next to the released count the released mean says whether it was there",
    ),
    _refuted(
        "gaussian-nb-empty-class",
        "gaussian_nb",
        f"{BAYES}.partial_fit with classes, one of them empty",
        (records([[0.0]] * 3, labels=[0, 0, 0]), records([[0.0]] * 3, labels=[0, 0, 1])),
        no_second_class,
        "gaussian-nb",
        "a class without a record keeps count 0, mean 0 and variance 0 exactly, one with a record never does: the "
        "only record of a class is seen with certainty",
    ),
    _refuted(
        "gaussian-nb-small-bounds",
        "gaussian_nb_small_bounds",
        f"{BAYES}, bounds of 1e-12 and 1e-8",
        (records([[1e-8, 0.0], *[[0.0, 0.0]] * 99], labels=[0] * 100), records([[0.0, 0.0]] * 100, labels=[0] * 100)),
        at_upper_bound,
        "gaussian-nb",
        "bounds of features that numpy.allclose calls equal, such as 1e-12 and 1e-8, are all taken for the widest "
        "one in clipping and not in the noise: a record may move a sum by 10,000 times what the noise is for",
    ),
    _refuted(
        "k-means-inertia",
        "k_means_inertia",
        "KMeans, inertia_",
        (records([[0.0], [0.0]]), records([[0.0], [1.0]])),
        explains_inertia,
        "k-means",
        "the documented attribute inertia_ is the exact sum of squared distances of the training records to the "
        "released centres, without noise: it is an equation that only the true records solve",
    ),
)
