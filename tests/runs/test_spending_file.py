"""The file of a ledger: each run its own share, entered before it begins; what is damaged or edited is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import jsonschema
import ledger_plans
import pytest

from dpaudit.records.digests import with_digest, without_digest
from dpaudit.records.errors import ConfigurationError, ContentError, DpauditError
from dpaudit.records.serial import Json
from dpaudit.report.formats import json_schema
from dpaudit.runs import spending, spending_file, store
from dpaudit.runs.spending import Taken

TOTAL = 0.05


@pytest.fixture
def file(workdir: Path) -> Path:
    """A new ledger."""
    spending_file.make(workdir / "n.json", TOTAL)
    return workdir / "n.json"


def take(file: Path, seed: int | None = None) -> Taken:
    """The share that a run takes."""
    taken = spending_file.take(file, ledger_plans.made(seed), Path("out")).spending
    assert taken is not None
    return taken


def taking(file: Path, times: int) -> subprocess.Popen[str]:
    """Another process that takes so many shares."""
    script = Path(ledger_plans.__file__)
    return subprocess.Popen([sys.executable, script, file, str(times)], stdout=subprocess.PIPE, text=True)


def test_a_run_has_the_share_as_its_error_budget_and_in_the_commands_that_repeat_it(file: Path) -> None:
    before = ledger_plans.made(5)
    plan = spending_file.take(file, before, Path("out"))
    share = spending.share(TOTAL, 365, 1)
    assert plan.spending == Taken("n.json", spending_file.read(file).made, TOTAL, 365, 1, share)
    assert (plan.settings.alpha, plan.ledger.total, plan.ledger.share) == (share, share, share / 2)
    assert f"--alpha {share!r}" in plan.tasks[0].again
    (entry,) = spending_file.read(file).runs
    assert (entry.number, entry.seed, entry.share, entry.tests, entry.run) == (1, 5, share, 2, "out")
    assert f"--seed 5 --level smoke --alpha {share!r}" in entry.command


def test_a_run_without_a_statistical_test_takes_nothing(file: Path) -> None:
    before, plan = file.read_bytes(), ledger_plans.made(5, tests=0)
    assert spending_file.take(file, plan, Path("out")) is plan
    assert file.read_bytes() == before


@pytest.mark.deep
def test_four_processes_at_a_time_and_killed_ones_get_different_shares_within_the_total(file: Path) -> None:
    processes = [taking(file, 12) for _ in range(4)]
    killed = [taking(file, 10_000) for _ in range(3)]
    shown = []
    for process in killed:
        assert process.stdout is not None
        shown.append(process.stdout.readline())
        time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        shown += process.stdout.read().splitlines(keepends=True)
        process.wait()
        process.stdout.close()
    for process in processes:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        shown += out.splitlines(keepends=True)
    told = sorted(int(row.split()[0]) for row in shown if row.endswith("\n"))
    assert len(told) >= 4 * 12 + 3
    assert len(set(told)) == len(told), "two runs took one share"
    found = spending_file.read(file)
    assert [run.number for run in found.runs] == list(range(1, len(found.runs) + 1))
    assert set(told) <= {run.number for run in found.runs}, "a run that began has lost its entry"
    assert sum(Fraction(run.share) for run in found.runs) <= Fraction(TOTAL)


def test_a_link_leads_to_the_one_file(file: Path, workdir: Path) -> None:
    other = workdir / "elsewhere" / "link.json"
    other.parent.mkdir()
    other.symlink_to(file)
    assert [take(other).number, take(file).number, take(other).number] == [1, 2, 3]
    assert other.is_symlink()


def test_a_seed_is_used_once(file: Path) -> None:
    take(file, 5)
    before = file.read_bytes()
    with pytest.raises(ConfigurationError, match=r"the seed 5 is that of run 1 of the ledger .*n\.json"):
        take(file, 5)
    assert file.read_bytes() == before


def rewritten(file: Path, *place: str | int, value: object) -> None:
    """Edit a value of the file and put its digest right."""
    text = without_digest(file.read_text())
    assert text is not None
    data: Json = json.loads(text)
    inner = data
    for key in place[:-1]:
        inner = inner[key]  # type: ignore[index]
    inner[place[-1]] = value  # type: ignore[index]
    file.write_text(with_digest(json.dumps(data, indent=2)))


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("total",), 0.1, "run 1 has the share"),
        (("horizon",), 36, "run 1 has the share"),
        (("runs", 0, "share"), 1e-9, "run 1 has the share 1e-09, not"),
        (("runs", 0, "number"), 2, "run 2 stands at place 1"),
        (("runs", 1, "seed"), 5, "runs 1 and 2 have the same seed 5"),
        (("runs", 0, "tests"), 0, r"runs\[0\]\.tests must be at least 1"),
        (("runs", 0, "taken"), "today", r"runs\[0\]\.taken must be a date-time"),
        (("total",), 0.9, "total must be at most 0.5"),
        (("more",), 1, "more is no key of it"),
        (("schema",), 99, "schema 99, this version reads"),
    ],
)
def test_an_edited_file_is_refused_though_its_digest_is_right(
    file: Path, place: tuple[str | int, ...], value: object, words: str
) -> None:
    take(file, 5), take(file, 6)
    rewritten(file, *place, value=value)
    before = file.read_bytes()
    for refused in (lambda: spending_file.read(file), lambda: take(file)):
        with pytest.raises(ContentError, match=rf"the ledger .*n\.json: .*{words}.*Put back a copy"):
            refused()
    assert file.read_bytes() == before


@pytest.mark.parametrize("text", ["", "{", "[]", '{"total": 1}', "\x00"])
def test_what_is_no_ledger_is_refused(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(ContentError, match=r"the ledger .*n\.json.*Put back a copy"):
        take(file)
    assert file.read_text() == text


@pytest.mark.parametrize("old", ['"total": 0.05', '"horizon": 365', '"seed": 5'])
def test_a_changed_digit_is_seen(file: Path, old: str) -> None:
    take(file, 5)
    file.write_text(file.read_text().replace(old, old[:-1] + "7"))
    with pytest.raises(ContentError, match="its digest is not that of the text"):
        take(file)


def test_a_file_that_is_gone_is_not_begun_anew(file: Path) -> None:
    file.unlink()
    with pytest.raises(ConfigurationError, match="put it back, for it knows what its runs have spent"):
        take(file)
    assert not file.exists()


def test_it_is_made_once(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(ConfigurationError, match="is there already"):
        spending_file.make(file, 0.5)
    assert file.read_bytes() == before


@pytest.mark.parametrize(("total", "horizon"), [(0.0, 1), (0.6, 1), (float("nan"), 1), (0.05, 0), (0.05, 100_001)])
def test_a_ledger_of_no_sense_is_not_made(workdir: Path, total: float, horizon: int) -> None:
    with pytest.raises(ConfigurationError, match=r"the (total|horizon) must be"):
        spending_file.make(workdir / "n.json", total, horizon)
    assert not (workdir / "n.json").exists()


def test_a_disk_that_is_full_takes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = file.read_bytes()
    monkeypatch.setattr(store.os, "fsync", full)
    with pytest.raises(ConfigurationError, match=r"cannot write the ledger .*: No space left .*; nothing was begun"):
        take(file)
    assert file.read_bytes() == before


def test_a_file_that_grows_beyond_what_is_read_is_full(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take(file)
    before = file.read_bytes()
    monkeypatch.setattr(spending_file.documents, "MOST", len(before) + 100)
    with pytest.raises(DpauditError, match="is full"):
        take(file)
    assert file.read_bytes() == before


def test_the_file_fits_the_published_schema(file: Path) -> None:
    take(file), take(file)
    schema = jsonschema.Draft202012Validator(json.loads(json_schema.document("ledger")))
    data = json.loads(file.read_text())
    schema.validate(data)
    assert not schema.is_valid(data | {"total": 0.9})
    assert not schema.is_valid({name: value for name, value in data.items() if name != "digest"})
