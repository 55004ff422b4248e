"""What the command line prints, from verdicts alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from run_folder import header

from dpaudit.records.verdict import Basis, Evidence, ExitCode, Kind, Outcome, Verdict
from dpaudit.report.formats import text as export
from dpaudit.report.severity import Erratum, Severity
from dpaudit.runs.reading import Run


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
    numbers = (("epsilon_lower_95", 3.371), ("epsilon_claimed", 4.377))
    measured = verdict(Outcome.CONSISTENT, kind=Kind.AUDIT, numbers=numbers)
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
    assert text.startswith("1 of 2 outcomes is not as expected: 1 proved, 0 consistent, 1 refuted")
    assert "Exit code 1: refuted where that was not expected" in text
    assert export.headline([listed[0]], ExitCode.EXPECTED).startswith("The one outcome is as expected: 1 proved")
    assert export.headline([], ExitCode.NOTHING_COLLECTED) == "Exit code 5: nothing was collected."


def test_what_a_baseline_accepts_is_counted_apart_and_says_until_when() -> None:
    known = verdict(Outcome.REFUTED, Outcome.PROVED, accepted="until 2027-01-01: known (known.toml)")
    assert export.summary(known).endswith("[accepted until 2027-01-01: known (known.toml)]")
    text = export.headline([known, verdict(Outcome.PROVED)], ExitCode.EXPECTED)
    assert text.startswith("All 2 outcomes are as expected or accepted: ")
    assert "1 is accepted by a baseline." in text


def test_no_text_of_others_passes_for_a_line_of_ours() -> None:
    fake = "x\n= proved  toy/LEM-2\u2028::error::\r\x0b\x85y"
    evil = verdict(
        Outcome.REFUTED, Outcome.PROVED, id=fake, title=fake, statement=fake, witness=((fake, fake),), effect=fake,
        source=fake, replay=fake, attachments=(fake,), evidence=(Evidence(fake, Outcome.REFUTED, fake),),
    )  # fmt: skip
    assert len(export.summary(evil).splitlines()) == 1
    names = [line.split(":")[0].strip() for line in export.details(evil).splitlines()[1:]]
    assert names == ["statement", "witness", "found", "effect", "source", "see", "replay"]
    assert len(export.table([["a", fake]]).splitlines()) == 1


def test_tables_are_aligned() -> None:
    assert export.table([["a", "b"], ["long", "c"]]) == "a     b\nlong  c"
    assert export.listing([], "text") == ""
    assert json.loads(export.listing([{"a": 1}], "json")) == [{"a": 1}]
    assert export.listing([{"a": 1}, {"a": 2}], "jsonl") == '{"a": 1}\n{"a": 2}'
    assert export.listing([{"a|b": "x_y"}], "markdown") == "| a&#124;b |\n| --- |\n| x&#95;y |"
    assert export.listing([], "markdown") == ""


def test_the_ledger_of_errata_has_every_format() -> None:
    wrong = verdict(Outcome.REFUTED, statement="a <= b", repair="toy/LEM-1~repaired")
    found = [Erratum(wrong, Severity.FALLS, 3)]
    assert export.errata(found, "text").endswith("1 errata")
    row = json.loads(export.errata(found, "json"))[0]
    assert (row["id"], row["severity"], row["dependents"]) == ("toy/LEM-1", Severity.FALLS, 3)
    assert json.loads(export.errata(found, "jsonl"))["repair"] == "toy/LEM-1~repaired"
    assert "(toy-lem-1)=\n### toy/LEM-1\n" in export.errata(found, "markdown")


def test_the_line_of_a_file_that_cannot_be_read_stands_with_its_caret_once() -> None:
    detail = "a.py, line 1: SyntaxError: invalid syntax\n    x = = 1\n        ^"
    broken = verdict(Outcome.ERROR, Outcome.PROVED, evidence=(Evidence("run", Outcome.ERROR, detail),), source="a.py")
    lines = export.details(broken).splitlines()
    assert "SyntaxError" not in lines[0]
    start = lines.index("  found:     run: a.py, line 1: SyntaxError: invalid syntax")
    code, caret = lines[start + 1 : start + 3]
    assert (code.strip(), caret.index("^") - code.index("x")) == ("x = = 1", 4)


def test_a_quiet_text_has_the_surprises_and_the_last_sentences() -> None:
    listed = (verdict(Outcome.PROVED), verdict(Outcome.REFUTED, Outcome.PROVED, id="toy/LEM-2"))
    said: list[str] = []
    view = export.Text(said.append, quiet=True)
    view.start({"command": "dpaudit run", "seed": 1}, Path("out"))
    view.show(listed)
    assert said == []
    view.end(Run(Path("out"), header(list(listed)), listed), ["a note"])
    assert said[0].startswith("x refuted, expected proved   toy/LEM-2")
    assert said[1:3] == ["run folder out", "a note"]
    assert len(said) == 4
