"""Ridge losses: selections by hand, closed forms against quadrature and differences, oracles, minima, three forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate

from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing import kernels, ridges
from dpaudit.problems.smoothing.minimum import ball_minimum
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, RidgeLosses, ridge_losses
from dpaudit.problems.smoothing.tensors import TorchOracle, TorchRidge
from dpaudit.records.errors import ConfigurationError

RNG = np.random.default_rng(12)
ROWS = RNG.normal(size=(5, 3))
ROWS /= np.linalg.norm(ROWS, axis=1)[:, None]
LOSSES = ridge_losses(
    [
        (Ridge.ABSOLUTE, ROWS[0], 0.3), (Ridge.HINGE, ROWS[1], -0.2), (Ridge.LINEAR, ROWS[2]),
        (Ridge.ZERO, ROWS[3]), (Ridge.ABSOLUTE, 0.5 * ROWS[4], 0.1),
    ],
    2.0,
)  # fmt: skip
POINTS = RNG.normal(size=(9, 3))
RADIUS = 0.7
DTYPES = ["float64", "float32"]


def one(kind: Ridge, offset: float = 0.0, scale: float = 1.0) -> RidgeLosses:
    return ridge_losses([(kind, (1.0,), offset)], scale)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(Ridge.ZERO, [0, 0, 0]), (Ridge.LINEAR, [3, 3, 3]), (Ridge.ABSOLUTE, [-3, 0, 3]), (Ridge.HINGE, [0, 0, 3])],
)
def test_the_selected_subgradients(kind: Ridge, expected: list[float]) -> None:
    points = np.array([[0.0], [0.5], [2.0]])
    losses = one(kind, 0.5, 3.0)
    assert ridges.subgradient(losses, 0, points)[:, 0].tolist() == expected
    assert ridges.mean_subgradient(losses, points)[:, 0].tolist() == expected
    out = np.zeros(1)
    for point, value in zip(points, expected, strict=True):
        kernels.ridge_subgradient(point, 0, kernels.ridge_arrays(losses), out)
        assert out[0] == value


def test_the_mean_is_over_the_records() -> None:
    parts = np.stack([ridges.subgradient(LOSSES, i, POINTS) for i in range(5)])
    assert ridges.mean_subgradient(LOSSES, POINTS) == pytest.approx(parts.mean(axis=0), abs=1e-15)
    chosen = np.array([4, 3, 2, 1, 0, 1, 2, 3, 4])
    assert np.array_equal(ridges.subgradient(LOSSES, chosen, POINTS), parts[chosen, np.arange(9)])
    assert (np.linalg.norm(parts, axis=-1) <= 2.0 + 1e-12).all()


@pytest.mark.parametrize("kind", list(Ridge))
@pytest.mark.parametrize("x", [-6.0, -0.4, 0.5, 0.9, 5.0])
def test_smoothed_values_are_gaussian_integrals(kind: Ridge, x: float) -> None:
    losses = one(kind, 0.5, 3.0)

    def integrand(y: float) -> float:
        density = math.exp(-0.5 * (y / RADIUS) ** 2) / (RADIUS * math.sqrt(2 * math.pi))
        return float(ridges.value(losses, np.array([x + y]))) * density

    expected = sum(integrate.quad(integrand, *sorted(ends))[0] for ends in ((-8.0, 0.5 - x), (0.5 - x, 8.0)))
    assert ridges.smoothed_value(losses, np.array([x]), RADIUS) == pytest.approx(expected, abs=1e-10)


def test_derivatives_are_derivatives() -> None:
    step = 1e-5
    for j, shift in enumerate(step * np.eye(3)):
        rise, turn = (
            (function(LOSSES, POINTS + shift, RADIUS) - function(LOSSES, POINTS - shift, RADIUS)) / (2 * step)
            for function in (ridges.smoothed_value, ridges.smoothed_gradient)
        )
        assert ridges.smoothed_gradient(LOSSES, POINTS, RADIUS)[:, j] == pytest.approx(rise, abs=1e-9)
        assert ridges.smoothed_hessian(LOSSES, POINTS, RADIUS)[:, j] == pytest.approx(turn, abs=1e-9)
        radial = [ridges.radial_smoothed_value(POINTS + s * shift, ROWS[0], RADIUS, 2.0) for s in (1, -1)]
        gradient = ridges.radial_smoothed_gradient(POINTS, ROWS[0], RADIUS, 2.0)[:, j]
        assert gradient == pytest.approx((radial[0] - radial[1]) / (2 * step), abs=1e-9)


def test_smoothing_lifts_by_at_most_the_root_of_the_dimension() -> None:
    lift = ridges.smoothed_value(LOSSES, POINTS, RADIUS) - ridges.value(LOSSES, POINTS)
    assert (lift >= -1e-15).all()
    assert (lift <= 2 * RADIUS).all()
    at_centre = ridges.radial_smoothed_value(np.zeros((1, 400)), np.zeros(400), 0.1, 5.0)[0]
    assert 0.99 * 5 * 0.1 * 20 < at_centre < 5 * 0.1 * 20


def test_radial_in_one_dimension_is_the_ridge() -> None:
    points = np.linspace(-40, 40, 17)[:, None]
    ridge = ridges.smoothed_value(one(Ridge.ABSOLUTE, 0.5, 3.0), points, RADIUS)
    assert ridges.radial_smoothed_value(points, [0.5], RADIUS, 3.0) == pytest.approx(ridge, rel=1e-12)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numba_and_torch_repeat_numpy(dtype: str) -> None:
    import torch

    tolerance, cast = {"float64": 1e-14, "float32": 2e-6}[dtype], POINTS.astype(dtype)
    losses, tensors = kernels.ridge_arrays(LOSSES, dtype), TorchRidge(LOSSES, "cpu", dtype)
    points, index = torch.tensor(cast), np.arange(9) % 5
    expected = (
        ridges.subgradient(LOSSES, index, cast), ridges.mean_subgradient(LOSSES, cast),
        ridges.smoothed_gradient(LOSSES, cast, RADIUS),
    )  # fmt: skip
    compiled = np.zeros((3, 9, 3), dtype=dtype)
    for row, point in enumerate(cast):
        kernels.ridge_subgradient(point, index[row], losses, compiled[0, row])
        kernels.ridge_mean_subgradient(point, losses, compiled[1, row])
        kernels.ridge_smoothed_gradient(point, RADIUS, losses, compiled[2, row])
    batched = (
        tensors.subgradient(torch.tensor(index), points), tensors.mean_subgradient(points),
        tensors.smoothed_gradient(points, RADIUS),
    )  # fmt: skip
    for wanted, here, there in zip(expected, compiled, batched, strict=True):
        assert here == pytest.approx(wanted, abs=tolerance)
        assert there.numpy() == pytest.approx(wanted, abs=tolerance)


@pytest.mark.parametrize("selection", ["mean", "record"])
def test_oracles_agree_on_equal_uniforms(selection: str) -> None:
    import torch

    oracle = Oracle(LOSSES, selection, 0.5, (0.6, 0.8, 0.0))
    stream = Stream(5, "tests/oracle")
    uniforms = stream.uniforms(np.arange(9), 0, 2)
    records, signs = oracle.choices(uniforms)
    expected = oracle.query(POINTS, records, signs)
    tensors, arrays, out = TorchOracle(oracle), kernels.oracle_arrays(oracle), np.zeros(3)
    found = tensors.query(torch.tensor(POINTS), *tensors.choices(torch.tensor(uniforms)))
    assert found.numpy() == pytest.approx(expected, abs=1e-14)
    for row, point in enumerate(POINTS):
        record, sign = kernels.oracle_choice(*stream.key, 0, 0, row, 5)
        assert (record, sign) == (records[row], signs[row])
        kernels.oracle_query(point, record, sign, arrays, out)
        assert out == pytest.approx(expected[row], abs=1e-14)


@pytest.mark.parametrize("selection", ["mean", "record"])
def test_an_oracle_is_unbiased_and_bounded(selection: str) -> None:
    """Bounded terms: the mean of 40000 is within 0.1 but for 1e-6 (Hoeffding); spread as the bound says."""
    oracle = Oracle(LOSSES, selection, 1.5)
    records, signs = oracle.choices(Stream(6, "tests/oracle").uniforms(np.arange(40_000), 0, 2))
    g = oracle.query(np.tile(POINTS[0], (40_000, 1)), records, signs)
    assert g.mean(axis=0) == pytest.approx(ridges.mean_subgradient(LOSSES, POINTS[0]), abs=0.1)
    assert (g**2).sum(axis=1).mean() <= oracle.second_moment**2 * 1.02
    assert oracle.second_moment == pytest.approx(2.5)
    assert Oracle(one(Ridge.ZERO), spread=4.0).second_moment == 4.0


@pytest.mark.parametrize("strength", [0.0, 1e-3, 0.1, 1.0, 1e3])
@pytest.mark.parametrize("ball_radius", [1e-2, 0.5, 3.0])
def test_the_minimum_beats_every_point_of_the_ball(strength: float, ball_radius: float) -> None:
    centre = POINTS[1]
    found = ball_minimum(LOSSES, centre, ball_radius, RADIUS, strength)
    assert 0 <= found.error <= 1e-12
    assert np.linalg.norm(found.point - centre) <= ball_radius * (1 + 1e-12)
    others = RNG.normal(size=(200, 3))
    others = centre + ball_radius * others / np.linalg.norm(others, axis=1)[:, None] * RNG.random((200, 1))
    values = ridges.smoothed_value(LOSSES, others, RADIUS) + strength / 2 * ((others - centre) ** 2).sum(axis=1)
    assert values.min() >= found.value - found.error - 1e-14


def test_a_minimum_by_hand() -> None:
    """Psi = 3 x + x^2 from 0: free minimum -3/2, clipped to the ball; anchored at 1 it is 1 - 3/2."""
    losses = one(Ridge.LINEAR, scale=3.0)
    assert ball_minimum(losses, [0.0], 5.0, 1.0, 2.0).point[0] == pytest.approx(-1.5, abs=1e-14)
    assert ball_minimum(losses, [0.0], 1.0, 1.0, 2.0).point[0] == pytest.approx(-1.0, abs=1e-14)
    assert ball_minimum(losses, [0.0], 5.0, 1.0, 2.0, anchor=[1.0]).point[0] == pytest.approx(-0.5, abs=1e-14)
    still = ball_minimum(one(Ridge.ZERO), [0.25], 1.0, 1.0, 0.0)
    assert (still.point[0], still.value, still.error) == (0.25, 0.0, 0.0)


def test_a_replaced_record_is_a_neighbour() -> None:
    other = LOSSES.replaced(0, Ridge.LINEAR, [0.0, 0.0, -1.0])
    assert (other.kinds != LOSSES.kinds).tolist() == [True, False, False, False, False]
    assert LOSSES.offsets[0] == 0.3


def test_wrong_losses_and_oracles_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="norm at most 1"):
        ridge_losses([(Ridge.LINEAR, (1.0, 1.0))])
    with pytest.raises(ConfigurationError, match="lipschitz must be above 0"):
        one(Ridge.LINEAR, scale=0.0)
    with pytest.raises(ConfigurationError, match="kinds must be integers from 0 to 3"):
        RidgeLosses(np.array([7]), np.ones((1, 1)), np.zeros(1), 1.0)
    with pytest.raises(ConfigurationError, match=r"offsets must be finite, shape \(1,\)"):
        RidgeLosses(np.array([1]), np.ones((1, 1)), np.zeros(2), 1.0)
    with pytest.raises(ConfigurationError, match="directions must be finite"):
        RidgeLosses(np.array([1]), np.ones(1), np.zeros(1), 1.0)
    with pytest.raises(ConfigurationError, match="selection must be one of"):
        Oracle(LOSSES, "all")
    with pytest.raises(ConfigurationError, match="axis must have norm 1"):
        Oracle(LOSSES, "mean", 1.0, (1.0, 1.0, 0.0))
    with pytest.raises(ConfigurationError, match="radius must be above 0"):
        ridges.smoothed_value(LOSSES, POINTS, 0.0)
    with pytest.raises(ConfigurationError, match=r"centre must have shape \(3,\)"):
        ball_minimum(LOSSES, [0.0], 1.0, 1.0)
