"""The search for neighbours: known sensitivities under each relation and norm, small witnesses, broken statistics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit.attacks.worst_case import BACKENDS, Search, ascend, distance, module_gradient, shrink, worst_pair
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import Neighbours


def box(statistic: Any, dimension: int = 2, **options: Any) -> Search:
    """Records in [-1, 2]^dimension."""
    return Search(
        statistic,
        draw=lambda rng, count: rng.uniform(-1, 2, (count, dimension)),
        project=lambda rows: np.clip(rows, -1, 2),
        **options,
    )


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def squares(records: Any) -> Any:
    return (records**2).sum(0)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("relation", "order", "sensitivity"),
    [
        (Neighbours.REPLACE_ONE, 2, 32**0.5),
        (Neighbours.ADD_OR_REMOVE, 1, 8.0),
        (Neighbours.ZERO_OUT, np.inf, 4.0),
    ],
)
def test_it_finds_the_sensitivity_of_a_sum_of_squares(
    backend: str, relation: Neighbours, order: float, sensitivity: float
) -> None:
    if backend == "torch":
        pytest.importorskip("torch")
    pair = worst_pair(box(squares, neighbours=relation, order=order, backend=backend), records=4, rng=rng())
    assert pair.distance == pytest.approx(sensitivity, rel=2e-3)
    assert pair.distance <= sensitivity


def test_the_witness_is_small_and_stands_on_its_own() -> None:
    pair = worst_pair(box(squares), records=6, rng=rng())
    assert pair.data.shape == pair.neighbour.shape == (1, 2)
    assert sorted(np.abs([pair.data, pair.neighbour]).ravel()) == [0, 0, 2, 2]
    assert np.linalg.norm(squares(pair.data) - squares(pair.neighbour)) == pair.distance


def test_records_that_the_distance_needs_stay() -> None:
    """A product of all records: every shared one matters."""
    pair = worst_pair(box(lambda records: records.prod(), dimension=1), records=3, rng=rng())
    assert pair.data.shape == (3, 1)
    assert pair.distance == pytest.approx(12.0, rel=2e-3)  # 2 * 2 * (2 - -1)


def test_ascent_beats_random_pairs() -> None:
    search = box(squares, dimension=6)
    start = search.draw(rng(1), 4)
    assert distance(search, ascend(search, start, 100)) > 1.5 * distance(search, start)
    free = Search(squares, draw=search.draw, project=lambda rows: rows)  # no end: the steps must grow
    assert distance(free, ascend(free, start, 30)) > 1e4 * distance(free, start)
    assert np.array_equal(ascend(search, start, 0), start)


def test_the_last_record_is_the_one_that_differs() -> None:
    pair = worst_pair(box(lambda records: records.sum(0) * len(records)), records=5, rng=rng(2))
    assert np.array_equal(pair.data[:-1], pair.neighbour[:-1])
    removed = worst_pair(box(squares, neighbours=Neighbours.ADD_OR_REMOVE), records=3, rng=rng())
    assert np.array_equal(removed.data[:-1], removed.neighbour)


def test_a_statistic_that_breaks_has_an_infinite_distance() -> None:
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        pair = worst_pair(box(lambda records: 1 / np.maximum(records, 0).sum(0)), records=1, rng=rng())
    assert pair.distance == np.inf


def test_a_constant_statistic_has_distance_zero() -> None:
    pair = worst_pair(box(lambda records: np.ones(3)), records=2, rng=rng())
    assert pair.distance == 0.0


@pytest.mark.deep
def test_the_gradient_of_a_module() -> None:
    """Squared loss of one weight w = 0.5 on (x, y) in [-1, 2]^2: the gradient is 2 x (x/2 - y)."""
    torch = pytest.importorskip("torch")
    module = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.constant_(module.weight, 0.5)
    statistic = module_gradient(module, lambda outputs, target: ((outputs - target) ** 2).sum())
    pair = worst_pair(box(statistic, backend="torch"), records=3, rng=rng())
    assert pair.distance == pytest.approx(12.0, rel=2e-3)  # 8 at (2, -1), -4 at (2, 2)
    found = [float(2 * x * (x / 2 - y)) for x, y in (pair.data[-1], pair.neighbour[-1])]
    assert abs(found[0] - found[1]) == pytest.approx(pair.distance)


def test_deterministic_in_its_generator() -> None:
    pairs = [worst_pair(box(squares), records=3, rng=rng(7)) for _ in range(2)]
    assert np.array_equal(pairs[0].data, pairs[1].data)


def test_shrinking_keeps_the_share_of_the_distance() -> None:
    search, rows = box(squares), rng(3).uniform(-1, 2, (5, 2))
    assert distance(search, shrink(search, rows, keep=0.5)) >= 0.5 * distance(search, rows)


def test_what_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="backend"):
        box(squares, backend="jax")
    with pytest.raises(ConfigurationError, match="order"):
        box(squares, order=3)
    with pytest.raises(ConfigurationError, match="records"):
        worst_pair(box(squares), records=0, rng=rng())
    with pytest.raises(ContentError, match="shape"):
        worst_pair(box(lambda r: r, neighbours=Neighbours.ADD_OR_REMOVE), records=2, rng=rng())
