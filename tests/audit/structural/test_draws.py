"""Normal draws of torch: all ways to make one are seen, and nothing stays patched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from dpaudit.audit.structural.draws import normal_draws, shifts_of


@pytest.mark.parametrize(
    ("draw", "mean"),
    [
        (lambda g: torch.normal(2.0, 3.0, size=(4,), generator=g), 2.0),
        (lambda g: torch.normal(torch.full((4,), 2.0), 3.0, generator=g), 2.0),
        (lambda g: torch.normal(mean=torch.full((4,), 2.0), std=torch.ones(4), generator=g), 2.0),
        (lambda g: torch.empty(4).normal_(2.0, 3.0, generator=g), 2.0),
        (lambda g: torch.empty(4).normal_(generator=g), 0.0),
        (lambda g: torch.randn(4, generator=g), 0.0),
        (lambda g: torch.randn_like(torch.zeros(4)), 0.0),
        (lambda g: torch.distributions.Normal(torch.full((4,), 2.0), 3.0).sample(), 2.0),
    ],
)
@pytest.mark.parametrize("seeded", [True, False])
def test_draws_are_seen_and_set_to_their_means(draw: Any, mean: float, seeded: bool) -> None:
    def generator() -> torch.Generator | None:
        torch.manual_seed(5)
        return torch.Generator().manual_seed(5) if seeded else None

    plain = draw(generator())
    with normal_draws(lambda number, drawn: drawn * 0) as silent:
        assert draw(generator()).tolist() == [mean] * 4
    assert silent.seen[0] == pytest.approx((plain - mean).numpy(), abs=1e-6)
    with normal_draws(lambda number, drawn: drawn) as kept:
        assert torch.equal(draw(generator()), plain)
    assert len(kept.seen) == 1
    assert torch.equal(draw(generator()), plain), "nothing stays patched"


def test_generators_are_put_back() -> None:
    generator = torch.Generator().manual_seed(3)
    with normal_draws(lambda number, drawn: drawn) as draws:
        first = torch.randn(3, generator=generator), torch.randn(3)
    draws.set_states(draws.before)
    assert torch.equal(torch.randn(3, generator=generator), first[0])
    assert torch.equal(torch.randn(3), first[1])


def test_shifts_lead_noise_back_to_the_draws_of_its_shape() -> None:
    """Two parameters of one shape with two draws each, of which the noise is a half; the first is shifted."""
    rng = np.random.default_rng(2)
    seen = [rng.normal(size=shape) for shape in ((3,), (3,), (1, 1), (3,), (3,))]
    own = [(seen[0] + seen[1]) / 2, (seen[3] + seen[4]) / 2]
    missing = [np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.0, 4.0])]
    shifts = shifts_of(seen, missing, own)
    assert shifts is not None
    assert sorted(shifts) == [0, 3]
    assert shifts[0] == pytest.approx(2 * missing[0])
    assert shifts[3] == pytest.approx(2 * missing[1])


def test_shifts_of_noise_with_a_scale_for_each_coordinate() -> None:
    drawn, scales = np.array([1.0, -2.0, 0.5]), np.array([1.0, 10.0, 100.0])
    shifts = shifts_of([drawn], [np.ones(3)], [scales * drawn])
    assert shifts is not None
    assert shifts[0] == pytest.approx(1 / scales)


def test_a_coordinate_that_no_draw_moves_is_not_shifted() -> None:
    drawn, factors = np.array([1.0, -2.0, 0.5]), np.array([1.0, 0.0, 100.0])
    shifts = shifts_of([drawn], [np.array([1.0, 0.0, 1.0])], [factors * drawn])
    assert shifts is not None
    assert shifts[0].tolist() == [1.0, 0.0, 0.01]


def test_shifts_are_unclear_without_a_draw_for_each_parameter() -> None:
    noise = [np.ones(3), np.ones(3)]
    assert shifts_of([np.ones(3)], noise, noise) is None
    assert shifts_of([np.ones(6)], noise, noise) is None
    assert shifts_of([np.ones(6)], noise, [np.zeros(3), np.zeros(3)]) == {}, "no noise needs no draw"
