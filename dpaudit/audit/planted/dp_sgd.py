"""DP-SGD written by hand, and the bugs that such code has had.

Logistic regression on features, their squares, the cubes of the first five and a constant: four parameter groups of
different shapes. Per-record gradients are clipped together, summed over a Poisson batch, and released group by group
with Gaussian noise (Abadi et al. 2016, algorithm 1); `Plan.relation` = replace one draws batches of fixed size and
doubles the sensitivity. `dp_sgd_bugs` lists what can be planted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.planted.dp_sgd_bugs import Bug
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim

__all__ = ["Bug", "Plan", "claim", "instrument", "mechanism", "neighbours", "plan", "train"]

Records = tuple[Array, Array]

FEATURES, CUBES, RECORDS, DELTA = 12, 5, 200, 1e-5
PARTS = {
    "weights": slice(0, FEATURES),
    "squares": slice(FEATURES, 2 * FEATURES),
    "cubes": slice(2 * FEATURES, 2 * FEATURES + CUBES),
    "bias": slice(2 * FEATURES + CUBES, 2 * FEATURES + CUBES + 1),
}
"""Where each parameter group lies."""
WIDTH = PARTS["bias"].stop


@dataclass(frozen=True)
class Plan:
    """Everything public. rate: of a batch in (0, 1); steps, workers: at least 1; clip_norm, noise_multiplier,
    step_size: above 0; relation: add or remove (Poisson batches), or replace one (batches of fixed size)."""

    rate: float = 0.1
    steps: int = 24
    clip_norm: float = 0.5
    noise_multiplier: float = 1.0
    step_size: float = 0.1
    workers: int = 1
    relation: Neighbours = Neighbours.ADD_OR_REMOVE

    @property
    def batch_size(self) -> float:
        """The expected size of a batch of RECORDS records."""
        return self.rate * RECORDS

    @property
    def sensitivity(self) -> float:
        """Of the sum of clipped gradients."""
        return self.clip_norm * (2 if self.relation is Neighbours.REPLACE_ONE else 1)


PLAN = Plan()
EPSILON = 3.84
"""Of `PLAN` at DELTA, rounded up."""


def plan(bug: Bug) -> Plan:
    """The plan in which a bug shows."""
    if bug is Bug.REPLACE_AS_REMOVE:
        return Plan(relation=Neighbours.REPLACE_ONE)
    return Plan(workers=2) if bug in (Bug.NOISE_SHARED_BY_WORKERS, Bug.NOISE_AVERAGED_OVER_WORKERS) else PLAN


def mechanism(bug: Bug = Bug.NONE, settings: Plan = PLAN) -> Mechanism:
    """What the accountant is told."""
    once = Gaussian(settings.noise_multiplier)
    size = round(settings.batch_size)
    replaced = settings.relation is Neighbours.REPLACE_ONE
    sampled = FixedSizeSampled(size, RECORDS, once) if replaced else PoissonSampled(settings.rate, once)
    return SelfComposed(sampled, settings.steps // 2 if bug is Bug.FEWER_STEPS else settings.steps)


def claim(epsilon: float = EPSILON, settings: Plan = PLAN) -> PrivacyClaim:
    """(epsilon, DELTA)-DP under the relation of the plan."""
    source = "composition of sampled Gaussian mechanisms, Abadi et al. (2016)"
    return PrivacyClaim(ApproximateDP(epsilon, DELTA), settings.relation, DELTA, source)


def neighbours(rng: np.random.Generator, settings: Plan = PLAN) -> tuple[Records, Records]:
    """RECORDS records, the last one long and mislabelled, and the same without it, or with its opposite."""
    features = rng.normal(size=(RECORDS, FEATURES)) / np.sqrt(FEATURES)
    labels = np.where(features[:, 0] > 0, 1.0, -1.0)
    features[-1], labels[-1] = -4.0 / np.sqrt(FEATURES), 1.0
    if settings.relation is Neighbours.ADD_OR_REMOVE:
        return (features, labels), (features[:-1], labels[:-1])
    others = labels.copy()
    others[-1] = -1.0
    return (features, labels), (features, others)


def instrument(bug: Bug = Bug.NONE, settings: Plan | None = None) -> Callable[[Records, Recorder], None]:
    """The training with this bug, as the structural tier wants it."""
    return partial(train, bug=bug, settings=settings or plan(bug))


def train(data: Records, recorder: Recorder, bug: Bug = Bug.NONE, settings: Plan = PLAN) -> None:
    """One training on (features (n, FEATURES), labels (n,) of -1 and 1)."""
    labels, run = data[1], _Run(recorder, bug, settings, len(data[1]))
    inputs = _inputs(data[0], recorder, bug)
    weights, step_size = _start(inputs, labels, recorder, bug), _step_size(inputs, recorder, bug, settings)
    if bug is Bug.UNPAID_QUERY:
        run.release_mean(data[0])
    for step in range(len(labels) // 8 if bug is Bug.STEPS_FROM_DATA else recorder.public("steps", settings.steps)):
        if bug is Bug.EARLY_STOP and np.linalg.norm(_gradients(weights, inputs, labels), axis=1).max() < 1.5:
            break
        members = recorder.batch(run.draw(step, data[0]))
        gradients = _gradients(weights, _normalised(inputs[members], bug), labels[members])
        workers = [members % settings.workers == worker for worker in range(settings.workers)]
        total = sum(run.release(gradients[own], members[own], worker) for worker, own in enumerate(workers))
        if bug is Bug.CHECKPOINT_BEFORE_NOISE:
            recorder.output("checkpoint", weights - step_size * gradients.sum(axis=0) / settings.batch_size)
        direction = run.direction(np.asarray(total), gradients, inputs)
        weights = np.asarray(weights - step_size * direction / settings.batch_size)
    recorder.output("weights", weights)
    if bug is Bug.LOSS_RETURNED:
        recorder.output("loss", float(_losses(weights, inputs, labels).mean()))


def _inputs(features: Array, recorder: Recorder, bug: Bug) -> Array:
    """What the model is linear in, (n, WIDTH)."""
    if bug is Bug.BOUNDS_FROM_DATA:
        features = features / recorder.public("bound", float(np.linalg.norm(features, axis=1).max()))
    return np.hstack([features, features**2, features[:, :CUBES] ** 3, np.ones((len(features), 1))])


def _start(inputs: Array, labels: Array, recorder: Recorder, bug: Bug) -> Array:
    """The weights that the training begins with, (WIDTH,)."""
    if bug is Bug.START_FROM_DATA:
        return np.asarray(recorder.public("start", 0.01 * labels[-10:] @ inputs[-10:]))
    return np.zeros(WIDTH)


def _normalised(inputs: Array, bug: Bug) -> Array:
    """The batch as the model sees it."""
    if bug is not Bug.BATCH_NORMALISED or len(inputs) < 2:
        return inputs
    return np.asarray((inputs - inputs.mean(axis=0)) / (inputs.std(axis=0) + 0.1))


def _step_size(inputs: Array, recorder: Recorder, bug: Bug, settings: Plan) -> float:
    from_data = 1 / float((inputs**2).sum(axis=1).max())
    if bug is Bug.STEP_SIZE_FROM_DATA:
        return from_data
    return float(
        recorder.public("step_size", from_data if bug is Bug.PUBLIC_STEP_SIZE_FROM_DATA else settings.step_size)
    )


def _losses(weights: Array, inputs: Array, labels: Array) -> Array:
    return np.asarray(np.logaddexp(0, -labels * (inputs @ weights)))


def _gradients(weights: Array, inputs: Array, labels: Array) -> Array:
    """Of the logistic loss of each record, (batch, WIDTH)."""
    return np.asarray(-(labels / (1 + np.exp(labels * (inputs @ weights))))[:, None] * inputs)


def _clip(gradients: Array, norm: float) -> Array:
    """Rows scaled down to `norm`; rows that are not finite count as 0."""
    lengths = np.linalg.norm(gradients, axis=1)
    finite = np.isfinite(lengths)[:, None]
    return np.where(finite, gradients, 0.0) * np.where(finite, norm / np.maximum(lengths, norm)[:, None], 0.0)


def _median_norm(gradients: Array) -> float:
    return max(float(np.median(np.linalg.norm(gradients, axis=1))), 1e-12) if len(gradients) else 1e-12


MANGLED: dict[Bug, Callable[[Array], Array]] = {
    Bug.ONE_SIDED_NOISE: np.abs,
    Bug.CLAMPED_NOISE: lambda draw: np.clip(draw, -1, 1),
    Bug.INTEGER_NOISE: np.trunc,
    # The noise of a mean over many records, below the smallest numbers of half precision.
    Bug.HALF_PRECISION_NOISE: lambda draw: (3e-8 * draw).astype(np.float16).astype(np.float64) / 3e-8,
}
"""What becomes of standard normal noise."""


class _Run:
    """The random parts of one training, and its releases."""

    def __init__(self, recorder: Recorder, bug: Bug, settings: Plan, records: int) -> None:
        self.recorder, self.bug, self.plan, self.records = recorder, bug, settings, records
        self.drawing = np.random.default_rng([recorder.seed, 0])
        self.noise = np.random.default_rng(0 if bug is Bug.CONSTANT_SEED else [recorder.seed, 1])
        self.epoch: list[Any] = []
        self.kept: Array | None = None
        self.momentum = np.zeros(WIDTH)

    def draw(self, step: int, features: Array) -> Any:
        """The record ids of one batch."""
        bug, rate, size = self.bug, self.plan.rate, round(self.plan.batch_size)
        if bug in (Bug.SHUFFLED, Bug.FIXED_ORDER):
            place = step % max(self.records // size, 1)
            if place == 0 and not (self.epoch and bug is Bug.FIXED_ORDER):
                self.epoch = np.array_split(self.drawing.permutation(self.records), max(self.records // size, 1))
            return self.epoch[place]
        if bug is Bug.CONSTANT_SIZE or self.plan.relation is Neighbours.REPLACE_ONE:
            return self.drawing.choice(self.records, size=min(size, self.records), replace=False)
        rates = np.full(self.records, rate)
        if bug is Bug.DRAWN_BY_VALUE:
            rates = np.minimum(1.0, rate * np.exp(features[:, 0]) / np.exp(features[:, 0]).mean())
        if bug is Bug.ALWAYS_DRAWN:
            rates[0] = 1.0
        return np.flatnonzero(self.drawing.random(self.records) < rates)

    def release(self, gradients: Array, members: Any, worker: int) -> Array:
        """The noisy sum of clipped gradients, group by group; what the step goes on with, (WIDTH,)."""
        unit = self._unit(len(members))
        statistic, raw = self._sum(gradients, members) / unit, gradients.sum(axis=0) / unit
        sensitivity, scale = self._declared(unit, gradients)
        noise = self._noise(scale, worker)
        if self.bug is Bug.NOISE_OF_LARGE_COORDINATES:
            noise = np.where(np.abs(statistic) > np.median(np.abs(statistic)), noise, 0.0)
        values = {
            Bug.NOISE_NOT_ADDED: statistic,
            Bug.RAW_RELEASED: raw + noise,
            Bug.CLIPPED_AFTER_NOISE: _clip((raw + noise)[None], sensitivity)[0],
        }.get(self.bug)
        suffix = f"/{worker}" if self.plan.workers > 1 else ""
        released = np.empty(WIDTH)
        for again in ("", "again/") if self.bug is Bug.SPENT_TWICE else ("",):
            noise = self._noise(scale, worker) if again else noise
            for name, part in PARTS.items():
                released[part] = self.recorder.release(
                    again + name + suffix,
                    statistic[part],
                    None if self._forgets_noise(name) else noise[part],
                    sensitivity=sensitivity,
                    noise_scale=scale,
                    value=None if values is None else values[part],
                )
        return released * unit

    def direction(self, released: Array, gradients: Array, inputs: Array) -> Array:
        """What the step goes along, (WIDTH,): what was released, if all is right."""
        if self.bug is Bug.MOMENTUM_OF_RAW:
            self.momentum = 0.9 * self.momentum + gradients.sum(axis=0)
            return released + 0.9 * self.momentum
        if self.bug is Bug.PRECONDITIONER_OF_RAW:
            return np.asarray(released / (1 + np.sqrt((gradients**2).sum(axis=0))))
        if self.bug is Bug.PULL_TO_THE_DATA:
            return np.asarray(released - 0.1 * inputs.mean(axis=0))
        return released

    def _forgets_noise(self, name: str) -> bool:
        return self.bug is Bug.NO_NOISE or (self.bug is Bug.GROUP_WITHOUT_NOISE and name == "bias")

    def release_mean(self, features: Array) -> None:
        """A query that nobody accounts for: the mean of the first feature."""
        scale = 1 / self.records
        mean, noise = np.clip(features[:, :1], -1, 1).mean(axis=0), scale * self.noise.normal(size=1)
        self.recorder.release("mean", mean, noise, noise_scale=scale)

    def _unit(self, drawn: int) -> float:
        """What the sum is divided by before it is released: nothing, if all is right."""
        if self.bug is Bug.ACTUAL_BATCH_SIZE:
            return max(drawn, 1)
        if self.bug is Bug.PUBLIC_NUMBER_OF_RECORDS:
            return float(self.plan.rate * self.recorder.public("records", self.records))
        return self.plan.rate * self.records if self.bug is Bug.NUMBER_OF_RECORDS else 1.0

    def _declared(self, unit: float, gradients: Array) -> tuple[float, float]:
        """Sensitivity and noise scale, as they are declared."""
        expected = 1.0 if unit == 1.0 and self.bug is not Bug.ACTUAL_BATCH_SIZE else self.plan.batch_size
        sensitivity = (self.plan.clip_norm if self.bug is Bug.REPLACE_AS_REMOVE else self.plan.sensitivity) / expected
        if self.bug is Bug.HALF_SENSITIVITY:
            sensitivity /= 2
        if self.bug is Bug.CLIPPED_AT_QUANTILE:
            sensitivity = _median_norm(gradients)
        multiplier = self.plan.noise_multiplier / (2 if self.bug is Bug.HALF_MULTIPLIER else 1)
        return sensitivity, multiplier * sensitivity

    def _sum(self, gradients: Array, members: Any) -> Array:
        """The sum of clipped gradients, (WIDTH,)."""
        bug, norm = self.bug, self.plan.clip_norm
        if bug in (Bug.NO_CLIPPING, Bug.CLIPPED_AFTER_NOISE):
            return np.asarray(gradients.sum(axis=0))
        if bug is Bug.CLIPPED_MEAN:
            size = max(len(gradients), 1)
            return np.asarray(_clip(gradients.sum(axis=0, keepdims=True) / size, norm)[0] * size)
        if bug is Bug.CLIPPED_COORDINATES:
            return np.asarray(np.clip(gradients, -norm, norm).sum(axis=0))
        if bug is Bug.CLIPPED_AT_QUANTILE:
            norm = _median_norm(gradients)
        if bug is Bug.CLIPPED_GROUPS:
            return np.concatenate([_clip(gradients[:, part], norm).sum(axis=0) for part in PARTS.values()])
        if bug in (Bug.CLIPPED_MICROBATCHES, Bug.CLIPPED_SUMS):
            pairs = [gradients[place : place + 2] for place in range(0, len(gradients), 2)]
            joined = [pair.sum(axis=0) if bug is Bug.CLIPPED_SUMS else pair.mean(axis=0) for pair in pairs]
            gradients = np.array(joined).reshape(-1, WIDTH)
        if bug is Bug.NOT_FINITE:
            lengths = np.linalg.norm(gradients, axis=1, keepdims=True)
            return np.asarray((gradients * np.minimum(1.0, norm / np.maximum(lengths, norm))).sum(axis=0))
        clipped = _clip(gradients, norm)
        if bug is Bug.ORDER:
            clipped = clipped * (0.5 + members / (2 * RECORDS))[:, None]
        return np.asarray(clipped.sum(axis=0) * (3 if bug is Bug.REPEATED_RECORD else 1))

    def _noise(self, scale: float, worker: int) -> Array:
        """The noise of one step, (WIDTH,)."""
        bug, size = self.bug, self.plan.batch_size
        factors = {Bug.HALF_NOISE: 0.5, Bug.FOUR_FIFTHS_NOISE: 0.8, Bug.SQUARED_NOISE: scale}
        factors |= {Bug.NOISE_OVER_BATCH: 1 / size, Bug.NOISE_OVER_ROOT_BATCH: size**-0.5}
        factors |= {Bug.NOISE_AVERAGED_OVER_WORKERS: 1 / self.plan.workers}
        draw = np.random.normal(size=WIDTH) if bug is Bug.GLOBAL_GENERATOR else self.noise.normal(size=WIDTH)
        if bug is Bug.REUSED_NOISE or (bug is Bug.NOISE_SHARED_BY_WORKERS and worker):
            draw = draw if self.kept is None else self.kept
        self.kept = draw
        if bug is Bug.SAME_KEY_EQUAL_SHAPES:
            draw[PARTS["squares"]] = draw[PARTS["weights"]]
        if bug is Bug.SAME_KEY_OTHER_SHAPES:
            draw[PARTS["cubes"]] = draw[:CUBES]
        return np.asarray(scale * factors.get(bug, 1.0) * MANGLED.get(bug, np.asarray)(draw))
