"""EpochSGD: one epoch in exact arithmetic, schedules and counts, edges, the bound of proposition 3."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpaudit.algorithms.resque import epoch_sgd
from dpaudit.algorithms.resque.epoch_sgd import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.minimum import ball_minimum
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses, smoothed_value
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(82, "tests/epoch")
LINEAR = Oracle(ridge_losses([(Ridge.LINEAR, (1.0,))]))


def params(iterations: int, **changes: float) -> Params:
    """lambda = 1, L = 1, and phi = 48/T, slightly larger so that T is not rounded up."""
    given = {"ball_radius": 10.0, "smoothing_radius": 1e9, "strength": 1.0, "lipschitz": 1.0, **changes}
    tolerance = 48 * given["lipschitz"] ** 2 / given["strength"] / iterations * (1 + 1e-12)
    return Params((0.0,), tolerance=tolerance, **given)


@pytest.mark.deep
def test_one_epoch_in_exact_arithmetic() -> None:
    """f = x with weight 1 (a huge rho): x^{t+1} = (x^t - eta)/(1 + eta lambda) with eta = 1/4, mean of 16 points."""
    x, total = Fraction(0), Fraction(0)
    for _ in range(15):
        total += x
        x = (x - Fraction(1, 4)) / Fraction(5, 4)
    total += x
    found = epoch_sgd.cpu(params(16), LINEAR, Trials(STREAM, np.array([0])))
    assert found[0, 0] == pytest.approx(float(total / 16), abs=1e-7)  # the weight is 1 to 1e-9


def test_two_epochs_with_the_ball_in_the_way() -> None:
    """r = 1/2 stops x at -1/2 from the third step on; the second epoch starts at the mean and has eta = 1/8."""
    x, radius, lam = Fraction(0), Fraction(1, 2), Fraction(1)
    for length, eta in ((16, Fraction(1, 4)), (32, Fraction(1, 8))):
        x = max(-radius, x / (1 + eta * lam))
        total = x
        for _ in range(length - 1):
            x = max(-radius, (x - eta) / (1 + eta * lam))
            total += x
        x = total / length
    found = epoch_sgd.cpu(params(48, ball_radius=0.5), LINEAR, Trials(STREAM, np.array([0])))
    assert found[0, 0] == pytest.approx(float(x), abs=1e-7)


@pytest.mark.parametrize(
    ("iterations", "completed", "used"), [(1, 0, 0), (15, 0, 0), (16, 1, 15), (47, 1, 15), (48, 2, 46), (112, 3, 109)]
)
def test_schedules_and_counts(iterations: int, completed: int, used: int) -> None:
    p = params(iterations)
    assert (p.iterations, p.queries, len(p.schedule)) == (iterations, 2 * iterations, completed)
    run = epoch_sgd.reference(p, LINEAR, *epoch_sgd.draw_inputs(p, LINEAR, STREAM, 0))
    assert (run.epochs, run.used, run.queries, run.rounds) == (completed, used, 2 * iterations, 1)
    assert len(run.states) == 1 + 16 * (2**completed - 1)
    assert [row[1] for row in p.schedule] == [16 * 2**k for k in range(completed)]


def test_below_16_the_centre_is_returned() -> None:
    p = Params((0.25, -1.0), 1.0, 1.0, 1.0, 48 / 15.5, 1.0)
    oracle = Oracle(ridge_losses([(Ridge.LINEAR, (1.0, 0.0))]))
    assert p.iterations == 16
    short, trials = Params((0.25, -1.0), 1.0, 1.0, 1.0, 3.3, 1.0), Trials(STREAM, np.arange(3))
    assert short.iterations == 15
    for found in (epoch_sgd.cpu(short, oracle, trials), epoch_sgd.gpu(short, oracle, trials).numpy()):
        assert found.tolist() == [[0.25, -1.0]] * 3


def test_all_forms_give_the_same_run() -> None:
    p = Params((0.3, -0.2), 0.7, 0.6, 1.1, 0.09, 1.0)  # T = 485: four epochs, more than one piece
    oracle = Oracle(ridge_losses([(Ridge.ABSOLUTE, (0.6, 0.8), 0.1), (Ridge.HINGE, (0.0, 1.0))]), "record")
    numbers = np.array([2, 5, 7])
    runs = [epoch_sgd.reference(p, oracle, *epoch_sgd.draw_inputs(p, oracle, STREAM, t)) for t in numbers.tolist()]
    expected = np.stack([run.final for run in runs])
    assert epoch_sgd.cpu(p, oracle, Trials(STREAM, numbers)) == pytest.approx(expected, abs=1e-12)
    assert epoch_sgd.gpu(p, oracle, Trials(STREAM, numbers)).numpy() == pytest.approx(expected, abs=1e-12)


def test_the_gap_is_below_the_tolerance() -> None:
    """Proposition 3 on |x - 0.3| and a hinge; the gap of 2000 trials is at most phi on average."""
    losses = ridge_losses([(Ridge.ABSOLUTE, (1.0, 0.0), 0.3), (Ridge.HINGE, (0.0, 1.0), -0.2)])
    p = Params((0.0, 0.0), 1.0, 1.0, 0.5, 0.2, 1.0)
    points = epoch_sgd.cpu(p, Oracle(losses), Trials(STREAM, np.arange(2000)))
    best = ball_minimum(losses, p.centre, 1.0, 1.0, 0.5)
    gaps = smoothed_value(losses, points, 1.0) + 0.25 * (points**2).sum(axis=1) - best.value
    assert gaps.min() >= -1e-12
    assert 0 < gaps.mean() < 0.2
    assert (np.linalg.norm(points, axis=1) <= 1 + 1e-12).all()


def test_wrong_values_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="reaches 2\\^39"):
        Params((0.0,), 1.0, 1.0, 1e-9, 1e-9, 1.0)
    with pytest.raises(ConfigurationError, match="centre has 2 numbers, the oracle 1"):
        epoch_sgd.gpu(Params((0.0, 0.0), 1.0, 1.0, 1.0, 1.0, 1.0), LINEAR, Trials(STREAM, np.array([0])))
    assert epoch_sgd.noise_shape(params(100)) == (200, 1)
