"""Constants of a problem, computed and certified: Lipschitz, smoothness, strong convexity, component smoothness.

NumPy proposes, ball arithmetic proves: an eigenvalue bound c is accepted when a ball LDL factorisation of c I - A has
positive pivots for every matrix in the balls. Upper bounds are rounded up, strong convexity is rounded down; what
cannot be certified raises. The bounds hold for the records of the given data set, not for a universe of records.

For f of `dpaudit.problems.losses` and every w, with weights c_i, r(t) = t^2/(1 + t^2) and -1/2 <= r'' <= 2:

    lower := H - penalty/2 I + (1/n) sum_i c_i min phi'' x_i x_i^T <= Hessian f(w)
    upper := H + 2 penalty I + (1/n) sum_i c_i max phi'' x_i x_i^T >= Hessian f(w)

The one floating-point step inside of a proof, the sum over records, carries the a-priori bound gamma_(n + 4) of its
rounding errors (Higham 2002, section 3.5) as the radius of its balls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb

from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.intervals import PRECISION, precision
from dpaudit.arithmetic.roundoff import growth
from dpaudit.problems.losses import Loss, Problem
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_number

Balls = list[list[arb]]

NEAR = 1e-9
"""Records whose value in NumPy is within this part of the largest are evaluated in balls; the rounding errors of
NumPy's own values are below it for fewer than 10^6 coordinates."""
LEAST_SLACK, MOST_SLACK = 2.0**-50, 2.0**-10
"""Distance of an eigenvalue bound from NumPy's eigenvalue, in parts of the norm: the first that is tried, and the
one at which the search for a provable bound ends."""


@dataclass(frozen=True)
class Constants:
    """What is proved of a problem; every number is on the safe side.

    lipschitz: of every record's loss, infinite where its gradient is unbounded; data_lipschitz: the same for the part
    that depends on the record, so that gradients of two records differ by at most twice that; block_lipschitz,
    block_data_lipschitz: both for the gradient restricted to each of the given sets of coordinates;
    record_smoothness, smoothness: Lipschitz constants of the gradients of every record's loss and of f;
    strong_convexity: mu such that f - mu/2 |w|^2 is convex, negative where f may not be; component_smoothness: M with
    Diag(M) - Hessian f >= 0, the tightest of `component_choices`; component_choice: its name there; within: the
    ball on which all this holds, None for all points.
    """

    lipschitz: float
    data_lipschitz: float
    block_lipschitz: tuple[float, ...]
    block_data_lipschitz: tuple[float, ...]
    record_smoothness: float
    smoothness: float
    strong_convexity: float
    component_smoothness: tuple[float, ...]
    component_choice: str
    within: float | None


def constants(problem: Problem, sets: Sequence[Sequence[int]] = (), within: float | None = None) -> Constants:
    """The constants of `problem` at all points, or in the ball of radius `within` around 0.

    sets: sets of coordinates (those of a block sampler) whose Lipschitz constants are wanted. Raises
    ConfigurationError for a radius that is not above 0, coordinates that do not exist, and bounds that cannot be
    certified (numbers of very different size, or near the ends of the range of float64).
    """
    if within is not None:
        check_number("within", within, above=0.0)
    for position, one in enumerate(sets):
        if not one or not set(one) <= set(range(problem.dimension)):
            raise ConfigurationError(
                f"sets[{position}] must name coordinates from 0 to {problem.dimension - 1}, got {tuple(one)}"
            )
    with precision(PRECISION), np.errstate(over="ignore", invalid="ignore"):
        chosen = [tuple(range(problem.dimension)), *map(tuple, sets)]
        data = [_data_lipschitz(problem, one, within) for one in chosen]
        full = [
            _up(_ball(a) + _common_lipschitz(problem, len(one), within)) for a, one in zip(data, chosen, strict=True)
        ]
        convexity = _strong_convexity(problem, within)
        choices = component_choices(problem)
        choice = min(choices, key=lambda name: _log_product(choices[name]))
        smoothness = max(choices["largest eigenvalue"][0], -convexity)
        return Constants(
            full[0], data[0], tuple(full[1:]), tuple(data[1:]), _record_smoothness(problem), smoothness, convexity,
            choices[choice], choice, within,
        )  # fmt: skip


def component_choices(problem: Problem) -> dict[str, tuple[float, ...]]:
    """Valid choices of M, Diag(M) >= Hessian f everywhere, by name.

    The tightest has the smallest product, which does not depend on the units of the coordinates.

    "row sums": sum_k |U_jk| of the bound U on the Hessian; "largest eigenvalue": the same number in every coordinate;
    "scaled diagonal": lambda_max(D^-1/2 U D^-1/2) D with D = diag(U), where all of D is above 0. The diagonal of
    U alone is no valid choice unless U is diagonal.
    """
    d = problem.dimension
    if math.isinf(problem.bend) and problem.features.any():
        return {"largest eigenvalue": (math.inf,) * d}
    with precision(PRECISION), np.errstate(over="ignore", invalid="ignore"):
        bound = _hessian_above(problem)
        largest = _largest_eigenvalue(bound)
        choices = {"largest eigenvalue": (largest,) * d}
        choices["row sums"] = tuple(_up(sum((abs(entry) for entry in row), arb(0))) for row in bound)
        scales = [_up(bound[j][j]) for j in range(d)]
        if min(scales) > 0:
            roots = [_ball(scale).sqrt() for scale in scales]
            scaled = [[entry / (roots[j] * roots[k]) for k, entry in enumerate(row)] for j, row in enumerate(bound)]
            factor = _ball(_largest_eigenvalue(scaled))
            choices["scaled diagonal"] = tuple(_up(factor * _ball(scale)) for scale in scales)
    return choices


