"""The flow of agreement: algorithms by name, all of them without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.runs.flows import flow_of
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings


def test_algorithms_are_found_by_name(workdir: Path) -> None:
    (task,) = make_plan(Settings("agree", (Part.AGREE,), ("rbcd/ALG-9",))).tasks
    assert (task.name, task.kind, task.expected) == ("rbcd/ALG-9", Kind.AGREEMENT, Outcome.CONSISTENT)
    assert task.again == "dpaudit agree rbcd/ALG-9 --seed 20261121 --level smoke"
    with pytest.raises(ConfigurationError, match="did you mean 'rbcd/ALG-9'"):
        make_plan(Settings("agree", (Part.AGREE,), ("rbcd/ALG-99",)))


def test_its_content_comes_with_the_package() -> None:
    flow = flow_of("agree")
    assert flow.named_folder(Settings("agree", (Part.AGREE,), proofs=Path("proofs"))) is None
    assert flow.content == ""
