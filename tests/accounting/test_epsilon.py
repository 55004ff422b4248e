"""The epsilon of mechanisms: enclosures, closed forms, failures, and the package behind them."""

from __future__ import annotations

import functools
import json
import math
import sys
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.accounting.composition import flattened, loss_parts
from dpaudit.accounting.epsilon import (
    EpsilonBounds,
    claimed_epsilon,
    epsilon_bounds,
    epsilon_upper,
    gaussian_epsilon,
    gaussian_parameter,
    profile,
    promised_epsilon,
)
from dpaudit.accounting.loss_distributions import composed_epsilon
from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.mechanism import (
    Composed,
    Concentrated,
    Constant,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    Mechanism,
    PoissonSampled,
    Promise,
    PureDP,
    SelfComposed,
    WithReplacementSampled,
)
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Neighbours, RenyiDP, View

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "srm_accounting.json").read_text(encoding="utf-8"))
ADD, REPLACE = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE
SAMPLED = SelfComposed(PoissonSampled(0.2, Gaussian(1.5)), 30)


@pytest.fixture
def no_accountant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dp_accounting", None)


@given(mu=st.floats(0.01, 20.0), delta=st.floats(1e-12, 0.3))
def test_the_epsilon_of_a_gaussian_meets_its_delta_in_sixty_digits(mu: float, delta: float) -> None:
    epsilon = gaussian_epsilon(delta, mu)
    with mpmath.workdps(60):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        exact = mpmath.ncdf(-e / m + m / 2) - mpmath.exp(e) * mpmath.ncdf(-e / m - m / 2)
    if epsilon == 0:
        assert exact <= delta * (1 + 1e-9)
    else:
        assert float(exact) == pytest.approx(delta, rel=1e-6)


def test_degenerate_gaussians() -> None:
    assert gaussian_epsilon(1e-5, 0.0) == 0.0
    assert gaussian_epsilon(0.5, 0.1) == 0.0
    for delta in (0.0, 1.0, -1.0, math.nan):
        with pytest.raises(ContentError, match="delta must be in"):
            gaussian_epsilon(delta, 1.0)
    for mu in (-1.0, math.nan, math.inf):
        with pytest.raises(ContentError, match="mu must be finite"):
            gaussian_epsilon(1e-5, mu)


def test_published_values() -> None:
    assert epsilon_bounds(Gaussian(1.0), 1e-5, ADD).upper == pytest.approx(4.377, abs=5e-4)
    assert epsilon_bounds(Gaussian(3.7306), 1e-5, ADD).upper == pytest.approx(1.0, abs=1e-4)


def test_gaussian_composition_in_every_nesting() -> None:
    parts = (SelfComposed(Gaussian(2.0), 3), Constant(), Composed((PoissonSampled(1.0, Gaussian(2.0)),)))
    assert gaussian_parameter(Composed(parts)) == pytest.approx(1.0)
    assert gaussian_parameter(Composed(())) == 0.0
    assert gaussian_parameter(SAMPLED) is None
    assert gaussian_parameter(Composed((Gaussian(1.0), Laplace(1.0)))) is None


def test_loss_distributions_enclose_the_laplace_mechanism() -> None:
    # delta(e) = 1 - exp((e - 1/b)/2) for Laplace noise of scale b (Balle, Wang 2018, section 2).
    delta, scale = 1e-3, 2.0
    exact = 1 / scale + 2 * math.log1p(-delta)
    bounds = epsilon_bounds(Laplace(scale), delta, ADD)
    assert bounds.lower <= exact <= bounds.upper
    assert bounds.upper - bounds.lower < 1e-6


@pytest.mark.parametrize("mechanism", [SAMPLED, Composed((Laplace(2.0), Gaussian(3.0))), SelfComposed(Laplace(3.0), 5)])
def test_enclosures_are_ordered_narrow_and_beside_the_accountant(mechanism: Mechanism) -> None:
    bounds = epsilon_bounds(mechanism, 1e-5, ADD)
    assert 0 < bounds.lower <= bounds.upper < bounds.lower * 1.001
    assert bounds.reason == ""


