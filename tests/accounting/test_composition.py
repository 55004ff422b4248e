"""Compositions flattened, and the loss laws and divergences of their leaves."""

from __future__ import annotations

import math

import pytest

from dpaudit.accounting.composition import flattened, gaussian_parameter, largest_order, loss_parts, renyi_divergence
from dpaudit.accounting.loss_distributions import FORWARD, REVERSE, SYMMETRIC
from dpaudit.accounting.loss_laws import CountedLoss, GaussianLoss, SampledLoss, TriangleLoss
from dpaudit.accounting.subsampling import line, symmetrised
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import (
    ApproximateRenyi,
    Composed,
    Concentrated,
    Constant,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    PoissonSampled,
    PureDP,
    SelfComposed,
    WithReplacementSampled,
)

SAMPLE = FixedSizeSampled(2, 20, Gaussian(1.5))


def test_equal_leaves_are_counted_and_gaussians_merged() -> None:
    inner = Composed((Laplace(2.0), Gaussian(2.0), SelfComposed(SAMPLE, 3), Constant(), PureDP(0.0)))
    flat = flattened(Composed((SelfComposed(inner, 4), SAMPLE, PoissonSampled(1.0, Gaussian(1.0)))))
    assert flat.leaves == {Laplace(2.0): 4, SAMPLE: 13}
    assert flat.squared == pytest.approx(4 / 4 + 1)
    assert flat.unbounded == ""
    assert gaussian_parameter(inner) is None
    assert gaussian_parameter(Composed(())) == 0


def test_failures_are_rounded_outwards() -> None:
    flat = flattened(Composed((SelfComposed(Concentrated(0.1, 1e-3), 3), ApproximateRenyi(4.0, 0.2, 1e-4))))
    assert flat.event == pytest.approx(1 - 0.999**3, rel=1e-11)
    assert flat.event >= 1 - 0.999**3 - 1e-18
    assert flat.shift == pytest.approx(1e-4, rel=1e-11)
    assert flat.told == pytest.approx(1 - 0.999**3 * (1 - 1e-4), rel=1e-11)
    assert flat.representative().squared == pytest.approx(2 * 0.3 + 2 * 0.2 / 4)
    assert flat.pure == math.inf
    assert flattened(Composed((PureDP(0.5), SelfComposed(Laplace(4.0), 2)))).pure == pytest.approx(1.0)


def test_an_infinite_budget_is_seen_inside_a_sample() -> None:
    assert flattened(FixedSizeSampled(1, 9, PureDP(math.inf))).unbounded == "FixedSizeSampled"
    assert flattened(Concentrated(math.inf)).unbounded == "Concentrated"


def test_which_laws_bound_a_sample_of_fixed_size() -> None:
    flat = flattened(Composed((SelfComposed(SAMPLE, 5), Gaussian(3.0))))
    (above,) = loss_parts(flat, 1e-5, upper=True)
    assert [(part.order, part.count) for part in above] == [(FORWARD, 1), (SYMMETRIC, 5)]
    assert above[1].laws == (SampledLoss(0.1, GaussianLoss(1 / 1.5)),)
    below = loss_parts(flat, 1e-5, upper=False)
    assert [parts[1].order for parts in below] == [FORWARD, REVERSE, FORWARD]
    assert below[2][1].laws == (TriangleLoss(0.1, 1 / 1.5),)


def test_which_laws_bound_draws_with_replacement() -> None:
    flat = flattened(WithReplacementSampled(4, 10, Gaussian(2.0)))
    ((above,),) = loss_parts(flat, 1e-5, upper=True)
    assert above.order == SYMMETRIC
    assert [law.whole.mu for law in above.laws] == [0.5, 1.0, 1.5, 2.0]  # type: ignore[attr-defined]
    assert sum(above.weights) + above.infinite == pytest.approx(1, rel=1e-12)
    ((hidden,), _) = loss_parts(flat, 1e-5, upper=False)
    (law,) = hidden.laws
    assert isinstance(law, CountedLoss)
    assert law.weights == pytest.approx([math.comb(4, k) * 0.1**k * 0.9 ** (4 - k) for k in range(5)], rel=1e-12)


def test_poisson_samples_are_bounded_by_both_orders_from_both_sides() -> None:
    flat = flattened(PoissonSampled(0.1, Laplace(2.0)))
    for upper in (True, False):
        assert [part.order for (part,) in loss_parts(flat, 1e-5, upper)] == [FORWARD, REVERSE]


@pytest.mark.parametrize("order", [1.5, 4.0, 30.0])
def test_divergences_of_every_kind(order: float) -> None:
    assert renyi_divergence(flattened(SAMPLE), order) == pytest.approx(float(symmetrised(order, 0.1, 2.25)))
    poisson = flattened(PoissonSampled(0.1, Gaussian(1.5)))
    assert renyi_divergence(poisson, order) == pytest.approx(float(line(order, 0.1, 2.25)))
    assert renyi_divergence(flattened(Concentrated(0.2)), order) == pytest.approx(0.2 * order)
    sampled = renyi_divergence(flattened(PoissonSampled(0.1, PureDP(1.0))), order)
    assert sampled == renyi_divergence(flattened(PureDP(math.log1p(0.1 * math.expm1(1.0)))), order)
    assert renyi_divergence(flattened(ApproximateRenyi(4.0, 0.3, 0.0)), order) == (0.3 if order <= 4 else math.inf)


@pytest.mark.parametrize("size", [1e-4, 0.3, 2.0])
@pytest.mark.parametrize("order", [1.2, 3.0, 40.0])
def test_pure_mechanisms_have_the_divergences_of_their_masses(size: float, order: float) -> None:
    """sum P^a Q^(1-a) for randomised response; dp-accounting's closed form for Laplace noise."""
    import dp_accounting

    more, less = math.exp(size) / (1 + math.exp(size)), 1 / (1 + math.exp(size))
    exact = math.log(more**order * less ** (1 - order) + less**order * more ** (1 - order)) / (order - 1)
    found = renyi_divergence(flattened(PureDP(size)), order)
    assert exact * (1 - 1e-6) <= found <= min(exact * 1.01, size, order * size**2 / 2) * (1 + 1e-9)
    accountant = dp_accounting.rdp.RdpAccountant([order]).compose(dp_accounting.LaplaceDpEvent(1 / size))
    found = renyi_divergence(flattened(Laplace(1 / size)), order)
    assert accountant.rdp[0] * (1 - 1e-6) <= found <= accountant.rdp[0] * 1.01 + 1e-12


def test_orders_end_where_a_promise_ends() -> None:
    assert largest_order(flattened(Composed((ApproximateRenyi(8.0, 1.0, 0.0), Concentrated(0.1))))) == 8
    assert largest_order(flattened(Concentrated(0.1))) > largest_order(flattened(Composed((SAMPLE, Concentrated(0.1)))))


def test_a_sampled_laplace_mechanism_has_no_divergence_here() -> None:
    with pytest.raises(ContentError, match="PoissonSampled of Laplace has no Renyi divergence"):
        renyi_divergence(flattened(PoissonSampled(0.1, Laplace(1.0))), 3.0)
