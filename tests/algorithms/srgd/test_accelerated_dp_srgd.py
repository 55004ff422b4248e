"""Accelerated-DP-SRGD: exact vectors, the three forms, invariants, laws, sensitivity, promises, counts, errors.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from laws import assert_gaussian
from refusals import refused
from three_forms import fast_forms, run_of

from dpaudit.accounting.epsilon import promised_epsilon
from dpaudit.accounting.factorisations import binary_tree, nodes_from_prefixes, nodes_of_prefix
from dpaudit.algorithms.srgd import accelerated_dp_srgd as algorithm
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Draws, Params, growing_weights
from dpaudit.algorithms.srgd.accounting.tree_noise import TreeRelease, final_iterate_mu, output_weights
from dpaudit.algorithms.srgd.noisy_sums.form import Paired
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import EVERYTHING, Domain, ball, box
from dpaudit.problems.modules import ModuleProblem
from dpaudit.records.mechanism import Gaussian, PureDP
from dpaudit.records.privacy import Neighbours, View
from dpaudit.sampling.batches import Batches

FOLDER = Path(__file__).parents[2] / "vectors"
VECTORS = json.loads((FOLDER / "srgd_trajectories.json").read_text(encoding="utf-8"))["cases"]
PRIVACY = json.loads((FOLDER / "srgd_privacy.json").read_text(encoding="utf-8"))["runs"]
STREAM = Stream(31, "tests/accelerated_dp_srgd")
RNG = np.random.default_rng(11)
FEATURES = RNG.normal(size=(13, 3))
LOGISTIC = losses.logistic(FEATURES, np.where(RNG.random(13) < 0.5, -1.0, 1.0))
LINEAR = losses.linear(FEATURES)
CURVATURE = np.array([[1.0, 0.3, 0.0], [0.3, 0.8, -0.2], [0.0, -0.2, 0.5]])
QUADRATIC = losses.quadratic_minus_linear(CURVATURE, FEATURES)
SMALL, STRIP = ball(0.5, (0.1, 0.0, 0.0)), box((-0.3,) * 3, (0.2,) * 3)
PASS = Params(3, growing_weights(6), 2.0, Batches("in order", 13, 2), 0.4, 3.0, 3.0, domain=SMALL)


def numbers(values: Any) -> np.ndarray:
    return np.array([float(Fraction(v)) for v in values])


def instance(case: dict[str, Any]) -> tuple[Params, Any]:
    records = [[Fraction(v) for v in record] for batch in case["batches"] for record in batch]
    size, steps = len(case["batches"][0]), len(case["batches"])
    if all(k == 0 for k, _ in records):
        problem = losses.linear([[-float(q)] for _, q in records])
    else:
        targets, weights = [float(q / k) for k, q in records], [float(k) for k, _ in records]
        problem = losses.squared(np.ones((len(records), 1)), targets, weights)
    interval = case["interval"]
    domain = EVERYTHING if interval is None else box(*(tuple(numbers([end])) for end in interval))
    params = Params(
        1, tuple(numbers(case["step_weights"])), float(Fraction(case["scaling"])),
        Batches("in order", size * steps, size), 0.0, 1.0, domain=domain,
        clip_norm=case["clip_norm"] and float(Fraction(case["clip_norm"])),
        z_divisor=float(Fraction(case["z_divisor"])), z_noise=float(Fraction(case["z_noise"])),
        offsets=tuple((v,) for v in numbers(case["noise"])),
    )  # fmt: skip
    return params, problem


@pytest.mark.parametrize("case", VECTORS, ids=lambda c: c["name"])
def test_exact_runs(case: dict[str, Any]) -> None:
    params, problem = instance(case)
    expected = {name: numbers(values) for name, values in case["expected"].items()}
    run = run_of(algorithm, params, problem, STREAM)
    for column, name in enumerate("xzy"):
        assert run.states[1:, column] == pytest.approx(expected[name], abs=1e-14)
    assert run.states[1:, 3] == pytest.approx(expected["prefix_sums"], abs=1e-14)
    assert np.diff(run.states[:, 3]) == pytest.approx(expected["differences"], abs=1e-14)
    for found in (run.transcript[None], *fast_forms(algorithm, params, problem, Trials(STREAM, [3]), "transcript")):
        assert found[0, :, 0] == pytest.approx(expected["noisy_prefix_sums"], abs=1e-14)
    for found in fast_forms(algorithm, params, problem, Trials(STREAM, [3]), "final"):
        assert found[0, 0] == pytest.approx(expected["y"][-1], abs=1e-14)


def printed(params: Params, problem: Any, xi: np.ndarray) -> dict[str, np.ndarray]:
    """The listing line by line, with the recursion for grad_t that it gives as equivalent and b_t from the tree."""
    eta, beta, steps = params.weights, params.scaling, params.steps
    x = z = before = gradient = np.zeros(3)
    kept: dict[str, list[np.ndarray]] = {"x": [], "y": [], "z": []}
    for t in range(steps):
        delta, size = np.zeros(3), params.batches.size
        for record in range(t * size, (t + 1) * size):
            part = eta[t] * problem.record_gradients(x)[record]
            if t:
                part = part - eta[t - 1] * problem.record_gradients(before)[record]
            length = np.linalg.norm(part)
            delta += part * (1.0 if params.clip_norm is None else min(1.0, params.clip_norm / length)) / size
        gradient = delta / eta[t] + (eta[t - 1] / eta[t] * gradient if t else 0.0)
        b = -params.noise * sum(xi[u - 1] for u in nodes_of_prefix(t + 1)) / beta
        z = params.domain.project(z - eta[t] / beta * gradient + b)
        y = params.domain.project(x - gradient / beta + b / eta[t])
        tau = eta[t + 1] / sum(eta[: t + 2])
        before, x = x, (1 - tau) * y + tau * z
        for name, value in (("x", x), ("y", y), ("z", z)):
            kept[name].append(value)
    return {name: np.array(values) for name, values in kept.items()}


@pytest.mark.parametrize("clip_norm", [None, 0.7])
@pytest.mark.parametrize("domain", [EVERYTHING, SMALL, STRIP], ids=lambda d: d.kind)
def test_the_steps_are_those_of_the_listing(domain: Domain, clip_norm: float | None) -> None:
    params = replace(PASS, domain=domain, clip_norm=clip_norm)
    run, draws = run_of(algorithm, params, LOGISTIC, STREAM, 4), algorithm.draw_inputs(params, STREAM, 4)
    lines = printed(params, LOGISTIC, draws.noise[0])
    for column, name in enumerate("xzy"):
        assert run.states[1:, 3 * column : 3 * column + 3] == pytest.approx(lines[name], abs=1e-12)


@pytest.mark.parametrize("domain", [SMALL, STRIP], ids=lambda d: d.kind)
def test_iterates_stay_in_the_set_and_keep_the_coupling_identities(domain: Domain) -> None:
    params, inside, moved = replace(PASS, domain=domain, noise=1.0), domain.project, []
    for trial in range(10):
        x, z, y, _, _ = np.split(run_of(algorithm, params, LOGISTIC, STREAM, trial).states[1:], 5, axis=1)
        for points in (x, y, z):
            assert inside(points) == pytest.approx(points, abs=1e-12)
        tau, eta = np.array(params.coupling)[:, None], np.array(params.weights)
        total = np.cumsum(eta)[1:, None]
        assert (1 - tau) * (y - x) == pytest.approx(tau * (x - z), abs=1e-12)
        assert total * x == pytest.approx((total - eta[1:, None]) * y + eta[1:, None] * z, abs=1e-10)
        moved += [bool((inside(1.001 * point) != 1.001 * point).any()) for point in y]
    assert 0 < sum(moved) < 60, "some points are on the edge of the set, some are not"


# Laws. -----------------------------------------------------------------------------------------------------------


def test_the_nodes_on_linear_losses_are_gaussian_with_and_without_a_canary() -> None:
    """Clipped at K: a record u of norm 1 adds K/b to every node with its step, whose noises are independent."""
    params = replace(PASS, clip_norm=0.9, domain=EVERYTHING, weights=growing_weights(4))
    trials, direction = Trials(STREAM, np.arange(20_000)), np.array([0.6, 0.8, 0.0])
    for size in (0.0, 5.0):
        data = np.zeros((13, 3))
        data[0] = size * direction
        change = min(size, 0.9) / 2 * direction
        mean = np.outer([1.0, 1.0, 0.0, 1.0], change)  # the first item lies in the nodes 1, 2, 4
        for found in fast_forms(algorithm, params, losses.linear(data), trials, "transcript"):
            nodes = nodes_from_prefixes(found).reshape(len(found), -1)
            assert_gaussian(nodes, mean.ravel(), 0.16 * np.eye(12))


def test_the_output_on_linear_losses_is_gaussian() -> None:
    """y_T = -(1/beta) sum of w_s hat_s, hat = prefix sums of the batch means + noise left xi."""
    params = replace(PASS, domain=EVERYTHING)
    weights, left = np.array(output_weights(6), dtype=float), binary_tree(6).left
    sums = np.cumsum(FEATURES[:12].reshape(6, 2, 3).mean(axis=1), axis=0)
    spread = 0.16 * np.sum((weights @ left) ** 2) / 4
    for found in fast_forms(algorithm, params, LINEAR, Trials(STREAM, np.arange(20_000)), "final"):
        assert_gaussian(found, -weights @ sums / 2, spread * np.eye(3))


def test_the_output_on_quadratics_is_gaussian() -> None:
    """Without projection y_T is affine in xi; the listing gives its value at 0 and at every unit vector."""
    params, steps = replace(PASS, domain=EVERYTHING, weights=growing_weights(5)), 5
    origin = printed(params, QUADRATIC, np.zeros((steps, 3)))["y"][-1]
    columns = [
        printed(params, QUADRATIC, unit.reshape(steps, 3))["y"][-1] - origin for unit in np.eye(3 * steps)
    ]  # fmt: skip
    for found in fast_forms(algorithm, params, QUADRATIC, Trials(STREAM, np.arange(20_000)), "final"):
        assert_gaussian(found, origin, np.array(columns).T @ np.array(columns))


# Privacy. --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [c for c in PRIVACY if c["neighbours"] == "zero-out"], ids=lambda c: f"T={c['steps']}")
def test_clipped_runs_promise_what_the_exact_accountant_says(case: dict[str, Any]) -> None:
    steps, size, scaling = case["steps"], case["batch"], float(Fraction(case["scaling"]))
    clip_norm, sigma = float(Fraction(case["clip_norm"])), float(Fraction(case["node_noise"]))
    params = Params(
        1,
        growing_weights(steps),
        scaling,
        Batches("in order", steps * size, size),
        scaling * sigma,
        9.0,
        None,
        clip_norm,
    )
    promise = algorithm.promise(params)
    assert isinstance(promise.mechanism, Gaussian)
    mu = math.sqrt(Fraction(case["expected"]["largest_mu_squared"]))
    assert 1 / promise.mechanism.noise_multiplier == pytest.approx(mu, rel=1e-11)
    assert 1 / promise.mechanism.noise_multiplier >= mu, "rounded towards less privacy"
    assert (promise.neighbours, promise.view) == (Neighbours.ZERO_OUT, View.TRANSCRIPT)
    assert TreeRelease(steps, size, clip_norm, scaling, sigma).largest_mu == pytest.approx(mu, rel=1e-11)
    assert promised_epsilon(promise, 1e-5).upper > 0


def test_one_record_moves_one_difference_by_at_most_its_clip_norm_and_a_long_one_by_that() -> None:
    """From equal states; what comes after depends on the record only through the released sums."""
    params, other = replace(PASS, clip_norm=0.5), FEATURES.copy()
    other[4] = 0.0
    without = losses.logistic(other, LOGISTIC.labels)
    run, draws = run_of(algorithm, params, LOGISTIC, STREAM), algorithm.draw_inputs(params, STREAM, 0)
    for t in range(6):
        draw = Draws(draws.noise[t], draws.batches[t])
        here, there = (algorithm.step(params, p, run.states[t], t, draw) for p in (LOGISTIC, without))
        moved = np.linalg.norm(here.state[9:12] - there.state[9:12])
        assert moved <= 0.25 + 1e-12
        assert (moved > 0) == (t == 2), "record 4 is in the batch of step 2"
    long = losses.linear(np.vstack([50 * FEATURES[:1], np.zeros((12, 3))]))
    run = run_of(algorithm, params, long, STREAM)
    assert np.linalg.norm(run.states[1:, 9:12], axis=1) == pytest.approx(np.full(6, 0.25), rel=1e-12)


def test_without_clipping_the_promise_rests_on_the_constants() -> None:
    """|difference| <= min((eta_t + eta_{t-1}) L, eta_t M diameter + |eta_t - eta_{t-1}| L); the first is attained."""
    assert replace(PASS, smoothness=0.0).changes == pytest.approx(np.full(6, 3.0)), "linear losses: L, as eta_t = t + 1"
    assert replace(PASS, smoothness=None).changes == pytest.approx(3.0 * np.array([1, 3, 5, 7, 9, 11]))
    assert replace(PASS, smoothness=0.1).changes == pytest.approx(3.0 + 0.1 * np.array([0, 2, 3, 4, 5, 6]))
    assert replace(PASS, smoothness=1.0, domain=EVERYTHING).changes == pytest.approx(
        replace(PASS, smoothness=None).changes
    )
    lipschitz = np.linalg.norm(FEATURES, axis=1).max()
    params = replace(PASS, lipschitz=float(lipschitz), smoothness=float(lipschitz**2 / 4), noise=3.0)
    for trial in range(20):
        x, _, _, _, _ = np.split(run_of(algorithm, params, LOGISTIC, STREAM, trial).states, 5, axis=1)
        eta = np.array(params.weights)
        for t in range(6):
            parts = eta[t] * LOGISTIC.record_gradients(x[t])
            if t:
                parts = parts - eta[t - 1] * LOGISTIC.record_gradients(x[t - 1])
            assert np.linalg.norm(parts, axis=1).max() <= params.changes[t]
    jump = losses.absolute([[2.0]], [1e-9])  # slope -2 at 0, then 2: the crude bound is attained
    first = Params(1, (1.0, 2.0, 3.0), 1.0, Batches("all records", 1, 1), 0.0, 2.0)
    run = run_of(algorithm, first, jump, STREAM)
    assert np.abs(np.diff(run.states[:, 3])).tolist() == first.changes.tolist() == [2.0, 6.0]


def test_all_records_every_step_cost_more_than_one_pass() -> None:
    whole = replace(PASS, batches=Batches("all records", 13, 13), clip_norm=1.0)
    moved = np.linalg.norm(binary_tree(6).right.sum(axis=1)) / 13
    assert algorithm.promise(whole).mechanism.noise_multiplier == pytest.approx(0.4 / moved)
    assert algorithm.promise(replace(PASS, clip_norm=1.0)).mechanism.noise_multiplier == pytest.approx(
        0.8 / math.sqrt(3)
    )


def test_a_z_step_with_other_noise_promises_nothing() -> None:
    """The proof's z_divisor = 2 with the printed noise releases g_t itself; with half the noise it costs nothing."""
    proof = replace(PASS, z_divisor=2.0)
    promise = algorithm.promise(proof)
    assert promise.mechanism == PureDP(math.inf)
    assert promised_epsilon(promise, 1e-5).upper == math.inf
    hat, other = np.split(algorithm.cpu(proof, LINEAR, Trials(STREAM, [8])), 2, axis=2)
    assert 2 * hat - other == pytest.approx(
        np.cumsum(FEATURES[:12].reshape(6, 2, 3).mean(axis=1), axis=0)[None], abs=1e-12
    )
    half = replace(proof, z_noise=0.5)
    assert algorithm.promise(half) == algorithm.promise(PASS)
    assert algorithm.cpu(half, LINEAR, Trials(STREAM, [8])).shape == (1, 6, 3)
    for divisor in (3.0, 49.0, 98.0):  # 49 (1/49) is not 1 in float64
        matched = replace(PASS, z_divisor=divisor, z_noise=1 / divisor)
        assert algorithm.promise(matched) == algorithm.promise(PASS)


