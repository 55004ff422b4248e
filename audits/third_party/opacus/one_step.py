"""One step of Opacus: a divisor that is private, and batches in order where Poisson sampling is accounted for.

What: one step of linear regression on 1,000 features by `PrivacyEngine.make_private`. Opacus scales the noisy sum by
`int(len(dataset) / len(loader))`, and `len(loader)` is the number of records over the batch size, rounded up.
Why: noise of d coordinates shows its scale to about 1/sqrt(2d), so that a divisor that changes with one record shows
that record, however large the noise multiplier. Issues 571 and 819 report it for a handful of records. It is not about
few records: with batches of 100, record number 1,001 turns the divisor from 100 into 91. With batches of one record,
49 records give int(49 * (1/49)) = 0, and a gradient that is infinite. With `poisson_sampling=False` the accountant
still takes batches for Poisson ones; the documentation calls that "a good approximation".
Worst-case neighbours: one record more, all records at random; for the other configurations the canary record or the
empty one in its place, or one record more with the sum in the place of the mean.
The adversary sees the noisy gradient as the optimiser leaves it in `weight.grad`.
The FAQ of Opacus has neighbours "that differ in a single example", one of them "without your data", and its adaptive
clipping says "Privacy definition is for add/remove DP"; its accountants are those of that relation. Where the number of
records is public, which its maintainers consider in issue 571, the canary against the empty record is the right pair.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.randomness import frozen
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

FEATURES = 1_000
SOURCE = "Opacus 1.6.0, PrivacyEngine.make_private and its accountants, which state {} after this step"
SCALE = "the scale of the first update tells whether a record is there: epsilon above 4 for a stated {}"
ORDER = "against documented advice: epsilon 4.38 for a stated 1.03, after one step on the batch that holds the record"
KEPT = "a record shows itself more than the noise multiplier promises"


def shorter(outputs: Array, data: Array, neighbour: Array) -> Array:
    """Finite and short: a larger divisor."""
    return np.asarray(1e6 * outputs[:, 0] - outputs[:, 1])


def longer(outputs: Array, data: Array, neighbour: Array) -> Array:
    """A smaller divisor."""
    return outputs[:, 1]


def along_the_canary(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The canary pulls its feature down."""
    return -outputs[:, 2]


