"""Known findings that are accepted until a date: what they let pass, and what never."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
import run_folder
from hypothesis import given
from hypothesis import strategies as st
from plans import silent
from small_content import NOISY_SUM, target_text, write

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Evidence, ExitCode, Kind, Outcome, Verdict, exit_code
from dpaudit.runs import baseline, baseline_file, resume, store
from dpaudit.runs.baseline import Baseline, Entry
from dpaudit.runs.commands import command_line
from dpaudit.runs.execute import Result, run
from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.reading import load_run
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task

TODAY = date(2026, 11, 22)
LAST = date(2026, 12, 31)


def verdict(name: str, outcome: Outcome, expected: Outcome) -> Verdict:
    """A verdict of which only id, outcome and expectation matter."""
    return Verdict(name, Kind.AUDIT, outcome, expected, "title", (), "here", 1)


def of(*entries: Entry) -> Baseline:
    """A baseline in memory."""
    return Baseline("baseline.toml", "ab", {entry.id: entry for entry in entries})


names = st.sampled_from("abcde")
outcomes = st.sampled_from(Outcome)
verdicts = st.lists(st.builds(verdict, names, outcomes, outcomes), min_size=1, unique_by=lambda v: v.id)
days = st.dates(date(2026, 11, 1), date(2026, 12, 1))
entries = st.lists(st.builds(Entry, names, outcomes, st.just("known"), days)).map(lambda listed: of(*listed))


@given(verdicts, entries)
def test_it_changes_nothing_but_what_is_accepted(listed: list[Verdict], known: Baseline) -> None:
    found = baseline.apply(known, listed, TODAY)
    assert [replace(v, accepted="") for v in found] == listed
    for v in found:
        entry = known.entries.get(v.id)
        fits = entry is not None and entry.outcome is v.outcome and entry.expires >= TODAY and not v.as_expected
        assert bool(v.accepted) == fits


@given(verdicts, entries)
def test_an_accepted_verdict_never_changes_the_exit_code_of_others(listed: list[Verdict], known: Baseline) -> None:
    found = baseline.apply(known, listed, TODAY)
    others = [v for v in found if not v.accepted]
    assert exit_code(found) is (exit_code(others) if others else ExitCode.EXPECTED)


GRAVITY = (ExitCode.EXPECTED, ExitCode.INCONCLUSIVE, ExitCode.CRASHED, ExitCode.REFUTED)


@given(verdicts, entries, st.booleans())
def test_no_exit_code_gets_worse(listed: list[Verdict], known: Baseline, allow: bool) -> None:
    before, after = (exit_code(found, allow) for found in (listed, baseline.apply(known, listed, TODAY)))
    assert GRAVITY.index(after) <= GRAVITY.index(before)
    assert exit_code(baseline.apply(known, [], TODAY)) is ExitCode.NOTHING_COLLECTED


@given(verdicts, entries)
def test_what_an_earlier_baseline_said_is_forgotten(listed: list[Verdict], known: Baseline) -> None:
    once = baseline.apply(known, listed, TODAY)
    assert baseline.apply(known, once, TODAY) == once
    assert baseline.apply(None, once, TODAY) == listed


@pytest.mark.parametrize("named", Outcome)
@pytest.mark.parametrize("found", Outcome)
def test_an_entry_accepts_one_outcome_and_no_other(named: Outcome, found: Outcome) -> None:
    expected = Outcome.CONSISTENT if found is not Outcome.CONSISTENT else Outcome.PROVED
    (judged,) = baseline.apply(of(Entry("a", named, "known", LAST)), [verdict("a", found, expected)], TODAY)
    stronger = found is Outcome.PROVED
    assert bool(judged.accepted) == (named is found and not stronger)


@pytest.mark.parametrize(("kind", "outcome"), [(Kind.CLAIM, Outcome.ERROR), (Kind.AUDIT, Outcome.NOT_RUN)])
def test_no_entry_accepts_what_stands_for_a_whole_task(kind: Kind, outcome: Outcome) -> None:
    known = of(Entry("a", outcome, "known", LAST))
    alone = replace(verdict("a", outcome, Outcome.PROVED), kind=kind)
    whole = replace(alone, evidence=(Evidence("run", outcome, "clock: not begun within 1 minutes"),))
    accepted = [bool(v.accepted) for v in baseline.apply(known, [alone, whole], TODAY)]
    assert accepted == [True, False]


def test_the_last_day_counts_and_the_day_after_does_not() -> None:
    surprise = verdict("a", Outcome.REFUTED, Outcome.CONSISTENT)
    known = of(Entry("a", Outcome.REFUTED, "known", LAST, "https://x/1"))
    (judged,) = baseline.apply(known, [surprise], LAST)
    assert judged.accepted == "until 2026-12-31: known (https://x/1, baseline.toml)"
    assert baseline.apply(known, [surprise], LAST + timedelta(1)) == [surprise]


def notes(entry: Entry, *found: Verdict, today: date = TODAY) -> list[str]:
    """What is said of one entry after a run."""
    return baseline.notes({"baseline": baseline.ended(of(entry), found, today)})


def test_a_user_hears_of_entries_that_are_over_or_not_needed() -> None:
    refuted = verdict("a", Outcome.REFUTED, Outcome.CONSISTENT)
    entry = Entry("a", Outcome.REFUTED, "known", date(2026, 11, 10))
    assert notes(entry, refuted) == [
        "baseline.toml: a: accepted as REFUTED, but that expired on 2026-11-10, 12 days ago; it counts again"
    ]
    assert "1 day ago" in notes(entry, refuted, today=date(2026, 11, 11))[0]
    assert notes(entry, verdict("a", Outcome.PROVED, Outcome.PROVED)) == [
        "baseline.toml: a: accepted as REFUTED, is PROVED as expected; the entry is no longer needed"
    ]
    assert notes(entry, verdict("a", Outcome.ERROR, Outcome.PROVED)) == [
        "baseline.toml: a: accepted as REFUTED, but is ERROR, which the entry does not accept"
    ]
    assert notes(entry, verdict("b", Outcome.REFUTED, Outcome.PROVED)) == [], "the run did not have it"
    assert notes(replace(entry, expires=LAST), refuted) == []
    assert notes(replace(entry, expires=TODAY + timedelta(366)), refuted) == []
    assert "more than 366 days ahead" in notes(replace(entry, expires=TODAY + timedelta(367)), refuted)[0]
    assert baseline.notes({}) == baseline.notes({"baseline": None}) == []


ENTRY = '[[accepted]]\nid = "toy/bad"\noutcome = "REFUTED"\nreason = "known"\nexpires = 2026-12-31\n'


def test_a_file_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "known.toml", f'# why\n{ENTRY}issue = "https://x/1"\n')
    found = baseline_file.read(path)
    assert found.entries == {"toy/bad": Entry("toy/bad", Outcome.REFUTED, "known", LAST, "https://x/1")}
    assert len(found.digest) == 64
    assert baseline_file.read(write(tmp_path / "empty.toml", "")).entries == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[accepted]\n", "line 1"),
        (f"{ENTRY}\n[[accepted]]\n", "line 7: id is missing; an entry is a table"),
        (ENTRY.replace("reason = ", "reson = "), "line 1: 'reson'; did you mean 'reason'"),
        (ENTRY.replace('"known"', '" "'), "line 1: reason must be a text that is not empty"),
        (ENTRY.replace('"toy/bad"', "7"), "id must be a text"),
        (ENTRY.replace("REFUTED", "REFUSED"), "'REFUSED'; did you mean 'REFUTED'"),
        (ENTRY.replace("2026-12-31", '"2026-12-31"'), "expires must be a date without quotes"),
        (ENTRY.replace("2026-12-31", "2026-12-31T00:00:00Z"), "expires must be a date without quotes"),
        (ENTRY.replace("expires = 2026-12-31\n", ""), "expires is missing"),
        (f"{ENTRY}\n{ENTRY}", "line 7: a second entry for 'toy/bad'"),
        (f"\n[accept]\n{ENTRY}", "line 2: unknown key 'accept'"),
        ("\naccepted = 3\n", "line 2: an entry is a table"),
        ("accepted = [1]\n", "line 1: an entry is a table .* got 1"),
    ],
)
def test_a_damaged_file_names_the_line_and_what_is_allowed(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        baseline_file.read(write(tmp_path / "baseline.toml", text))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"cannot read the baseline .*absent.toml: No such file"):
        baseline_file.read(tmp_path / "absent.toml")
    (tmp_path / "bytes.toml").write_bytes(b"# fine\n# \xff\n")
    with pytest.raises(ConfigurationError, match=r"bytes.toml, line 2: not UTF-8"):
        baseline_file.read(tmp_path / "bytes.toml")


def entry(name: str, reason: str = "new") -> Entry:
    """An entry of its own."""
    return Entry(name, Outcome.REFUTED, reason, LAST)


def test_entries_are_added_in_order_and_nothing_else_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "baseline.toml"
    first = '# of b\n[[ accepted ]]\nid = "b"   # why\noutcome = "REFUTED"\nreason = "old"\nexpires = 2026-12-01'
    write(path, f"# ours\n\n{first}\n\n# of d\n{ENTRY.replace('toy/bad', 'd')}")
    assert baseline_file.extend(path, [entry("e"), entry("a")]) == 4
    text = path.read_text()
    assert text.startswith('# ours\n\n[[accepted]]\nid = "a"\n')
    assert f'\n\n{first}\n\n# of d\n[[accepted]]\nid = "d"\n' in text
    assert list(baseline_file.read(path).entries) == ["a", "b", "d", "e"]
    assert baseline_file.extend(path, [entry("b")]) == 4
    assert baseline_file.read(path).entries["b"].reason == "new"
    before = path.read_text()
    assert baseline_file.extend(path, [entry("b")]) == 4
    assert path.read_text() == before
    assert [p.name for p in tmp_path.iterdir()] == ["baseline.toml"]


@given(st.lists(st.tuples(st.text(min_size=1), st.text(min_size=1)), min_size=1, max_size=4))
def test_whatever_is_written_is_read_again(pairs: list[tuple[str, str]]) -> None:
    wanted = {name: entry(name, why) for name, why in pairs if name.strip() and why.strip()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "baseline.toml")
        assert baseline_file.extend(path, wanted.values()) == len(wanted)
        assert baseline_file.read(path).entries == wanted


@pytest.mark.parametrize(
    "text",
    [
        'accepted = [{id = "b", outcome = "ERROR", reason = "x", expires = 2026-12-01}]\n',
        ENTRY.replace('"known"', '"""\n[[accepted]]\n"""'),
        '[[accepted]]\nid = "b"\noutcome = "ERROR"\nexpires = 2026-12-01\nreason = """\n# why"""\n' + ENTRY,
    ],
)
def test_what_cannot_be_kept_is_not_overwritten(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "baseline.toml", text)
    with pytest.raises(ConfigurationError, match="cannot add to"):
        baseline_file.extend(path, [entry("a")])
    assert path.read_text() == text