def test_the_output_alone_tells_less_than_the_transcript() -> None:
    """For linear losses a record of norm K in step t moves y_T by K/(b beta) sum of w_s over s >= t."""
    params, weights = replace(PASS, clip_norm=0.5, domain=EVERYTHING), np.array(output_weights(6), dtype=float)
    multiplier = 0.4 * 2 / 0.5
    seen = final_iterate_mu(binary_tree(6), output_weights(6), multiplier)
    assert (seen <= binary_tree(6).column_norms / multiplier).all()
    for t in range(6):
        data = np.zeros((13, 3))
        data[2 * t, 1] = 4.0
        run, silent = (run_of(algorithm, params, losses.linear(d), STREAM) for d in (data, np.zeros((13, 3))))
        shift = silent.final - run.final
        assert shift == pytest.approx([0.0, 0.125 * weights[t:].sum(), 0.0], abs=1e-12)
        assert shift[1] / (0.2 * np.linalg.norm(weights @ binary_tree(6).left)) == pytest.approx(seen[t], rel=1e-9)


# Counts, options, errors. ----------------------------------------------------------------------------------------


class Recorded(Paired):
    """Which records are asked for, at how many points, query by query."""

    def __init__(self, problem: Any) -> None:
        super().__init__(problem)
        self.asked: list[tuple[int, list[int]]] = []

    def record_gradients(self, point: Any, batch: Any = None) -> Any:
        self.asked.append((1 if point.ndim == 1 else len(point), list(batch)))
        return super().record_gradients(point, batch)


