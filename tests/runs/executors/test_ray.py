"""Ray is best effort: what dpaudit itself does there, with joblib's backend replaced. No cluster is started."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest

from dpaudit.records.errors import ConfigurationError, MissingPackageError
from dpaudit.runs.executors import ray
from dpaudit.runs.executors.dask import WorkerDied


class RayError(Exception):
    """As ray.exceptions has it."""


@pytest.fixture
def portions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the portions; calls run here, and one that asks to die takes its portion along."""
    exceptions = ModuleType("ray.exceptions")
    exceptions.RayError = RayError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", ModuleType("ray"))
    monkeypatch.setitem(sys.modules, "ray.exceptions", exceptions)
    sizes: list[int] = []

    def together(calls: Sequence[Callable[[], Any]], jobs: int) -> list[Any]:
        sizes.append(len(calls))
        return [one() for one in calls]

    monkeypatch.setattr(ray, "_together", together)
    return sizes


def _doubled(item: int) -> int:
    if item == 3:
        raise RayError
    return 2 * item


def test_items_go_in_portions_and_a_portion_that_loses_a_worker_goes_on_alone(portions: list[int]) -> None:
    found = dict(ray._execute(_doubled, list(range(10)), jobs=1))
    assert isinstance(found.pop(3), WorkerDied)
    assert found == {item: 2 * item for item in range(10) if item != 3}
    assert portions == [4, 1, 1, 1, 1, 4, 2]


def test_a_portion_is_made_when_the_one_before_is_done(portions: list[int]) -> None:
    class Items(list[int]):
        def __getitem__(self, index: Any) -> Any:
            made.append(len(portions))
            return super().__getitem__(index)

    made: list[int] = []
    assert len(list(ray._execute(_doubled, Items([5] * 10), jobs=1))) == 10
    assert made == [0, 1, 2]


def test_a_worker_that_differs_is_refused(portions: list[int]) -> None:
    asked: list[int] = []

    def facts() -> dict[str, str]:
        asked.append(len(asked))
        return {"numpy": "1" if len(asked) < 3 else "2"}

    with pytest.raises(ConfigurationError, match="numpy is 2 there and 1 here"):
        ray._compare(facts, 2)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPackageError, match=r"'\.\[ray\]'"), ray.connected("127.0.0.1:9", dict):
        pytest.fail("connected")
