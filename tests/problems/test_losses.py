"""Losses: gradients against differences, numba and torch against NumPy within tracked rounding bounds."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from refusals import refused

from dpaudit.arithmetic.roundoff import unit_roundoff
from dpaudit.arithmetic.tracked import Tracked, track
from dpaudit.problems import loss_kernels, losses
from dpaudit.problems.domains import clip
from dpaudit.problems.loss_tensors import TorchProblem
from dpaudit.problems.losses import Problem

RNG = np.random.default_rng(8)
N, D = 13, 11
FEATURES, LABELS = RNG.normal(size=(N, D)) / 2, np.where(RNG.random(N) < 0.5, -1.0, 1.0)
TARGETS, WEIGHTS, ROOT = RNG.normal(size=N), RNG.random(N), RNG.normal(size=(D, D))
CURVATURE = (ROOT @ ROOT.T + (ROOT @ ROOT.T).T) / (2 * D)
PROBLEMS = {
    "linear": losses.linear(FEATURES),
    "linear, weighted": losses.linear(FEATURES, WEIGHTS),
    "logistic": losses.logistic(FEATURES, LABELS),
    "nonconvex logistic": losses.nonconvex_logistic(FEATURES, LABELS, 0.3),
    "Huber": losses.huber(FEATURES, TARGETS, 0.4),
    "squared": losses.squared(FEATURES, TARGETS, WEIGHTS),
    "absolute": losses.absolute(FEATURES, TARGETS),
    "cosine": losses.cosine(FEATURES, TARGETS),
    "log cosh": losses.log_cosh(FEATURES, TARGETS, WEIGHTS),
    "quadratic": losses.quadratic(CURVATURE, FEATURES[0]),
    "quadratic minus linear": losses.quadratic_minus_linear(CURVATURE, FEATURES),
}
PROBLEMS["everything"] = replace(PROBLEMS["nonconvex logistic"], weights=WEIGHTS, curvature=CURVATURE, constant=0.7)
POINTS = RNG.normal(size=(5, D))
each = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
dtypes = pytest.mark.parametrize("dtype", ["float64", "float32"])


def batch_of(problem: Problem) -> Any:
    """Record numbers, one of them twice, of a length that no kernel's stride divides."""
    return np.array([0, 0] if problem.records == 1 else [3, 1, 7, 2, 12, 9, 1])


def compare(found: Any, expected: Tracked, dtype: str) -> None:
    """Within the derived bound, which must itself be small."""
    bound = np.asarray(expected.errors * (unit_roundoff(dtype) + unit_roundoff("float64")))
    assert found.shape == expected.shape
    assert (np.abs(found - expected.values) <= bound).all()
    assert (bound <= 5e-4 * (1 + np.abs(expected.values))).all(), "a bound that allows everything is none"


@each
def test_the_gradient_is_the_derivative_of_the_value(problem: Problem) -> None:
    step = 1e-6
    for j in range(D):
        shift = step * np.eye(D)[j]
        slope = (problem.value(POINTS + shift) - problem.value(POINTS - shift)) / (2 * step)
        assert problem.gradient(POINTS)[:, j] == pytest.approx(slope, abs=1e-6)


@each
def test_value_and_gradient_are_the_means_over_the_records(problem: Problem) -> None:
    assert problem.record_gradients(POINTS).mean(axis=1) == pytest.approx(problem.gradient(POINTS), abs=1e-12)
    assert problem.record_values(POINTS).mean(axis=1) == pytest.approx(problem.value(POINTS), abs=1e-12)
    assert problem.gradient(POINTS[0]) == pytest.approx(problem.gradient(POINTS)[0], abs=1e-14)
    assert problem.value(POINTS[0]) == pytest.approx(problem.value(POINTS)[0], abs=1e-14)


@each
def test_a_batch_is_a_choice_of_records(problem: Problem) -> None:
    batch = batch_of(problem)
    assert problem.record_gradients(POINTS, batch) == pytest.approx(problem.record_gradients(POINTS)[:, batch])
    assert problem.record_values(POINTS, batch) == pytest.approx(problem.record_values(POINTS)[:, batch])