def test_sampled_composition_agrees_with_the_accountant_driven_by_events() -> None:
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    event = dp_accounting.PoissonSampledDpEvent(0.2, dp_accounting.GaussianDpEvent(1.5))
    reference = PLDAccountant().compose(dp_accounting.SelfComposedDpEvent(event, 30)).get_epsilon(1e-5)
    assert epsilon_bounds(SAMPLED, 1e-5, Neighbours.ZERO_OUT).upper == pytest.approx(reference, rel=1e-5)


@pytest.mark.parametrize("order", ["_pmf_remove", "_pmf_add"])
def test_a_sampled_laplace_mechanism_beside_the_accountant(order: str) -> None:
    from dp_accounting.pld import privacy_loss_distribution as library

    leaf = PoissonSampled(0.3, Laplace(2.0))
    parts = loss_parts(flattened(SelfComposed(leaf, 10)), 1e-5, upper=True)[order == "_pmf_add"]
    theirs = library.from_laplace_mechanism(2.0, sampling_prob=0.3).self_compose(10)
    reference = getattr(theirs, order).get_epsilon_for_delta(1e-5)
    assert composed_epsilon(parts, 1e-5, upper=True) == pytest.approx(reference, rel=1e-4)
    below = loss_parts(flattened(SelfComposed(leaf, 10)), 1e-5, upper=False)[order == "_pmf_add"]
    assert 0.99 * reference < composed_epsilon(below, 1e-5, upper=False) <= reference


def test_what_the_accountant_cannot_treat_is_refused() -> None:
    with pytest.raises(ContentError, match="replace-one"):
        epsilon_bounds(SAMPLED, 1e-5, REPLACE)
    with pytest.raises(ContentError, match="replace-one"):
        epsilon_bounds(Composed((Laplace(1.0), SAMPLED)), 1e-5, REPLACE)
    for kind in (FixedSizeSampled, WithReplacementSampled):
        with pytest.raises(ContentError, match=f"{kind.__name__} is accounted for replace-one only, got ZERO_OUT"):
            epsilon_bounds(kind(2, 5, Gaussian(1.0)), 1e-5, Neighbours.ZERO_OUT)
    for inner in (Concentrated(1.0), PoissonSampled(0.5, Gaussian(1.0)), SelfComposed(Laplace(1.0), 2)):
        with pytest.raises(ContentError, match="only a sample of Gaussian mechanisms, of one Laplace"):
            epsilon_bounds(PoissonSampled(0.2, inner), 1e-5, ADD)
    hidden = WithReplacementSampled(2, 5, Gaussian(1.0))
    with pytest.raises(ContentError, match="WithReplacementSampled of Gaussian has no Renyi divergence"):
        epsilon_bounds(Composed((hidden, Concentrated(0.1))), 1e-5, REPLACE)
    for delta in (-0.1, 1.0, math.nan):
        with pytest.raises(ContentError, match="delta must be in"):
            epsilon_bounds(Gaussian(1.0), delta, ADD)


@pytest.mark.parametrize(
    ("mechanism", "epsilon"),
    [
        (Laplace(2.0), 0.5),
        (PureDP(1.5), 1.5),
        (Composed((SelfComposed(Laplace(1.0), 3), PureDP(0.5))), 3.5),
        (Constant(), 0.0),
        (Gaussian(1.0), math.inf),
        (Composed((Gaussian(1.0), Laplace(1.0))), math.inf),
    ],
)
def test_the_epsilon_of_pure_privacy_is_known(mechanism: Mechanism, epsilon: float) -> None:
    found = epsilon_bounds(mechanism, 0.0, ADD)
    assert found.lower <= epsilon <= found.upper
    assert found.lower == pytest.approx(epsilon, rel=1e-8)
    assert found.upper == pytest.approx(epsilon, rel=1e-8)


