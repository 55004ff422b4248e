"""PrivateERM: the acceleration with the private oracles in it, counts, the three forms, utility."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from dpaudit.algorithms.resque import ball_acceleration, bias_reduced_prox, high_probability_erm, private_erm, sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.accounting.calibration import Calibration
from dpaudit.algorithms.resque.private_erm import Params
from dpaudit.algorithms.resque.private_erm.cases import example_records
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses, smoothed_value
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(107, "tests/private_erm")
LOSSES = example_records(3, 17, 2)
BASE = Params(
    origin=(0.0, 0.0), radius=1.0, ball_radius=0.3, lipschitz=1.5, accuracy=0.4, acceleration_constant=0.9,
    smoothing=0.9, privacy=4.0, search_steps=5, ball_steps=9, proximal_steps=4, records=17, failure=0.75,
    constant=0.3, error_constant=0.05, privacy_constant=2.0,
)  # fmt: skip


def trials(number: int) -> Trials:
    return Trials(STREAM, np.arange(number))


@pytest.mark.parametrize(
    "change",
    [{}, {"output": "projected", "tether": 0.8, "target": (0.9, 0.3)}, {"origin": (0.3, -0.2), "most": 2}],
)
def test_the_three_forms_agree(change: dict[str, object]) -> None:
    params = dataclasses.replace(BASE, **change)  # type: ignore[arg-type]
    runs = [private_erm.reference(params, LOSSES, STREAM, trial) for trial in range(3)]
    for batch in (private_erm.cpu(params, LOSSES, trials(3)), private_erm.gpu(params, LOSSES, trials(3))):
        assert np.asarray(batch.final) == pytest.approx(np.stack([run.final for run in runs]), abs=1e-10)
        assert batch.queries.tolist() == [run.queries.tolist() for run in runs]
        assert batch.iterations.tolist() == [len(run.outer.strengths) for run in runs]
        assert batch.search_calls.sum(axis=1).tolist() == [int(run.outer.calls.sum()) for run in runs]
        for row, run in enumerate(runs):
            used = len(run.outer.strengths)
            assert batch.strengths[row, :used] == pytest.approx(run.outer.strengths)
            assert np.asarray(batch.proximal)[row, :used] == pytest.approx(run.proximal, abs=1e-10)
            assert np.isnan(batch.strengths[row, used:]).all()


def test_gradients_are_those_of_the_oracles() -> None:
    batch = private_erm.cpu(BASE, LOSSES, trials(4))
    search = high_probability_erm.queries(BASE.search_oracle())
    assert batch.queries[:, 0].tolist() == (search * batch.search_calls.sum(axis=1)).tolist()
    assert batch.queries[:, 1].tolist() == (solver.queries(BASE.ball_oracle()) * batch.iterations).tolist()
    for row in range(4):
        levels = batch.levels[row, : batch.iterations[row]]
        assert batch.queries[row, 2] == bias_reduced_prox.queries(BASE.proximal, levels).sum()
    assert batch.iterations.max() <= BASE.most_iterations
    assert batch.search_calls.max() <= BASE.search_calls


def test_the_first_iteration_by_its_oracles() -> None:
    """x = v = 0: y is the origin whatever lambda is; the ball oracle answers there with the strength found."""
    params = dataclasses.replace(BASE, most=1)
    batch, part = private_erm.cpu(params, LOSSES, trials(3)), STREAM.part("iteration 1")
    for row in range(3):
        lam, one = float(batch.strengths[row, 0]), np.array([row])
        ball = solver.cpu(params.ball_oracle(np.zeros(2), lam), LOSSES, Trials(part.part("ball"), one))
        assert batch.points[row, 0] == pytest.approx(ball.final[0], abs=1e-14)
        assert batch.final[row] == pytest.approx(ball.final[0], abs=1e-14)
        z = bias_reduced_prox.cpu(params.proximal_oracle(np.zeros(2), lam), LOSSES, Trials(part.part("proximal"), one))
        assert batch.proximal[row, 0] == pytest.approx(z.final[0], abs=1e-14)


def test_a_quadratic_of_its_own_moves_the_centre_of_the_subproblem() -> None:
    params = dataclasses.replace(BASE, tether=2.0, target=(1.0, 0.0))
    oracle = params.ball_oracle(np.array([0.0, 0.5]), 2.0)
    assert oracle.regulariser == 4.0
    assert oracle.anchor == (0.5, 0.25)
    assert oracle.centre == (0.0, 0.5)
    start = sub_erm.default_start(oracle)
    assert np.linalg.norm(start - np.array([0.0, 0.5])) == pytest.approx(0.3)
    assert BASE.ball_oracle(np.array([0.0, 0.5]), 2.0).anchor is None


def test_the_domain_may_lie_anywhere() -> None:
    """Moving origin and data together moves the result."""
    shift = np.array([3.0, -5.0])
    offsets = LOSSES.offsets + LOSSES.directions @ shift
    moved = dataclasses.replace(LOSSES, offsets=offsets)
    there = private_erm.cpu(dataclasses.replace(BASE, origin=(3.0, -5.0)), moved, trials(5))
    here = private_erm.cpu(BASE, LOSSES, trials(5))
    assert there.final - shift == pytest.approx(here.final, abs=1e-9)


def test_it_minimises_with_practical_numbers() -> None:
    """Almost no noise, exact-looking oracles: the mean excess is far below L R and below the accuracy."""
    directions = [(1.0, 0.0), (0.0, 1.0), (0.6, 0.8), (0.8, -0.6)] * 256
    losses = ridge_losses([(Ridge.ABSOLUTE, u, 0.6 * u[0]) for u in directions])
    params = Params(
        origin=(0.0, 0.0), radius=1.0, ball_radius=0.25, lipschitz=1.0, accuracy=0.2, smoothing=0.1, privacy=1e4,
        search_steps=64, ball_steps=256, proximal_steps=64, records=1024, failure=0.7, constant=0.3,
        error_constant=0.01, privacy_constant=2.0, acceleration_constant=2.0, estimator="plain", output="projected",
    )  # fmt: skip
    final = private_erm.cpu(params, losses, trials(8)).final
    best = smoothed_value(losses, np.array([0.6, 0.0]), 1e-6)
    excess = smoothed_value(losses, final, 1e-6) - best
    assert smoothed_value(losses, np.zeros(2), 1e-6) - best > 0.3
    assert excess.mean() < 0.2
    assert (np.linalg.norm(final, axis=1) <= 1 + 1e-12).all()


def test_parameters_from_the_calibration() -> None:
    made = Calibration(records=10**8, dimension=2, epsilon=0.5, delta=1e-6, acceleration_constant=2.0)
    params = private_erm.from_calibration(made, (0.0, 0.0), privacy_constant=2.0)
    assert params.accuracy == made.accuracy
    assert params.search_steps - 1 < made.search_steps <= params.search_steps
    assert params.most_iterations == int(np.ceil(made.iterations))
    assert params.output == "projected"


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="oracle_error must be 0"):
        dataclasses.replace(BASE, oracle_error=0.5)
    with pytest.raises(ConfigurationError, match=r"steps must be at most records/\(2 privacy_constant\)"):
        dataclasses.replace(BASE, proximal_steps=5)
    with pytest.raises(ConfigurationError, match="the data have 17 records of 2 coordinates"):
        private_erm.cpu(dataclasses.replace(BASE, records=18), LOSSES, trials(1))
    assert isinstance(BASE, ball_acceleration.Params)