@each
def test_the_printed_formula_of_a_record(problem: Problem) -> None:
    w, x, y = POINTS[0], problem.features, problem.labels
    margins = x @ w
    size = np.abs(margins - y)
    phi = {
        losses.Loss.LINEAR: y * margins,
        losses.Loss.LOGISTIC: np.log(1 + np.exp(-y * margins)),
        losses.Loss.HUBER: np.where(
            size <= problem.threshold, size**2 / 2, problem.threshold * (size - problem.threshold / 2)
        ),
        losses.Loss.SQUARED: size**2 / 2,
        losses.Loss.ABSOLUTE: size,
        losses.Loss.COSINE: np.cos(margins + y),
        losses.Loss.LOG_COSH: np.log(np.cosh(size)),
    }[problem.loss]
    weights = np.ones(len(y)) if problem.weights is None else problem.weights
    common = w @ problem.curvature @ w / 2 + problem.constant + problem.penalty * (w**2 / (1 + w**2)).sum()
    assert problem.record_values(w) == pytest.approx(weights * phi + common, rel=1e-13, abs=1e-13)


@pytest.mark.deep(keep=4)
@each
@dtypes
def test_numba_stays_within_the_rounding_bound(problem: Problem, dtype: str) -> None:
    batch, data, chosen = batch_of(problem), loss_kernels.arrays(problem, dtype), np.array([4, 0, 10])
    for point in POINTS:
        exact, cast, out = track(point), point.astype(dtype), np.full(D, np.nan, dtype=dtype)
        loss_kernels.gradient(cast, data, out)
        compare(out, problem.gradient(exact), dtype)
        wide = np.full(5, 9.0, dtype=dtype)
        loss_kernels.partial(cast, chosen, 3, data, wide)
        compare(wide[:3], problem.gradient(exact)[chosen], dtype)
        assert (wide[3:] == 9.0).all(), "numbers beyond the chosen ones are not touched"
        loss_kernels.batch_gradient(cast, batch, len(batch) - 1, data, out)
        compare(out, problem.record_gradients(exact, batch[:-1]).mean(axis=0), dtype)
        for position, record in enumerate(batch):
            loss_kernels.record_gradient(cast, record, data, out)
            compare(out, problem.record_gradients(exact, batch)[position], dtype)
            value = np.array(loss_kernels.record_value(cast, record, data))
            compare(value, problem.record_values(exact, batch)[position], dtype)


@each
@dtypes
def test_torch_stays_within_the_rounding_bound(problem: Problem, dtype: str) -> None:
    tensors, points = TorchProblem(problem, "cpu", dtype), torch.tensor(POINTS, dtype=getattr(torch, dtype))
    batch, exact = batch_of(problem), track(POINTS)
    batches = torch.tensor(np.tile(batch, (len(POINTS), 1)))
    compare(tensors.value(points).numpy(), problem.value(exact), dtype)
    compare(tensors.gradient(points).numpy(), problem.gradient(exact), dtype)
    compare(tensors.record_values(points).numpy(), problem.record_values(exact), dtype)
    compare(tensors.record_gradients(points).numpy(), problem.record_gradients(exact), dtype)
    compare(tensors.record_values(points, batches).numpy(), problem.record_values(exact, batch), dtype)
    gradients = problem.record_gradients(exact, batch)
    compare(tensors.record_gradients(points, batches).numpy(), gradients, dtype)
    compare(tensors.batch_gradient(points, batches).numpy(), gradients.mean(axis=1), dtype)


def test_every_point_has_a_batch_of_its_own_in_torch() -> None:
    problem, batches = PROBLEMS["squared"], np.arange(10).reshape(5, 2)
    found = TorchProblem(problem, "cpu", "float64").batch_gradient(torch.tensor(POINTS), torch.tensor(batches))
    for point, batch, gradient in zip(POINTS, batches, found.numpy(), strict=True):
        assert gradient == pytest.approx(problem.record_gradients(point, batch).mean(axis=0), abs=1e-14)


def test_more_records_than_one_tile() -> None:
    """The kernels take 1,024 records at a time."""
    features, targets = RNG.normal(size=(2_500, 5)), RNG.normal(size=2_500)
    problem, point = losses.huber(features, targets, 0.4, RNG.random(2_500)), RNG.normal(size=5)
    data, out = loss_kernels.arrays(problem), np.empty(5)
    loss_kernels.gradient(point, data, out)
    assert out == pytest.approx(problem.gradient(point), abs=1e-14)
    loss_kernels.partial(point, np.arange(5), 5, data, out)
    assert out == pytest.approx(problem.gradient(point), abs=1e-14)


