"""Random directions: the three forms, orthonormality, the QR factorisation behind them, their laws.

Statistical tests: false alarm at most 1e-6 each (Kolmogorov-Smirnov tests and binomial tests are exact, means are
tested by an empirical Bernstein bound; levels are divided by the number of comparisons).
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from refusals import refused
from scipy import stats
from zeroth_runs import assert_mean

from dpaudit.arithmetic.tracked import track
from dpaudit.noise.stream import Stream
from dpaudit.sampling import direction_kernels
from dpaudit.sampling.directions import KINDS, Directions

STREAM = Stream(31, "tests/directions")
SIZES = [(1, 5), (2, 2), (3, 7), (6, 6), (4, 64)]


def normals(trials: int, count: int, dimension: int, step: int = 0) -> np.ndarray:
    return STREAM.normals(np.arange(trials), step, count * dimension).reshape(trials, count, dimension)


def compiled(law: Directions, trials: int, step: int = 0, dtype: str = "float64") -> np.ndarray:
    out = np.empty((trials, law.count, law.dimension), dtype=dtype)
    for trial in range(trials):
        direction_kernels.draw_frame(law.code, *STREAM.key, step, trial, out[trial])
    return out


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("count", "dimension"), SIZES)
def test_the_three_forms_make_the_same_directions(kind: str, count: int, dimension: int) -> None:
    law, drawn = Directions(kind, count, dimension), normals(4, count, dimension)
    expected = law.frame(drawn)
    assert law.torch_frame(torch.tensor(drawn)).numpy() == pytest.approx(expected, abs=2e-15)
    assert compiled(law, 4) == pytest.approx(expected, abs=2e-15)
    assert compiled(law, 4, dtype="float32") == pytest.approx(expected, abs=2e-6)
    single = law.torch_frame(torch.tensor(drawn).float())
    assert single.dtype == torch.float32
    assert single.numpy() == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize(("count", "dimension"), SIZES)
def test_tracked_rounding_bounds_hold_and_are_not_far_off(count: int, dimension: int) -> None:
    law, drawn = Directions("orthonormal", count, dimension), normals(4, count, dimension)
    single = compiled(law, 4, dtype="float32")
    for trial in range(4):
        bound = law.frame(track(drawn[trial]))
        assert np.array_equal(bound.values, law.frame(drawn[trial]))
        assert (np.abs(single[trial] - bound.values) <= (2.0**-24 + 2.0**-53) * bound.errors).all()
        assert bound.errors.max() <= 100 * count**2


@pytest.mark.parametrize(("count", "dimension"), [*SIZES, (40, 40)])
def test_rows_are_orthonormal_up_to_a_square_frame(count: int, dimension: int) -> None:
    law = Directions("orthonormal", count, dimension)
    for dtype, tolerance in (("float64", 3e-15), ("float32", 2e-6)):
        frames = compiled(law, 3, dtype=dtype).astype(float)
        gram = frames @ np.moveaxis(frames, -1, -2)
        assert gram == pytest.approx(np.broadcast_to(np.eye(count), gram.shape), abs=tolerance)


def test_a_frame_is_the_q_of_a_factorisation_with_positive_diagonal() -> None:
    """The columns H_1 ... H_{k-1} z_k are normal and independent; their Q, signs fixed, is the frame."""
    drawn, places = normals(5, 4, 6), np.arange(6)
    frames = Directions("orthonormal", 4, 6).frame(drawn)
    for z, frame in zip(drawn, frames, strict=True):
        columns, reflections = [], []
        for k in range(4):
            column = z[k]
            for reflection in reversed(reflections):
                column = reflection @ column
            columns.append(column)
            v = np.where(places >= k, z[k], 0.0)
            w = v + math.copysign(np.linalg.norm(v), v[k]) * (places == k)
            reflections.append(np.eye(6) - 2 * np.outer(w, w) / (w @ w))
        q, r = np.linalg.qr(np.array(columns).T)
        assert frame == pytest.approx((q * np.sign(np.diag(r))).T, abs=1e-13)


def test_negated_normals_negate_the_frame_to_the_bit() -> None:
    drawn = normals(3, 4, 6)
    for kind in KINDS:
        law = Directions(kind, 4, 6)
        assert np.array_equal(law.frame(-drawn), -law.frame(drawn))
    flipped = drawn * np.array([1.0, -1, 1, 1])[:, None]
    both = Directions("orthonormal", 4, 6).frame(np.stack([drawn, flipped]))
    assert np.array_equal(both[1], both[0] * np.array([1.0, -1, 1, 1])[:, None]), "one row, one sign"


def test_one_direction_is_on_the_sphere_however_it_is_named() -> None:
    drawn = normals(3, 1, 6)
    assert np.array_equal(Directions("orthonormal", 1, 6).frame(drawn), Directions("independent", 1, 6).frame(drawn))


TRIALS = 40_000


@pytest.fixture(scope="module")
def frames() -> np.ndarray:
    return Directions("orthonormal", 2, 5).frame(normals(TRIALS, 2, 5, step=1))


def test_the_share_of_a_vector_in_a_random_subspace_is_beta(frames: np.ndarray) -> None:
    """|U a|^2 ~ Beta(K/2, (d - K)/2) for every unit vector a; 1 for K = d."""
    for a in (np.eye(5)[0], np.eye(5)[4], np.ones(5) / 5**0.5, np.array([0.6, 0, -0.8, 0, 0])):
        share = ((frames @ a) ** 2).sum(axis=1)
        assert stats.kstest(share, stats.beta(1, 1.5).cdf).pvalue >= 1e-6 / 4
        wrong = stats.kstest(share, stats.beta(1, 1.6).cdf).pvalue
        assert wrong < 1e-6, "the test sees a fractional change of one parameter"
    square = Directions("orthonormal", 5, 5).frame(normals(50, 5, 5))
    assert ((square @ np.ones(5)) ** 2).sum(axis=1) == pytest.approx(np.full(50, 5.0), abs=1e-13)


def test_projections_have_the_exact_first_and_second_moments(frames: np.ndarray) -> None:
    """E P = (K/d) I; E P_ij P_kl = A d_ij d_kl + B (d_ik d_jl + d_il d_jk)."""
    projections = np.moveaxis(frames, -1, -2) @ frames
    assert assert_mean(projections, 0.4 * np.eye(5), 1.0, 5e-7) < 0.01
    d, count, eye = 5, 2, np.eye(5)
    first = count * ((d + 1) * count - 2) / (d * (d - 1) * (d + 2))
    second = count * (d - count) / (d * (d - 1) * (d + 2))
    expected = first * np.einsum("ij,kl->ijkl", eye, eye) + second * (
        np.einsum("ik,jl->ijkl", eye, eye) + np.einsum("il,jk->ijkl", eye, eye)
    )
    products = np.einsum("tij,tkl->tijkl", projections, projections)
    assert assert_mean(products, expected, 1.0, 5e-7) < 0.01


@pytest.mark.parametrize(("kind", "count"), [("orthonormal", 3), ("independent", 4)])
def test_every_coordinate_of_every_row_has_the_law_of_the_sphere(kind: str, count: int) -> None:
    """(1 + u)/2 ~ Beta((d - 1)/2, (d - 1)/2), also for the last row of a square frame, where only a sign is free."""
    rows = Directions(kind, count, 3).frame(normals(TRIALS, count, 3, step=2))
    law = stats.beta(1.0, 1.0)
    for k in range(count):
        for j in range(3):
            assert stats.kstest((1 + rows[:, k, j]) / 2, law.cdf).pvalue >= 1e-6 / (3 * count)


def test_both_orientations_of_square_frames_are_equally_frequent() -> None:
    frames = Directions("orthonormal", 3, 3).frame(normals(TRIALS, 3, 3, step=3))
    signs = np.linalg.det(frames)
    assert np.abs(signs) == pytest.approx(np.ones(TRIALS), abs=1e-13)
    assert stats.binomtest(int((signs > 0).sum()), TRIALS).pvalue >= 1e-6


def test_independent_rows_are_not_orthogonal() -> None:
    """<u_1, u_2> of independent rows has the law of one coordinate."""
    rows = Directions("independent", 2, 4).frame(normals(TRIALS, 2, 4, step=4))
    inner = (rows[:, 0] * rows[:, 1]).sum(axis=1)
    assert stats.kstest((1 + inner) / 2, stats.beta(1.5, 1.5).cdf).pvalue >= 1e-6


def test_small_sums_of_the_kernels() -> None:
    rng = np.random.default_rng(2)
    for size in (1, 3, 4, 9):
        left, right = rng.normal(size=size), rng.normal(size=size)
        assert direction_kernels.dot(left, right) == pytest.approx(left @ right, abs=1e-14)
    for count in (1, 2, 5):
        rows, weights, out = rng.normal(size=(count, 6)), rng.normal(size=count), rng.normal(size=6)
        expected = out + weights @ rows
        direction_kernels.combine(weights, rows, out)
        assert out == pytest.approx(expected, abs=1e-14)


test_wrong_directions_are_refused = refused(
    Directions,
    (("orthonormal", 4, 3), "directions must be at most the dimension 3 to be orthonormal, got 4"),
    (("orthonormal", 0, 3), "directions must be at least 1"),
    (("independent", 2, 0), "dimension must be at least 1"),
    (("sparse", 1, 3), "frame must be one of"),
)
