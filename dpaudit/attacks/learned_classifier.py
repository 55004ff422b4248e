"""A learned attack: a classifier that is trained to tell the outputs on D from those on D'.

It is fitted on trials that are not counted, so that overfitting costs power and never validity. Its score is the
log-odds of D. `logistic` finds directions and needs few trials; `boosting` and `forest` find cells and thresholds of
vector outputs.

Scores: the log-odds of D that a trained classifier gives.

Finds: whatever its model can tell apart: directions (`logistic`), cells and thresholds of several coordinates
(`boosting`, `forest`).

Cannot find: rare events that the held-out trials hardly show, and the last digits of numbers; `logistic` sees no
difference beyond directions.

Needs: scikit-learn (the extra `mia`) and held-out trials. No model of the release.

Costs: one fit on half of the held-out trials, and a prediction for every counted one; `boosting` fits 50 rounds,
`forest` 50 trees.

Competes: as "logistic" in `Release`, `Command` and the adapters of trainings, if scikit-learn is installed; elsewhere
where a target file names it in `ATTACKS`.

Source: Bichsel, Steffen, Bogunovic, Vechev, "DP-Sniper: black-box discovery of differential privacy violations using
classifiers" (2021), section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks._outputs import Outputs, rows
from dpaudit.records.errors import ConfigurationError, MissingPackageError

MODELS = ("logistic", "boosting", "forest")

_LARGEST_ODDS = 30.0


@dataclass(frozen=True)
class LearnedClassifier:
    """model: "logistic", "boosting" or "forest" of scikit-learn, the extra `mia`. Raises ConfigurationError."""

    model: str = "logistic"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise ConfigurationError(f"model must be one of {', '.join(MODELS)}, got {self.model!r}")

    def fit(
        self,
        outputs_on_data: Outputs,
        outputs_on_neighbour: Outputs,
        data: object,
        neighbour: object,
        rng: np.random.Generator,
    ) -> Callable[[Outputs], Array]:
        """The log-odds of D as a function of outputs (trials, ...); the same for the same outputs and state of `rng`.

        Infinite outputs are allowed. With a side empty every score is 0.
        """
        sides = [rows(side) for side in (outputs_on_data, outputs_on_neighbour)]
        if not all(map(len, sides)):
            return lambda outputs: np.zeros(len(outputs))
        features = _features(np.concatenate(sides))
        labels = np.repeat([1, 0], [len(side) for side in sides])
        classifier = _classifier(self.model, int(rng.integers(1 << 31)))
        classifier.fit(features(np.concatenate(sides)), labels)
        return lambda outputs: _log_odds(classifier, features(rows(outputs)))


@dataclass(frozen=True)
class _Features:
    """Standardised columns; what lies beyond the finite numbers that were seen counts as just beyond."""

    low: Array
    high: Array
    centre: Array
    scale: Array

    def __call__(self, columns: Array) -> Array:
        return (np.clip(columns, self.low, self.high) - self.centre) / self.scale


def _features(columns: Array) -> _Features:
    finite = np.isfinite(columns)
    low = np.where(finite, columns, np.inf).min(axis=0, initial=np.inf)
    high = np.where(finite, columns, -np.inf).max(axis=0, initial=-np.inf)
    empty = low > high  # nothing finite in the column
    low, high = np.where(empty, 0.0, low), np.where(empty, 0.0, high)
    beyond = np.where(high > low, (high - low) / 4, 1.0)
    inside = np.clip(columns, low - beyond, high + beyond)
    scale = inside.std(axis=0)
    return _Features(low - beyond, high + beyond, inside.mean(axis=0), np.where(scale > 0, scale, 1.0))


def _classifier(model: str, seed: int) -> Any:
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingPackageError("scikit-learn", "mia") from error
    if model == "logistic":
        return LogisticRegression(C=1.0, max_iter=200, random_state=seed)
    if model == "boosting":
        return HistGradientBoostingClassifier(
            max_iter=50, max_leaf_nodes=8, l2_regularization=1.0, early_stopping=False, random_state=seed
        )
    return RandomForestClassifier(n_estimators=50, min_samples_leaf=10, random_state=seed)


def _log_odds(classifier: Any, features: Array) -> Array:
    if not len(features):
        return np.zeros(0)
    if hasattr(classifier, "decision_function"):
        return np.asarray(classifier.decision_function(features), dtype=np.float64)
    probability = classifier.predict_proba(features)[:, 1]
    with np.errstate(divide="ignore"):
        odds = np.log(probability) - np.log1p(-probability)
    return np.asarray(np.clip(odds, -_LARGEST_ODDS, _LARGEST_ODDS), dtype=np.float64)
