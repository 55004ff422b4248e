"""Record and replay of our own algorithms: what is covered, that it holds, and that planted bugs are seen."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.checks import (
    calls,
    freshness,
    noise_law,
    noise_scale,
    outputs,
    public_values,
    sensitivity,
)
from dpaudit.audit.structural.measures import distance
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.content.loading import load_algorithms
from dpaudit.content.places import PACKAGE
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses
from dpaudit.problems.domains import ball
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches
from dpaudit.sampling.coordinates import tau_nice

ALPHA = 1e-6
"""False-alarm probability of each statistical check below."""

RECORDS, DIMENSION, STEPS, ENOUGH = 6, 4, 48, 640
START, SMALL = (0.0,) * DIMENSION, ball(0.5, (0.0,) * DIMENSION)
ALL, HALF = Batches("all records", RECORDS, RECORDS), Batches("without replacement", RECORDS, 3)
PASS = Batches("in order", RECORDS, 1)
GROWING = tuple(1.0 + 0.3 * t for t in range(STEPS + 1))
FAR = 50.0
"""Norm of the record that clipping has to bound."""


def module_of(name: str) -> ModuleType:
    """The algorithm in the folder `name` of any paper."""
    (found,) = (PACKAGE / "algorithms").glob(f"*/{name}/__init__.py")
    return importlib.import_module(f"dpaudit.algorithms.{found.parts[-3]}.{name}")


class Instance(NamedTuple):
    """name: of the algorithm's file; params; norm: of the record in which the neighbours differ; changed: its number;
    replaced: by its opposite, else by the empty record; unclipped: how clipping is switched off, None where the records
    themselves are bounded."""

    name: str
    params: dict[str, Any]
    norm: float
    replaced: bool
    unclipped: dict[str, Any] | None = None
    changed: int = 2

    @property
    def module(self) -> ModuleType:
        return module_of(self.name)

    @property
    def made(self) -> Any:
        return self.module.Params(**self.params)


def sgd(batches: Batches, replaced: bool, steps: int = STEPS, **more: Any) -> Instance:
    params = {"start": START, "step_sizes": (0.1,) * steps, "batches": batches, "noise": 0.3, "lipschitz": 1.0}
    return Instance("dp_sgd", params | {"clip_norm": 1.0} | more, FAR, replaced, {"clip_norm": None})


def srgd(name: str, batches: Batches, **params: Any) -> Instance:
    common = {"batches": batches, "noise": 0.4, "lipschitz": 1.0, "clip_norm": 1.0}
    return Instance(name, common | params, FAR, False, {"clip_norm": None})


def blocks(name: str, **params: Any) -> Instance:
    common = {"start": START, "epochs": STEPS // 2, "inner_steps": 2, "records": RECORDS}
    return Instance(name, common | params, 1.0, True)


def zeroth(name: str, **params: Any) -> Instance:
    common = {"start": START, "steps": STEPS, "step_size": 0.1, "perturbation": 0.1, "clip_norm": 1.0, "noise": 0.4}
    return Instance(name, common | params, 10 * FAR, True, {"clip_norm": 1e9})


INSTANCES = {
    "DP-SGD, all records": sgd(ALL, replaced=False),
    "DP-SGD, Poisson, a ball": sgd(Batches("Poisson", RECORDS, 3), replaced=False, domain=SMALL),
    "DP-SGD, subsets, the mean": sgd(HALF, replaced=True, output="mean"),
    "DP-SGD, with replacement": sgd(Batches("with replacement", RECORDS, 3), replaced=True, output="uniform"),
    "DP-SGD, one pass": sgd(Batches("in order", RECORDS, 2), replaced=False, steps=3),
    "DP-GD": blocks("dp_gd", step_sizes=(0.1,) * 4, noise=0.3, lipschitz=1.0),
    "DP-CD": blocks("dp_cd", step_sizes=(0.1,) * 4, noise_scales=(0.3, 0.2, 0.4, 0.5), lipschitz=(0.6, 0.3, 0.3, 0.8)),
    "DP-SkGD": blocks(
        "dp_skgd", step_sizes=(0.1,) * 4, sampler=tau_nice(4, 2), noise_scales=(0.3,) * 6, lipschitz=(1.0,) * 6
    ),
    "DP-SVRG": blocks("dp_svrg", step_size=0.1, noise=2.0, lipschitz=1.0),
    "coordinates": Instance(
        "coordinate_gaussian",
        {"point": START, "chosen": (1.0, 0.0, 0.0, 1.0), "noise": 0.3, "lipschitz": 1.0, "records": RECORDS},
        1.0,
        True,
    ),
    "DP-SRM": Instance(
        "dp_srm",
        {"start": START, "steps": STEPS, "records": RECORDS, "first_batch": RECORDS, "batch": 3, "momentum": 0.2}
        | {"accuracy": 0.5, "divisor": 1.0, "smoothness": 1.0, "lipschitz": 1.0, "first_noise": 0.3, "noise": 0.2}
        | {"gradient_clip": 1.0, "difference_clip": 0.5},
        FAR,
        True,
        {"gradient_clip": 1e9, "difference_clip": 1e9},
    ),
    "DPZero, scalar noise": zeroth("dpzero", records=RECORDS, domain=SMALL),
    "DPZero, isotropic noise": zeroth("dpzero", records=RECORDS, noise_kind="isotropic"),
    "Noisy-ZOGD": zeroth("noisy_zogd", batches=ALL, directions=2, domain=SMALL, steps=160),
    "Noisy-ZOGD, noise on the directions": zeroth(
        "noisy_zogd", batches=HALF, directions=2, variance_share=1.0, frame="independent"
    ),
    "phased SGD": Instance(
        "phased_sgd",
        {"start": START, "records": RECORDS, "step_size": 0.2, "noise": 1.0, "lipschitz": 1.0, "smoothness": 0.0},
        1.0,
        False,
        changed=0,
    ),
    "RRPSGD": Instance(
        "rrpsgd",
        {"start": START, "step_sizes": (0.1,) * (STEPS + 1), "records": RECORDS, "noise": 0.4, "lipschitz": 1.0}
        | {"smoothness": 1.0, "clip_norm": 1.0},
        FAR,
        True,
        {"clip_norm": None},
    ),
    "DP-FTRL": srgd("dp_ftrl", ALL, start=START, step_sizes=(0.1,) * STEPS, domain=SMALL),
    "DP-FTRL, one pass": srgd("dp_ftrl", PASS, start=START, step_sizes=(0.1,) * 6),
    "prefix sums": srgd("prefix_noise", PASS, point=START, steps=6),
    "Accelerated-DP-SRGD": srgd("accelerated_dp_srgd", ALL, dimension=4, weights=GROWING, scaling=5.0, domain=SMALL),
    "Accelerated-DP-SRGD, one pass": srgd(
        "accelerated_dp_srgd", PASS, dimension=4, weights=GROWING[:7], scaling=5.0, factorisation="square root"
    ),
    "DP-SRGD": srgd("unaccelerated_dp_srgd", ALL, dimension=4, weights=GROWING[1:], scaling=5.0, domain=SMALL),
    "online to batch": srgd("online_to_batch", PASS, dimension=4, weights=GROWING[1:7], step_sizes=(0.1,) * 6),
    "independent gradients": srgd("independent_gradients", ALL, dimension=4, weights=GROWING, scaling=5.0),
}


def pair_of_problems(case: Instance, norm: float | None = None) -> tuple[Any, Any]:
    """Linear losses of norm 1, but for one record along (3, 0, 0, 4), which the neighbour turns around or empties."""
    rows = np.random.default_rng(5).normal(size=(RECORDS, DIMENSION))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    here, there = rows.copy(), rows.copy()
    here[case.changed] = np.array([0.6, 0.0, 0.0, 0.8]) * (case.norm if norm is None else norm)
    there[case.changed] = -here[case.changed] if case.replaced else 0.0
    return losses.linear(here), losses.linear(there)


def record(case: Instance, seed: int = 3, norm: float | None = None) -> tuple[str, Recording, Recording]:
    """A label, one run, and its replay on the neighbour."""
    here, there = pair_of_problems(case, norm)
    first = Recorder(seed=seed)
    stepwise.instrument(case.module, case.made, here, first, case.changed)
    again = Recorder(first.recording(), seed=seed)
    stepwise.instrument(case.module, case.made, there, again, case.changed)
    return "neighbour", first.recording(), again.recording()


_HONEST: dict[int, tuple[str, Recording, Recording]] = {}


def honest(case: Instance) -> tuple[str, Recording, Recording]:
    """`record` of the algorithm as it is, made once."""
    return _HONEST.setdefault(id(case), _HONEST.get(id(case)) or record(case))


def noises(case: Instance) -> Recording:
    """The releases of as many runs as it takes to have `ENOUGH` noise coordinates."""
    found: list[Any] = []
    while sum(np.size(release.noise) for release in found) < ENOUGH:
        recorder = Recorder(seed=len(found))
        stepwise.instrument(case.module, case.made, pair_of_problems(case)[0], recorder, case.changed)
        found += recorder.recording().releases
    return Recording(tuple(found), (), (), ())


@cache
def algorithms() -> tuple[str, ...]:
    return tuple(sorted(item.path.parent.name for item in load_algorithms()))


def every(cases: Callable[[Instance], bool] = lambda case: True) -> Any:
    kept = {label: case for label, case in INSTANCES.items() if cases(case)}
    return pytest.mark.parametrize("case", kept.values(), ids=kept)


# What is covered. ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", algorithms())
def test_every_algorithm_is_recorded_or_says_why_not(name: str) -> None:
    recorded, reason = hasattr(module_of(name), "RECORDED"), getattr(module_of(name), "NOT_RECORDED", "")
    assert recorded == (reason == "")
    assert recorded or len(reason) > 20


def test_every_recorded_algorithm_has_an_instance() -> None:
    recorded = {name for name in algorithms() if hasattr(module_of(name), "RECORDED")}
    assert {case.name for case in INSTANCES.values()} == recorded


def test_sums_without_noise_are_the_private_parts_of_states() -> None:
    private = {name: module_of(name).RECORDED.private for name in {case.name for case in INSTANCES.values()}}
    sums = ("accelerated_dp_srgd", "online_to_batch", "prefix_noise", "unaccelerated_dp_srgd")
    assert {name: parts for name, parts in private.items() if parts} == {
        "dp_svrg": ("slope",),
        **dict.fromkeys(sums, ("total",)),
    }
    assert all(set(parts) <= set(module_of(name).State._fields) for name, parts in private.items() if parts)


@pytest.mark.parametrize("name", algorithms())
def test_no_algorithm_with_a_promise_is_listed_as_one_without_noise(name: str) -> None:
    promise = module_of(name).promise
    silent = "None" in promise.__annotations__["return"]
    assert ("adds no privacy noise" in getattr(module_of(name), "NOT_RECORDED", "")) == silent


def test_an_algorithm_that_is_not_covered_is_refused() -> None:
    storm = importlib.import_module("dpaudit.algorithms.srm.storm")
    with pytest.raises(ConfigurationError, match="storm is not recorded: adds no privacy noise"):
        stepwise.instrument(storm, None, None, Recorder(), 0)


# Correct algorithms. ------------------------------------------------------------------------------


@pytest.mark.deep(keep=8)
@every()
def test_statistics_move_by_what_is_promised_and_nothing_leaves_without_noise(case: Instance) -> None:
    pairs = [honest(case)]
    for check in (sensitivity, outputs, calls, public_values):
        finding = check.check(pairs)
        assert finding.outcome is Outcome.CONSISTENT, finding.detail


@every()
def test_the_neighbours_are_the_worst_case(case: Instance) -> None:
    """The promise is met with equality, so that a step which moves any further is seen."""
    _, recorded, replayed = honest(case)
    ratios = [
        distance(one, other) / one.sensitivity
        for one, other in zip(recorded.releases, replayed.releases, strict=True)
        if one.sensitivity
    ]
    assert max(ratios) == pytest.approx(1.0, rel=1e-6)


@pytest.mark.deep(keep=3)
@every()
def test_noise_is_as_declared(case: Instance) -> None:
    found = noises(case)
    assert noise_scale.check(found, ALPHA).outcome is Outcome.CONSISTENT
    assert noise_law.check(found, ALPHA).outcome is Outcome.CONSISTENT
    assert freshness.check(honest(case)[1], ALPHA).outcome in (Outcome.CONSISTENT, Outcome.NOT_RUN)


@pytest.mark.deep(keep=8)
@every()
def test_a_replay_on_the_same_data_repeats_the_run(case: Instance) -> None:
    _, recorded, _ = honest(case)
    again = Recorder(recorded, seed=3)
    stepwise.instrument(case.module, case.made, pair_of_problems(case)[0], again, case.changed)
    for one, other in zip(recorded.releases, again.recording().releases, strict=True):
        assert other.statistic == pytest.approx(one.statistic, rel=1e-9, abs=1e-9)


# Planted bugs. ------------------------------------------------------------------------------------


def plant(monkeypatch: pytest.MonkeyPatch, case: Instance, changed: Callable[..., Any]) -> None:
    """Put `changed(step, params, problem, state, t, draw)` in the place of the algorithm's step."""
    module, step = case.module, case.module.step
    monkeypatch.setattr(module, "step", lambda *inputs: changed(step, *inputs))