# Gradients. -------------------------------------------------------------------------------------


def _data_lipschitz(problem: Problem, chosen: tuple[int, ...], within: float | None) -> float:
    """max_i weight_i max|phi'| |x_{i,U}|."""
    candidates = list(range(problem.records))
    if within is None:
        candidates = _near_largest(_weights(problem) * np.linalg.norm(problem.features[:, chosen], axis=1))
    return max(_up(_record_slope(problem, i, chosen, within)) for i in candidates)


def _record_slope(problem: Problem, record: int, chosen: tuple[int, ...], within: float | None) -> arb:
    length = _length(problem.features[record, chosen])
    if length == 0:
        return arb(0)
    reach = arb.pos_inf() if within is None else _ball(within) * _length(problem.features[record])
    return _ball(_weights(problem)[record]) * _steepness(problem, record, reach) * length


def _steepness(problem: Problem, record: int, reach: arb) -> arb:
    """max |phi'(m; y)| over |m| <= reach, or a ball around a bound of it."""
    if problem.loss is Loss.LOGISTIC:
        return 1 / (1 + (-reach).exp())
    residual = reach + abs(_ball(problem.labels[record]))
    if problem.loss is Loss.SQUARED:
        return residual
    if problem.loss is Loss.HUBER:
        return _least(residual, _ball(problem.threshold))
    return _bounded_tanh(residual) if problem.loss is Loss.LOG_COSH else arb(1)


def _common_lipschitz(problem: Problem, size: int, within: float | None) -> arb:
    """Of the terms in H and of the penalty, on `size` coordinates; |r'(t)| is at most 3 sqrt(3)/8 and 2 |t|."""
    total = arb(0)
    if problem.penalty:
        steepest = arb(3) * arb(3).sqrt() / 8 * arb(size).sqrt()
        total += _ball(problem.penalty) * (steepest if within is None else _least(steepest, 2 * _ball(within)))
    if problem.is_curved:
        matrix = _curvature(problem)
        norm = max(_largest_eigenvalue(matrix), -_smallest_eigenvalue(matrix))
        total += arb.pos_inf() if within is None else _ball(norm) * _ball(within)
    return total


# Curvature. -------------------------------------------------------------------------------------


def _record_smoothness(problem: Problem) -> float:
    """The larger of the largest upward and the largest downward curvature of a record's loss."""
    squares = _weights(problem) * (problem.features**2).sum(axis=1)
    if math.isinf(problem.bend):
        return math.inf if squares.any() else 0.0
    steepest = max(
        (_ball(_up(_ball(_weights(problem)[i]) * _length(problem.features[i]) ** 2)) for i in _near_largest(squares)),
        key=float,
    )
    matrix, penalty, bent = _curvature(problem), _ball(problem.penalty), _ball(problem.bend) * steepest
    upwards = _ball(_largest_eigenvalue(matrix)) + 2 * penalty + bent
    downwards = -_ball(_smallest_eigenvalue(matrix)) + penalty / 2 + (bent if problem.loss is Loss.COSINE else 0)
    return max(_up(upwards), _up(downwards))


def _strong_convexity(problem: Problem, within: float | None) -> float:
    """A lower bound on the smallest eigenvalue of the Hessian of f, at least 0 where every term is convex."""
    factors = _least_curvatures(problem, within)
    radius = _least(arb(1), arb(1) if within is None else _ball(within))
    shrunk = _ball(problem.penalty) * (2 - 6 * radius**2) / (1 + radius**2) ** 3
    lower = _plus(_curvature(problem), _gram(problem, factors), shrunk)
    found = _smallest_eigenvalue(lower)
    convex = not problem.is_curved and factors.min() >= 0 and (shrunk > 0 or problem.penalty == 0)
    return max(0.0, found) if convex else found


def _least_curvatures(problem: Problem, within: float | None) -> Array:
    """weight_i min phi'' over the ball, rounded down, shape (n,)."""
    weights = _weights(problem)
    if problem.loss in (Loss.SQUARED, Loss.COSINE):
        return weights if problem.loss is Loss.SQUARED else -weights
    if within is None or problem.loss in (Loss.LINEAR, Loss.ABSOLUTE):
        return np.zeros(problem.records)
    return np.array([_least_curvature(problem, i, _ball(within)) for i in range(problem.records)])


