"""The times of the tutorials are those of the commands that they have now, in an environment that they name."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import tutorials
from played_pages import TUTORIALS, steps

PROGRAMS = Path(sys.executable).parent


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_the_commands_that_were_timed_are_those_of_the_page(page: Path) -> None:
    timed = json.loads(tutorials.FILE.read_text(encoding="utf-8"))["pages"][page.stem]
    text = page.read_text(encoding="utf-8")
    assert [one["command"] for one in timed["commands"]] == [step.text for step in steps(text) if not step.name]
    assert timed["commands_s"] == pytest.approx(sum(one["seconds"] for one in timed["commands"]))
    assert bool(timed["torch"]) == ("torch" in tutorials.extras(text))


def test_the_extras_are_those_of_the_one_line_that_installs() -> None:
    page = "Of it:\n\n    pip install -c constraints.txt '.[report,torch]'\n\nand `pip install '.[smt]'`\n"
    assert tutorials.extras(page) == "[report,torch]"
    assert tutorials.extras("    pip install 'a-1.whl[smt]'\n") == "[smt]"
    with pytest.raises(ValueError, match="unpack"):
        tutorials.extras(page + "    pip install '.[smt]'\n")


def test_commands_are_timed_until_one_prints_something_else(tmp_path: Path) -> None:
    page = "Save `a.py`:\n\n```python\nprint(1)\n```\n\n```console\n$ python a.py\n1\n$ sleep 0.2\n```\n"
    done = tutorials.commands(page, tmp_path, PROGRAMS)
    assert [one["command"] for one in done] == ["python a.py", "sleep 0.2"]
    assert 0.2 <= done[1]["seconds"] < 60
    with pytest.raises(ValueError, match="printed\n1\n"):
        tutorials.commands(page.replace("\n1\n", "\n2\n"), tmp_path, PROGRAMS)