@each
def test_float32_kernels_compute_in_float32(problem: Problem) -> None:
    """Every intermediate number has the given dtype: no helper was compiled for mixed or wider numbers."""
    data, out = loss_kernels.arrays(problem, "float32"), np.empty(D, dtype=np.float32)
    point = POINTS[0].astype(np.float32)
    loss_kernels.gradient(point, data, out)
    loss_kernels.batch_gradient(point, batch_of(problem), 2, data, out)
    loss_kernels.record_value(point, 0, data)
    for helper, form in (
        (loss_kernels._slope, (0, np.float32(1), np.float32(1), np.float32(1))),
        (loss_kernels._phi, (0, np.float32(1), np.float32(1), np.float32(1))),
        (loss_kernels._penalty_slope, (np.float32(1), np.float32(1))),
        (loss_kernels._dot, (point, point)),
    ):
        helper(*form)
        for signature in helper.signatures:
            kinds = {getattr(one, "dtype", one).name for one in signature} - {"int64"}
            assert len(kinds) == 1, f"{helper.__name__} was compiled for {signature}"
            assert helper.overloads[signature].signature.return_type.name in kinds


@each
@dtypes
@pytest.mark.parametrize("clip_norm", [0.3, np.inf])
def test_a_clipped_sum_clips_every_record(problem: Problem, dtype: str, clip_norm: float) -> None:
    """Also where the gradients are never formed; the bound is that of the formula on gradients."""
    batch, data = batch_of(problem), loss_kernels.arrays(problem, dtype)
    work, out = np.empty((2, D), dtype=dtype)
    bound = np.dtype(dtype).type(clip_norm)
    for point in POINTS[:3]:
        gradients = problem.record_gradients(track(point), batch)
        if np.isfinite(clip_norm):
            gradients = clip(gradients, clip_norm)
        clipped = loss_kernels.clipped_sum(point.astype(dtype), batch, len(batch), bound, data, work, out)
        compare(out, gradients.sum(axis=0), dtype)
        assert clipped == (np.linalg.norm(problem.record_gradients(point, batch), axis=1) > clip_norm).sum()


@each
@dtypes
def test_a_difference_of_affine_gradients_needs_one_product(problem: Problem, dtype: str) -> None:
    data, kind = loss_kernels.arrays(problem, dtype), np.dtype(dtype).type
    affine = loss_kernels.is_affine(data)
    assert affine == (problem.loss is losses.Loss.LINEAR and problem.penalty == 0)
    if affine:
        first, second = POINTS[0], POINTS[1]
        work, out = np.empty((2, D), dtype=dtype)
        loss_kernels.affine_difference(first.astype(dtype), kind(3), second.astype(dtype), kind(2), data, work, out)
        compare(out, 3 * problem.gradient(track(first)) - 2 * problem.gradient(track(second)), dtype)


def test_a_weighted_square_is_exact() -> None:
    """k (w - c)^2/2 with the numbers of a printed example, in all forms."""
    problem, point = losses.squared([[1.0], [1.0]], [0.25, -2.0], [3.0, 0.5]), np.array([1.5])
    assert problem.record_values(point).tolist() == [3.0 * 1.25**2 / 2, 0.5 * 3.5**2 / 2]
    assert problem.record_gradients(point).tolist() == [[3.75], [1.75]]
    data, out = loss_kernels.arrays(problem), np.empty(1)
    loss_kernels.record_gradient(point, 1, data, out)
    assert (out[0], loss_kernels.record_value(point, 0, data)) == (1.75, 3.0 * 1.25**2 / 2)
    assert TorchProblem(problem, "cpu", "float64").gradient(torch.tensor([[1.5]], dtype=torch.float64)).item() == 2.75


def test_the_subgradient_of_the_absolute_loss_is_zero_at_the_kink() -> None:
    problem, point = losses.absolute([[1.0], [1.0], [1.0]], [0.5, 2.0, -1.0]), np.array([0.5])
    assert problem.record_gradients(point)[:, 0].tolist() == [0.0, -1.0, 1.0]
    data, found, out = loss_kernels.arrays(problem), [], np.empty(1)
    for record in range(3):
        loss_kernels.record_gradient(point, record, data, out)
        found.append(out[0])
    assert found == [0.0, -1.0, 1.0]
    assert (
        TorchProblem(problem, "cpu", "float64")
        .record_gradients(torch.tensor([[0.5]], dtype=torch.float64))
        .flatten()
        .tolist()
        == found
    )