@pytest.mark.parametrize("size", [1, 2, 13])
def test_it_is_one_pass_with_two_gradients_for_each_record(size: int) -> None:
    steps = 13 // size
    params = replace(PASS, weights=growing_weights(steps), batches=Batches("in order", 13, size))
    draws, used = algorithm.draw_inputs(params, STREAM, 0), steps * size
    calls = run_of(algorithm, params, LOGISTIC, STREAM).calls
    assert calls == algorithm.calls(params, draws) == {"gradients": 2 * used - size, "values": 0, "rounds": steps}
    recorded, state = Recorded(LOGISTIC), np.zeros(15)
    for t in range(steps):
        state = algorithm.step(params, recorded, state, t, Draws(draws.noise[t], draws.batches[t])).state
    assert [points for points, _ in recorded.asked] == [1] + [2] * (steps - 1)
    assert [record for _, batch in recorded.asked for record in batch] == list(range(used)), "each in one step only"


def test_the_first_step_has_no_step_before() -> None:
    draws = algorithm.draw_inputs(PASS, STREAM, 0)
    first = Draws(draws.noise[0], draws.batches[0])
    other = np.concatenate([np.zeros(12), np.full(3, np.nan)])
    assert np.array_equal(
        algorithm.step(PASS, LOGISTIC, other, 0, first).state,
        algorithm.step(PASS, LOGISTIC, np.zeros(15), 0, first).state,
    )
    assert PASS.coupling == pytest.approx([2 / (t + 2) for t in range(1, 7)])


