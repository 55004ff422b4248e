"""The records of flags are the flags of the commands."""

from __future__ import annotations

import pytest

from dpaudit.cli.flags import OutputFlags, RestFlags, RunFlags, SettingFlags
from dpaudit.cli.main import program
from dpaudit.runs.settings import Settings


def flags_of(command: str) -> set[str]:
    return {one.name for one in program.commands[command].params if one.expose_value and one.name}


def test_a_run_takes_all_of_them() -> None:
    assert flags_of("run") == set(RunFlags.__annotations__)


@pytest.mark.parametrize("command", ["verify", "agree", "audit", "controls"])
def test_parts_of_a_run_take_some_of_them(command: str) -> None:
    assert flags_of(command) - {"names"} < set(RunFlags.__annotations__)


def test_the_rest_of_a_run_has_its_own() -> None:
    assert flags_of("resume") == {"folder", *RestFlags.__annotations__, *OutputFlags.__annotations__}


def test_settings_have_a_field_for_each() -> None:
    assert set(SettingFlags.__annotations__) <= set(Settings.__dataclass_fields__)
