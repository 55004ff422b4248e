"""dpaudit.cli.list: names, and the level at which a run of everything begins each."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import dpaudit
from small_content import claim_text, target_text, write


def rows(*words: str) -> dict[str, str]:
    """The level of each name."""
    places = ("--audits", "audits", "--proofs", "proofs", "--no-isolate")
    listed = dpaudit("list", *words, *places, "--format", "json")
    assert listed.exit_code == 0, listed.output
    return {row["name"]: row["level"] for row in json.loads(listed.stdout)}


def test_a_level_lists_what_begins_there_alone(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    write(workdir / "audits" / "sum.py", target_text("toy/sum"))
    late = target_text("toy/late").replace("    title=", "    from_level=Level.STANDARD,\n    title=")
    write(workdir / "audits" / "late.py", f"from dpaudit.records.context import Level\n{late}")
    assert rows("targets") == {"toy/late": "standard", "toy/sum": "smoke"}
    assert rows("targets", "--level", "standard") == {"toy/late": "standard"}
    assert rows("targets", "--level", "deep") == {}
    assert rows("claims", "--level", "smoke") == {"toy/LEM-1": "smoke"}
    assert rows("claims", "--level", "standard") == {}


def test_checks_of_claims_that_begin_later_are_listed_by_themselves(workdir: Path) -> None:
    slow = claim_text("toy/LEM-1").replace(
        "    argument=", '    from_standard=(Search("ratios", 0.9),),\n    argument='
    )
    write(workdir / "proofs" / "toy" / "lem_1.py", slow.replace("import", "import Search,", 1))
    assert rows("claims") == {"toy/LEM-1": "standard"}, "the last row of a name is that of its check"
    assert rows("claims", "--level", "standard") == {"toy/LEM-1": "standard"}
    assert rows("claims", "--level", "smoke") == {"toy/LEM-1": "smoke"}


def test_algorithms_begin_at_two_levels(workdir: Path) -> None:
    every = rows("algorithms")
    assert (every["rbcd/ALG-1"], every["rbcd/ALG-9"]) == ("smoke", "standard")
    assert rows("algorithms", "--level", "standard") == {name: at for name, at in every.items() if at == "standard"}
