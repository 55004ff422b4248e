"""What a torch training does with gradients whose noise was added: as private as before, and not what is declared."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from depth import pairs

from dpaudit import claim
from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome, Verdict

torch = pytest.importorskip("torch")

STEPS, NOISE, SIZE, WIDTH = 4, 4.0, 40, 12
RECORDS = 2 * np.random.default_rng(0).normal(size=(SIZE, WIDTH)).astype(np.float32)
Way = Callable[[dict[str, Any], Any], Any]


def as_it_is(kept: dict[str, Any], noisy: Any) -> Any:
    return noisy


def momentum(kept: dict[str, Any], noisy: Any) -> Any:
    kept["sum"] = 0.9 * kept.get("sum", 0.0) + noisy
    return kept["sum"]


def average(kept: dict[str, Any], noisy: Any) -> Any:
    kept["mean"] = 0.9 * kept.get("mean", 0.0) + 0.1 * noisy
    return kept["mean"]


def filtered(kept: dict[str, Any], noisy: Any) -> Any:
    before, kept["last"] = kept.get("last", noisy), noisy
    return (before + noisy) / 2


def weak_average(kept: dict[str, Any], noisy: Any) -> Any:
    kept["sum"] = 0.15 * kept.get("sum", 0.0) + noisy
    return kept["sum"]


def masked_momentum(kept: dict[str, Any], noisy: Any) -> Any:
    return momentum(kept, noisy) * (torch.rand_like(noisy) < 0.5)


def masked(kept: dict[str, Any], noisy: Any) -> Any:
    return noisy * (torch.arange(WIDTH) % 2)


def masked_by_coins(kept: dict[str, Any], noisy: Any) -> Any:
    return noisy * (torch.rand_like(noisy) < 0.5)


def largest(kept: dict[str, Any], noisy: Any) -> Any:
    return noisy * (noisy.abs() >= noisy.abs().median())


def clipped(kept: dict[str, Any], noisy: Any) -> Any:
    return noisy / max(1.0, float(noisy.norm()) / 0.3)


def clamped(kept: dict[str, Any], noisy: Any) -> Any:
    return noisy.clamp(-0.1, 0.1)


def signs(kept: dict[str, Any], noisy: Any) -> Any:
    return noisy.sign()


def normalised(kept: dict[str, Any], noisy: Any) -> Any:
    return noisy / noisy.norm()


def scaled(kept: dict[str, Any], noisy: Any) -> Any:
    return noisy / 3


AVERAGED = (momentum, average, filtered, weak_average, masked_momentum)
MASKED = (masked, masked_by_coins)
NO_SUM = (largest, clipped, clamped, signs, normalised)


def clean_sum(records: Any, weights: Any) -> Any:
    own = weights.detach() - records.tensors()
    return (own / own.norm(dim=1, keepdim=True).clamp(min=1.0)).sum(dim=0)


def noise_of(total: Any, factor: float = 1.0) -> Any:
    return torch.normal(0.0, factor * NOISE, total.shape)


def added(total: Any) -> Any:
    return total + noise_of(total)


def half(total: Any) -> Any:
    return total + noise_of(total, 0.5)


def between(records: Any, watch: Any, way: Way, add: Callable[[Any], Any] = added, kind: Any = torch.float32) -> Any:
    """Noise, and what is done with it, between the steps; kind: of the weights."""
    weights, kept = torch.nn.Parameter(torch.zeros(WIDTH, dtype=kind)), {}  # type: ignore[var-annotated]
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=SIZE)
    for _ in range(STEPS):
        weights.grad = way(kept, add(clean_sum(records, weights)) / SIZE).clone().to(kind)
        optimizer.step()
    return {"weights": weights}


class Noisy(torch.optim.SGD):
    """Noise, and what is done with it, in the step."""

    def __init__(self, parameters: Any, way: Way, add: Callable[[Any], Any]) -> None:
        super().__init__(parameters, lr=0.5)
        self.way, self.add = way, add

    def step(self, closure: Any = None) -> Any:
        for p in self.param_groups[0]["params"]:
            p.grad = self.way(self.state[p], self.add(p.grad) / SIZE).clone().to(p.dtype)
        return super().step(closure)


def in_the_step(
    records: Any,
    watch: Any,
    way: Way,
    add: Callable[[Any], Any] = added,
    release: str = "update",
    kind: Any = torch.float32,
) -> Any:
    weights = torch.nn.Parameter(torch.zeros(WIDTH, dtype=kind))
    optimizer = Noisy([weights], way, add)
    watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=SIZE, release=release)
    for _ in range(STEPS):
        weights.grad = clean_sum(records, weights).to(kind)
        optimizer.step()
    return {"weights": weights}


def audited(train: Any, pair: Any = None) -> Verdict:
    clean = Assumptions(checked_records=True, shared_generators=True)
    data = {"records": RECORDS} if pair is None else {"pair": pair}
    given = {**data, "claim": claim(mu=STEPS**0.5 / NOISE), "trials": None, "assumptions": clean}
    return tiers.audit(audit_of(TorchTraining("test/after", train, **given)), Context(3, Level.SMOKE, 1e-4))


def told(verdict: Verdict, outcome: Outcome) -> dict[str, str]:
    """Check and detail of the evidence with this outcome."""
    found = (one.detail.partition(": ") for one in verdict.evidence if one.outcome is outcome)
    return {check: detail for check, _, detail in found}


PLACES: dict[str, Callable[..., Any]] = {
    "between": between,
    "in step": in_the_step,
    "gradient": partial(in_the_step, release="gradient"),
}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("way", "place"), pairs([as_it_is, scaled, *MASKED, *NO_SUM], PLACES))
def test_what_is_made_of_noisy_gradients_is_not_refuted(way: Way, place: str) -> None:
    verdict = audited(partial(PLACES[place], way=way))
    assert told(verdict, Outcome.REFUTED) == {}
    assert verdict.outcome is (Outcome.CONSISTENT if way is as_it_is else Outcome.INCONCLUSIVE)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("add", "outcome"), [(added, Outcome.CONSISTENT), (half, Outcome.REFUTED)])
def test_noise_in_float32_on_weights_in_float64(add: Callable[[Any], Any], outcome: Outcome, place: str) -> None:
    """It is drawn in the default type, so that a replay repeats no more than its digits."""

    def single(total: Any) -> Any:
        return add(total.float())

    verdict = audited(partial(PLACES[place], way=as_it_is, add=single, kind=torch.float64))
    assert verdict.outcome is outcome
    assert set(told(verdict, Outcome.REFUTED)) <= {"noise scale", "noise law"}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16])
def test_weights_that_are_rounded_coarsely(kind: Any) -> None:
    """They cannot be audited where they are trained, and may stand beside those that are."""
    verdict = audited(partial(between, way=as_it_is, kind=kind))
    assert verdict.outcome is Outcome.ERROR
    assert f"the parameters that are trained are {kind}" in verdict.evidence[0].detail
    assert "audit the same training in float32, model.float()" in verdict.evidence[0].detail

    def beside(records: Any, watch: Any) -> Any:
        return {**between(records, watch, as_it_is), "frozen": torch.full((3,), 0.3, dtype=kind)}

    assert audited(beside).outcome is Outcome.CONSISTENT


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("way", AVERAGED)
def test_averages_of_noisy_gradients_are_not_refuted(way: Way) -> None:
    verdict = audited(partial(between, way=way))
    assert told(verdict, Outcome.REFUTED) == {}
    why = told(verdict, Outcome.INCONCLUSIVE)["sensitivity" if way is weak_average else "noise scale"]
    assert "averaged or filtered after their noise was added; to settle it: audit with Training" in why


def test_momentum_in_the_state_of_the_optimiser_is_replayed() -> None:
    assert audited(partial(in_the_step, way=momentum)).outcome is Outcome.CONSISTENT


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("way", "place"), pairs([as_it_is, scaled, *MASKED], PLACES))
def test_half_of_the_noise_is_refuted_behind_masks_and_scales_too(way: Way, place: str) -> None:
    assert "noise scale" in told(audited(partial(PLACES[place], way=way, add=half)), Outcome.REFUTED)


def partly(total: Any) -> Any:
    """The noise is masked, the statistic is not."""
    return total + noise_of(total) * (torch.arange(WIDTH) % 2)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("place", PLACES)
def test_coordinates_that_have_no_noise_and_move_are_refuted(place: str) -> None:
    found = told(audited(partial(PLACES[place], way=as_it_is, add=partly)), Outcome.REFUTED)
    assert {"un-noised outputs", "noise scale"} <= set(found)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("release", ["update", "gradient"])
def test_noise_on_what_the_records_move_is_no_mask(release: str) -> None:
    """Which coordinates these are is private: one record alone moves the second one."""

    def on_what_is_there(total: Any) -> Any:
        return total + noise_of(total) * (total != 0)

    def train(records: Any, watch: Any) -> Any:
        weights = torch.nn.Parameter(torch.zeros(WIDTH))
        optimizer = Noisy([weights], as_it_is, on_what_is_there)
        watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=SIZE, release=release)
        for _ in range(STEPS):
            weights.grad = records.tensors().sum(dim=0)
            optimizer.step()
        return {"weights": weights}

    shared = np.zeros((SIZE, WIDTH), dtype=np.float32)
    shared[:, 0], shared[-1, :2] = 1.0, (0.0, 1.0)
    assert "noise scale" in told(audited(train, (shared, shared[:-1])), Outcome.REFUTED)


@pytest.mark.parametrize("way", AVERAGED[:2])
def test_an_average_does_not_explain_coordinates_without_noise(way: Way) -> None:
    assert "un-noised outputs" in told(audited(partial(between, way=way, add=partly)), Outcome.REFUTED)


@pytest.mark.parametrize("way", AVERAGED[:2])
def test_an_average_does_not_explain_records_that_are_not_clipped(way: Way) -> None:
    def train(records: Any, watch: Any) -> Any:
        def own(total: Any) -> Any:
            return added(20 * total)

        return between(records, watch, way, own)

    assert "sensitivity" in told(audited(train), Outcome.REFUTED)


def truncated(total: Any) -> Any:
    return total + noise_of(total).clamp(-NOISE, NOISE)


def rounded(total: Any) -> Any:
    return total + (noise_of(total) / NOISE).round() * NOISE


def of_one_size(total: Any) -> Any:
    return total + NOISE * noise_of(total).sign()


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("add", [truncated, rounded, of_one_size])
@pytest.mark.parametrize("release", ["update", "gradient"])
def test_noise_of_another_law_is_not_something_that_is_done_to_it(add: Callable[[Any], Any], release: str) -> None:
    verdict = audited(partial(in_the_step, way=as_it_is, add=add, release=release))
    assert "noise law" in told(verdict, Outcome.REFUTED)


class Clamped(Noisy):
    """Keeps the weights in a box, which they leave now and then."""

    def step(self, closure: Any = None) -> Any:
        found = super().step(closure)
        for p in self.param_groups[0]["params"]:
            p.data.clamp_(-0.15, 0.15)
        return found


@pytest.mark.parametrize("add", [added, half])
def test_steps_that_are_no_sum_explain_no_others(add: Callable[[Any], Any]) -> None:
    def train(records: Any, watch: Any) -> Any:
        weights = torch.nn.Parameter(torch.zeros(WIDTH))
        optimizer = Clamped([weights], as_it_is, add)
        watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=SIZE)
        for _ in range(STEPS):
            weights.grad = clean_sum(records, weights)
            optimizer.step()
        return {"weights": weights}

    found = told(audited(train), Outcome.REFUTED)
    assert ("noise scale" in found) if add is half else not found


@pytest.mark.deep
def test_a_parameter_without_noise_is_not_explained_by_another_one_that_is_clipped() -> None:
    def train(records: Any, watch: Any) -> Any:
        weights, bare = (torch.nn.Parameter(torch.zeros(WIDTH)) for _ in range(2))
        optimizer = Noisy([weights, bare], clipped, lambda total: total if total is bare.grad else added(total))
        watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=SIZE)
        for _ in range(STEPS):
            weights.grad, bare.grad = clean_sum(records, weights), clean_sum(records, bare)
            optimizer.step()
        return {"weights": weights, "bare": bare}

    assert "un-noised outputs" in told(audited(train), Outcome.REFUTED)


@pytest.mark.parametrize(("add", "checks"), [(added, {"sensitivity"}), (half, {"sensitivity", "noise scale"})])
def test_momentum_over_gradients_without_noise_is_refuted(add: Callable[[Any], Any], checks: set[str]) -> None:
    """Its steps share their statistics, and not their noise."""

    def train(records: Any, watch: Any) -> Any:
        kept: dict[str, Any] = {}
        return between(records, watch, as_it_is, lambda total: add(momentum(kept, total)))

    assert set(told(audited(train), Outcome.REFUTED)) >= checks


@pytest.mark.parametrize("way", [as_it_is, momentum])
def test_noise_that_is_used_again_is_refuted(way: Way) -> None:
    def train(records: Any, watch: Any) -> Any:
        drawn: list[Any] = []

        def again(total: Any) -> Any:
            drawn.append(noise_of(total) if not drawn else drawn[0])
            return total + drawn[0]

        return between(records, watch, way, again)

    assert "fresh noise" in told(audited(train), Outcome.REFUTED)