def planned(**more: object) -> Plan:
    """The plan of a run of the targets that are there, with the baseline."""
    settings = {"controls": False, "isolate": False, "baseline": Path("baseline.toml")} | more
    return make_plan(Settings("audit", (Part.AUDIT,), **settings))  # type: ignore[arg-type]


@pytest.fixture
def content(workdir: Path) -> Path:
    """A target that leaks more than it claims, and one that does not."""
    write(workdir / "audits" / "sum.py", target_text("toy/sum", trials=1000))
    write(workdir / "audits" / "bad.py", target_text("toy/bad", NOISY_SUM.format(scale=0.2), trials=2000))
    write(workdir / "baseline.toml", ENTRY.replace("2026", "2400"))
    return workdir


def stopped() -> dict[str, object]:
    """The run.json of a run that was killed before its first task was done."""

    def stop(task: Task, verdicts: Sequence[Verdict]) -> None:
        raise SystemExit

    with pytest.raises(SystemExit):
        run(planned(), Path("out"), stop)
    return resume.header(Path("out"))


def test_a_run_with_known_findings_only_succeeds_and_says_what_it_accepts(content: Path) -> None:
    shown: list[Verdict] = []
    result = run(planned(), Path("out"), lambda task, found: shown.extend(found))
    assert result.code is ExitCode.EXPECTED
    assert {v.id: v.accepted[:16] for v in shown} == {"toy/bad": "until 2400-12-31", "toy/sum": ""}
    loaded = load_run(Path("out"))
    counts = loaded.header["counts"]
    assert (counts["unexpected"], counts["accepted"], counts["REFUTED"]) == (1, 1, 1)
    (row,) = loaded.header["baseline"]["entries"]
    assert (row["state"], row["found"]) == ("accepted", "REFUTED")
    assert loaded.verdicts == result.verdicts
    assert "--baseline baseline.toml" in loaded.header["command"]
    assert run(planned(baseline=None), Path("bare"), silent).code is ExitCode.REFUTED


