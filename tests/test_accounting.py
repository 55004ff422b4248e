"""The epsilon of mechanisms: enclosures, closed forms, and the package behind them."""

from __future__ import annotations

import math
import sys

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.accounting import claimed_epsilon, epsilon_bounds, gaussian_epsilon, gaussian_parameter
from dpaudit.errors import ContentError, MissingPackageError
from dpaudit.mechanism import Composed, Constant, Gaussian, Laplace, Mechanism, PoissonSampled, SelfComposed
from dpaudit.privacy import ApproximateDP, GaussianDP, Neighbours, RenyiDP

ADD = Neighbours.ADD_OR_REMOVE
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
    assert bounds.upper - bounds.lower < 1e-3


@pytest.mark.parametrize("mechanism", [SAMPLED, Composed((Laplace(2.0), Gaussian(3.0))), SelfComposed(Laplace(3.0), 5)])
def test_enclosures_are_ordered_narrow_and_beside_the_accountant(mechanism: Mechanism) -> None:
    bounds = epsilon_bounds(mechanism, 1e-5, ADD)
    assert 0 < bounds.lower <= bounds.upper < bounds.lower * 1.01


def test_sampled_composition_agrees_with_the_accountant_driven_by_events() -> None:
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    event = dp_accounting.PoissonSampledDpEvent(0.2, dp_accounting.GaussianDpEvent(1.5))
    reference = PLDAccountant().compose(dp_accounting.SelfComposedDpEvent(event, 30)).get_epsilon(1e-5)
    assert epsilon_bounds(SAMPLED, 1e-5, Neighbours.ZERO_OUT).upper == pytest.approx(reference, rel=1e-9)


def test_what_the_accountant_cannot_treat_is_refused() -> None:
    with pytest.raises(ContentError, match="replace-one"):
        epsilon_bounds(SAMPLED, 1e-5, Neighbours.REPLACE_ONE)
    with pytest.raises(ContentError, match="replace-one"):
        epsilon_bounds(Composed((Laplace(1.0), SAMPLED)), 1e-5, Neighbours.REPLACE_ONE)
    with pytest.raises(ContentError, match="one Gaussian or Laplace"):
        epsilon_bounds(PoissonSampled(0.2, SelfComposed(Gaussian(1.0), 2)), 1e-5, ADD)
    with pytest.raises(ContentError, match="one Gaussian or Laplace"):
        epsilon_bounds(PoissonSampled(0.2, PoissonSampled(0.5, Gaussian(1.0))), 1e-5, ADD)
    for delta in (0.0, 1.0, math.nan):
        with pytest.raises(ContentError, match="delta must be in"):
            epsilon_bounds(Gaussian(1.0), delta, ADD)


def test_claims() -> None:
    assert claimed_epsilon(ApproximateDP(2.0, 1e-5), 1e-5) == 2.0
    assert claimed_epsilon(ApproximateDP(2.0, 1e-5), 1e-6) == math.inf
    assert claimed_epsilon(GaussianDP(1.0), 1e-5) == pytest.approx(4.377178, abs=1e-6)
    assert claimed_epsilon(GaussianDP(0.0), 1e-5) == 0.0


def test_renyi_claim_is_converted_as_published() -> None:
    # epsilon + log(1 - 1/order) - (log(delta) + log(order)) / (order - 1), Canonne, Kamath, Steinke (2020).
    order, epsilon, delta = 8.0, 0.5, 1e-5
    expected = epsilon + math.log1p(-1 / order) - math.log(delta * order) / (order - 1)
    assert claimed_epsilon(RenyiDP(order, epsilon), delta) == pytest.approx(expected, rel=1e-12)


@pytest.mark.usefixtures("no_accountant")
def test_without_the_package_theory_says_what_to_install() -> None:
    for ask in (
        lambda: epsilon_bounds(Laplace(1.0), 1e-5, ADD),
        lambda: epsilon_bounds(Gaussian(1.0), 1e-5, ADD),
        lambda: claimed_epsilon(RenyiDP(2.0, 1.0), 1e-5),
        lambda: claimed_epsilon(GaussianDP(1.0), 1e-5),
    ):
        with pytest.raises(MissingPackageError, match=r"pip install 'dpaudit\[accountants\]'"):
            ask()
    assert claimed_epsilon(ApproximateDP(2.0, 1e-6), 1e-5) == 2.0
