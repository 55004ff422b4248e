"""Adaptive clipping of Opacus: a count that one record moves by 1 under noise that is accounted for 1/2.

What: four full-batch steps of linear regression on 300 features by `PrivacyEngine.make_private(clipping="adaptive")`,
four records, noise multiplier 3, `unclipped_num_std` 1.53, rate of the clipping norm 1. The noise of the gradients is
that of `(s^-2 - (2 u)^-2)^(-1/2)`, so that gradients and count together spend what the noise multiplier s says.
Why: the 2 in front of u is right for a count of b - 1/2, which a record changes by 1/2 (Andrew, Thakkar, McMahan,
Ramaswamy 2021, theorem 1). Opacus counts b, which a clipped record in the place of an unclipped one changes by 1. All
in all a step is sqrt(1/s^2 + 3/(4 u^2))-GDP, not 1/s-GDP: 1.97 times as much here; with the rule u = batch/20 and s =
1, 1.47 times as much for batches of 16, 1.14 for 32, 1.002 for 256.
Worst-case neighbours: a record that is clipped, and the record of zeros, which is not; all others are of zeros.
The adversary sees the noisy gradients, whose length shows the clipping norm to 4 %, and takes the last against the
first.
The second target has `unclipped_num_std` 30, at which it does not matter, and claims what it then keeps.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.randomness import frozen
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Level
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

RECORDS, FEATURES, STEPS, NOISE, NARROW, WIDE = 4, 300, 4, 3.0, 1.53, 30.0
CLAIMED = math.sqrt(STEPS) / NOISE
KEPT = math.sqrt(STEPS * (1 / NOISE**2 + 3 / (4 * WIDE**2)))


def length(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How far the clipping norm went up: a record that is clipped raises it."""
    return np.asarray(np.log(outputs[:, -1, 0] / outputs[:, 0, 0]))


def along(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The clipped record pulls its feature down in every step."""
    return -outputs[:, :, 1].sum(axis=1)


@dataclass(frozen=True)
class AdaptiveClipping:
    """The adversary sees the lengths of the noisy gradients."""

    TARGET: Target
    count_noise: float
    ATTACKS: ClassVar[dict[str, Any]] = {"length": length, "along the record": along}

    def neighbours(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """One long record, and one of zeros, among records of zeros."""
        zeros = np.zeros((RECORDS, FEATURES))
        data = zeros.copy()
        data[-1, 0] = 1e6
        return data, zeros

    def run(self, data: Array, trials: Trials) -> Array:
        """Length and first coordinate of the noisy gradient of each step, (trials, steps, 2)."""
        import torch

        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # matrices this small wait for other threads longer than they compute
        try:
            with frozen(0), warnings.catch_warnings():  # the layer draws from torch's generator
                warnings.simplefilter("ignore")  # secure generators are off, inputs need no gradients
                train = _trainer(data, self.count_noise)
                return np.stack([train(int(seed)) for seed in trials.seeds()])
        finally:
            torch.set_num_threads(threads)


def _trainer(rows: Array, count_noise: float) -> Callable[[int], Array]:
    """A function that trains with the noise of a seed and returns lengths and first coordinates."""
    import torch
    from opacus import PrivacyEngine
    from torch.utils.data import DataLoader, TensorDataset

    plain, noise = torch.nn.Linear(FEATURES, 1, bias=False), torch.Generator()
    inputs, targets = torch.tensor(rows, dtype=torch.float32), torch.ones(RECORDS, 1)
    model, optimizer, _ = PrivacyEngine().make_private(
        module=plain,
        optimizer=torch.optim.SGD(plain.parameters(), lr=0.0),
        data_loader=DataLoader(TensorDataset(inputs, targets), batch_size=RECORDS),
        noise_multiplier=NOISE,
        max_grad_norm=1.0,
        noise_generator=noise,
        clipping="adaptive",
        target_unclipped_quantile=0.5,
        clipbound_learning_rate=1.0,
        max_clipbound=1e3,
        min_clipbound=1e-3,
        unclipped_num_std=count_noise,
    )

    def train(seed: int) -> Array:
        noise.manual_seed(seed & 0xFFFFFFFF)
        optimizer.max_grad_norm = 1.0
        plain.weight.data.zero_()
        seen = []
        for _ in range(STEPS):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()
            seen.append((float(plain.weight.grad.norm()), float(plain.weight.grad[0, 0])))
        return np.array(seen)

    return train


def target(name: str, mu: float, source: str, **more: Any) -> Target:
    """One claim on this training."""
    return Target(
        name=f"opacus/{name}",
        title=f"Opacus, adaptive clipping, {STEPS} steps: {mu:.3g}-GDP",
        view=View.GRADIENTS,
        claim=claim(mu=mu, neighbours=Neighbours.ZERO_OUT, source=source),
        trials=TrialPlan(2_000, 4_000, 100_000),
        needs=(("opacus", "third-party"), ("torch", "third-party")),
        effect="the clipping norm tells whether a record is clipped: the steps spend nearly twice the mu that is "
        "stated, here epsilon 6 instead of 2.8 at delta 1e-5",
        optional=True,
        from_level=Level.STANDARD,
        **more,
    )


BROKEN = target(
    "adaptive-clipping",
    CLAIMED,
    "Opacus 1.6.0, AdaClipDPOptimizer.add_noise: 'The original noise_multiplier is preserved for privacy accounting'",
    expects=Outcome.REFUTED,
    repair="opacus/adaptive-clipping-wide",
)
CLEAN = target(
    "adaptive-clipping-wide",
    KEPT,
    "Andrew, Thakkar, McMahan, Ramaswamy 2021, theorem 1, with a count that a record changes by 1",
)
AUDITS = (AdaptiveClipping(BROKEN, NARROW), AdaptiveClipping(CLEAN, WIDE))