def responses(epsilon: float, rate: float = 1.0) -> tuple[Array, Array]:
    """The laws of a randomised response of this epsilon on a sample, with the record that differs and without it."""
    told = np.array([math.exp(epsilon), 1.0]) / (1 + math.exp(epsilon))
    return rate * told + (1 - rate) * told[::-1], told[::-1]


@pytest.mark.parametrize(("neighbours", "sample"), [(ADD, PoissonSampled), (REPLACE, FixedSizeSampled)])
@pytest.mark.parametrize(("rate", "epsilon", "count"), [(0.5, 1.0, 1), (0.2, 3.0, 4), (0.01, 0.1, 3), (0.9, 8.0, 2)])
def test_samples_reach_the_largest_loss_of_their_exact_laws_at_delta_0(
    neighbours: Neighbours, sample: Any, rate: float, epsilon: float, count: int
) -> None:
    """All outcomes of the composition, in both orders, beside another response and a Laplace mechanism."""
    leaf = PoissonSampled(rate, PureDP(epsilon))
    if sample is FixedSizeSampled:
        leaf = FixedSizeSampled(round(100 * rate), 100, PureDP(epsilon))
    pairs = [responses(epsilon, rate)] * count + [responses(0.3)]
    with_record, without = (functools.reduce(np.kron, [pair[side] for pair in pairs]) for side in (0, 1))
    exact = float(np.abs(np.log(with_record / without)).max())
    found = epsilon_bounds(Composed((SelfComposed(leaf, count), PureDP(0.3))), 0.0, neighbours)
    assert exact * (1 - 3e-9) < found.lower <= exact <= found.upper * (1 + 1e-14)
    assert found.upper < exact * (1 + 1e-11)
    noisy = epsilon_bounds(Composed((SelfComposed(leaf, count), Laplace(1 / 0.3))), 0.0, neighbours)
    assert noisy.upper == pytest.approx(exact, rel=1e-11)


@given(rate=st.integers(1, 9), laws=st.lists(st.floats(0.01, 0.99), min_size=3, max_size=3))
def test_no_sample_of_fixed_size_loses_more_than_is_stated_at_delta_0(rate: int, laws: list[float]) -> None:
    """Any three laws of an answer: without the record, with it, with the other one; epsilon is that of their pairs."""
    answers = np.array([laws, 1 - np.array(laws)])
    epsilon = float(np.log(answers.max(axis=1) / answers.min(axis=1)).max())
    without, one, other = answers.T
    share = rate / 10
    lost = float(np.abs(np.log((share * one + (1 - share) * without) / (share * other + (1 - share) * without))).max())
    assert lost <= epsilon_bounds(FixedSizeSampled(rate, 10, PureDP(epsilon)), 0.0, REPLACE).upper + 1e-14


def test_a_pure_epsilon_is_rounded_up() -> None:
    tiny = 1e-17
    assert epsilon_bounds(Composed((PureDP(1.0), PureDP(tiny))), 0.0, ADD).upper > 1.0
    assert epsilon_bounds(Constant(), 0.0, ADD) == EpsilonBounds(0.0, 0.0)


def test_at_delta_0_what_has_no_known_epsilon_has_a_lower_bound() -> None:
    exact = math.log1p(0.5 * math.expm1(1.0))
    found = epsilon_bounds(WithReplacementSampled(1, 2, Laplace(1.0)), 0.0, REPLACE)
    assert 0.9 * exact < found.lower <= exact
    assert found.upper == math.inf
    assert "no finite epsilon is known" in found.reason


def test_samples_of_compositions_of_gaussians_are_samples_of_one() -> None:
    inner = Composed((SelfComposed(Gaussian(4.0), 3), Gaussian(4.0), Constant()))
    assert epsilon_bounds(PoissonSampled(0.1, inner), 1e-5, ADD) == epsilon_bounds(
        PoissonSampled(0.1, Gaussian(2.0)), 1e-5, ADD
    )
    assert epsilon_bounds(PoissonSampled(0.2, Constant()), 1e-5, ADD).upper == 0.0


