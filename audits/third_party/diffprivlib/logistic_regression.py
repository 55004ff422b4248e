"""LogisticRegression of diffprivlib 0.6.6: objective perturbation (Chaudhuri, Monteleoni, Sarwate 2011).

What: one `fit` a trial at epsilon 1 and the default C, data_norm given, so that the library warns of no leak. Why: the
noise needs the curvature that a record can add to the objective, at most 0.25 * data_norm^2, and one noise vector for
each of the classes of a one-against-rest model.
Worst-case neighbours: one record replaced; far from the origin against at the origin, so that the curvature changes.
The adversary sees `coef_`, or the documented `classes_`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.adapters.command import Command
from dpaudit.content.loading import load_module
from dpaudit.records.verdict import Outcome

SHARED = load_module(Path(__file__).with_name("_process.py"))

CLASSES, NORM = 3, 100.0
RIDGE = 0.25 / np.expm1(1 / CLASSES / 4)
"""What the mechanism adds to the objective at norm 1, C = 1 and a third of epsilon 1: alpha + n delta."""


def records(inputs: Any, labels: Any) -> dict[str, Any]:
    """A data set: (records, features), and their labels."""
    return {"inputs": np.array(inputs, dtype=float), "labels": np.array(labels)}


def far(norm: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """A record of the largest norm allowed, against one at the origin."""
    return records([[0.0], [norm]], [0, 1]), records([[0.0], [0.0]], [0, 1])


def opposite() -> tuple[dict[str, Any], dict[str, Any]]:
    """A record of norm 1, against its opposite."""
    return records([[0.0], [1.0]], [0, 1]), records([[0.0], [-1.0]], [0, 1])


def three_classes() -> tuple[dict[str, Any], dict[str, Any]]:
    """Nine records on the unit circle, in three classes; of the first one its opposite in the neighbour."""
    angles = np.arange(9.0)
    inputs = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    other = inputs.copy()
    other[0] *= -1
    return records(inputs, [0, 1, 2] * 3), records(other, [0, 1, 2] * 3)


def first(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The slope."""
    return outputs[:, 0]


def flat(outputs: Any, data: Any, neighbour: Any) -> Any:
    """Is the slope where the far record adds curvature? An event that is named before any trial."""
    return np.abs(outputs[:, 0]) < 3 / NORM


def shared_noise(outputs: Any, data: Any, neighbour: Any) -> Any:
    """How much better the gradients of all classes agree on the data set than on the neighbour.

    At its minimiser the gradient of each class is minus its noise vector: equal noise makes them equal.
    """
    return _disagreement(outputs, neighbour) - _disagreement(outputs, data)


def _disagreement(outputs: Any, data: dict[str, Any]) -> Any:
    inputs, labels = data["inputs"], data["labels"]
    weights = outputs.reshape(len(outputs), CLASSES, 1 + inputs.shape[1])[:, :, :-1]
    chances = 1 / (1 + np.exp(-weights @ inputs.T))
    members = labels == np.arange(CLASSES)[:, None]
    gradients = (chances - members) @ inputs + RIDGE * weights
    return np.abs(gradients - gradients[:, :1]).max(axis=(1, 2))


def three(outputs: Any, data: Any, neighbour: Any) -> Any:
    """Are there three classes?"""
    return outputs == CLASSES


WHAT = "models.LogisticRegression"


def _audit(name: str, release: str, what: str, pair: Any, score: Any, **options: Any) -> Command:
    options = {"trials": SHARED.SLOW, "title": f"{WHAT}, {what}", **options}
    return SHARED.audit(f"logistic-regression{name}", release, pair, score, WHAT, **options)


AUDITS = (
    _audit("", "logistic_regression_unit_norm", "data_norm=1", opposite(), first),
    _audit("-one-job", "logistic_regression_one_job", "three classes, n_jobs=1", three_classes(), shared_noise),
    _audit(
        "-norm-100",
        "logistic_regression_norm_100",
        "data_norm=100",
        far(NORM),
        flat,
        trials=SHARED.MECHANISMS,
        expects=Outcome.REFUTED,
        repair="diffprivlib/logistic-regression",
        effect="for a large data_norm the noise is too small: the curvature of a record is taken to be "
        "0.25 * data_norm where it is 0.25 * data_norm^2, which breaks epsilon 1 from norms above 7 on; a slope near 0 "
        "betrays the far record, 17 times as likely with it as without where epsilon 1 allows 2.7 times",
    ),
    _audit(
        "-two-jobs",
        "logistic_regression_two_jobs",
        "three classes, n_jobs=2",
        three_classes(),
        shared_noise,
        expects=Outcome.REFUTED,
        repair="diffprivlib/logistic-regression-one-job",
        effect="with n_jobs above 1 every class gets the same noise vector, which differences cancel: the "
        "coefficients solve equations without noise, and any one record can be tested; with the default "
        "random_state the same noise comes back in every fit of the process",
    ),
    _audit(
        "-classes",
        "logistic_regression_classes",
        "classes_",
        (records([[0.1], [0.2], [0.3]], [0, 1, 2]), records([[0.1], [0.2], [0.3]], [0, 1, 1])),
        three,
        expects=Outcome.REFUTED,
        repair="diffprivlib/logistic-regression",
        effect="the classes are read from the labels, and the model has coefficients for each: the only record of a "
        "class is seen with certainty, and no PrivacyLeakWarning says so",
    ),
)
