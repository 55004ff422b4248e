"""Membership inference on real records: many small models trained at once, attacked with shadow models.

The task is that of the bundled digits of scikit-learn. Some records get a wrong label and are canaries, each in or
out of a model's training set by a coin of its own; other records are always in, the rest is the population that no
model sees. A model is a softmax regression on random features of norm 1, so that a record's gradient is an outer
product, its norm is that of (probabilities - label), and clipping costs nothing. All models are one more axis of the
same matrix products. With noise this is DP-SGD with full batches (Abadi et al. 2016): every step releases the sum of
clipped gradients plus Gaussian noise, and a canary that is added or removed moves the sum by `clip_norm` at most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks import lira, rmia
from dpaudit.attacks.loss_threshold import loss_threshold
from dpaudit.records.errors import ConfigurationError, MissingPackageError
from dpaudit.records.mechanism import Gaussian, SelfComposed

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Labels = NDArray[np.int64]
Flags = NDArray[np.bool_]

CLASSES = 10


@dataclass(frozen=True)
class Task:
    """features (records, width), rows of norm 1; labels (records,); truth: the true labels, (records,).

    First come `canaries` mislabelled records, then `always` that every model is trained with, then the population,
    which is mislabelled like the canaries: RMIA compares a record with others of its kind.
    """

    features: Singles
    labels: Labels
    truth: Labels
    canaries: int
    always: int

    @property
    def trained(self) -> int:
        """Records that a model may be trained with: the public divisor of its gradients."""
        return self.canaries + self.always


@dataclass(frozen=True)
class Training:
    """Gradient descent with momentum on the mean loss.

    steps >= 0; learning_rate > 0; 0 <= momentum < 1; clip_norm: of each record's gradient, None: not clipped;
    noise_multiplier: noise over clip_norm, 0: none. Raises ConfigurationError for noise without clipping.
    """

    steps: int
    learning_rate: float
    momentum: float = 0.9
    clip_norm: float | None = None
    noise_multiplier: float = 0.0

    def __post_init__(self) -> None:
        if self.noise_multiplier and self.clip_norm is None:
            raise ConfigurationError("noise needs a clip_norm: without clipping no amount of noise is private")

    def mechanism(self) -> SelfComposed:
        """What a training with noise releases when a record is added or removed."""
        return SelfComposed(Gaussian(self.noise_multiplier), self.steps)


@dataclass(frozen=True)
class Observed:
    """Confidences (LiRA) of each model in the canaries, (models, canaries), and in the population, (models, records);
    included: who was trained with which canary, (models, canaries); accuracy: of each model on the population,
    (models,).
    """

    canaries: Floats
    population: Floats
    included: Flags
    accuracy: Floats


@dataclass(frozen=True)
class Rate:
    """true_positive_rate with 95 % Clopper-Pearson ends, at false_positive_rate.

    Both are counted at one threshold that other models chose. The interval takes canaries as independent given models.
    """

    true_positive_rate: float
    lower: float
    upper: float
    false_positive_rate: float


def digits(
    rng: np.random.Generator, canaries: int = 500, always: int = 500, width: int = 512, crafted: bool = False
) -> Task:
    """The task on the 1,797 bundled digits; `rng` shuffles, mislabels and draws the ReLU features.

    crafted: of each canary only a feature of its own is left. Needs the extra `mia`. Raises ConfigurationError unless a
    population is left, and a feature for each crafted canary.
    """
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise MissingPackageError("scikit-learn", "mia") from error
    images, labels = load_digits(return_X_y=True)
    if canaries + always >= len(images):
        raise ConfigurationError(f"canaries and always must leave some of {len(images)}, got {canaries} + {always}")
    order = rng.permutation(len(images))
    truth = labels[order].astype(np.int64)
    wrong = (truth + rng.integers(1, CLASSES, len(truth))) % CLASSES
    public = np.arange(canaries, canaries + always)
    wrong[public] = truth[public]
    features = np.maximum((images[order] / 16) @ rng.normal(size=(images.shape[1], width)), 0.0)
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    if crafted:
        if canaries > width:
            raise ConfigurationError(f"crafted canaries need a feature each, got {canaries} and width {width}")
        features[:canaries] = np.eye(canaries, width)
    return Task(features.astype(np.float32), wrong, truth, canaries, always)


def train(task: Task, included: Flags, training: Training, rng: np.random.Generator) -> Singles:
    """Weights (width, models, CLASSES) of one model for each row of `included` (models, canaries)."""
    models, features = len(included), task.features[: task.trained]
    targets = np.eye(CLASSES, dtype=np.float32)[task.labels[: task.trained], None, :]
    members = np.concatenate([included, np.ones((models, task.always), dtype=bool)], axis=1)
    weights: Singles = np.zeros((features.shape[1], models * CLASSES), dtype=np.float32)
    velocity: Singles = np.zeros_like(weights)
    for _ in range(training.steps):
        errors = _probabilities((features @ weights).reshape(len(features), models, CLASSES)) - targets
        errors *= _kept(errors, training.clip_norm) * members.T[:, :, None]
        gradient = features.T @ errors.reshape(len(features), models * CLASSES)
        if training.noise_multiplier and training.clip_norm is not None:
            scale = np.float32(training.noise_multiplier * training.clip_norm)
            gradient += scale * rng.standard_normal(gradient.shape, dtype=np.float32)
        velocity *= np.float32(training.momentum)
        velocity += gradient / np.float32(task.trained)
        weights -= np.float32(training.learning_rate) * velocity
    return weights.reshape(features.shape[1], models, CLASSES)


def observe(task: Task, included: Flags, training: Training, rng: np.random.Generator) -> Observed:
    """Train one model for each row of `included` and look at it."""
    weights = train(task, included, training, rng)
    logits = np.tensordot(task.features, weights, axes=1).transpose(1, 0, 2)
    confidence = lira.confidence(logits, task.labels)
    right = logits[:, task.trained :].argmax(axis=2) == task.truth[task.trained :]
    return Observed(
        confidence[:, : task.canaries], confidence[:, task.trained :], included, np.asarray(right.mean(axis=1))
    )


def attack_scores(observed: Observed, shadows: int) -> dict[str, Floats]:
    """Scores (models - shadows, canaries) of every attack on all models but the first `shadows`, which it may use.

    Offline attacks use shadow models without the canary alone; RMIA takes their probabilities as they are (pull 1),
    since a mislabelled record does not come near probability 1.
    """
    known, inside = observed.canaries[:shadows], observed.included[:shadows]
    target, others = observed.canaries[shadows:], observed.population
    logs = _log_probability(target), _log_probability(known), inside
    population = _log_probability(others[shadows:]), _log_probability(others[:shadows])
    return {
        "loss threshold": loss_threshold(-logs[0]),
        "LiRA online": lira.online(target, known, inside),
        "LiRA offline": lira.offline(target, known, inside),
        "RMIA online": rmia.online(*logs, *population, gamma=1.0),
        "RMIA offline": rmia.offline(*logs, *population, gamma=1.0, pull=1.0),
    }


def one_run_scores(
    task: Task, included: Flags, training: Training, shadows: int, rng: np.random.Generator, attack: str = "LiRA online"
) -> Floats:
    """Scores (canaries,) of the canaries in one training with those of `included` (canaries,), by shadow models.

    The shadow models are drawn from `rng`, independent of `included`, so that a bound from one run holds for these
    scores as for any; shadows: at least 2.
    """
    models = np.concatenate([shadow_members(shadows, task.canaries, rng), included[None]])
    return np.asarray(attack_scores(observe(task, models, training, rng), shadows)[attack][0], dtype=np.float64)


def shadow_members(shadows: int, canaries: int, rng: np.random.Generator) -> Flags:
    """Who is trained with what, (shadows, canaries): each canary in a random half of the models (rounded down)."""
    half = np.arange(shadows)[:, None] < shadows // 2
    return np.asarray(rng.permuted(np.tile(half, canaries), axis=0), dtype=bool)


def rate_at(scores: Floats, included: Flags, false_positive_rate: float) -> Rate:
    """The true positive rate at a false positive rate; scores and included (models, canaries), at least 2 models.

    The first half of the models sets the threshold, the smallest that keeps its false positive rate; the others count.
    """
    from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper  # light imports: scipy.special is not

    threshold = _threshold(scores, included, false_positive_rate)
    half = len(scores) // 2
    counted, inside = scores[half:] >= threshold, included[half:]
    hits, members = int(counted[inside].sum()), int(inside.sum())
    false = float(counted[~inside].mean())
    lower, upper = (float(bound(hits, members, 0.025)) for bound in (rate_lower, rate_upper))
    return Rate(hits / members, lower, upper, false)


def advantage(
    scores: Floats, baseline: Floats, included: Flags, false_positive_rate: float
) -> tuple[float, float, float]:
    """Mean over the counted models of the difference of their true positive rates, with a 95 % Student interval.

    Scores of two attacks on the same models, each at its own threshold from `rate_at`; models are the independent units
    here, canaries are not. At least 4 models.
    """
    from scipy.special import stdtrit

    half = len(scores) // 2
    inside = included[half:]
    rates = [
        ((s[half:] >= _threshold(s, included, false_positive_rate)) & inside).sum(axis=1) / inside.sum(axis=1)
        for s in (scores, baseline)
    ]
    gain = rates[0] - rates[1]
    reach = float(stdtrit(len(gain) - 1, 0.975) * gain.std(ddof=1) / np.sqrt(len(gain)))
    return float(gain.mean()), float(gain.mean() - reach), float(gain.mean() + reach)


def roc(scores: Floats, included: Flags, points: int = 40) -> list[tuple[float, float, float, float]]:
    """(false positive rate, true positive rate, lower, upper) at thresholds of the first half of the models, on the
    others; for a plot with logarithmic axes. The band is that of `Rate` at each point on its own.
    """
    rates = np.geomspace(1e-3, 1.0, points)
    found = [rate_at(scores, included, float(rate)) for rate in rates]
    return [(r.false_positive_rate, r.true_positive_rate, r.lower, r.upper) for r in found]


def _threshold(scores: Floats, included: Flags, false_positive_rate: float) -> float:
    half = len(scores) // 2
    negative = np.sort(scores[:half][~included[:half]])
    allowed = int(false_positive_rate * len(negative))
    if allowed >= len(negative):
        return -np.inf
    return float(np.nextafter(negative[len(negative) - allowed - 1], np.inf))


def _probabilities(logits: Singles) -> Singles:
    logits -= logits.max(axis=2, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=2, keepdims=True)
    return logits


def _kept(errors: Singles, clip_norm: float | None) -> Singles:
    """The factor that clips each record's gradient, whose norm is that of its error: features have norm 1."""
    if clip_norm is None:
        return np.ones((1, 1, 1), dtype=np.float32)
    norm = np.sqrt((errors * errors).sum(axis=2, keepdims=True))
    kept = np.minimum(np.float32(1.0), np.float32(clip_norm) / np.maximum(norm, np.float32(1e-12)))
    return np.asarray(kept, dtype=np.float32)


def _log_probability(confidence: Floats) -> Floats:
    return np.asarray(-np.logaddexp(0.0, -confidence), dtype=np.float64)
