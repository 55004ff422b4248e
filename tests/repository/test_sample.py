"""reports/sample hangs together: what a reader of the repository opens is a whole run of this code, without traces."""

from __future__ import annotations

import configparser
import getpass
import json
import platform
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import run_folder
from command_line import dpaudit

from dpaudit.records.digests import without_digest
from dpaudit.records.serial import encode
from dpaudit.records.verdict import Kind, Outcome, count, exit_code
from dpaudit.report.page.limits import MOST_BYTES
from dpaudit.report.page.render import write_report
from dpaudit.runs.reading import Run, load_run

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "reports" / "sample"
RENEW = "renew it as CONTRIBUTING.md says, in the section on the sample report"
WHOLE_PAPERS = 5
"""Those that have all of their claims."""
MEBIBYTE = 2**20


@pytest.fixture(scope="module")
def run() -> Run:
    return load_run(SAMPLE)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its relative path."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.deep
def test_the_page_is_the_one_that_the_records_give(tmp_path: Path) -> None:
    copy = tmp_path / "sample"
    shutil.copytree(SAMPLE, copy, ignore=shutil.ignore_patterns("*.html", "plots", "papers"))
    write_report(copy)
    made, kept = contents(copy), contents(SAMPLE)
    assert made.keys() == kept.keys(), RENEW
    assert [name for name in kept if made[name] != kept[name]] == [], RENEW


def test_the_counts_of_the_header_are_those_of_the_records(run: Run) -> None:
    counts = run.header["counts"]
    assert counts["verdicts"] == len(run.verdicts) > 1000
    found = {outcome.value: number for outcome, number in count(run.verdicts).items()}
    assert {name: n for name, n in counts.items() if name.isupper() and n} == found
    assert counts["unexpected"] == sum(not v.as_expected for v in run.verdicts) == 0
    assert run.header["exit_code"] == exit_code(run.verdicts) == 0


def test_the_sample_is_a_whole_smoke_run_of_a_clean_checkout(run: Run) -> None:
    assert run.header["finished"] is not None
    assert run.header["level"] == "smoke"
    assert run.header["checkout"]["dirty"] is False
    assert re.fullmatch("[0-9a-f]{40}", run.header["checkout"]["commit"])


def test_every_record_reads_back_as_it_was_written(run: Run) -> None:
    lines = (SAMPLE / "records.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    for text, verdict in zip(lines, run.verdicts, strict=True):
        written, read = json.loads(without_digest(text) or ""), encode(verdict)
        assert written == {name: read[name] for name in written}
        assert all(not read[name] for name in read.keys() - written.keys()), "a newer field has another default"


def test_every_attachment_is_there_and_no_file_is_left_over(run: Run) -> None:
    attached = Counter(path for v in run.verdicts for path in v.attachments)
    page = (SAMPLE / "report.html").read_text(encoding="utf-8")
    linked = set(re.findall(r'href="(plots/[^"#]+)"', page))
    games = [path for v in run.verdicts if v.kind is Kind.AUDIT for path in v.attachments if path.startswith("scores/")]
    plots = {f"plots/{Path(path).stem}.svg" for path in games}
    papers = {f"papers/{v.id.partition('/')[0]}.html" for v in run.verdicts if v.kind is Kind.CLAIM}
    own = {"run.json", "records.jsonl", "report.html"} | papers
    assert set(contents(SAMPLE)) == own | set(attached) | plots
    assert linked
    assert linked <= plots
    assert [path for path, times in attached.items() if times > 1] == []


def test_the_sample_stays_small() -> None:
    sizes = {name: len(data) for name, data in contents(SAMPLE).items()}
    assert max(size for name, size in sizes.items() if name.endswith(".html")) <= MOST_BYTES
    # The records of claims, of which a whole paper has about two, and those of audits.
    assert max(sizes.values()) < (2 * WHOLE_PAPERS + 3) * MEBIBYTE
    assert sum(sizes.values()) < (5 * WHOLE_PAPERS + 5) * MEBIBYTE


def traces(text: str) -> list[str]:
    """Absolute paths of a machine, its name, and the name of its user, in a text."""
    found = re.findall(r"(?:/(?:home|root|tmp|work|usr|opt|var|Users)/|[A-Za-z]:\\\\)[\w./-]*", text)
    names = (name for name in (platform.node(), getpass.getuser()) if len(name) > 3 and name != "root")
    return found + [name for name in names if re.search(rf"\b{re.escape(name)}\b", text)]


def test_no_file_names_a_machine_or_its_user() -> None:
    assert {name: hits for name, data in contents(SAMPLE).items() if (hits := traces(data.decode("utf-8")))} == {}


def test_a_trace_would_be_seen() -> None:
    for text in ("in /home/somebody/audits/x.py", "File /tmp/a", r'"C:\\Users\\x"'):
        assert traces(text), text
    assert traces("log(1/delta)/tau and a/b/c of 1/2") == []


def test_ci_makes_the_run_again_and_compares_it() -> None:
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    made = re.search(r"--run-dir (\S+)", tox["testenv:suite"]["commands"])
    assert made is not None
    assert f"rmtree('{made[1]}'" in tox["testenv:suite"]["commands_pre"]
    steps = [part for part in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines() if part[:1] not in "# "]
    run = steps.index('"${tox[@]}" run -e suite --skip-pkg-install && job=0 || job=$?')
    assert run < steps.index(f"in_env suite dpaudit diff reports/sample {made[1]}")


@pytest.mark.deep
def test_a_run_that_lost_a_refutation_is_worse_than_the_sample(run: Run, tmp_path: Path) -> None:
    place = next(i for i, v in enumerate(run.verdicts) if v.kind is Kind.CONTROL and v.outcome is Outcome.REFUTED)
    missed = replace(run.verdicts[place], outcome=Outcome.CONSISTENT)
    verdicts = (*run.verdicts[:place], missed, *run.verdicts[place + 1 :])
    run_folder.put(tmp_path, run.header, [encode(v) for v in verdicts])
    compared = [dpaudit("diff", str(SAMPLE), str(new)) for new in (SAMPLE, tmp_path)]
    assert [found.exit_code for found in compared] == [0, 1]
    assert missed.id in compared[1].stdout


SCHEMAS = sorted((ROOT / "docs" / "schema").glob("*.json"))


@pytest.mark.deep
def test_every_record_fits_the_published_schema(run: Run) -> None:
    import jsonschema

    schemas = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS}
    validators = {name: jsonschema.validators.validator_for(s)(s) for name, s in schemas.items()}
    for name, data in (("record.json", map(encode, run.verdicts)), ("run.json", [run.header])):
        for instance in data:
            assert next(validators[name].iter_errors(instance), None) is None
