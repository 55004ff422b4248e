"""Projections and clipping: nearest points, the same in the three forms."""

from __future__ import annotations

import operator

import numpy as np
import pytest
import torch
from refusals import refused

from dpaudit.arithmetic.tracked import track
from dpaudit.problems import domain_kernels, domains
from dpaudit.problems.domains import Domain

POINTS = np.random.default_rng(3).normal(size=(40, 3)) * np.array([[0.2], [1.0], [3.0], [30.0]]).repeat(10, axis=0)
SETS = {
    "everything": Domain(),
    "ball at 0": domains.ball(1.5, (0.0, 0.0, 0.0)),
    "ball": domains.ball(0.7, (0.5, -1.0, 2.0)),
    "box": domains.box((-1.0, 0.0, -0.5), (1.0, 0.5, 2.0)),
}
each = pytest.mark.parametrize("domain", SETS.values(), ids=SETS)


@each
def test_the_three_forms_agree(domain: Domain) -> None:
    expected = domain.project(POINTS)
    assert domain.torch_project(torch.tensor(POINTS)).numpy() == pytest.approx(expected, rel=1e-14, abs=1e-14)
    assert domain.project(track(POINTS)).values == pytest.approx(expected, rel=1e-15)
    for dtype, tolerance in (("float64", 1e-14), ("float32", 1e-5)):
        for point, nearest in zip(POINTS, expected, strict=True):
            given = point.astype(dtype)
            domain_kernels.project(given, domain_kernels.packed(domain, dtype))
            assert given == pytest.approx(nearest, rel=tolerance, abs=tolerance)


@each
def test_it_is_the_nearest_point(domain: Domain) -> None:
    """<v - Pi v, u - Pi v> <= 0 for every u of the set, which is what characterises the projection."""
    nearest, others = domain.project(POINTS), domain.project(POINTS[::-1] * 1.3)
    outward = np.einsum("ij,kij->ki", POINTS - nearest, others[:, None, :] - nearest[None])
    assert outward.max() <= 1e-9
    assert domain.project(nearest) == pytest.approx(nearest, rel=1e-14, abs=1e-15)
    distances = np.linalg.norm(nearest[:, None] - nearest[None], axis=2)
    assert (distances <= np.linalg.norm(POINTS[:, None] - POINTS[None], axis=2) + 1e-12).all()
    assert distances.max() <= domain.diameter
    assert np.linalg.norm(nearest, axis=1).max() <= domain.largest_norm + 1e-12


def test_clipping_bounds_the_norm_and_keeps_short_vectors_to_the_bit() -> None:
    clipped = domains.clip(POINTS, 1.0)
    assert np.linalg.norm(clipped, axis=1).max() <= 1 + 1e-15
    short = np.linalg.norm(POINTS, axis=1) <= 1
    assert short.any()
    assert np.array_equal(clipped[short], POINTS[short])
    assert domains.clip(np.zeros(3), 0.5).tolist() == [0.0] * 3
    assert domains.torch_clip(torch.tensor(POINTS), 1.0).numpy() == pytest.approx(clipped, rel=1e-14)
    for point, expected in zip(POINTS, clipped, strict=True):
        given = point.copy()
        length = domain_kernels.clip(given, 1.0)
        assert length == pytest.approx(np.linalg.norm(point))
        assert given == pytest.approx(expected, rel=1e-14)


test_wrong_sets_are_refused = refused(
    operator.call,
    (lambda: Domain("cone"), "domain must be one of"),
    (lambda: domains.ball(0.0, (0.0,)), "radius must be above 0"),
    (lambda: domains.ball(1.0, (float("nan"),)), "centre"),
    (lambda: domains.box((1.0,), (0.0,)), "lower must not exceed upper"),
    (lambda: domains.box((1.0,), (2.0, 3.0)), "upper must have 1"),
    (lambda: SETS["box"].check_dimension(2), "3 coordinates, the points have 2"),
)