@pytest.mark.parametrize("case", VECTORS["one_release_epsilon"], ids=str)
def test_one_release_of_a_fixed_size_sample_is_enclosed(case: dict[str, float]) -> None:
    one = FixedSizeSampled(round(1000 * case["rate"]), 1000, Gaussian(math.sqrt(case["variance"])))
    bounds = epsilon_bounds(one, case["delta"], REPLACE)
    assert bounds.lower <= case["line"] <= bounds.upper < bounds.lower * 1.001


def test_samples_of_all_records_are_no_samples() -> None:
    assert gaussian_parameter(FixedSizeSampled(7, 7, Gaussian(2.0))) == 0.5
    assert gaussian_parameter(WithReplacementSampled(3, 1, Gaussian(2.0))) == 1.5
    assert epsilon_bounds(WithReplacementSampled(3, 1, PureDP(0.1)), 1e-5, REPLACE).upper <= 0.3


def test_the_enclosure_of_samples_of_fixed_size_lies_below_theorem_9() -> None:
    import dp_accounting

    mechanism = SelfComposed(FixedSizeSampled(10, 1000, Gaussian(0.9)), 1000)
    bounds = epsilon_bounds(mechanism, 1e-5, REPLACE)
    accountant = dp_accounting.rdp.RdpAccountant(None, dp_accounting.NeighboringRelation.REPLACE_ONE)
    event = dp_accounting.SampledWithoutReplacementDpEvent(1000, 10, dp_accounting.GaussianDpEvent(0.9))
    published = accountant.compose(event, 1000).get_epsilon(1e-5)
    assert 2.3 < bounds.lower < bounds.upper < 0.7 * published
    assert bounds.upper < 1.2 * bounds.lower


def test_one_draw_with_replacement_is_a_sample_of_one_record() -> None:
    drawn = epsilon_bounds(SelfComposed(WithReplacementSampled(1, 50, Gaussian(1.5)), 40), 1e-5, REPLACE)
    fixed = epsilon_bounds(SelfComposed(FixedSizeSampled(1, 50, Gaussian(1.5)), 40), 1e-5, REPLACE)
    assert drawn.upper == pytest.approx(fixed.upper, rel=1e-9)
    assert drawn.lower == pytest.approx(fixed.lower, rel=2e-3)


def test_draws_with_replacement_cost_more_than_a_subset() -> None:
    drawn = epsilon_bounds(SelfComposed(WithReplacementSampled(10, 200, Gaussian(3.0)), 100), 1e-5, REPLACE)
    fixed = epsilon_bounds(SelfComposed(FixedSizeSampled(10, 200, Gaussian(3.0)), 100), 1e-5, REPLACE)
    assert 0.9 * fixed.lower < drawn.lower <= drawn.upper
    assert drawn.upper > fixed.upper


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-5), (0.3, 1e-2), (5.0, 1e-9)])
def test_pure_privacy_at_a_delta_is_randomised_response(epsilon: float, delta: float) -> None:
    exact = math.log(math.exp(epsilon) - delta * (1 + math.exp(epsilon)))
    bounds = epsilon_bounds(PureDP(epsilon), delta, ADD)
    assert bounds.lower <= exact * (1 + 1e-9)
    assert exact * (1 - 1e-9) <= bounds.upper < bounds.lower + 1e-6
    assert epsilon_bounds(Composed((PureDP(epsilon), PureDP(0.0), Laplace(7.0))), delta, ADD).upper <= (
        epsilon + 1 / 7
    ) * (1 + 1e-9)
    assert epsilon_bounds(PureDP(0.0), delta, ADD).upper == 0.0


def test_a_promise_is_accounted_under_its_own_neighbours() -> None:
    mechanism = FixedSizeSampled(3, 30, Gaussian(1.0))
    promise = Promise(mechanism, REPLACE, View.TRANSCRIPT, "lemma 1, corrected")
    assert promised_epsilon(promise, 1e-5) == epsilon_bounds(mechanism, 1e-5, REPLACE)
    with pytest.raises(ContentError, match="replace-one only"):
        promised_epsilon(Promise(mechanism, ADD, View.TRANSCRIPT, "lemma 1"), 1e-5)


