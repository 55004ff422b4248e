"""PrivateRegERM: budgets and domains of the stages, the three forms, small data sets."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from dpaudit.algorithms.resque import private_erm
from dpaudit.algorithms.resque import private_regularised_erm as solver
from dpaudit.algorithms.resque.accounting.calibration import private_excess
from dpaudit.algorithms.resque.private_erm.cases import example_records
from dpaudit.algorithms.resque.private_regularised_erm import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(109, "tests/private_regularised_erm")
LOSSES = example_records(5, 16, 2)
BASE = Params(
    origin=(0.0, 0.1), radius=0.5, lipschitz=1.5, records=16, epsilon=0.9, delta=0.1, regulariser=5.0,
    target=(0.3, -0.6), acceleration_constant=0.7, solver_constant=0.3, error_constant=0.05, privacy_constant=2.0,
    steps=(5, 9, 4), privacy=4.0, failure=0.75, most=2, ball_share=0.3, smoothing_share=0.9, accuracy_share=0.4,
)  # fmt: skip


def trials(number: int) -> Trials:
    return Trials(STREAM, np.arange(number))


@pytest.mark.parametrize(("records", "count"), [(2, 0), (3, 1), (4, 1), (5, 2), (16, 2), (17, 3), (257, 4)])
def test_the_number_of_stages(records: int, count: int) -> None:
    params = dataclasses.replace(BASE, records=records, steps=(5, 9, 1), privacy_constant=1.0)
    assert params.count == count == len(solver.stages(params))


def test_the_schedule_by_hand() -> None:
    """k = 2: eps_1 = eps 2^(-1/2)/4, eps_2 = eps/4; D_0 = 2 L^2/lambda."""
    first, second = solver.stages(BASE)
    assert (first.made.epsilon, second.made.epsilon) == pytest.approx((0.9 / math.sqrt(2) / 4, 0.9 / 4))
    assert first.made.epsilon + second.made.epsilon <= 0.9
    assert (first.made.delta, second.made.delta) == pytest.approx((0.05, 0.05))
    assert (first.made.samples, second.made.samples) == (8.0, 16.0)
    assert first.gap == pytest.approx(2 * 2.25 / 5)
    assert second.gap == pytest.approx(_second_gap(), rel=1e-12)
    assert first.made.radius == pytest.approx(min(1.0, math.sqrt(2 * first.gap / 5)))
    assert second.solver.ball_radius == pytest.approx(0.3 * second.made.radius)
    assert second.solver.tether == 5.0


def _second_gap() -> float:
    """4 E_1 (D_0/(4 E_0))^(1/2) with the E_i of the corollary, n_i = 4, 8 and eps_i = eps/8, eps 2^(-1/2)/4."""
    errors = [
        2.25 / 5 * (1 / math.sqrt(n) + private_excess(16, 2, budget, 0.05)) ** 2
        for n, budget in ((4, 0.9 / 8), (8, 0.9 / math.sqrt(2) / 4))
    ]
    return 4 * errors[1] * math.sqrt(2 * 2.25 / 5 / (4 * errors[0]))


def test_the_budgets_of_all_stages_fit() -> None:
    for records in (5, 300, 10**6):
        params = dataclasses.replace(BASE, records=records, steps=(5, 9, 1))
        made = [stage.made for stage in solver.stages(params)]
        assert sum(one.epsilon for one in made) <= 0.9 * 0.854
        assert sum(one.delta for one in made) == pytest.approx(0.1)


def test_without_a_regulariser_every_stage_has_the_whole_domain() -> None:
    for stage in solver.stages(dataclasses.replace(BASE, regulariser=0.0)):
        assert stage.gap == math.inf
        assert stage.made.radius == 1.0


@pytest.mark.parametrize("change", [{}, {"regulariser": 0.1, "target": None}])
def test_the_three_forms_agree(change: dict[str, object]) -> None:
    params = dataclasses.replace(BASE, **change)  # type: ignore[arg-type]
    runs = [solver.reference(params, LOSSES, STREAM, trial) for trial in range(3)]
    for batch in (solver.cpu(params, LOSSES, trials(3)), solver.gpu(params, LOSSES, trials(3))):
        assert np.asarray(batch.final) == pytest.approx(np.stack([run.final for run in runs]), abs=1e-10)
        assert np.asarray(batch.iterates) == pytest.approx(np.stack([run.iterates[1:] for run in runs]), abs=1e-10)
        assert batch.queries.tolist() == [run.queries for run in runs]
        assert (np.linalg.norm(np.asarray(batch.final) - params.origin, axis=1) <= 0.5 + 1e-12).all()


def test_a_stage_is_private_erm_at_the_last_result() -> None:
    batch, second = solver.cpu(BASE, LOSSES, trials(4)), solver.stages(BASE)[1].solver
    part = Trials(STREAM.part("stage 2"), np.array([3]))
    placed = dataclasses.replace(second, origin=tuple(batch.iterates[3, 0].tolist()), target=BASE.target)
    alone = private_erm.cpu(placed, LOSSES, part).final[0]
    pulled = solver.sub_erm.onto_ball(alone, np.array(BASE.origin), 0.5)
    assert batch.final[3] == pytest.approx(pulled, abs=1e-12)


def test_two_records_return_the_target_projected() -> None:
    params = dataclasses.replace(BASE, records=2)
    losses = example_records(5, 2, 2)
    expected = np.array([0.0, 0.1]) + 0.5 * np.array([0.3, -0.7]) / math.hypot(0.3, 0.7)
    assert solver.reference(params, losses, STREAM, 0).final == pytest.approx(expected)
    assert solver.cpu(params, losses, trials(1)).final[0] == pytest.approx(expected)
    assert solver.gpu(params, losses, trials(1)).final[0].numpy() == pytest.approx(expected)
    assert solver.noise_shape(params) == (1, 2)


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="regulariser must be at least"):
        dataclasses.replace(BASE, regulariser=-1.0)
    with pytest.raises(ConfigurationError, match="no feasible schedule: kappa"):
        dataclasses.replace(BASE, accuracy_share=None)
