"""What JAX draws on a replay: from the keys of the recording, where they have the same origin, and by record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dpaudit.audit.alignment import jax_draws, sites
from dpaudit.audit.alignment.alignment import Alignment
from dpaudit.audit.alignment.log import Log, from_text

jax = pytest.importorskip("jax")

ALL, LEFT, MORE = np.array([4, 2, 7, 0, 5]), np.array([4, 2, 0, 5]), np.array([4, 2, 7, 0, 5, 8])
STAY = [0, 1, 3, 4]
"""Places in ALL of those that are left."""


@pytest.fixture(autouse=True)
def _one_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sites, "_DEPTH", 1)


def drawn(
    draw: Callable[[int], Any], members: np.ndarray, past: Log | None = None, salted: frozenset[str] | None = None
) -> tuple[Any, Log]:
    """What `draw(size of the batch)` returns in an alignment, and the log."""
    alignment = Alignment(past, salted)
    with alignment.open(9):
        alignment.batch(members)
        value = draw(len(members))
    return value, alignment.log()


def data(keys: Any) -> np.ndarray:
    return np.asarray(jax.random.key_data(keys))


KEYS = {"typed": lambda: jax.random.key(3), "raw": lambda: jax.random.PRNGKey(3)}
ROWS: dict[str, Callable[[Any, int], Any]] = {
    "first axis": lambda key, m: jax.random.normal(key, (m, 3)),
    "last axis": lambda key, m: jax.random.bernoulli(key, 0.5, (3, m)).T,
    "a key for each": lambda key, m: data(jax.random.split(key, m)),
    "named": lambda key, m: jax.random.uniform(key=key, shape=(m,)),
    "a loop": lambda key, m: np.array([jax.random.uniform(one) for one in jax.random.split(key, m)]),
    "a loop over numbers": lambda key, m: np.array([jax.random.uniform(jax.random.split(key, m)[i]) for i in range(m)]),
    "two draws for each": lambda key, m: np.array(
        [[jax.random.uniform(key), jax.random.normal(key)] for _ in range(m)]
    ),
}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("name", ROWS)
def test_each_record_has_its_own_rows(name: str, kind: str) -> None:
    def draw(size: int) -> np.ndarray:
        return np.asarray(ROWS[name](KEYS[kind](), size))

    before, log = drawn(draw, ALL)
    assert_array_equal(before, draw(len(ALL)), "a recording draws as it would unobserved")
    removed, left = drawn(draw, LEFT, log)
    assert_array_equal(removed, before[STAY])
    added, more = drawn(draw, MORE, from_text(log.text()))
    assert_array_equal(added[:5], before)
    assert left.misaligned == more.misaligned == ()
    if name == "first axis":
        assert not np.isin(added[5], before).any()


def chain(size: int) -> list[float]:
    """A key that is split once for each record, and what is drawn then."""
    key = jax.random.key(3)
    for _ in range(size):
        key, _own = jax.random.split(key)
    return [float(jax.random.uniform(key)), *jax.vmap(jax.random.uniform)(jax.random.split(key, 2)).tolist()]


def test_keys_that_follow_from_one_another_are_those_of_the_recording() -> None:
    before, log = drawn(chain, ALL)
    assert chain(4) != chain(5) == before
    after, left = drawn(chain, LEFT, log)
    assert after == before
    assert left.misaligned == ()


@pytest.mark.parametrize(
    "key",
    [lambda size: jax.random.key(size), lambda size: jax.random.fold_in(jax.random.key(0), size)],
    ids=["another seed", "another number folded in"],
)
def test_keys_of_another_origin_are_no_keys_of_the_recording(key: Callable[[int], Any]) -> None:
    def draw(size: int) -> float:
        return float(jax.random.uniform(jax.random.split(key(size))[0]))

    _, log = drawn(draw, ALL)
    after, left = drawn(draw, LEFT, log)
    assert after == draw(4)
    assert left.misaligned
    assert all(site.startswith("test_jax_draws.py:") for site in left.misaligned)


def test_an_order_loses_those_who_left() -> None:
    def draw(size: int) -> np.ndarray:
        return np.asarray(jax.random.permutation(jax.random.key(0), size))

    before, log = drawn(draw, ALL)
    after, left = drawn(draw, LEFT, log)
    assert ALL[before][ALL[before] != 7].tolist() == LEFT[after].tolist()
    assert left.misaligned == ()


def test_salted_sites_draw_something_else_and_no_others() -> None:
    def draw(size: int) -> tuple[float, float]:
        key = jax.random.key(size)
        return (
            float(jax.random.uniform(key)),
            float(jax.random.normal(key)),
        )

    before, log = drawn(draw, ALL)
    _, other = drawn(draw, LEFT, log)
    first, second = other.misaligned
    for salted, changed in ((first, [True, False]), (second, [False, True])):
        now, _ = drawn(draw, ALL, log, frozenset([salted]))
        assert [one != two for one, two in zip(now, before, strict=True)] == changed


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("shape", "named"), [((9, 2), True), ((1, 9), True), ((5, 2), False)])
def test_rows_for_all_records_in_another_order_are_named(shape: tuple[int, ...], named: bool) -> None:
    """As many rows as records may be one for each, or for each place of a batch that is filled up."""

    def draw(size: int) -> np.ndarray:
        return np.asarray(jax.random.normal(jax.random.key(0), shape))

    before, log = drawn(draw, ALL)
    after, moved = drawn(draw, np.argsort(np.arange(9)[::-1])[ALL], log.moved(np.arange(9)[::-1]))
    assert_array_equal(after, before)
    assert bool(moved.misaligned) is named


def test_numbers_that_hang_on_the_size_in_another_way_are_named() -> None:
    def draw(size: int) -> np.ndarray:
        return np.asarray(jax.random.normal(jax.random.key(0), (2 * size + 1,)))

    _, log = drawn(draw, ALL)
    after, left = drawn(draw, LEFT, log)
    assert_array_equal(after, draw(4))
    assert len(left.misaligned) == 1


def test_calls_inside_of_transformations_and_on_several_keys_are_left_alone() -> None:
    seen: list[str] = []

    def noted(call: jax_draws.KeyCall) -> Any:
        seen.append(call.function.__name__)
        return call.make(call.key)

    with jax_draws.seen(noted):
        keys = jax.random.split(jax.random.key(0), 3)
        jax.vmap(jax.random.normal)(keys)
        jax.jit(lambda key: jax.random.normal(key))(keys[0])
        jax.jit(lambda seed: jax.random.normal(jax.random.key(seed)))(1)
        jax.jit(lambda: jax.random.normal(jax.random.key(5)))()
        with pytest.raises((TypeError, ValueError)):
            jax.random.normal(keys)
        with pytest.raises(TypeError):
            jax.random.normal(0.5)
    assert seen == ["key", "split"]
    jax.random.key(0)
    assert seen == ["key", "split"], "what was replaced is put back"