def test_clipping_acts_on_the_difference_not_on_the_gradients() -> None:
    """Linear losses of slope 0.9: the two gradients have norms 5.4 and 4.5, their difference 0.9."""
    problem = losses.linear(np.tile([0.9, 0.0, 0.0], (13, 1)))
    run = run_of(algorithm, replace(PASS, clip_norm=1.0, domain=EVERYTHING), problem, STREAM)
    assert run.branches.tolist() == [[0]] * 6
    tight = run_of(algorithm, replace(PASS, clip_norm=0.6, domain=EVERYTHING), problem, STREAM)
    assert tight.branches.tolist() == [[2]] * 6
    assert np.diff(tight.states[:, 9]) == pytest.approx(np.full(6, 0.6), abs=1e-12)


test_wrong_parameters_are_refused = refused(
    partial(replace, PASS),
    ({"weights": (1.0,)}, "weights"),
    ({"batches": Batches("in order", 13, 3)}, "at most 4 steps"),
    ({"batches": Batches("Poisson", 13, 2)}, "batches.kind must be one of 'in order', 'all records'"),
    ({"domain": ball(0.5, (1.0, 0.0, 0.0))}, "the domain must contain 0"),
    ({"domain": box((0.1,) * 3, (0.2,) * 3)}, "the domain must contain 0"),
    ({"domain": ball(1.0, (0.0,))}, "the domain has 1 coordinates, the points have 3"),
    ({"couplings": (0.5,) * 5}, "couplings must have 6 numbers"),
    ({"couplings": (0.5,) * 5 + (1.1,)}, r"couplings\[5\] must be at most 1.0"),
    ({"factorisation": binary_tree(5)}, "factorisation must have 6 items"),
    ({"offsets": ((0.0,) * 3,)}, "offsets must be a tuple of 6 vectors"),
    ({"offsets": ((0.0,) * 2,) * 6}, r"offsets\[0\] must have 3 numbers"),
    ({"z_noise": -1.0}, "z_noise must be at least 0"),
    ({"smoothness": -1.0}, "smoothness must be at least 0"),
    ({"clip_norm": 0.0}, "clip_norm must be above 0"),
)


def test_a_torch_module_takes_the_place_of_a_problem() -> None:
    """A linear layer with the logistic loss, clipped per example and not."""
    module = torch.nn.Linear(3, 1, bias=False).double()
    loss = lambda outputs, target: torch.nn.functional.softplus(-target * outputs[..., 0])  # noqa: E731
    model = ModuleProblem(module, loss, torch.tensor(FEATURES), torch.tensor(LOGISTIC.labels))
    for clip_norm in (None, 0.7):
        params, trials = replace(PASS, clip_norm=clip_norm), Trials(STREAM, np.arange(4))
        expected = algorithm.cpu(params, LOGISTIC, trials)
        assert algorithm.gpu(params, model, trials).numpy() == pytest.approx(expected, abs=1e-12)