@pytest.mark.parametrize("name", ["linear", "linear, weighted", "logistic", "Huber", "absolute", "cosine", "log cosh"])
def test_lipschitz_constants_hold_and_are_nearly_attained(name: str) -> None:
    problem, sets = PROBLEMS[name], [(0,), (1, 2), tuple(range(D))]
    far = np.concatenate([POINTS, 1_000 * FEATURES, -1_000 * FEATURES, RNG.normal(size=(20_000, D))])
    gradients = problem.record_gradients(far)
    for chosen, constant in zip(sets, problem.lipschitz(sets), strict=True):
        largest = np.linalg.norm(gradients[..., list(chosen)], axis=-1).max()
        assert 0.99 * constant <= largest <= constant * (1 + 1e-12)


def test_an_unbounded_slope_has_no_lipschitz_constant() -> None:
    problem = losses.squared([[1.0, 0.0]], [1.0])
    assert problem.lipschitz([(0,), (1,)]) == (np.inf, 0.0)
    assert PROBLEMS["absolute"].component_smoothness().max() == np.inf


@pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "absolute"])
def test_component_smoothness_dominates_the_hessian(name: str) -> None:
    problem, step, hessian = PROBLEMS[name], 1e-5, np.zeros((len(POINTS), D, D))
    for j in range(D):
        shift = step * np.eye(D)[j]
        hessian[:, j] = (problem.gradient(POINTS + shift) - problem.gradient(POINTS - shift)) / (2 * step)
    slack = np.diag(problem.component_smoothness()) - (hessian + hessian.transpose(0, 2, 1)) / 2
    assert np.linalg.eigvalsh(slack).min() >= -1e-5


def test_the_quadratic_is_zero_at_its_minimiser() -> None:
    problem = PROBLEMS["quadratic"]
    assert problem.value(FEATURES[0]) == pytest.approx(0.0, abs=1e-12)
    assert problem.gradient(FEATURES[0]) == pytest.approx(np.zeros(D), abs=1e-12)


@each
def test_huge_margins_give_finite_numbers(problem: Problem) -> None:
    for computed in (problem.gradient(1e6 * POINTS), problem.value(1e6 * POINTS)):
        assert np.isfinite(computed).all()
    data, out = loss_kernels.arrays(problem), np.empty(D)
    loss_kernels.gradient(1e6 * POINTS[0], data, out)
    assert np.isfinite(out).all()
    assert np.isfinite(loss_kernels.record_value(1e6 * POINTS[0], 0, data))
    tensors = TorchProblem(problem, "cpu", "float64")
    assert tensors.gradient(torch.tensor(1e6 * POINTS)).isfinite().all()
    assert tensors.value(torch.tensor(1e6 * POINTS)).isfinite().all()


test_wrong_data_are_refused = refused(
    operator.call,
    (lambda: losses.linear([1.0, 2.0]), r"records must be a matrix .* got shape \(2,\)"),
    (lambda: losses.linear(np.zeros((0, 3))), r"got shape \(0, 3\)"),
    (lambda: losses.linear([[np.nan]]), "records must be a matrix of finite numbers"),
    (lambda: losses.logistic(FEATURES, LABELS[:5]), r"labels must be finite numbers of shape \(13,\)"),
    (lambda: losses.logistic(FEATURES, np.arange(N)), "labels of the logistic loss must be -1 or 1"),
    (lambda: losses.huber(FEATURES, TARGETS, 0.0), "threshold must be above 0"),
    (lambda: losses.nonconvex_logistic(FEATURES, LABELS, -1.0), "penalty must be at least 0"),
    (lambda: losses.squared(FEATURES, TARGETS, WEIGHTS[:5]), r"weights must be finite .* shape \(13,\)"),
    (lambda: losses.squared(FEATURES, TARGETS, -WEIGHTS), "weights must be at least 0"),
    (lambda: losses.cosine(FEATURES, [np.inf] * N), "labels must be finite"),
    (lambda: losses.quadratic_minus_linear(ROOT, FEATURES), "curvature must be symmetric"),
    (lambda: losses.quadratic_minus_linear(np.eye(2), FEATURES), r"curvature .* shape \(11, 11\)"),
    (lambda: losses.quadratic(np.eye(2), [1.0]), r"minimiser must have shape \(2,\)"),
)