def test_a_run_that_is_resumed_later_says_the_same(content: Path) -> None:
    header = stopped()
    write(content / "elsewhere.toml", (content / "baseline.toml").read_text())
    (content / "baseline.toml").unlink()
    assert command_line(resume.planned(header, moved=Path("elsewhere.toml")).settings) == header["command"]
    write(content / "baseline.toml", ENTRY.replace("2026", "2400"))
    later = "2500-01-01T00:00:00+00:00"
    run_folder.edit(content / "out" / store.RUN, lambda text: text.replace(header["started"], later))
    assert gone_on().code is ExitCode.REFUTED, "on the day of the run the entry was over"


def gone_on() -> Result:
    """Finish the run that was stopped."""
    with store.Folder(Path("out"), existing=True) as keep:
        return resume.resume(resume.planned(resume.header(Path("out"))), keep, silent)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (ENTRY, r"baseline.toml has changed: expires of toy/bad was '2400-12-31', is '2026-12-31'"),
        ("", "toy/bad is gone"),
        (ENTRY.replace("2026", "2400") + "# a comment\n", "its comments or its layout"),
        (ENTRY.replace("2026", "2400") + "\n" + ENTRY.replace("toy/bad", "x"), "x is new"),
    ],
)
def test_a_baseline_that_changed_is_refused_with_what_changed(content: Path, text: str, words: str) -> None:
    header = stopped()
    write(content / "baseline.toml", text)
    with pytest.raises(ConfigurationError, match=f"cannot resume.*{words}"):
        resume.planned(header)


def test_a_baseline_cannot_come_or_go(content: Path) -> None:
    header = stopped()
    with pytest.raises(ConfigurationError, match="the run was started without a baseline"):
        resume.planned(header | {"baseline": None})
    assert baseline.changes(header["baseline"], None) == ["the run was started with a baseline"]  # type: ignore[arg-type]
    assert baseline.changes(None, None) == []
