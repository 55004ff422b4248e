"""DP-SGD of Opacus, through its public API, on the handwritten digits of scikit-learn.

What: two full-batch steps of softmax regression (64 pixels, 10 classes, no bias) by
`PrivacyEngine.make_private`: Poisson sampling at rate 1, flat clipping at norm 1, noise multiplier
sqrt(2). Model, optimiser and engine are made once for each call; the weights are set back to zero
before every trial, and a trial is one whole training. The noise generator is seeded per trial
(PyTorch's CPU generator keeps 32 bits of a seed: about one pair in 10^5 trials shares its noise).
Why: Opacus states its noise relative to the sensitivity, which makes two steps 1-GDP exactly,
epsilon 4.377 at delta 1e-5 (its accountant says 4.387); the audit tests that whole curve.
Worst-case neighbours: pixel 0 is blank in every digit. The canary record is bright there and
blank elsewhere, so that its gradient is clipped to norm 1 and is at right angles to all others;
the neighbour has the empty record in its place. Both have 32 records, so that the divisor of the
mean, which Opacus takes from the number of records, is the same.
The adversary sees the noisy gradient of pixel 0's ten weights at each step, as the optimiser
leaves it in `weight.grad`, and follows the weights from there; the other columns do not depend
on the record. Subsampling is not audited here: at rate 1 the sampler has nothing to choose.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.attacks.canary_inner_product import canary_inner_product
from dpaudit.audit.randomness import frozen
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan

Records = tuple[Array, Integers]

RECORDS, STEPS = 32, 2
NOISE_MULTIPLIER = math.sqrt(STEPS)
LEARNING_RATE = 0.01
BRIGHTNESS, LABEL = 100.0, 0

TARGET = Target(
    name="opacus/dp-sgd",
    title="Opacus DP-SGD, two full-batch steps of softmax regression",
    view=View.GRADIENTS,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.ZERO_OUT,
        source="Opacus, PrivacyEngine.make_private: noise_multiplier is the noise over the l2-sensitivity",
    ),
    trials=TrialPlan(smoke=2_500, standard=8_000, deep=200_000),
    needs=(("opacus", "third-party"), ("torch", "third-party"), ("sklearn", "third-party")),
    truth=SelfComposed(Gaussian(NOISE_MULTIPLIER), STEPS),
    effect="models trained with Opacus leak more about single records than its accountant reports",
    optional=True,
    from_level=Level.STANDARD,
    isolate=True,
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Thirty-one random digits with the canary record in front, and with the empty record in front."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    chosen = rng.choice(len(images), size=RECORDS, replace=False)
    pixels, labels = images[chosen] / 16, labels[chosen]
    pixels[0], labels[0] = 0.0, LABEL
    canary = pixels.copy()
    canary[0, 0] = BRIGHTNESS
    return (canary, labels), (pixels, labels)


def run(data: Records, trials: Trials) -> Array:
    """The noisy gradient sums of pixel 0's weights, shape (trials, steps, classes); clipping norm 1."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # matrices this small wait for other threads longer than they compute
    try:
        with frozen(0), warnings.catch_warnings():  # the loader and the layer draw from torch's own generator
            warnings.filterwarnings("ignore", "Secure RNG turned off")  # an audit wants to repeat its trials
            warnings.filterwarnings("ignore", "Full backward hook is firing")  # Opacus, for inputs without gradient
            train = _trainer(*data)
            return np.stack([train(int(seed)) for seed in trials.seeds()])
    finally:
        torch.set_num_threads(threads)


def score(outputs: Array, data: Records, neighbour: Records) -> Array:
    """The log-likelihood ratio of all steps: on the neighbour the released columns are pure noise."""
    weights = -LEARNING_RATE / RECORDS * (np.cumsum(outputs, axis=1) - outputs)  # before each step
    odds = np.exp(BRIGHTNESS * (weights - weights.max(axis=2, keepdims=True)))
    gradient = BRIGHTNESS * (odds / odds.sum(axis=2, keepdims=True) - np.eye(10)[LABEL])
    clipped = gradient / np.maximum(np.linalg.norm(gradient, axis=2, keepdims=True), 1.0)
    inner = canary_inner_product(outputs, clipped) - (clipped**2).sum(axis=2) / 2
    return np.asarray(inner.sum(axis=1) / NOISE_MULTIPLIER**2)


def _trainer(pixels: Array, labels: Integers) -> Callable[[int], Array]:
    """A function that trains from zero weights with the noise of a seed and returns the releases."""
    import torch
    from opacus import PrivacyEngine
    from torch.utils.data import DataLoader, TensorDataset

    records = TensorDataset(torch.tensor(pixels, dtype=torch.float32), torch.tensor(labels))
    plain, loss, noise = torch.nn.Linear(64, 10, bias=False), torch.nn.CrossEntropyLoss(), torch.Generator()
    model, optimizer, loader = PrivacyEngine().make_private(
        module=plain,
        optimizer=torch.optim.SGD(plain.parameters(), lr=LEARNING_RATE),
        data_loader=DataLoader(records, batch_size=RECORDS),
        noise_multiplier=NOISE_MULTIPLIER,
        max_grad_norm=1.0,
        noise_generator=noise,
    )

    def train(seed: int) -> Array:
        noise.manual_seed(seed & 0xFFFFFFFF)
        plain.weight.data.zero_()
        released: list[Any] = []
        for batch, targets in itertools.chain(*[loader] * STEPS):  # one batch of all records a pass
            optimizer.zero_grad()
            loss(model(batch), targets).backward()
            optimizer.step()
            released.append(plain.weight.grad[:, 0].double().numpy() * RECORDS)
        return np.stack(released)

    return train