def test_claims() -> None:
    assert claimed_epsilon(ApproximateDP(2.0, 1e-5), 1e-5) == 2.0
    assert claimed_epsilon(ApproximateDP(2.0, 1e-5), 1e-6) == math.inf
    assert claimed_epsilon(GaussianDP(1.0), 1e-5) == pytest.approx(4.377178, abs=1e-6)
    assert claimed_epsilon(GaussianDP(0.0), 1e-5) == 0.0


@pytest.mark.parametrize("order", [1e300, 1e308, math.inf])
def test_a_renyi_claim_of_a_vast_order_is_one_of_pure_privacy(order: float) -> None:
    for epsilon in (0.0, 0.3, 5.0):
        assert claimed_epsilon(RenyiDP(order, epsilon), 1e-5) == pytest.approx(epsilon, rel=1e-12)


def test_renyi_claim_is_converted_as_published() -> None:
    # epsilon + log(1 - 1/order) - (log(delta) + log(order)) / (order - 1), Canonne, Kamath, Steinke (2020).
    order, epsilon, delta = 8.0, 0.5, 1e-5
    expected = epsilon + math.log1p(-1 / order) - math.log(delta * order) / (order - 1)
    assert claimed_epsilon(RenyiDP(order, epsilon), delta) == pytest.approx(expected, rel=1e-12)


@pytest.mark.usefixtures("no_accountant")
def test_without_the_package_theory_says_what_to_install() -> None:
    for ask in (
        lambda: epsilon_bounds(Concentrated(1.0), 1e-5, ADD),
        lambda: epsilon_bounds(Gaussian(1.0), 1e-5, ADD),
        lambda: claimed_epsilon(RenyiDP(2.0, 1.0), 1e-5),
        lambda: claimed_epsilon(GaussianDP(1.0), 1e-5),
    ):
        with pytest.raises(MissingPackageError, match=r"pip install .* '.\[accountants\]'"):
            ask()
    assert claimed_epsilon(ApproximateDP(2.0, 1e-6), 1e-5) == 2.0
    assert epsilon_bounds(Laplace(1.0), 1e-5, ADD).upper == pytest.approx(1.0, rel=1e-3)


def test_losses_that_are_too_large_are_named() -> None:
    bounds = epsilon_bounds(SelfComposed(FixedSizeSampled(1, 100, Gaussian(0.02)), 1000), 1e-5, REPLACE)
    assert bounds.upper == math.inf
    assert bounds.reason == "losses above 600 have more than delta = 1e-05"
    assert bounds.lower == 600


def test_a_profile_has_the_points_of_the_curve_and_one_where_there_is_none() -> None:
    sampled = SelfComposed(PoissonSampled(0.2, Gaussian(1.5)), 30)
    found = profile(sampled, Neighbours.ADD_OR_REMOVE, "sampled")
    assert {delta: epsilon for epsilon, delta in found.points}[1e-5] == pytest.approx(
        epsilon_bounds(sampled, 1e-5, Neighbours.ADD_OR_REMOVE).upper
    )
    assert found.points[-1][0] == 0.0
    assert profile(PureDP(math.inf), Neighbours.ADD_OR_REMOVE, "nothing").points == ((math.inf, 0.5),)


@pytest.mark.parametrize(
    "mechanism",
    [SAMPLED, Gaussian(2.0), PureDP(math.inf), Composed((Laplace(1.0), PoissonSampled(0.3, Gaussian(1.0))))],
)
def test_the_upper_end_alone_is_that_of_the_enclosure(mechanism: Any) -> None:
    assert epsilon_upper(mechanism, 1e-5, ADD) == epsilon_bounds(mechanism, 1e-5, ADD).upper
