"""Trainings that put a generator back, or whose records have a gradient that is short or not finite: what is correct is
not accused, and noise that comes again is refuted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpaudit import Neighbours, PoissonSampled, SelfComposed, claim
from dpaudit.accounting.epsilon import epsilon_upper
from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.verdict import Outcome, Verdict

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")

COUNT, STEPS, RATE, CLIP, NOISE = 24, 3, 0.25, 0.25, 1.2
MECHANISM = SelfComposed(PoissonSampled(RATE, Gaussian(NOISE)), STEPS)
EPSILON = np.ceil(1e3 * epsilon_upper(MECHANISM, 1e-5, Neighbours.ADD_OR_REMOVE)) / 1e3
LABELS = np.random.default_rng(1).integers(3, size=COUNT)
RECORDS = np.random.default_rng(0).normal(size=(COUNT, 6)).astype(np.float32) + np.eye(3, 6, dtype=np.float32)[LABELS]
Features = Callable[[Any], Any]


class Model(torch.nn.Module):
    """One hidden layer with dropout, which is made again on the way back where `kept` is false."""

    def __init__(self, kept: bool = True) -> None:
        super().__init__()
        self.first, self.last, self.drop, self.kept = (
            torch.nn.Linear(6, 5),
            torch.nn.Linear(5, 3),
            torch.nn.Dropout(0.3),
            kept,
        )

    def hidden(self, x: Any) -> Any:
        return self.drop(self.first(x).relu())

    def forward(self, x: Any) -> Any:
        from torch.utils.checkpoint import checkpoint

        return self.last(self.hidden(x) if self.kept else checkpoint(self.hidden, x, use_reentrant=False))


def summed(model: Any, x: Any, y: Any, squared: bool = False) -> dict[str, Any]:
    """The sum of clipped gradients. squared: by the square of the norm."""
    total = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
    for i in range(len(x)):
        model.zero_grad()
        torch.nn.functional.cross_entropy(model(x[i : i + 1]), y[i : i + 1]).backward()
        own = {name: torch.nan_to_num(p.grad, nan=0.0, posinf=0.0, neginf=0.0) for name, p in model.named_parameters()}
        norm = float(torch.cat([g.flatten() for g in own.values()]).norm())
        factor = min(1.0, CLIP / (norm**2 if squared else norm)) if norm else 1.0
        for name, g in own.items():
            total[name] += factor * g
    return total


def as_they_are(x: Any) -> Any:
    return x


def trained(records: Any, watch: Any, way: str = "", features: Features = as_they_are, linear: bool = False) -> Any:
    model = torch.nn.Linear(6, 3) if linear else Model(kept=way != "checkpoint")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=RATE * COUNT)
    saved = torch.get_rng_state()
    for step in range(STEPS):
        if way == "fork":
            with torch.random.fork_rng(devices=[]):
                model(records.tensors(torch.arange(len(records)))[0])
        if way == "look":
            there = torch.get_rng_state()
            torch.randn(3)
            torch.set_rng_state(there)
        if way == "restart" and step == STEPS // 2:
            torch.set_rng_state(saved)
        x, y = records.tensors(torch.nonzero(torch.rand(len(records)) < RATE)[:, 0])
        total = summed(model, features(x), y, squared=way == "squared")
        for name, p in model.named_parameters():
            p.grad = (total[name] + torch.normal(0.0, NOISE * CLIP, p.shape)) / (RATE * COUNT)
        optimizer.step()
    return model


def audited(checked: bool = False, **ways: Any) -> Verdict:
    audit = TorchTraining(
        "mine/put-back",
        lambda records, watch: trained(records, watch, **ways),
        records=(RECORDS, LABELS),
        claim=claim(epsilon=EPSILON, delta=1e-5, neighbours=Neighbours.ADD_OR_REMOVE),
        mechanism=MECHANISM,
        trials=None,
        assumptions=Assumptions(shared_generators=True, random_batches=True, checked_records=checked),
    )
    return tiers.audit(audit_of(audit), Context(20261127, Level.SMOKE, 1e-6))


@pytest.mark.deep
@pytest.mark.parametrize("way", ["", "checkpoint", "fork", "look"])
def test_correct_code_that_puts_a_generator_back_is_consistent(way: str) -> None:
    """Dropout that is made again, a look in a fork, a state that is read and set."""
    assert audited(way=way).outcome is Outcome.CONSISTENT


@pytest.mark.deep
def test_a_restart_that_brings_the_noise_back_is_refuted() -> None:
    verdict = audited(way="restart")
    assert verdict.outcome is Outcome.REFUTED
    assert any(one.detail.startswith("fresh noise: ") for one in verdict.evidence if one.outcome is Outcome.REFUTED)


@pytest.mark.deep
@pytest.mark.usefixtures("every_candidate")
@pytest.mark.parametrize(
    "features",
    [lambda x: x / x.norm(dim=1, keepdim=True), lambda x: x / x.std(dim=1, keepdim=True), lambda x: x.abs().log()],
    ids=["unit rows", "standardised rows", "logarithms"],
)
def test_features_that_a_blank_record_does_not_have_accuse_nobody(features: Features) -> None:
    """0/0 and log(0): who promises checked records is not refuted for a record of zeros."""
    assert audited(checked=True, features=features).outcome is Outcome.CONSISTENT


@pytest.mark.usefixtures("every_candidate")
def test_a_square_that_is_taken_for_a_norm_shows_with_a_blank_record() -> None:
    verdict = audited(way="squared", linear=True)
    assert verdict.outcome is Outcome.REFUTED
    assert any(one.detail.startswith("sensitivity: ") for one in verdict.evidence if one.outcome is Outcome.REFUTED)
