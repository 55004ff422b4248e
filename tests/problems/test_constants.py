"""Certified constants: never exceeded by searches, attained where they are sharp, proved again with fractions."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb

from dpaudit.problems import constants as problem_constants
from dpaudit.problems import losses
from dpaudit.problems.constants import component_choices, constants
from dpaudit.problems.losses import Problem
from dpaudit.records.errors import ConfigurationError

RNG = np.random.default_rng(21)
N, D = 9, 4
FEATURES, TARGETS, WEIGHTS = RNG.normal(size=(N, D)), RNG.normal(size=N), RNG.random(N)
LABELS, ROOT = np.where(RNG.random(N) < 0.5, -1.0, 1.0), RNG.normal(size=(D, D))
CURVATURE = (ROOT @ ROOT.T + (ROOT @ ROOT.T).T) / 2
SETS = [(0,), (1, 3), (0, 1, 2)]
PROBLEMS = {
    "linear": losses.linear(FEATURES, WEIGHTS),
    "logistic": losses.logistic(FEATURES, LABELS, WEIGHTS),
    "nonconvex logistic": losses.nonconvex_logistic(FEATURES, LABELS, 0.3),
    "Huber": losses.huber(FEATURES, TARGETS, 0.8),
    "squared": losses.squared(FEATURES, TARGETS, WEIGHTS),
    "absolute": losses.absolute(FEATURES, TARGETS),
    "cosine": losses.cosine(FEATURES, TARGETS, WEIGHTS),
    "log cosh": losses.log_cosh(FEATURES, TARGETS),
    "quadratic": losses.quadratic(CURVATURE, FEATURES[0]),
    "quadratic minus linear": losses.quadratic_minus_linear(CURVATURE, FEATURES),
}
SCALARS = {
    "linear": losses.linear([[1.0]]),
    "logistic": losses.logistic([[1.0]], [-1.0]),
    "nonconvex logistic": losses.nonconvex_logistic([[1.0]], [1.0], 0.3),
    "Huber": losses.huber([[1.0]], [0.5], 0.8),
    "Huber, in its quadratic part": losses.huber([[1.0]], [-0.1], 4.0),
    "squared": losses.squared([[1.0]], [-0.5]),
    "absolute": losses.absolute([[1.0]], [0.3]),
    "cosine": losses.cosine([[1.0]], [0.3]),
    "log cosh": losses.log_cosh([[1.0]], [0.4]),
}
"""One record x = 1: the constants are those of phi itself."""
radii = pytest.mark.parametrize("within", [None, 0.7, 3.0])


def in_the_ball(within: float | None, count: int, dimension: int) -> Any:
    """Random points of all sizes, many of them near the border."""
    directions = RNG.normal(size=(count, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    lengths = 10 ** RNG.uniform(-3, 2, size=count) if within is None else within * RNG.random(count) ** 0.2
    return directions * lengths[:, None]


def definite(matrix: list[list[Fraction]]) -> bool:
    """Whether a symmetric rational matrix is positive semidefinite, by exact elimination."""
    rows = [row[:] for row in matrix]
    for k in range(len(rows)):
        if rows[k][k] < 0 or (rows[k][k] == 0 and any(rows[k][k:])):
            return False
        for i in range(k + 1, len(rows)):
            factor = rows[k][i] / rows[k][k] if rows[k][k] else Fraction(0)
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return True


def fractions(matrix: Any) -> list[list[Fraction]]:
    return [[Fraction(float(x)) for x in row] for row in matrix]


def minus(left: list[list[Fraction]], right: list[list[Fraction]]) -> list[list[Fraction]]:
    return [[a - b for a, b in zip(*rows, strict=True)] for rows in zip(left, right, strict=True)]


@pytest.mark.parametrize("name", [name for name in SCALARS if name != "nonconvex logistic"])
@radii
def test_the_largest_slope_of_every_loss_is_attained_and_never_exceeded(name: str, within: float | None) -> None:
    problem, bound = SCALARS[name], constants(SCALARS[name], within=within).lipschitz
    margins = np.linspace(-within, within, 100_001) if within else np.linspace(-50, 50, 1_000_001)
    largest = np.abs(problem.gradient(margins[:, None])).max()
    if name == "squared" and within is None:
        assert bound == math.inf
    else:
        exact_on_the_ball = bound if name != "cosine" or within is None else 1.0
        assert largest <= bound * (1 + 1e-15)
        assert largest >= 0.999 * exact_on_the_ball or (name == "cosine" and within == 0.7)


@pytest.mark.parametrize("name", [name for name in SCALARS if name != "absolute"])
@radii
def test_the_curvature_of_every_loss_lies_between_its_bounds_and_attains_them(name: str, within: float | None) -> None:
    problem, found, step = SCALARS[name], constants(SCALARS[name], within=within), 1e-5
    points = np.linspace(-(within or 30.0) + step, (within or 30.0) - step, 100_001)[:, None]
    bends = ((problem.gradient(points + step) - problem.gradient(points - step)) / (2 * step))[:, 0]
    assert bends.max() <= found.smoothness + 1e-9
    assert bends.min() >= found.strong_convexity - 1e-9
    if name not in ("cosine", "nonconvex logistic"):
        assert bends.min() <= found.strong_convexity + 1e-3
    if name != "cosine":
        assert np.abs(bends).max() >= 0.999 * found.smoothness
        assert (found.smoothness, found.component_smoothness[0]) == pytest.approx((found.record_smoothness,) * 2)
    if name == "cosine" and within is None:
        assert (bends.min(), bends.max()) == pytest.approx((found.strong_convexity, found.smoothness), abs=1e-6)


def test_the_closed_forms() -> None:
    values = {name: constants(problem) for name, problem in SCALARS.items()}
    assert [values[name].lipschitz for name in ("linear", "logistic", "absolute", "cosine", "log cosh")] == [1.0] * 5
    assert values["Huber"].lipschitz == 0.8
    assert values["nonconvex logistic"].lipschitz == pytest.approx(1 + 0.3 * 3 * math.sqrt(3) / 8, rel=1e-15)
    assert (values["logistic"].smoothness, values["nonconvex logistic"].smoothness) == pytest.approx((0.25, 0.85))
    assert values["nonconvex logistic"].strong_convexity == -0.15
    assert constants(SCALARS["logistic"], within=2.0).lipschitz == pytest.approx(1 / (1 + math.exp(-2)), rel=1e-15)
    curvature = math.exp(2) / (1 + math.exp(2)) ** 2
    assert constants(SCALARS["logistic"], within=2.0).strong_convexity == pytest.approx(curvature, rel=1e-14)


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
@radii
def test_a_random_search_exceeds_no_bound(problem: Problem, within: float | None) -> None:
    found = constants(problem, SETS, within)
    gradients = problem.record_gradients(in_the_ball(within, 20_000, D))
    assert np.linalg.norm(gradients, axis=-1).max() <= found.lipschitz
    changes = np.linalg.norm(gradients - gradients[:, :1], axis=-1)
    assert changes.max() <= 2 * found.data_lipschitz * (1 + 1e-13)
    for chosen, bound, part in zip(SETS, found.block_lipschitz, found.block_data_lipschitz, strict=True):
        assert np.linalg.norm(gradients[..., chosen], axis=-1).max() <= bound
        changes = np.linalg.norm((gradients - gradients[:, :1])[..., chosen], axis=-1)
        assert changes.max() <= 2 * part * (1 + 1e-13)


@pytest.mark.parametrize("problem", [p for name, p in PROBLEMS.items() if name != "absolute"])
@radii
def test_the_hessian_lies_between_its_bounds(problem: Problem, within: float | None) -> None:
    found, step = constants(problem, within=within), 1e-5
    points = in_the_ball(within, 400, D) * (1 if within is None else 1 - step)
    moved = [(problem.record_gradients(points + s) - problem.record_gradients(points - s)) for s in step * np.eye(D)]
    hessians = np.stack(moved, axis=-1) / (2 * step)
    assert np.abs(np.linalg.eigvals(hessians)).max() <= found.record_smoothness * (1 + 1e-6) + 1e-6
    means = (hessians.mean(axis=1) + hessians.mean(axis=1).transpose(0, 2, 1)) / 2
    eigenvalues = np.linalg.eigvalsh(means)
    assert np.abs(eigenvalues).max() <= found.smoothness * (1 + 1e-6) + 1e-6
    assert eigenvalues.min() >= found.strong_convexity - 1e-6
    for choice in component_choices(problem).values():
        assert np.linalg.eigvalsh(np.diag(choice) - means).min() >= -1e-6


def test_curvature_downwards_counts_as_much_as_upwards() -> None:
    """cos(w) - w^2/2 bends down by up to 2 and up by at most 0; the smoothness is the larger of the two."""
    found = constants(replace(SCALARS["cosine"], curvature=-np.eye(1)))
    assert (found.record_smoothness, found.smoothness, found.strong_convexity) == pytest.approx((2.0, 2.0, -2.0))
    assert found.component_smoothness[0] == pytest.approx(0.0, abs=1e-14)


def test_lipschitz_constants_of_blocks_are_sharp_for_linear_losses() -> None:
    found = constants(PROBLEMS["linear"], SETS)
    expected = [(WEIGHTS * np.linalg.norm(FEATURES[:, chosen], axis=1)).max() for chosen in SETS]
    assert found.block_lipschitz == found.block_data_lipschitz == pytest.approx(expected, rel=1e-15)
    assert constants(losses.linear(np.eye(2))).lipschitz == 1.0, "exact where the length is"


def test_known_eigenvalues_are_enclosed_on_the_safe_side() -> None:
    found = constants(losses.quadratic([[2.0, 1.0], [1.0, 2.0]], [0.0, 0.0]))
    assert 3 < found.smoothness < 3 * (1 + 1e-14)
    assert 1 - 1e-14 < found.strong_convexity < 1
    diagonal = constants(losses.quadratic(np.diag([1.0, 4.0, 0.5]), np.zeros(3)))
    assert (diagonal.smoothness, diagonal.strong_convexity) == (4.0, 0.5)
    assert diagonal.component_smoothness == (1.0, 4.0, 0.5), "the diagonal of a diagonal matrix is a valid choice"


@pytest.mark.parametrize("seed", range(4))
def test_bounds_of_quadratics_hold_in_exact_arithmetic(seed: int) -> None:
    root = np.random.default_rng(seed).normal(size=(5, 5 - seed))
    matrix = (root @ root.T + (root @ root.T).T) / 2
    problem, exact = losses.quadratic(matrix, np.zeros(5)), fractions(matrix)
    found = constants(problem)
    assert definite(minus(fractions(found.smoothness * np.eye(5)), exact))
    assert definite(minus(exact, fractions(found.strong_convexity * np.eye(5))))
    for choice in component_choices(problem).values():
        assert definite(minus(fractions(np.diag(choice)), exact))
    if seed:  # the matrix is singular, up to rounding
        assert abs(found.strong_convexity) < 1e-12


def test_bounds_of_a_data_set_hold_in_exact_arithmetic() -> None:
    rows, weights = fractions(FEATURES), [Fraction(float(w)) for w in WEIGHTS]
    gram = [
        [sum(w * row[j] * row[k] for w, row in zip(weights, rows, strict=True)) / N for k in range(D)] for j in range(D)
    ]
    found, balls = constants(PROBLEMS["squared"]), problem_constants._gram(PROBLEMS["squared"], WEIGHTS)
    for j in range(D):
        for k in range(D):
            exact = arb(gram[j][k].numerator) / gram[j][k].denominator
            assert balls[j][k].contains(exact)
            assert float(balls[j][k].rad()) < 1e-13
    assert definite(minus(fractions(found.smoothness * np.eye(D)), gram))
    assert definite(minus(gram, fractions(found.strong_convexity * np.eye(D))))
    assert found.strong_convexity > 0
    assert definite(minus(fractions(np.diag(found.component_smoothness)), gram))


def test_the_diagonal_alone_is_no_valid_choice() -> None:
    """rbcd T-2: M_j = H_jj fails as soon as H has an entry beside its diagonal."""
    matrix = [[1.0, 0.5], [0.5, 1.0]]
    assert not definite(minus(fractions(np.diag([1.0, 1.0])), fractions(matrix)))
    for choice in component_choices(losses.quadratic(matrix, [0.0, 0.0])).values():
        assert min(choice) >= 1.5


def test_each_choice_of_component_smoothness_is_the_tightest_somewhere() -> None:
    block = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]])
    uneven = np.diag([1.0, 10.0, 100.0]) @ np.array([[1.0, 0.5, 0.5], [0.5, 1.0, 0.5], [0.5, 0.5, 1.0]])
    uneven = uneven @ np.diag([1.0, 10.0, 100.0])
    even = np.array([[1.0, 0.7, -0.6], [0.7, 1.3, 0.5], [-0.6, 0.5, 1.6]])
    choices = {
        name: constants(losses.quadratic(matrix, np.zeros(3))).component_choice
        for name, matrix in (("block", block), ("uneven", uneven), ("even", even))
    }
    assert choices == {"block": "row sums", "uneven": "scaled diagonal", "even": "largest eigenvalue"}


def test_a_bound_that_is_not_above_the_eigenvalue_is_not_proved() -> None:
    matrix = [[arb(2), arb(1)], [arb(1), arb(2)]]
    proved = [problem_constants._is_positive_definite(matrix, bound) for bound in (2.9, 3.0, 3.0 + 1e-12)]
    assert proved == [False, False, True]
    wide = [[arb(2, 0.1), arb(1)], [arb(1), arb(2, 0.1)]]
    assert [problem_constants._is_positive_definite(wide, bound) for bound in (3.05, 3.2)] == [False, True]


def test_unbounded_gradients_have_infinite_constants() -> None:
    found = constants(PROBLEMS["quadratic minus linear"], SETS)
    assert found.lipschitz == math.inf
    assert found.data_lipschitz == pytest.approx(np.linalg.norm(FEATURES, axis=1).max(), rel=1e-15)
    assert constants(PROBLEMS["absolute"]).smoothness == math.inf
    assert constants(PROBLEMS["absolute"]).strong_convexity == 0.0


def test_wrong_requests_and_hopeless_numbers_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="within must be above 0"):
        constants(PROBLEMS["linear"], within=0.0)
    with pytest.raises(ConfigurationError, match=r"sets\[1\] must name coordinates from 0 to 3, got \(4,\)"):
        constants(PROBLEMS["linear"], [(0,), (4,)])
    with pytest.raises(ConfigurationError, match=r"could not be certified .* scale the features"):
        constants(losses.squared([[1e200, 1.0], [1.0, 1.0]], [0.0, 0.0]))
