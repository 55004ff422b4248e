"""The flow of agreement: algorithms by name, all of them without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpaudit.agreement import compare
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_algorithms
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.runs.flows import flow_of
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings


def test_algorithms_are_found_by_name(workdir: Path) -> None:
    (task,) = make_plan(Settings("agree", (Part.AGREE,), ("rbcd/ALG-9",))).tasks
    assert (task.name, task.kind, task.expected) == ("rbcd/ALG-9", Kind.AGREEMENT, Outcome.CONSISTENT)
    assert task.again == "dpaudit agree rbcd/ALG-9 --seed 20261121 --level smoke --no-cache"
    with pytest.raises(ConfigurationError, match="did you mean 'rbcd/ALG-9'"):
        make_plan(Settings("agree", (Part.AGREE,), ("rbcd/ALG-99",)))


def test_its_content_comes_with_the_package() -> None:
    flow = flow_of("agree")
    assert flow.named_folder(Settings("agree", (Part.AGREE,), proofs=Path("proofs"))) is None
    assert flow.content == ""


@pytest.mark.parametrize("names", [(), ("rbcd/ALG-9",)])
def test_an_algorithm_that_is_named_is_compared_in_all_forms(
    names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(compare, "agree", lambda forms, context, named: asked.append((forms.algorithm.name, named)))
    settings, flow = Settings("agree", (Part.AGREE,), names), flow_of("agree")
    (task,) = (one for one in make_plan(settings).tasks if one.name == "rbcd/ALG-9")
    flow.perform(task, settings, Context(1, Level.SMOKE, 1e-3))
    assert asked == [("rbcd/ALG-9", bool(names))]


def test_each_paper_has_algorithms_that_begin_at_once() -> None:
    begin = {item.name.partition("/")[0]: set[Level]() for item in load_algorithms()}
    for item in load_algorithms():
        assert isinstance(item, Loaded), item
        begin[item.name.partition("/")[0]].add(item.record.from_level)
    assert {paper for paper, levels in begin.items() if Level.SMOKE not in levels} == set()


def test_what_is_kept_of_a_level_is_not_taken_for_all_forms() -> None:
    named = make_plan(Settings("agree", (Part.AGREE,), ("rbcd/ALG-9",)))
    every, flow = Settings("agree", (Part.AGREE,)), flow_of("agree")
    assert flow.decides(named.tasks[0], named.settings) != flow.decides(named.tasks[0], every)
