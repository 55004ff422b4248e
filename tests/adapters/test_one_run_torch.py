"""Canaries in the gradients of one torch training, wherever its noise is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpaudit import claim
from dpaudit.adapters.one_run import TorchOneRun
from dpaudit.audit import tiers
from dpaudit.audit.game.play_canaries import play_one_run, play_without_noise
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours
from dpaudit.records.verdict import Outcome, Verdict

torch = pytest.importorskip("torch")

CONTEXT = Context(seed=3, level=Level.SMOKE, alpha=1e-4)
STEPS, WIDTH, SIZE, NOISE = 16, 800, 60, 8.0
MU = STEPS**0.5 / NOISE
RNG = np.random.default_rng(0)
RECORDS = (RNG.normal(size=(SIZE, WIDTH)), RNG.integers(0, 2, size=SIZE))
Train = Callable[[Any, Any], object]


def summed(weights: Any, inputs: Any, labels: Any) -> Any:
    """The sum of the gradients of a logistic regression, each clipped to 1."""
    own = (torch.sigmoid(inputs @ weights.detach()) - labels)[:, None] * inputs
    return (own / own.norm(dim=1, keepdim=True).clamp(min=1.0)).sum(dim=0)


def between(factor: float, rate: float = 1.0, adam: bool = False) -> Train:
    """Noise between the steps, `factor` of what is declared; each record is in a batch with probability `rate`."""

    def train(records: Any, watch: Any) -> None:
        weights, size = torch.nn.Parameter(torch.zeros(WIDTH)), SIZE * rate
        optimizer = torch.optim.Adam([weights]) if adam else torch.optim.SGD([weights], lr=0.5)
        release = "gradient" if adam else "update"
        watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=size, release=release)
        for _ in range(STEPS):
            chosen = torch.nonzero(torch.rand(len(records)) < rate)[:, 0]
            total = summed(weights, *records.tensors(chosen))
            weights.grad = (total + torch.normal(0.0, factor * NOISE, (WIDTH,))) / size
            optimizer.step()

    return train


def inside(factor: float) -> Train:
    """Noise in the steps, as Opacus draws it."""

    class Noisy(torch.optim.SGD):  # type: ignore[misc,name-defined]
        def step(self, closure: Any = None) -> None:
            [weights] = self.param_groups[0]["params"]
            weights.grad = (weights.grad + torch.normal(0.0, factor * NOISE, (WIDTH,))) / SIZE
            super().step()

    def train(records: Any, watch: Any) -> None:
        weights = torch.nn.Parameter(torch.zeros(WIDTH))
        optimizer = Noisy([weights], lr=0.5)
        watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=SIZE)
        for _ in range(STEPS):
            weights.grad = summed(weights, *records.tensors())
            optimizer.step()

    return train


def once(train: Train, **options: Any) -> Any:
    given = {"claim": claim(mu=MU, quoted_delta=1e-5), "records": RECORDS, "canaries": 800} | options
    return audit_of(TorchOneRun("test/torch-once", train, **given))


def audit(train: Train, **options: Any) -> Verdict:
    return tiers.audit(once(train, **options), CONTEXT)


@pytest.mark.parametrize("made", [between, inside])
@pytest.mark.parametrize("relation", [Neighbours.ZERO_OUT, Neighbours.REPLACE_ONE])
def test_an_eighth_of_the_noise_is_refuted_and_the_claimed_one_is_not(
    made: Callable[[float], Train], relation: Neighbours
) -> None:
    mu = MU * (2 if relation is Neighbours.REPLACE_ONE else 1)  # twice the clipping norm
    given = claim(mu=mu, quoted_delta=1e-5, neighbours=relation)
    kept = audit(made(1.0), claim=given)
    found: dict[str, Any] = dict(kept.numbers)
    assert kept.outcome is Outcome.CONSISTENT
    assert "the same training without its noise is refuted" in kept.evidence[0].detail
    assert 0.5 * mu < found["mu_if_canaries_are_independent_and_alike"] < mu
    assert audit(made(1 / 8), claim=given).outcome is Outcome.REFUTED


def test_optimisers_that_keep_a_state_and_random_batches_have_canaries_too() -> None:
    assert audit(between(1 / 8, adam=True)).outcome is Outcome.REFUTED
    mechanism = SelfComposed(PoissonSampled(0.5, Gaussian(NOISE)), STEPS)
    given = {"claim": claim(epsilon=2.0, delta=1e-5), "mechanism": mechanism, "rate": 0.5}
    assert audit(between(1.0, rate=0.5), **given).outcome is Outcome.CONSISTENT
    assert audit(between(1 / 8, rate=0.5), **given).outcome is Outcome.REFUTED


@pytest.mark.parametrize("made", [between, inside])
def test_without_its_noise_a_training_gives_every_canary_away(made: Callable[[float], Train]) -> None:
    subject = once(made(1.0), canaries=400)
    played, silenced = play_one_run(subject, CONTEXT), play_without_noise(subject, CONTEXT)
    assert 0.5 < ((played.scores > 0) == played.included).mean() < 0.7  # mu is 0.5
    assert np.array_equal(silenced.scores > 0, silenced.included)


def test_the_training_goes_on_with_the_canaries() -> None:
    """In each of the two trainings that tell noise between the steps from the statistic."""
    ends: list[Any] = []

    def train(records: Any, watch: Any) -> None:
        weights = torch.nn.Parameter(torch.zeros(WIDTH))
        optimizer = torch.optim.SGD([weights], lr=1.0)
        watch(optimizer, clip_norm=100.0, noise_multiplier=1.0, batch_size=1)
        for _ in range(2):
            records.tensors()
            weights.grad = torch.normal(0.0, 1.0, (WIDTH,))
            optimizer.step()
            ends.append(weights.detach().abs().numpy() > 50)

    played = play_one_run(once(train, canaries=WIDTH, claim=claim(mu=200.0)), CONTEXT)
    heard, recorded = ends[-4], ends[-2]
    assert np.array_equal(heard, played.included)
    assert np.array_equal(recorded, played.included)


@pytest.mark.parametrize(
    ("train", "words"),
    [
        (between(0.0), "no noise that is seen: .* Training and TorchTraining find"),
        (lambda records, watch: None, "train never called watch"),
    ],
)
def test_trainings_that_cannot_have_canaries_say_so(train: Train, words: str) -> None:
    with pytest.raises(ContentError, match=words):
        play_one_run(once(train), CONTEXT)
