"""Losses: gradients against differences, numba and torch against NumPy, the printed constants."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dpaudit import problem_kernels, problems
from dpaudit.comparison import growth
from dpaudit.errors import ConfigurationError
from dpaudit.problems import Problem, TorchProblem

RNG = np.random.default_rng(8)
FEATURES, LABELS = RNG.normal(size=(6, 3)), np.array([1.0, -1, 1, 1, -1, -1])
TARGETS, ROOT = RNG.normal(size=6), RNG.normal(size=(3, 3))
CURVATURE = (ROOT @ ROOT.T + (ROOT @ ROOT.T).T) / 2
PROBLEMS = {
    "linear": problems.linear(FEATURES),
    "logistic": problems.logistic(FEATURES, LABELS),
    "Huber": problems.huber(FEATURES, TARGETS, 0.4),
    "quadratic": problems.quadratic(CURVATURE, FEATURES[0]),
    "quadratic minus linear": problems.quadratic_minus_linear(CURVATURE, FEATURES),
}
POINTS = RNG.normal(size=(20, 3))
each = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)


@each
def test_the_gradient_is_the_derivative_of_the_value(problem: Problem) -> None:
    step = 1e-6
    for j in range(3):
        shift = step * np.eye(3)[j]
        slope = (problem.value(POINTS + shift) - problem.value(POINTS - shift)) / (2 * step)
        assert problem.gradient(POINTS)[:, j] == pytest.approx(slope, abs=1e-6)


@each
def test_the_gradient_is_the_mean_over_the_records(problem: Problem) -> None:
    assert problem.record_gradients(POINTS).mean(axis=1) == pytest.approx(problem.gradient(POINTS), abs=1e-12)
    assert problem.gradient(POINTS[0]) == pytest.approx(problem.gradient(POINTS)[0], abs=1e-14)


@each
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_numba_and_torch_stay_within_the_rounding_bound(problem: Problem, dtype: str) -> None:
    import torch

    bound = growth(problem.rounding_operations, "float64") + growth(problem.rounding_operations, dtype)
    bound = bound * problem.gradient_magnitude(POINTS)
    compiled, data = np.zeros((20, 3), dtype=dtype), problem_kernels.arrays(problem, dtype)
    for point, out in zip(POINTS.astype(dtype), compiled, strict=True):
        problem_kernels.partial(point, np.arange(3), 3, data, out)
    tensors = TorchProblem(problem, "cpu", dtype).gradient(torch.tensor(POINTS, dtype=getattr(torch, dtype)))
    for found in (compiled, tensors.numpy()):
        assert (np.abs(found - problem.gradient(POINTS)) <= bound).all()
    assert (bound <= 1e-3 * (1 + np.abs(problem.gradient(POINTS)))).all(), "a bound that allows everything is none"


@each
def test_batches_agree_on_all_backends(problem: Problem) -> None:
    import torch

    batch = np.array([[0] * 2] * 20) if problem.records == 1 else np.array([[4, 1, 2]] * 20)
    expected = problem.record_gradients(POINTS)[:, batch[0]].mean(axis=1)
    found = TorchProblem(problem, "cpu", "float64").batch_gradient(torch.tensor(POINTS), torch.tensor(batch))
    assert found.numpy() == pytest.approx(expected, abs=1e-13)
    out = np.zeros(3)
    problem_kernels.batch_gradient(POINTS[0], batch[0], batch.shape[1], problem_kernels.arrays(problem), out)
    assert out == pytest.approx(expected[0], abs=1e-13)


@pytest.mark.parametrize("name", ["linear", "logistic", "Huber"])
def test_lipschitz_constants_hold_and_are_nearly_attained(name: str) -> None:
    problem, sets = PROBLEMS[name], [(0,), (1, 2), (0, 1, 2)]
    far = np.concatenate([POINTS, 1_000 * FEATURES, -1_000 * FEATURES])
    gradients = problem.record_gradients(far)
    for chosen, constant in zip(sets, problem.lipschitz(sets), strict=True):
        largest = np.linalg.norm(gradients[..., list(chosen)], axis=-1).max()
        assert 0.99 * constant <= largest <= constant * (1 + 1e-12)


@each
def test_component_smoothness_dominates_the_hessian(problem: Problem) -> None:
    step, hessian = 1e-5, np.zeros((20, 3, 3))
    for j in range(3):
        shift = step * np.eye(3)[j]
        hessian[:, j] = (problem.gradient(POINTS + shift) - problem.gradient(POINTS - shift)) / (2 * step)
    slack = np.diag(problem.component_smoothness()) - (hessian + hessian.transpose(0, 2, 1)) / 2
    assert np.linalg.eigvalsh(slack).min() >= -1e-5


def test_the_quadratic_is_zero_at_its_minimiser() -> None:
    problem = PROBLEMS["quadratic"]
    assert problem.value(FEATURES[0]) == pytest.approx(0.0, abs=1e-12)
    assert problem.gradient(FEATURES[0]) == pytest.approx(np.zeros(3), abs=1e-12)


def test_huge_margins_give_finite_slopes() -> None:
    gradient = PROBLEMS["logistic"].gradient(1e6 * POINTS)
    assert np.isfinite(gradient).all()
    assert np.isfinite(PROBLEMS["logistic"].value(1e6 * POINTS)).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: problems.linear([1.0, 2.0]), r"records must be a matrix .* got shape \(2,\)"),
        (lambda: problems.linear(np.zeros((0, 3))), r"got shape \(0, 3\)"),
        (lambda: problems.linear([[np.nan]]), "records must be a matrix of finite numbers"),
        (lambda: problems.logistic(FEATURES, LABELS[:5]), r"labels must be finite numbers of shape \(6,\)"),
        (lambda: problems.logistic(FEATURES, np.arange(6)), "labels of the logistic loss must be -1 or 1"),
        (lambda: problems.huber(FEATURES, TARGETS, 0.0), "threshold must be above 0"),
        (lambda: problems.quadratic_minus_linear(ROOT, FEATURES), "curvature must be symmetric"),
        (lambda: problems.quadratic_minus_linear(np.eye(2), FEATURES), r"curvature .* shape \(3, 3\)"),
        (lambda: problems.quadratic(np.eye(2), [1.0]), r"minimiser must have shape \(2,\)"),
    ],
)
def test_wrong_data_are_refused(make: Callable[[], Problem], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        make()
