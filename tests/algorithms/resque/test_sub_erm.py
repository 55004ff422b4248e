"""SubERM: golden values by hand, the reductions of the family, counts, the canary pair, the three forms."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque.sub_erm import Params
from dpaudit.algorithms.resque.sub_erm.coupled import coupled
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Composed, Constant, Gaussian

STREAM = Stream(83, "tests/sub_erm")
UP, DOWN = (Ridge.LINEAR, (1.0,)), (Ridge.LINEAR, (-1.0,))
LINE = ridge_losses([UP, DOWN, (Ridge.ABSOLUTE, (1.0,), 0.1)])
BASE = Params(centre=(0.0,), radius=1.0, smoothing=4.0, privacy=2.0, steps=8)


def trials(number: int) -> Trials:
    return Trials(STREAM, np.arange(number))


def by_hand(params: Params, losses: RidgeLosses, trial: int) -> sub_erm.Run:
    return sub_erm.reference(params, losses, *sub_erm.draw_inputs(params, losses.records, STREAM, trial))


def planes(dimension: int, records: int = 5) -> RidgeLosses:
    rng = np.random.default_rng(dimension)
    rows = rng.normal(size=(records, dimension))
    kinds = (Ridge.ABSOLUTE, Ridge.HINGE, Ridge.LINEAR, Ridge.ZERO, Ridge.ABSOLUTE)
    return ridge_losses([(kinds[i], rows[i] / np.linalg.norm(rows[i]), 0.1 * i) for i in range(records)])


def test_a_golden_run_in_exact_arithmetic() -> None:
    """T = 4, w = 1, slopes +1, -1, +1: eta = min(1/2, 2) = 1/2, phases of 2 and 1 steps with eta/4, eta/16."""
    params = dataclasses.replace(BASE, steps=4, estimator="unweighted", regulariser=2.0)
    noise = np.array([[0.5], [-1.0]])
    run = sub_erm.reference(params, LINE, np.array([0, 1, 0]), np.zeros((3, 1)), noise)
    eta1, eta2, lam = Fraction(1, 8), Fraction(1, 32), 2
    y1 = -eta1 / (1 + eta1 * lam)
    y2 = (y1 + eta1) / (1 + eta1 * lam)
    x1 = (y1 + y2) / 2 + eta1 / 2 * Fraction(1, 2)
    x2 = (x1 - eta2) / (1 + eta2 * lam) - eta2 / 2
    assert run.phases[:, 0] == pytest.approx([float(x1), float(x2)], rel=1e-15)
    assert run.final[0] == pytest.approx(float(x2), rel=1e-15)
    assert run.queries == 3


def test_the_weight_and_the_projection_by_hand() -> None:
    """T = 2: one step from x_0 = 0.3 with xi = 0.5 * 4; it leaves the ball and comes back to its edge."""
    params = dataclasses.replace(BASE, steps=2, start=(0.3,), radius=0.32, privacy=100.0)
    weight = np.exp((2 * 0.3 * 2.0 - 0.09) / 32)
    run = sub_erm.reference(params, LINE, np.array([1]), np.array([[0.5]]), np.zeros((1, 1)))
    free = 0.3 + 0.32 / np.sqrt(2) / 4 * weight
    assert free > 0.32
    assert run.final[0] == pytest.approx(0.32, rel=1e-15)
    inside = sub_erm.reference(params, LINE, np.array([0]), np.array([[0.5]]), np.zeros((1, 1)))
    assert inside.final[0] == pytest.approx(0.3 - (free - 0.3), rel=1e-14)


@pytest.mark.parametrize(("steps", "gradients", "phases"), [(1, 0, 0), (2, 1, 1), (3, 1, 1), (4, 3, 2), (63, 31, 5)])
def test_gradients_are_counted(steps: int, gradients: int, phases: int) -> None:
    params = dataclasses.replace(BASE, steps=steps)
    for batch in (sub_erm.cpu(params, LINE, trials(3)), sub_erm.gpu(params, LINE, trials(3))):
        assert batch.queries.tolist() == [gradients] * 3
        assert tuple(batch.phases.shape) == (3, phases, 1)
    assert by_hand(params, LINE, 0).queries == sub_erm.queries(params) == gradients <= steps
    assert len(params.phases) == phases


def test_one_gradient_returns_the_centre_without_noise() -> None:
    params = dataclasses.replace(BASE, steps=1, centre=(0.25,))
    assert by_hand(params, LINE, 0).final.tolist() == [0.25]
    assert sub_erm.cpu(params, LINE, trials(2)).final.tolist() == [[0.25], [0.25]]
    assert sub_erm.gpu(params, LINE, trials(2)).final.tolist() == [[0.25], [0.25]]


def test_schedule_halves_and_quarters() -> None:
    params = dataclasses.replace(BASE, steps=9, centre=(0.0, 0.0), privacy=0.5, lipschitz=2.0, distance=1.5)
    eta = 1.5 / 2.0 * min(1 / 3, 0.5 / np.sqrt(2))
    expected = [(4, eta / 4, 2 * eta / 4 / 0.5), (2, eta / 16, 2 * eta / 16 / 0.5), (1, eta / 64, 2 * eta / 64 / 0.5)]
    for found, wanted in zip(params.phases, expected, strict=True):
        assert found == pytest.approx(wanted, rel=1e-15)


def test_the_regularised_algorithm_without_regulariser_is_the_convex_one_bit_for_bit() -> None:
    losses, convex = planes(3), dataclasses.replace(BASE, centre=(0.1, 0.2, -0.3), steps=16)
    regularised = dataclasses.replace(
        convex, regulariser=0.0, distance=convex.radius, start=convex.centre, anchor=convex.centre
    )
    assert np.array_equal(
        sub_erm.cpu(convex, losses, trials(9)).phases, sub_erm.cpu(regularised, losses, trials(9)).phases
    )
    assert np.array_equal(by_hand(convex, losses, 4).phases, by_hand(regularised, losses, 4).phases)


@pytest.mark.parametrize(
    "change",
    [
        {}, {"estimator": "unweighted"}, {"estimator": "plain"}, {"average": "regret"}, {"project_start": "projected"},
        {"project_output": "projected"}, {"control": "tenth_noise"}, {"control": "reused_queries"},
        {"control": "last_iterate"}, {"regulariser": 5.0, "anchor": (2.0, 0.0), "distance": 0.3}, {"steps": 2},
        {"privacy": 0.05, "start": (0.4, 0.4), "smoothing": 0.5},
    ],
)  # fmt: skip
def test_numba_and_torch_repeat_the_reference(change: dict[str, Any]) -> None:
    base = dataclasses.replace(BASE, centre=(0.1, -0.2), radius=0.4, steps=21)
    params, losses = dataclasses.replace(base, **change), planes(2)
    runs = [by_hand(params, losses, trial) for trial in range(4)]
    for batch in (sub_erm.cpu(params, losses, trials(4)), sub_erm.gpu(params, losses, trials(4))):
        assert np.asarray(batch.final) == pytest.approx(np.stack([run.final for run in runs]), abs=1e-13)
        assert np.asarray(batch.phases) == pytest.approx(np.stack([run.phases for run in runs]), abs=1e-13)
        assert np.asarray(batch.averages) == pytest.approx(np.stack([run.averages for run in runs]), abs=1e-13)


def test_linear_records_take_the_short_way_to_the_same_numbers() -> None:
    """With w = 1 and linear records the kernel skips queries; one ABSOLUTE record that is never drawn forces them."""
    params = dataclasses.replace(BASE, steps=16, estimator="unweighted", average="regret", regulariser=1.0)
    plain, odd = ridge_losses([UP, DOWN]), ridge_losses([UP, DOWN, (Ridge.ABSOLUTE, (1.0,))])
    indices = sub_erm.draw_inputs(params, 2, STREAM, 0)[0]
    short = sub_erm.cpu(params, plain, trials(1))
    assert np.array_equal(short.phases, sub_erm.cpu(params, plain, trials(1), indices).phases)
    assert np.array_equal(short.phases, sub_erm.cpu(params, odd, trials(1), indices).phases)


def test_a_wide_radius_is_the_limit_of_weight_one() -> None:
    params = dataclasses.replace(BASE, steps=32, smoothing=1e8)
    limit = dataclasses.replace(params, estimator="unweighted")
    losses = ridge_losses([UP, DOWN])
    near, exact = (sub_erm.cpu(p, losses, trials(50)).final for p in (params, limit))
    assert near == pytest.approx(exact, abs=1e-6)


def test_fixed_indices_are_obeyed_on_all_forms() -> None:
    params, indices = dataclasses.replace(BASE, steps=8), np.array([2, 0, 0, 1, 2, 1, 0])
    batch = sub_erm.cpu(params, LINE, trials(3), indices)
    for trial in range(3):
        _, draws, noise = sub_erm.draw_inputs(params, 3, STREAM, trial)
        run = sub_erm.reference(params, LINE, indices, draws, noise)
        assert batch.phases[trial] == pytest.approx(run.phases, abs=1e-14)
    rows = np.stack([indices, indices[::-1], indices])
    one_each = sub_erm.cpu(params, LINE, trials(3), rows)
    assert np.array_equal(one_each.final[[0, 2]], batch.final[[0, 2]])
    assert not np.array_equal(one_each.final[1], batch.final[1])
    assert sub_erm.gpu(params, LINE, trials(3), rows).final.numpy() == pytest.approx(one_each.final, abs=1e-13)
    with pytest.raises(ConfigurationError, match=r"indices must have shape \(7,\)"):
        sub_erm.cpu(params, LINE, trials(3), indices[:5])
    with pytest.raises(ConfigurationError, match="indices must be from 0 to 2"):
        sub_erm.cpu(params, LINE, trials(3), indices + 1)


def test_a_trial_can_be_made_again_alone() -> None:
    params = dataclasses.replace(BASE, steps=16)
    batch = sub_erm.cpu(params, LINE, trials(7)).final
    assert np.array_equal(sub_erm.cpu(params, LINE, Trials(STREAM, np.array([5]))).final[0], batch[5])


def test_generalised_centre_starts_from_its_projection() -> None:
    params = dataclasses.replace(BASE, centre=(1.0, 0.0), anchor=(4.0, 4.0), regulariser=1.0, steps=1)
    assert sub_erm.cpu(params, planes(2), trials(1)).final[0] == pytest.approx([1.6, 0.8])
    assert by_hand(params, planes(2), 0).final == pytest.approx([1.6, 0.8])


# The canary pair. ---------------------------------------------------------------------------------


def canary(records: int) -> tuple[RidgeLosses, RidgeLosses]:
    here = ridge_losses([UP] + [(Ridge.ZERO, (0.0,))] * (records - 1))
    return here, here.replaced(0, Ridge.LINEAR, (-1.0,))


@given(st.lists(st.integers(0, 2), min_size=15, max_size=15), st.sampled_from(["printed", "regret"]), st.floats(0, 9))
def test_the_shift_of_the_canary_pair_is_the_weighted_count_of_hits(
    drawn: list[int], average: str, regulariser: float
) -> None:
    params = dataclasses.replace(
        BASE, steps=16, privacy=50.0, estimator="unweighted", average=average, regulariser=regulariser
    )
    indices = np.array(drawn)
    found = coupled(params, *canary(3), trials(2), indices)
    assert found.drift == pytest.approx(np.tile(2 * sub_erm.hit_weights(params, indices), (2, 1)), abs=1e-12)
    assert (
        found.hits.tolist()
        == [
            [
                (indices[:8] == 0).sum(),
                (indices[8:12] == 0).sum(),
                *(indices[12:14] == 0).reshape(1, 2).sum(1),
                int(indices[14] == 0),
            ]
        ]
        * 2
    )


def test_hit_weights_by_hand() -> None:
    """T = 8: phases of 4, 2, 1 steps; hits at j = 1, 4 of the first and at j = 2 of the second."""
    indices = np.array([0, 1, 1, 0, 1, 0, 1])
    assert sub_erm.hit_weights(BASE, indices).tolist() == [1.25, 0.5, 0.0]
    assert sub_erm.canary_shifts(BASE, indices).tolist() == [5.0, 2.0, 0.0]
    assert sub_erm.canary_mechanism(BASE, indices) == Composed((Gaussian(0.2), Gaussian(0.5)))
    assert sub_erm.canary_mechanism(BASE, np.ones(7, dtype=int)) == Constant()
    late = dataclasses.replace(BASE, average="regret")
    assert sub_erm.hit_weights(late, indices).tolist() == [0.75, 0.0, 0.0]


def test_coupled_runs_start_each_phase_together_and_share_the_draws() -> None:
    params, losses = dataclasses.replace(BASE, centre=(0.0, 0.1), steps=16), planes(2)
    same = coupled(params, losses, losses, trials(5), keep_path=True)
    assert not same.drift.any()
    assert not same.hits.any()
    neighbour = losses.replaced(2, Ridge.ABSOLUTE, (0.6, 0.8), 0.05)
    found = coupled(params, losses, neighbour, trials(40), keep_path=True)
    drawn = np.stack([sub_erm.draw_inputs(params, 5, STREAM, trial)[0] for trial in range(40)])
    assert np.array_equal(found.hits[:, 0], (drawn[:, :8] == 2).sum(axis=1))
    assert not found.drift[found.hits == 0].any()
    assert not found.path[:, 0][drawn[:, 0] != 2].any()
    here, there = sub_erm.cpu(params, losses, trials(40)), sub_erm.cpu(params, neighbour, trials(40))
    apart = np.linalg.norm(here.averages[:, 0] - there.averages[:, 0], axis=1)
    assert found.drift[:, 0] * found.scales[0] == pytest.approx(apart, abs=1e-14)


def test_the_law_of_hidden_hits() -> None:
    values, probabilities = sub_erm.canary_law(BASE, 3, 1)
    assert probabilities.sum() == pytest.approx(1)
    assert probabilities @ values == pytest.approx(2.5 / 3)
    assert probabilities[0] == pytest.approx((2 / 3) ** 4)
    assert probabilities[-1] == pytest.approx(3.0**-4)
    assert sub_erm.canary_law(BASE, 3, 3)[1] == pytest.approx([2 / 3, 1 / 3])
    with pytest.raises(ConfigurationError, match="regulariser 0"):
        sub_erm.canary_law(dataclasses.replace(BASE, regulariser=1.0), 3, 1)


def test_the_likelihood_ratio_is_that_of_two_gaussians() -> None:
    params, indices = dataclasses.replace(BASE, steps=8, estimator="unweighted"), np.array([0, 1, 1, 0, 1, 0, 1])
    here, _ = canary(3)
    phases = sub_erm.cpu(params, here, trials(6), indices).phases
    weights, noise = sub_erm.hit_weights(params, indices), np.array([row[2] for row in params.phases])
    before = np.concatenate([np.zeros((6, 1)), phases[:, :-1, 0]], axis=1)
    shift = weights * np.array([row[1] for row in params.phases])
    expected = (
        stats.norm.logpdf(phases[..., 0], before - shift, noise)
        - stats.norm.logpdf(phases[..., 0], before + shift, noise)
    ).sum(axis=1)
    assert sub_erm.canary_log_likelihood_ratio(params, phases, (1.0,), indices) == pytest.approx(expected, abs=1e-9)


def test_the_hidden_ratio_and_its_divergence_fit_each_other() -> None:
    """E_D' exp(ratio) = 1 and log E_D exp(ratio) = D_2; each mean to 6 of its estimated deviations."""
    params = dataclasses.replace(BASE, steps=8, privacy=0.4, radius=20.0, estimator="unweighted")
    here, there = canary(3)
    for losses, expected in ((there, 1.0), (here, float(np.exp(sub_erm.canary_divergence(params, 3, 2.0))))):
        phases = sub_erm.cpu(params, losses, trials(100_000)).phases
        ratios = np.exp(sub_erm.canary_log_likelihood_ratio(params, phases, (1.0,), records=3))
        assert abs(ratios.mean() - expected) <= 6 * ratios.std() / np.sqrt(len(ratios))
    assert expected > 1.05


def test_one_record_gives_the_divergence_of_a_gaussian() -> None:
    params = dataclasses.replace(BASE, steps=4, privacy=0.3)
    weights = sub_erm.hit_weights(params, np.zeros(3, dtype=int))
    assert sub_erm.canary_divergence(params, 1, 3.0) == pytest.approx(3 / 2 * ((0.6 * weights) ** 2).sum(), rel=1e-9)


def test_wrong_inputs_are_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"distance must be at most 2\.0, got 2\.5"):
        dataclasses.replace(BASE, distance=2.5)
    with pytest.raises(ConfigurationError, match="the records have 2 coordinates, centre has 1"):
        sub_erm.cpu(BASE, planes(2), trials(1))
    with pytest.raises(ConfigurationError, match=r"lipschitz must be at least 3\.0, got 1\.0"):
        sub_erm.gpu(BASE, ridge_losses([UP], 3.0), trials(1))
    with pytest.raises(ConfigurationError, match="neighbour must have 3 records, got 1"):
        coupled(BASE, LINE, ridge_losses([UP]), trials(1))
    assert sub_erm.noise_shape(BASE) == (8, 1)
