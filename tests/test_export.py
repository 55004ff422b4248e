"""What the command line prints, from verdicts alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from dpaudit import export
from dpaudit.run import Result
from dpaudit.verdict import Basis, Evidence, ExitCode, Kind, Outcome, Verdict


def verdict(outcome: Outcome, expected: Outcome | None = None, **more: object) -> Verdict:
    """A verdict of a claim."""
    evidence = (Evidence("exact", outcome, "a reason"),)
    made = Verdict("toy/LEM-1", Kind.CLAIM, outcome, expected or outcome, "a title", evidence, "p. 1", 1)
    return replace(made, **more)  # type: ignore[arg-type]


def test_every_outcome_has_a_mark_and_a_word() -> None:
    starts = {outcome: export.summary(verdict(outcome)).split("  ")[0].strip() for outcome in Outcome}
    assert starts == {
        Outcome.PROVED: "= proved",
        Outcome.CONSISTENT: "~ consistent",
        Outcome.REFUTED: "x refuted (expected)",
        Outcome.INCONCLUSIVE: "? inconclusive",
        Outcome.NOT_RUN: "- not run",
        Outcome.ERROR: "! error",
    }


def test_a_surprise_says_what_was_expected() -> None:
    text = export.summary(verdict(Outcome.REFUTED, Outcome.PROVED))
    assert "x refuted, expected proved" in text
    assert "(expected)" not in text


def test_what_a_verdict_rests_on_is_in_its_line() -> None:
    assert "(sampling)" in export.summary(verdict(Outcome.CONSISTENT, basis=Basis.SAMPLING))
    assert "[assuming wendel]" in export.summary(verdict(Outcome.PROVED, assuming=("wendel",)))
    assert "a reason" in export.summary(verdict(Outcome.NOT_RUN))
    measured = verdict(Outcome.CONSISTENT, numbers=(("epsilon_lower_95", 3.371), ("epsilon_claimed", 4.377)))
    assert "epsilon at least 3.37, claimed 4.38" in export.summary(measured)


def test_details_end_with_the_line_that_repeats_them() -> None:
    witness = (("a", 2), ("b", 1))
    full = verdict(Outcome.REFUTED, Outcome.PROVED, statement="a <= b", witness=witness, effect="e", replay="again")
    lines = export.details(full).splitlines()
    assert lines[1:] == [
        "  statement: a <= b",
        "  witness:   a = 2, b = 1",
        "  found:     exact: a reason",
        "  effect:    e",
        "  source:    p. 1",
        "  replay:    again",
    ]


def test_the_headline_counts_and_says_what_the_exit_code_means() -> None:
    listed = [verdict(Outcome.PROVED), verdict(Outcome.REFUTED, Outcome.PROVED)]
    text = export.headline(listed, ExitCode.REFUTED)
    assert text.startswith("1 of 2 outcomes are not as expected: 1 proved, 0 consistent, 1 refuted")
    assert "Exit code 1: refuted where that was not expected" in text
    assert export.headline([listed[0]], ExitCode.EXPECTED).startswith("All 1 outcomes are as expected: 1 proved")
    assert export.headline([], ExitCode.NOTHING_COLLECTED) == "Exit code 5: nothing was collected."


def text_of(verdicts: list[Verdict], verbose: bool = False) -> str:
    """All that the text view prints for these verdicts."""
    lines: list[str] = []
    view = export.Text(lines.append, verbose)
    view.show(verdicts)
    view.end(Result(Path("out"), {}, tuple(verdicts), ExitCode.REFUTED), ["a note"])
    return "\n".join(lines)


def test_mutants_are_one_line_unless_one_escapes() -> None:
    caught = verdict(Outcome.REFUTED, id="toy/LEM-1~caught", kind=Kind.MUTANT)
    escaped = verdict(Outcome.INCONCLUSIVE, Outcome.REFUTED, id="toy/LEM-1~escaped", kind=Kind.MUTANT)
    text = text_of([verdict(Outcome.PROVED), caught, escaped])
    assert "1 of 2 mutants" in text
    assert "~caught" not in text
    assert text.count("toy/LEM-1~escaped") == 2  # its line, and the details at the end
    assert "~caught" in text_of([caught], verbose=True)


def test_surprises_come_last_and_in_full() -> None:
    wrong = verdict(Outcome.REFUTED, Outcome.PROVED, id="toy/LEM-0", replay="again")
    text = text_of([wrong, verdict(Outcome.PROVED)])
    assert text.rindex("toy/LEM-0") > text.index("toy/LEM-1")
    assert text.index("replay:") > text.rindex("toy/LEM-0")


def test_json_holds_the_run_and_every_verdict() -> None:
    lines: list[str] = []
    view = export.Json(lines.append)
    view.end(Result(Path("out"), {"seed": 3}, (verdict(Outcome.PROVED),), ExitCode.EXPECTED), [])
    data = json.loads("\n".join(lines))
    assert (data["run"]["seed"], data["verdicts"][0]["id"]) == (3, "toy/LEM-1")


def test_tables_are_aligned() -> None:
    assert export.table([["a", "b"], ["long", "c"]]) == "a     b\nlong  c"
    assert export.listing([], "text") == ""
    assert json.loads(export.listing([{"a": 1}], "json")) == [{"a": 1}]
    assert export.listing([{"a": 1}, {"a": 2}], "jsonl") == '{"a": 1}\n{"a": 2}'
