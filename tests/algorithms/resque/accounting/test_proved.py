"""The proved accountant: parts by other means, the corrected lemmas, the canary pair below it, composition."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque.accounting.printed import Bound, epsilon_at
from dpaudit.algorithms.resque.accounting.proved import Accounted, Block, Call, always, printed_promise, promise
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import ApproximateRenyi, Concentrated, Constant

WIDE = Call(records=10**6, steps=1000, privacy=1e-3, ratio=1e6, reach=1.0, dimension=3, noisy_starts=8)


def with_(call: Call = WIDE, **changes: float) -> Call:
    return Call(**{name: getattr(call, name) for name in Call.__dataclass_fields__} | changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("steps", "records"), [(2, 2), (8, 1), (64, 7), (4096, 10**5), (2**20, 10**5), (2**30, 10**9)])
@pytest.mark.parametrize("failure", [0.3, 1e-3, 1e-12])
def test_more_hits_than_said_are_rare(steps: int, records: int, failure: float) -> None:
    """Exact binomial tail at most `failure`, and no more than twice as many as are needed, and three."""
    call = with_(steps=steps, records=records)
    hits = call.most_hits(failure)
    assert stats.binom.sf(hits, call.draws, 1 / records) <= failure
    assert hits <= min(call.draws, 2 * stats.binom.isf(failure, call.draws, 1 / records) + 3)


@pytest.mark.parametrize("steps", [1, 2, 5, 8, 19])
def test_the_largest_sum_of_squares_by_enumeration(steps: int) -> None:
    call = with_(steps=steps)
    lengths = [1 << i for i in reversed(range(call.phases))]
    found = [0] * (call.draws + 1)
    for counts in itertools.product(*(range(length + 1) for length in lengths)):
        found[sum(counts)] = max(found[sum(counts)], sum(count**2 for count in counts))
    most = [max(found[: hits + 1]) for hits in range(call.draws + 1)]
    assert [call.squares(hits) for hits in range(call.draws + 1)] == most


@pytest.mark.deep(keep=4)
@pytest.mark.parametrize("failure", [0.1, 1e-6, 1e-15])
@pytest.mark.parametrize("ratio", [12.0, 300.0, 1e7])
@pytest.mark.parametrize("pairs", [1, 3])
def test_the_drift_is_within_the_budget_at_some_order(failure: float, ratio: float, pairs: int) -> None:
    """c is large enough for one whole p with 2 p max(r, r') <= rho: the budget of LEM-5 written out."""
    call = with_(ratio=ratio, reach=1.5, dimension=20)
    c, k, d = call.drift(failure, pairs), call.phases, call.dimension
    p = np.arange(1.0, int(ratio / 3) + 1)
    t = (ratio / (2 * p) - 1) / 1.5
    far = np.where(t > 0, np.exp(np.minimum(0.0, d * math.log(2) - 6 * d * t * t)), 1.0)
    drift = np.exp(np.minimum(0.0, 0.7 + math.log(pairs) - p * math.log(c / 2)))
    assert (k * drift + call.noisy_starts * far).min() <= failure * (1 + 1e-9)
    assert c > 2


def test_a_start_inside_costs_nothing_and_weight_one_has_no_drift() -> None:
    inside = with_(noisy_starts=0)
    assert inside.drift(1e-6, 1) < WIDE.drift(1e-6, 1)
    assert with_(ratio=math.inf).drift(1e-300, 3) == 2.0


@pytest.mark.parametrize("steps", [4, 100, 2**20])
@pytest.mark.parametrize("delta", [0.16, 1e-3, 1e-9])
def test_the_corrected_lemmas_are_met(steps: int, delta: float) -> None:
    """LEM-5: c <= 2.2 from rho/r = 1728 log^2(log T/delta) on; LEM-7~sharp: 4.7 alpha (beta log(2/delta) T/n)^2."""
    log, phases = math.log(math.log(steps) / delta), steps.bit_length() - 1
    if log > 0:
        assert with_(steps=steps, ratio=1728 * log**2, noisy_starts=phases).drift(delta, 1) <= 2.2
    wider = 1728 * math.log(2 * math.log(steps) / delta) ** 2
    call = with_(steps=steps, records=60 * steps, ratio=wider, noisy_starts=phases)
    slope, most = call.routes(delta)[1]
    assert slope <= 4.7 * (call.privacy * math.log(2 / delta) / 60) ** 2
    b = max(1.0, 0.35 * math.log(2 / delta))
    assert most >= 0.06 / (2.2 * (call.privacy * b) ** 2)


def test_both_routes_by_hand() -> None:
    """tau = c beta^2 sum b_i^2 and 13 (M/n)^2 tau up to 0.06/tau; no subsampling above M/n = 1/60."""
    call = with_(records=10**4, steps=150)
    b, half = call.most_hits(5e-7), 5e-7
    assert (call.draws, b, call.squares(b)) == (127, 3, 9)
    (slope, everywhere), (sampled, most) = call.routes(1e-6)
    assert (slope, everywhere) == (pytest.approx(call.drift(half, 1) * 1e-6 * 9), math.inf)
    tau = call.drift(half, 3) * 1e-6 * 9
    assert (sampled, most) == (pytest.approx(13 * 0.0127**2 * tau), pytest.approx(0.06 / tau))
    assert len(with_(records=60 * 127, steps=150).routes(1e-6)) == 2
    assert len(with_(records=60 * 127 - 1, steps=150).routes(1e-6)) == 1


def test_too_little_smoothing_is_refused_with_what_is_enough() -> None:
    call = with_(ratio=2.5)
    with pytest.raises(ConfigurationError, match=r"smoothing/radius is 2\.5; .* is proved from [\d.]+ on") as caught:
        call.routes(1e-6)
    enough = float(str(caught.value).split("from ")[1].split(" on")[0])
    assert with_(ratio=enough * 1.00001).routes(1e-6)[0][0] < math.inf
    with pytest.raises(ConfigurationError):
        with_(ratio=enough * 0.9999).routes(1e-6)


# Against the exact laws of the canary pair. --------------------------------------------------------


def test_one_record_and_one_step_is_the_gaussian_mechanism_exactly() -> None:
    """n = 1, T = 2, w = 1: x_1 has shift 2 beta in units of its noise, that is 2 beta^2-zCDP: attained."""
    call = Call(1, 2, 0.7, math.inf, 1.0, 1, 0)
    made = promise([[always([call])]], 1e-5, "x").mechanism
    assert isinstance(made, Concentrated)
    assert made.rho == pytest.approx(2 * 0.7**2, rel=1e-6)
    assert made.rho >= 2 * 0.7**2


def params_of(call: Call) -> sub_erm.Params:
    return sub_erm.Params(
        centre=(0.0,), radius=1.0, smoothing=1e9, privacy=call.privacy, steps=call.steps, estimator="unweighted"
    )


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize("beta", [3e-3, 0.02, 0.2, 1.0])
@pytest.mark.parametrize("records", [2, 63 * 60, 10**5])
def test_the_canary_pair_has_no_larger_epsilon(beta: float, records: int) -> None:
    """The hockey-stick divergence of x_1 alone, T = 64, by quadrature, at the epsilon promised for delta = 1e-5."""
    call = Call(records, 64, beta, math.inf, 1.0, 1, 5)
    made = promise([[always([call])]], 1e-5, "x").mechanism
    if isinstance(made, Concentrated):
        orders = 1 + np.exp(np.linspace(-8, 12, 4000))
        bounds = [Bound(float(order), made.failure, float(order) * made.rho) for order in orders]
    else:
        assert isinstance(made, ApproximateRenyi)
        bounds = [Bound(made.order, made.failure, made.epsilon)]
    epsilon = epsilon_at(bounds, 1e-5)
    values, chances = sub_erm.canary_law(params_of(call), records, 1)
    reach = 12 + beta * float(values[-1])
    grid = np.linspace(-reach, reach, 200 * int(reach) + 1)
    left, right = (
        np.exp(-0.5 * (grid[:, None] - sign * beta * values) ** 2) @ chances / math.sqrt(2 * math.pi)
        for sign in (-1, 1)
    )
    excess = float(np.maximum(left - math.exp(min(epsilon, 700.0)) * right, 0).sum() * (grid[1] - grid[0]))
    assert excess <= 1e-5
    assert epsilon > 0


@pytest.mark.parametrize("order", [1.5, 2.0, 8.0])
def test_the_renyi_bounds_lie_above_the_canary_pair(order: float) -> None:
    for beta, records in ((2e-4, 64 * 60), (1e-3, 10**5)):
        call = Call(records, 64, beta, math.inf, 1.0, 1, 5)
        bound = Accounted([always([call])], 1e-6).epsilon(order)
        assert 0 < sub_erm.canary_divergence(params_of(call), records, order) <= bound


# Composition. --------------------------------------------------------------------------------------


def test_calls_of_a_run_add_up_and_share_the_failure() -> None:
    once, ten = Accounted([always([WIDE])], 1e-8), Accounted([always([WIDE], 10)], 1e-7)
    assert ten.epsilon(3.0) == pytest.approx(10 * once.epsilon(3.0), rel=1e-6)
    assert ten.rho == pytest.approx(10 * once.rho, rel=1e-6)
    both = Accounted([always([WIDE, WIDE]), always([with_(steps=1)])], 2e-8)
    assert both.epsilon(3.0) == pytest.approx(2 * once.epsilon(3.0), rel=1e-6)


def test_a_public_level_is_averaged_over() -> None:
    """exp((alpha - 1) epsilon) is the mean over the branches, so that epsilon lies between their extremes."""
    small, large = with_(privacy=1e-4), with_(privacy=0.5, ratio=math.inf)
    mixed = Accounted([Block(1, ((0.75, (small,)), (0.25, (large,))))], 1e-6)
    low, high = (Accounted([always([call])], 1e-6).epsilon(4.0) for call in (small, large))
    mean = 0.75 * math.exp(3 * low) + 0.25 * math.exp(3 * high)
    assert mixed.epsilon(4.0) == pytest.approx(math.log(mean) / 3, rel=1e-6)
    assert low < mixed.epsilon(4.0) < high
    assert mixed.rho == pytest.approx(Accounted([always([large])], 1e-6).rho)


def test_disjoint_records_cost_the_worst_run() -> None:
    """Runs on disjoint records: the promise of the worst of them, at the whole failure."""
    worst = with_(privacy=2e-3)
    alone = promise([[always([worst])]], 1e-5, "x").mechanism
    assert promise([[always([WIDE])], [always([worst])], []], 1e-5, "x").mechanism == alone
    together = promise([[always([WIDE]), always([worst])]], 1e-5, "x").mechanism
    assert isinstance(alone, ApproximateRenyi)
    assert isinstance(together, ApproximateRenyi)
    assert together.epsilon / together.order > alone.epsilon / alone.order


def test_a_run_that_reads_no_record_promises_everything() -> None:
    assert promise([[always([with_(steps=1)])]], 1e-5, "x").mechanism == Constant()
    assert promise([], 1e-5, "x").mechanism == Constant()


def test_wrong_values_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="reach must be at most 2"):
        with_(reach=2.5)
    with pytest.raises(ConfigurationError, match="delta must be above 0"):
        promise([[always([WIDE])]], 0.0, "x")
    with pytest.raises(ConfigurationError, match=r"privacy .* no noise to speak of"):
        promise([[always([with_(privacy=1e200)])]], 1e-5, "x")
    with pytest.raises(ConfigurationError, match="asks for alpha < 7: take more noise"):
        printed_promise(lambda orders, failure: [Bound(o, failure, 1.0, ("alpha < 7",)) for o in orders], 1e-5, "x")


def test_the_printed_statement_is_read_at_its_best_order() -> None:
    made = printed_promise(lambda orders, failure: [Bound(o, failure, 0.01 * o) for o in orders], 1e-5, "x").mechanism
    assert isinstance(made, ApproximateRenyi)
    assert made.order == pytest.approx(1 + math.sqrt(math.log(1e5) / 0.01), rel=0.1)
    assert made.failure == pytest.approx(1e-9)