@dataclass(frozen=True)
class Configuration:
    """One step of Opacus. The adversary sees the noisy gradient. records, fewer: of the data set and its neighbour."""

    TARGET: Target
    records: int
    fewer: int
    batch_size: int
    noise_multiplier: float
    loss_reduction: str = "mean"
    poisson: bool = True
    ATTACKS: ClassVar[dict[str, Any]] = {"shorter": shorter, "longer": longer, "along the canary": along_the_canary}

    def neighbours(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Random records of length 1 and the canary, along a feature of its own, last; without it, or, where both have
        as many records, in front and with the empty record in its place."""
        rows = rng.normal(size=(self.records, FEATURES))
        rows[:, 0] = 0.0
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        place = 0 if self.fewer == self.records else -1
        rows[place] = 100.0 * np.eye(FEATURES)[0]
        other = rows[: self.fewer].copy()
        if place == 0:
            other[place] = 0.0
        return rows, other

    def run(self, data: Array, trials: Trials) -> Array:
        """Is the noisy gradient finite, its norm, its first coordinate; the last two 0 if it is not. (trials, 3)."""
        with one_thread(), frozen(0), warnings.catch_warnings():  # loader and layer draw from torch's generator
            warnings.simplefilter("ignore")  # secure generators are off, inputs need no gradients
            step = self._trainer(data)
            released = np.stack([step(int(seed)) for seed in trials.seeds()])
        finite = np.isfinite(released).all(axis=1)
        shown = np.where(finite[:, None], released, 0.0)
        return np.stack([finite, np.linalg.norm(shown, axis=1), shown[:, 0]], axis=1)

    def _trainer(self, rows: Array) -> Callable[[int], Array]:
        """A function that makes one step from zero weights with the randomness of a seed."""
        import torch
        from opacus import PrivacyEngine
        from torch.utils.data import DataLoader, TensorDataset

        plain = torch.nn.Linear(FEATURES, 1, bias=False)
        noise, sampling = torch.Generator(), torch.Generator()
        records = TensorDataset(torch.tensor(rows, dtype=torch.float32), torch.ones(len(rows), 1))
        model, optimizer, loader = PrivacyEngine().make_private(
            module=plain,
            optimizer=torch.optim.SGD(plain.parameters(), lr=1.0),
            data_loader=DataLoader(records, batch_size=self.batch_size, generator=sampling),
            noise_multiplier=self.noise_multiplier,
            max_grad_norm=1.0,
            loss_reduction=self.loss_reduction,
            poisson_sampling=self.poisson,
            noise_generator=noise,
        )
        loss = torch.nn.MSELoss(reduction=self.loss_reduction)

        def step(seed: int) -> Array:
            noise.manual_seed(seed & 0xFFFFFFFF)
            sampling.manual_seed(seed >> 32)
            plain.weight.data.zero_()
            batch, targets = next(iter(loader))
            optimizer.zero_grad()
            loss(model(batch), targets).backward()
            optimizer.step()
            return np.asarray(plain.weight.grad[0].double().numpy())

        return step


@contextmanager
def one_thread() -> Iterator[None]:
    """Matrices this small wait for other threads longer than they compute."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def target(name: str, title: str, guarantee: Guarantee, stated: str, **more: Any) -> Target:
    """A target of this file; of another relation than adding or removing where `neighbours` says so."""
    relation = more.pop("neighbours", Neighbours.ADD_OR_REMOVE)
    return Target(
        name=f"opacus/{name}",
        title=title,
        view=View.GRADIENTS,
        claim=PrivacyClaim(guarantee, relation, delta=1e-5, source=SOURCE.format(stated)),
        needs=(("opacus", "third-party"), ("torch", "third-party")),
        optional=True,
        from_level=Level.STANDARD,
        **more,
    )


SAMPLED: Mechanism = PoissonSampled(0.1, Gaussian(10.0))
ONE_IN_TWENTY: Mechanism = PoissonSampled(0.05, Gaussian(1.0))
BROKEN: dict[str, Any] = {"trials": TrialPlan(300, 1_000, 10_000), "expects": Outcome.REFUTED}
CLEAN: dict[str, Any] = {"trials": TrialPlan(1_500, 6_000, 100_000), "effect": KEPT}


def divisors() -> Iterator[Configuration]:
    """Three numbers of records that show, and two configurations in which the number does not matter."""
    few = target("divisor-of-three", "Opacus, three records or two", GaussianDP(0.1), "mu = 0.1",
                 effect=SCALE.format(0.34), repair="opacus/sum-of-three", **BROKEN)  # fmt: skip
    yield Configuration(few, records=3, fewer=2, batch_size=3, noise_multiplier=10.0)
    summed = target("sum-of-three", "Opacus with loss_reduction='sum', three records or two", GaussianDP(0.5),
                    "mu = 0.5", truth=Gaussian(2.0), **CLEAN)  # fmt: skip
    yield Configuration(summed, 3, 2, batch_size=3, noise_multiplier=2.0, loss_reduction="sum")
    many = target("divisor-of-a-thousand", "Opacus, batches of 100 of 1,001 records or of 1,000",
                  ApproximateDP(0.0313, 1e-5), "epsilon = 0.0313 at delta 1e-5", claimed_mechanism=SAMPLED,
                  effect=SCALE.format(0.03), repair="opacus/known-size", **BROKEN)  # fmt: skip
    yield Configuration(many, records=1_001, fewer=1_000, batch_size=100, noise_multiplier=10.0)
    single = target("divisor-of-zero", "Opacus, batches of one of 50 records or of 49", ApproximateDP(0.01, 1e-5),
                    "epsilon below 0.01 at delta 1e-5", effect=SCALE.format(0.01), repair="opacus/known-size",
                    **BROKEN)  # fmt: skip
    yield Configuration(single, records=50, fewer=49, batch_size=1, noise_multiplier=10.0)
    known = target("known-size", "Opacus, three records, the canary or the empty one", GaussianDP(0.5), "mu = 0.5",
                   neighbours=Neighbours.ZERO_OUT, truth=Gaussian(2.0), **CLEAN)  # fmt: skip
    yield Configuration(known, records=3, fewer=3, batch_size=3, noise_multiplier=2.0)


def orders() -> Iterator[Configuration]:
    """Twenty batches of one record, the first step: in the order of the loader, and Poisson."""
    stated = (ApproximateDP(1.0328, 1e-5), "epsilon = 1.04 (prv) at delta 1e-5")
    ordered = target("in-order", "Opacus with poisson_sampling=False, the first of 20 batches in order", *stated,
                     neighbours=Neighbours.ZERO_OUT, claimed_mechanism=ONE_IN_TWENTY, truth=Gaussian(1.0), effect=ORDER,
                     trials=TrialPlan(2_000, 10_000, 100_000), expects=Outcome.REFUTED,
                     repair="opacus/poisson-step")  # fmt: skip
    yield Configuration(ordered, 20, 20, batch_size=1, noise_multiplier=1.0, poisson=False)
    sampled = target("poisson-step", "Opacus, the first of 20 Poisson batches", *stated, neighbours=Neighbours.ZERO_OUT,
                     claimed_mechanism=ONE_IN_TWENTY, truth=ONE_IN_TWENTY, **CLEAN)  # fmt: skip
    yield Configuration(sampled, 20, 20, batch_size=1, noise_multiplier=1.0)


AUDITS = (*divisors(), *orders())