def _least_curvature(problem: Problem, record: int, within: arb) -> float:
    weight, reach = _ball(_weights(problem)[record]), within * _length(problem.features[record])
    residual = reach + abs(_ball(problem.labels[record]))
    if problem.loss is Loss.HUBER:
        return float(_weights(problem)[record]) if residual < _ball(problem.threshold) else 0.0
    if problem.loss is Loss.LOGISTIC:
        return _down(weight / ((1 + reach.exp()) * (1 + (-reach).exp())))
    return _down(weight / residual.cosh() ** 2)


def _hessian_above(problem: Problem) -> Balls:
    factors = _weights(problem) if problem.bend > 0 and math.isfinite(problem.bend) else np.zeros(problem.records)
    gram = [[_ball(min(problem.bend, 1.0)) * entry for entry in row] for row in _gram(problem, factors)]
    return _plus(_curvature(problem), gram, 2 * _ball(problem.penalty))


def _gram(problem: Problem, factors: Array) -> Balls:
    """(1/n) sum_i factor_i x_i x_i^T in balls."""
    features, n = problem.features, problem.records
    if not factors.any():
        return [[arb(0)] * problem.dimension for _ in range(problem.dimension)]
    scaled = factors[:, None] * features
    centres, sizes = scaled.T @ features, np.abs(scaled).T @ np.abs(features)
    error = _ball(growth(n + 4, "float64")) * arb(1.01)  # the sizes have rounding errors, too: 1 % is ample
    tiny = arb(n) * arb(2) ** -1000  # underflow
    return [
        [arb(_ball(centre), error * _ball(size) + tiny) / n for centre, size in zip(*rows, strict=True)]
        for rows in zip(centres.tolist(), sizes.tolist(), strict=True)
    ]


def _curvature(problem: Problem) -> Balls:
    return [[_ball(entry) for entry in row] for row in problem.curvature.tolist()]


def _plus(left: Balls, right: Balls, shift: arb) -> Balls:
    """left + right + shift I."""
    return [
        [a + b + (shift if j == k else 0) for k, (a, b) in enumerate(zip(*rows, strict=True))]
        for j, rows in enumerate(zip(left, right, strict=True))
    ]


# Eigenvalues. -----------------------------------------------------------------------------------


def _smallest_eigenvalue(matrix: Balls) -> float:
    return -_largest_eigenvalue([[-entry for entry in row] for row in matrix])


def _largest_eigenvalue(matrix: Balls) -> float:
    """An upper bound on the largest eigenvalue of every symmetric matrix in the balls."""
    d = len(matrix)
    if all(matrix[j][k] == 0 for j in range(d) for k in range(d) if j != k):
        return max(_up(matrix[j][j]) for j in range(d))
    centres = np.array([[float(entry) for entry in row] for row in matrix])
    if np.isfinite(centres).all():
        eigenvalues = np.linalg.eigvalsh(centres)
        norm = float(np.abs(eigenvalues).max())
        slack = LEAST_SLACK * norm + max(sum(float(entry.rad()) for entry in row) for row in matrix)
        while slack <= MOST_SLACK * norm:
            bound = float(eigenvalues[-1]) + slack
            if _is_positive_definite(matrix, bound):
                return bound
            slack *= 4
    raise ConfigurationError(
        "an eigenvalue of the Hessian could not be certified to 0.1 % of its norm; scale the features to similar sizes"
    )


def _is_positive_definite(matrix: Balls, bound: float) -> bool:
    """Whether bound I - A is certainly positive definite for every symmetric A in the balls, by LDL."""
    d = len(matrix)
    rows = [[-entry for entry in row] for row in matrix]
    for j in range(d):
        rows[j][j] += _ball(bound)
    for k in range(d):
        if not rows[k][k] > 0:
            return False
        for i in range(k + 1, d):
            factor = rows[k][i] / rows[k][k]
            rows[i][i:] = [a - factor * b for a, b in zip(rows[i][i:], rows[k][i:], strict=True)]
    return True


# Numbers. ---------------------------------------------------------------------------------------


def _weights(problem: Problem) -> Array:
    return np.ones(problem.records) if problem.weights is None else problem.weights


def _near_largest(values: Array) -> list[int]:
    return [int(i) for i in np.flatnonzero(values >= values.max() * (1 - NEAR))]


def _length(row: Array) -> arb:
    return sum((_ball(x) ** 2 for x in row.tolist()), arb(0)).sqrt()


def _log_product(values: Sequence[float]) -> float:
    return sum(math.log(value) if value > 0 else -math.inf for value in values)


def _ball(value: float) -> arb:
    return arb(float(value))


def _least(left: arb, right: arb) -> arb:
    """Whichever has the smaller upper end: both are upper bounds."""
    return left if left.upper() <= right.upper() else right


def _bounded_tanh(value: arb) -> arb:
    return arb(1) if value == arb.pos_inf() else value.tanh()


def _up(value: arb) -> float:
    """The smallest float64 number that is certainly at least `value`."""
    if not value.upper() < arb.pos_inf():
        return math.inf
    number = float(value.upper())
    while not _ball(number) >= value:
        number = math.nextafter(number, math.inf)
    return number


def _down(value: arb) -> float:
    return -_up(-value)
