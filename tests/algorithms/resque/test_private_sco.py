"""PrivateSCO: disjoint batches, both budgets and both steps, skipped phases, the three forms."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from dpaudit.algorithms.resque import private_regularised_erm, private_sco
from dpaudit.algorithms.resque.accounting.calibration import private_excess
from dpaudit.algorithms.resque.private_erm.cases import example_records
from dpaudit.algorithms.resque.private_sco import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(113, "tests/private_sco")
LOSSES = example_records(7, 35, 2)
BASE = Params(
    origin=(0.0, 0.1), radius=0.5, lipschitz=1.5, records=35, epsilon=0.9, delta=0.1, acceleration_constant=0.7,
    solver_constant=0.3, error_constant=0.05, privacy_constant=2.0, steps=(5, 5, 2), privacy=4.0, failure=0.75, most=2,
    ball_share=0.3, smoothing_share=0.9, accuracy_share=0.4, least_records=8, step_constant=20.0,
)  # fmt: skip


def trials(number: int) -> Trials:
    return Trials(STREAM, np.arange(number))


def test_batches_are_disjoint_and_halve() -> None:
    made = private_sco.phases(BASE)
    assert [phase.size for phase in made] == [17, 8, 4, 2, 1, 0]
    assert [phase.first for phase in made] == [0, 17, 25, 29, 31, 32]
    assert [phase.solver is not None for phase in made] == [True, True, False, False, False, False]
    assert made[-1].first + made[-1].size <= 35


def test_the_last_batch_is_empty_unless_n_is_a_power_of_two() -> None:
    assert private_sco.phases(dataclasses.replace(BASE, records=32))[-1].size == 1
    assert private_sco.phases(dataclasses.replace(BASE, records=33))[-1].size == 0


@pytest.mark.parametrize(("budget", "shares"), [("printed", (0.5, 0.25)), ("parallel", (1.0, 1.0))])
def test_budgets(budget: str, shares: tuple[float, float]) -> None:
    ran = [p.solver for p in private_sco.phases(dataclasses.replace(BASE, budget=budget)) if p.solver]
    assert [one.epsilon for one in ran] == pytest.approx([0.9 * share for share in shares])
    assert [one.delta for one in ran] == pytest.approx([0.1 * share for share in shares])


def test_steps_and_regularisers() -> None:
    eta = 20 * 0.5 / 1.5 * min(35**-0.5, 1 / (35 * private_excess(35, 2, 0.9, 0.1)))
    assert BASE.step_size == pytest.approx(eta)
    quartered, steeper = (private_sco.phases(dataclasses.replace(BASE, step=step)) for step in ("quartered", "KLL21"))
    assert [phase.step for phase in quartered[:2]] == pytest.approx([eta / 4, eta / 16])
    assert [phase.step for phase in steeper[:2]] == pytest.approx([eta / 32, eta / 1024])
    first = quartered[0].solver
    assert first is not None
    assert first.regulariser == pytest.approx(2 / (eta / 4 * 17))


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("change", [{}, {"budget": "parallel", "step": "KLL21", "step_constant": 200.0}])
def test_the_three_forms_agree(change: dict[str, object]) -> None:
    params = dataclasses.replace(BASE, **change)  # type: ignore[arg-type]
    runs = [private_sco.reference(params, LOSSES, STREAM, trial) for trial in range(3)]
    for batch in (private_sco.cpu(params, LOSSES, trials(3)), private_sco.gpu(params, LOSSES, trials(3))):
        assert np.asarray(batch.final) == pytest.approx(np.stack([run.final for run in runs]), abs=1e-10)
        assert np.asarray(batch.iterates) == pytest.approx(np.stack([run.raw for run in runs]), abs=1e-10)
        assert batch.queries.tolist() == [run.queries for run in runs]


def test_a_phase_sees_its_own_records_only() -> None:
    batch, made = private_sco.cpu(BASE, LOSSES, trials(3)), private_sco.phases(BASE)
    later = LOSSES.directions.copy()
    later[17:] *= -1.0
    changed = private_sco.cpu(BASE, dataclasses.replace(LOSSES, directions=later), trials(3))
    assert np.array_equal(batch.iterates[:, 0], changed.iterates[:, 0])
    assert not np.array_equal(batch.iterates[:, 1], changed.iterates[:, 1])
    solver = made[1].solver
    assert solver is not None
    alone = private_regularised_erm.cpu(
        solver, private_sco.part_of(LOSSES, made[1]), Trials(STREAM.part("phase 2"), np.arange(3)),
        targets=batch.iterates[:, 0],
    )  # fmt: skip
    assert np.array_equal(alone.final, batch.final)


def test_wrong_inputs_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="the data have 35 records, the parameters say 40"):
        private_sco.cpu(dataclasses.replace(BASE, records=40), LOSSES, trials(1))
    with pytest.raises(ConfigurationError, match="least_records must be at least 3"):
        dataclasses.replace(BASE, least_records=2)
    with pytest.raises(ConfigurationError, match="budget must be one of"):
        dataclasses.replace(BASE, budget="half")
    assert private_sco.noise_shape(BASE) == (6, 2)
