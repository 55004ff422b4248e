"""No text of others is a command to a GitHub runner, and JSON and XML keep their meaning."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from dpaudit.report.escape_commands import disarm, disarm_json, disarm_xml

HOSTILE = "x\n::error::a\n \t::set-output name=b::c\r\n\u2003::stop-commands::d\ntext ##[error]e ##[group]f"


def obeyed(log: str) -> list[str]:
    """The lines that a runner would take for commands, as actions/runner reads them."""
    lines = log.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [line for line in lines if line.lstrip().startswith("::") or "##[" in line]


def test_the_hostile_text_is_obeyed_as_it_stands() -> None:
    assert len(obeyed(HOSTILE)) == 4


@pytest.mark.parametrize("text", [HOSTILE, "::error::", "a\n\n\n::error::", ":::error::", "###[[error]"])
def test_text_for_people_holds_no_command(text: str) -> None:
    assert obeyed(disarm(text)) == []


def test_harmless_text_stays_as_it_is() -> None:
    assert disarm("a::b # [c]\n  d: e") == "a::b # [c]\n  d: e"


def test_json_and_xml_mean_the_same() -> None:
    data = json.dumps({"title": HOSTILE}, indent=1)
    assert json.loads(disarm_json(data)) == {"title": HOSTILE}
    assert obeyed(disarm_json(data)) == []
    element = ElementTree.Element("a", {"b": HOSTILE})
    element.text = HOSTILE.replace("\r", "")
    data = ElementTree.tostring(element, encoding="unicode")
    read = ElementTree.fromstring(disarm_xml(data))
    assert (read.text, read.get("b")) == (element.text, HOSTILE)
    assert obeyed(disarm_xml(data)) == []