@pytest.mark.deep(keep=2)
@every()
def test_noise_of_eight_tenths_is_seen(case: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    def weaker(step: Any, params: Any, problem: Any, state: Any, t: int, draw: Any) -> Any:
        return step(params, problem, state, t, draw._replace(noise=0.8 * draw.noise))

    plant(monkeypatch, case, weaker)
    finding = noise_scale.check(noises(case), ALPHA)
    assert finding.outcome is Outcome.REFUTED
    assert dict(finding.numbers)["measured_over_declared"] == pytest.approx(0.8, abs=0.1)


@pytest.mark.deep(keep=3)
@every(lambda case: case.unclipped is not None)
def test_a_step_without_clipping_is_seen(case: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    def unclipped(step: Any, params: Any, *inputs: Any) -> Any:
        return step(replace(params, **(case.unclipped or {})), *inputs)

    plant(monkeypatch, case, unclipped)
    assert sensitivity.check([record(case)]).outcome is Outcome.REFUTED


@every(lambda case: case.unclipped is None)
def test_a_record_beyond_the_stated_bound_is_seen(case: Instance) -> None:
    finding = sensitivity.check([record(case, norm=1.1 * case.norm)])
    assert finding.outcome is Outcome.REFUTED


@pytest.mark.deep(keep=8)
@every(lambda case: case.name not in ("coordinate_gaussian",))
def test_noise_that_is_used_again_is_seen(case: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    module, drawn = case.module, case.module.draw_inputs

    def reused(*inputs: Any) -> Any:
        draws = drawn(*inputs)
        once = draws.noise[0, 0] if draws.noise.ndim == 3 else draws.noise[0]
        return draws._replace(noise=np.broadcast_to(once, draws.noise.shape).copy())

    monkeypatch.setattr(module, "draw_inputs", reused)
    assert freshness.check(record(case)[1], ALPHA).outcome is Outcome.REFUTED


@pytest.mark.deep(keep=8)
@every(lambda case: case.name not in ("coordinate_gaussian",))
def test_a_state_that_leaks_is_seen(case: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousandth of the exact gradient goes into every column of the next state, past the noise."""

    def leaking(step: Any, params: Any, problem: Any, state: Any, t: int, draw: Any) -> Any:
        taken, size = step(params, problem, state, t, draw), problem.dimension
        leak = 1e-3 * problem.gradient(np.zeros(size))
        return replace(taken, state=taken.state + np.tile(leak, len(taken.state) // size))

    plant(monkeypatch, case, leaking)
    finding = outputs.check([record(case)])
    assert finding.outcome is Outcome.REFUTED
    assert finding.detail.startswith("output state changes")


def test_noise_and_sensitivity_are_those_of_the_declared_parameters() -> None:
    """A run with half of the declared noise moves by what is declared, and its noise by half of that."""
    case = INSTANCES["DP-GD"]
    declared, recorder = replace(case.made, noise=2 * case.made.noise), Recorder(seed=3)
    stepwise.instrument(case.module, case.made, pair_of_problems(case)[0], recorder, declared=declared)
    finding = noise_scale.check(recorder.recording(), ALPHA)
    assert finding.outcome is Outcome.REFUTED
    assert dict(finding.numbers)["measured_over_declared"] == pytest.approx(0.5, abs=0.1)
    assert recorder.recording().releases[0].sensitivity == pytest.approx(record(case)[1].releases[0].sensitivity / 2)


@every(lambda case: hasattr(case.made, "batches") and case.made.batches.kind in stepwise.RANDOM)
def test_a_record_that_joins_every_batch_moves_every_step_by_its_bound(case: Instance) -> None:
    """A batch of fixed size keeps its size, so that no step moves by less."""
    here, there = pair_of_problems(case)
    first = Recorder(seed=3, joined=[case.changed])
    stepwise.instrument(case.module, case.made, here, first)
    again = Recorder(first.recording(), seed=3, joined=[case.changed])
    stepwise.instrument(case.module, case.made, there, again)
    moves = [distance(a, b) for a, b in zip(first.recording().releases, again.recording().releases, strict=True)]
    once = stepwise._inverse(stepwise._parts(case.module.promise(case.made).mechanism)[0])
    assert all(moved >= once * (1 - 1e-9) for moved in moves)


# Bounds of steps. ---------------------------------------------------------------------------------


def bounds(case: Instance, changed: int) -> Any:
    draws = case.module.draw_inputs(case.made, Stream(3, "bounds"), 0)
    return stepwise.step_bounds(case.module, case.made, draws, changed)


def test_bounds_of_one_pass_are_at_the_step_of_the_record() -> None:
    assert bounds(INSTANCES["DP-SGD, one pass"], 2) == pytest.approx([0.0, 0.5 / 0.3, 0.0])


def test_bounds_of_a_record_that_is_drawn_twice_are_twice_as_large() -> None:
    case = INSTANCES["DP-SGD, with replacement"]
    draws = case.module.draw_inputs(case.made, Stream(3, "bounds"), 0)
    times = np.array([(batch == 2).sum() for batch in draws.batches])
    assert times.max() >= 2
    assert bounds(case, 2) == pytest.approx(times * 2 / 3 / 0.3)


@pytest.mark.deep(keep=8)
@every()
def test_bounds_of_any_record_are_at_least_those_of_each(case: Instance) -> None:
    draws = case.module.draw_inputs(case.made, Stream(3, "bounds"), 0)
    largest = stepwise.step_bounds(case.module, case.made, draws, None)
    assert all((largest >= bounds(case, number)).all() for number in range(RECORDS))


def test_a_record_that_is_missing_is_an_empty_one() -> None:
    """A replay on one record less keeps to the sensitivity of adding and removing records."""
    case = INSTANCES["DP-SGD, Poisson, a ball"]
    rows = pair_of_problems(case)[0].features
    first = Recorder(seed=3, joined=[RECORDS - 1])
    stepwise.instrument(case.module, case.made, losses.linear(rows), first)
    again = Recorder(first.recording(), np.arange(RECORDS - 1), seed=3)
    stepwise.instrument(case.module, case.made, losses.linear(rows[:-1]), again)
    pairs = [("removed", first.recording(), again.recording())]
    assert sensitivity.check(pairs).outcome is Outcome.CONSISTENT
    assert outputs.check(pairs).outcome is Outcome.CONSISTENT


@pytest.mark.parametrize("label", ["prefix sums", "DP-FTRL, one pass", "Accelerated-DP-SRGD, one pass"])
def test_bounds_of_a_tree_add_up_to_the_promise_for_the_worst_record(label: str) -> None:
    case = INSTANCES[label]
    totals = [np.linalg.norm(bounds(case, record)) for record in range(RECORDS)]
    multiplier = case.module.promise(case.made).mechanism.noise_multiplier
    assert max(totals) == pytest.approx(1 / multiplier, rel=1e-9)


def test_bounds_of_dp_svrg_are_those_of_the_mean_and_of_the_drawn_record() -> None:
    """L = 1, n = 6, noise 2: a record moves the mean gradient by 2 L/n, and the two gradients that are drawn by 4 L."""
    case = INSTANCES["DP-SVRG"]
    chosen = case.module.draw_inputs(case.made, Stream(3, "bounds"), 0).chosen
    assert set(chosen == 2) == {True, False}
    assert bounds(case, 2) == pytest.approx(np.where(chosen == 2, 2 / 6 + 4, 2 / 6) / 2)


def test_bounds_above_the_promise_of_the_run_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    case = INSTANCES["prefix sums"]
    honest = case.module.promise(case.made)
    bold = replace(honest, mechanism=replace(honest.mechanism, noise_multiplier=2 * honest.mechanism.noise_multiplier))
    monkeypatch.setattr(case.module, "promise", lambda params: bold)
    with pytest.raises(ConfigurationError, match="one record may move the run"):
        bounds(case, 0)


def test_a_promise_without_a_sensitivity_is_refused() -> None:
    case = INSTANCES["Accelerated-DP-SRGD, one pass"]
    apart = case._replace(params=case.params | {"z_divisor": 2.0})
    assert math.isinf(apart.module.promise(apart.made).mechanism.epsilon)
    with pytest.raises(ConfigurationError, match="PureDP has no sensitivity"):
        bounds(apart, 0)
