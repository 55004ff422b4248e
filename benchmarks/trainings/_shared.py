"""What the collections of trainings share: data, claims, gradients of single records, and the pairs of a training and
its broken twin."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpaudit import Audit, Gaussian, Neighbours, PoissonSampled, SelfComposed, TorchTraining, Training, claim
from dpaudit.accounting.epsilon import epsilon_upper
from dpaudit.records.privacy import PrivacyClaim
from dpaudit.records.verdict import Outcome

RECORDS, FEATURES, CLASSES = 40, 6, 3
CLIP_NORM, NOISE, RATE, STEPS = 1.0, 1.2, 0.25, 4
SIZE = RATE * RECORDS
"""Expected size of a batch."""


def table(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Features (RECORDS, FEATURES) in float32 and labels (RECORDS,)."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(CLASSES, size=RECORDS)
    features = rng.normal(size=(RECORDS, FEATURES)) + np.eye(CLASSES, FEATURES)[labels]
    return features.astype(np.float32), labels.astype(np.int64)


def images(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Images (RECORDS, 1, 6, 6) and labels."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(CLASSES, size=RECORDS)
    return rng.normal(size=(RECORDS, 1, 6, 6)).astype(np.float32), labels.astype(np.int64)


def poisson(steps: int = STEPS, noise: float = NOISE, rate: float = RATE) -> SelfComposed:
    """What Poisson batches and Gaussian noise are accounted as."""
    return SelfComposed(PoissonSampled(rate, Gaussian(noise)), steps)


def whole(steps: int = STEPS, noise: float = NOISE) -> SelfComposed:
    """What steps on all records are accounted as."""
    return SelfComposed(Gaussian(noise), steps)


def stated(mechanism: SelfComposed, neighbours: Neighbours = Neighbours.ADD_OR_REMOVE) -> dict[str, Any]:
    """The claim that an accountant gives, rounded up in its third digit, and the mechanism."""
    epsilon = math.ceil(1e3 * epsilon_upper(mechanism, 1e-5, neighbours)) / 1e3
    return {"claim": claim(epsilon=epsilon, delta=1e-5, neighbours=neighbours), "mechanism": mechanism}


def twins(
    kind: type[TorchTraining] | type[Training],
    name: str,
    train: Callable[..., object],
    bug: str,
    *,
    mechanism: SelfComposed | None = None,
    records: Any = None,
    claimed: PrivacyClaim | None = None,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE,
    **more: Any,
) -> tuple[Audit, Audit]:
    """The audit of train(records, watch, broken=False), and that of its twin with the bug, `broken=True`."""
    said: dict[str, Any] = stated(mechanism or poisson(), neighbours) if claimed is None else {"claim": claimed}
    if mechanism is not None:
        said["mechanism"] = mechanism
    data = table() if records is None and "pair" not in more else records

    def right(records: Any, watch: Any) -> object:
        return train(records, watch, broken=False)

    def wrong(records: Any, watch: Any) -> object:
        return train(records, watch, broken=True)

    correct = kind(name, right, records=data, **said, **more)
    broken = kind(f"{name}-broken", wrong, title=bug, records=data, expects=Outcome.REFUTED, effect=bug, **said, **more)
    return correct, broken


def broken_twin(
    kind: type[TorchTraining] | type[Training], name: str, train: Callable[..., object], bug: str, **more: Any
) -> Audit:
    """The audit of train(records, watch), which has the bug, and whose correct form is another training's."""

    def either(records: Any, watch: Any, broken: bool) -> object:
        return train(records, watch)

    return twins(kind, name, either, bug, **more)[1]
