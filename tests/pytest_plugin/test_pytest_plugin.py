"""The plugin costs nothing unused; with --dpaudit items and verdicts are the same set with the same outcomes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from loaded_plugin import LOADED, audited, command_line, content, outcomes, verdicts, warm  # noqa: F401  fixtures
from small_content import boxed_text, claim_text, target_text, write

from dpaudit import pytest_plugin
from dpaudit.claims import verify
from dpaudit.pytest_plugin import items
from dpaudit.pytest_plugin import items as pytest_items
from dpaudit.records.context import Level
from dpaudit.records.verdict import Verdict
from dpaudit.runs.flows import claims
from dpaudit.runs.reading import load_run
from dpaudit.runs.settings import Part
from dpaudit.runs.task import Task
from dpaudit.runs.worker import Answer

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]


def test_without_the_flag_only_the_plugin_itself_is_loaded(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        "import sys\n"
        "def pytest_sessionfinish():\n"
        "    heavy = ('numpy', 'click', 'scipy', 'torch', 'numba', 'sympy', 'flint', 'hypothesis.strategies')\n"
        "    print('LOADED', sorted(m for m in sys.modules if m.startswith('dpaudit') or m in heavy))\n"
    )
    pytester.makepyfile("def test_nothing(): pass")
    done = pytester.runpytest_subprocess(*LOADED, "-p", "no:hypothesispytest", "-s")
    assert "LOADED ['dpaudit', 'dpaudit.pytest_plugin']" in done.stdout.str()


def test_without_the_flag_nothing_is_collected(pytester: pytest.Pytester) -> None:
    content(lem=claim_text(), target=target_text())
    assert pytester.runpytest(*LOADED, "proofs", "audits").ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert not Path("runs").exists()


def test_the_levels_are_those_of_dpaudit() -> None:
    assert tuple(Level) == pytest_plugin.LEVELS


def test_every_verdict_has_its_item_and_its_outcome(audit: Callable[..., pytest.RunResult]) -> None:
    content(lem_1=claim_text(), lem_2=boxed_text(), good=target_text(), bad=target_text("toy/bad", mu=0.3),
            control=target_text("toy/half", mu=0.3, control="KNOWN_BAD", expects="REFUTED"),
            absent=target_text("toy/absent", needs="(('absent_package', 'torch'),)"))  # fmt: skip
    found, kept = outcomes(audit("proofs", "audits")), verdicts()
    assert list(found) == list(kept), "the records lie in the order of collection"
    assert {"toy/LEM-2", "toy/LEM-2/s1", "toy/LEM-2~best-height", "toy/LEM-2~height-0.24", "toy/LEM-1~auto-1"} < set(
        kept
    )
    assert found == {name: "passed" if verdict.as_expected else "failed" for name, verdict in kept.items()}
    assert [name for name, outcome in found.items() if outcome == "failed"] == ["toy/absent", "toy/bad"]
    header = load_run(Path("out")).header
    assert header["error_budget"]["entries"] == [
        {"type": "LedgerEntry", "name": f"toy/{name}", "tests": 1, "share": None}
        for name in ("absent", "bad", "half", "sum")
    ]
    assert (header["exit_code"], header["counts"]["unexpected"], header["tasks"]) == (1, 2, 6)
    assert header["command"].startswith("pytest ")


@pytest.mark.deep
def test_shipped_claims_have_an_item_for_every_verdict(pytester: pytest.Pytester) -> None:
    shutil.copytree(ROOT / "proofs" / "assumed", Path("proofs", "assumed"))
    Path("proofs", "zeroth").mkdir()
    for file in ("paper.toml", "lem_2_2.py", "rem_noise.py", "def_a_2.py"):
        shutil.copy(ROOT / "proofs" / "zeroth" / file, Path("proofs", "zeroth"))
    done = pytester.runpytest_subprocess(*LOADED, "--dpaudit", "proofs", "--dpaudit-run-dir", "out", "-v")
    items = re.findall(r"^proofs/zeroth/\w+\.py::(\S+) (PASSED|SKIPPED) ", done.stdout.str(), flags=re.MULTILINE)
    kept = verdicts()
    assert items == [(name, "SKIPPED" if v.outcome == "NOT_RUN" else "PASSED") for name, v in kept.items()]
    assert {"zeroth/LEM-2.2", "zeroth/LEM-2.2/line", "zeroth/DEF-A.2"} < set(kept)
    assert done.ret == pytest.ExitCode.OK


def test_the_network_is_allowed_by_a_flag(audit: Callable[..., pytest.RunResult]) -> None:
    content(good=target_text())
    for flags, allowed in (((), False), (("--dpaudit-allow-network",), True)):
        shutil.rmtree("out", ignore_errors=True)
        audit("audits", *flags)
        header = json.loads(Path("out", "run.json").read_text(encoding="utf-8"))
        assert header["settings"]["allow_network"] is allowed


def test_the_verdicts_are_those_of_the_command_line(audit: Callable[..., pytest.RunResult]) -> None:
    content(lem_1=boxed_text(), bad=target_text("toy/bad", mu=0.3), good=target_text())
    command_line("audit", "audits", "--no-controls", "--seed", "5", "--run-dir", "one")
    command_line("verify", "proofs", "--seed", "5", "--run-dir", "two")
    audit("audits", "proofs", "--dpaudit-seed", "5")

    def plain(kept: dict[str, Verdict]) -> dict[str, Any]:
        return {
            v.id: (v.outcome, v.basis, v.witness, v.numbers, v.statement, v.assuming, v.seed) for v in kept.values()
        }

    assert plain(verdicts()) == plain(verdicts("one") | verdicts("two"))


def test_a_failing_item_shows_what_was_found_and_no_traceback(audit: Callable[..., pytest.RunResult]) -> None:
    content(bad=target_text("toy/bad", mu=0.3).replace("sum of records", "\\x1b[31msum of records"))
    text = audit("audits").stdout.str()
    assert "x refuted, expected consistent toy/bad  epsilon at least" in text
    assert "statement: 0.3-GDP; neighbours: add or remove one record" in text
    assert "replay:    dpaudit audit toy/bad --seed 20261121 --level smoke --alpha 0.001" in text
    assert "Traceback" not in text
    assert "pytest_items.py" not in text
    assert "\x1b[31m" not in text


def test_what_was_not_run_or_not_decided_fails_unless_that_is_allowed(audit: Callable[..., pytest.RunResult]) -> None:
    absent = target_text("toy/absent", needs="(('absent_package', 'torch'),)")
    content(absent=absent, few=target_text("toy/few", trials=20),
            free=absent.replace("toy/absent", "toy/free").replace("title=", "optional=True, title="))  # fmt: skip
    assert outcomes(audit("audits")) == {"toy/absent": "failed", "toy/few": "failed", "toy/free": "skipped"}
    allowed = audit("audits", "--dpaudit-allow-inconclusive", folder="allowed")
    assert set(outcomes(allowed).values()) == {"skipped"}
    assert allowed.ret == pytest.ExitCode.OK
    allowed.stdout.fnmatch_lines(["*NOT_RUN: absent_package is not installed; run: pip install *torch*"])
    allowed.stdout.fnmatch_lines(["*INCONCLUSIVE: under-powered*"])
    assert load_run(Path("allowed")).header["exit_code"] == 0


def test_an_expected_refutation_that_does_not_come_fails_even_so(audit: Callable[..., pytest.RunResult]) -> None:
    content(tame=target_text("toy/tame", control="KNOWN_BAD", expects="REFUTED"))
    assert outcomes(audit("audits", "--dpaudit-allow-inconclusive")) == {"toy/tame": "failed"}


@pytest.mark.deep
def test_a_selection_does_not_change_a_verdict(audit: Callable[..., pytest.RunResult]) -> None:
    content(lem=claim_text(), bad=target_text("toy/bad", mu=0.3), good=target_text())
    audit("proofs", "audits", folder="all")
    chosen = audit("proofs", "audits", "-k", "bad or mutant")
    kept = verdicts()
    assert list(outcomes(chosen)) == list(kept) == [*(f"toy/LEM-1~auto-{i}" for i in range(1, 7)), "toy/bad"]
    assert kept["toy/bad"].evidence == verdicts("all")["toy/bad"].evidence
    assert dict(kept["toy/bad"].numbers)["alpha_decision"] == pytest.approx(5e-4)


def test_the_work_of_a_file_is_done_once_and_only_when_wanted(
    audit: Callable[..., pytest.RunResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    original = claims._judged_apart

    def noted(task: Task, *rest: Any) -> list[Verdict]:
        done.append(task.name)
        return original(task, *rest)

    monkeypatch.setattr(claims, "_judged_apart", noted)
    content(lem_1=claim_text(), lem_2=boxed_text())
    audit("proofs", "--collect-only")
    assert (done, Path("out").exists()) == ([], False)
    audit("proofs", "-k", "LEM-2")
    assert done == ["toy/LEM-2"]


def test_what_a_claim_rests_on_is_looked_at_first(audit: Callable[..., pytest.RunResult]) -> None:
    ground = boxed_text("toy/LEM-9", right="0.2").replace("steps=(", "expects=Outcome.REFUTED,\n    steps=(")
    content(lem_1=claim_text().replace("argument=", 'rests_on=("toy/LEM-9",), argument='), lem_9=ground)
    assert outcomes(audit("proofs", "-k", "LEM-1 and not mutant")) == {"toy/LEM-1": "failed"}
    assert verdicts()["toy/LEM-1"].outcome == "INCONCLUSIVE"


def test_a_hypothesis_that_another_claim_refutes_is_looked_at_first(audit: Callable[..., pytest.RunResult]) -> None:
    false = boxed_text("toy/LEM-9", right="0.2").replace("steps=(", "expects=Outcome.REFUTED,\n    steps=(")
    taken = 'origins=(Condition("", Origin.GIVEN, "toy/LEM-9"),), argument='
    text = claim_text().replace("argument=", taken)
    content(lem_1=f"from dpaudit.claims.writing import Condition, Origin\n{text}", lem_9=false)
    audit("proofs", "-k", "LEM-1 and not mutant")
    assert verdicts()["toy/LEM-1"].basis == "valid inference from a refuted step"


def test_a_file_that_is_broken_is_an_error_and_not_silence(audit: Callable[..., pytest.RunResult]) -> None:
    content(
        syntax="from dpaudit.records.target import Target\nTARGET = Target(\n",
        lem="from dpaudit.records import claim\nCLAIM = 1 / 0\n",
    )
    result = audit("proofs", "audits")
    assert outcomes(result) == {"proofs/toy/lem": "failed", "audits/syntax": "failed"}
    result.stdout.fnmatch_lines(["*proofs/toy/lem.py, line 2: ZeroDivisionError: division by zero*"])
    assert {v.outcome for v in verdicts().values()} == {"ERROR"}


def test_a_claim_that_crashes_fails_all_of_its_items(
    audit: Callable[..., pytest.RunResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*arguments: object) -> None:
        raise RuntimeError("crash")

    monkeypatch.setattr(verify, "verify_claim", crash)
    content(lem=boxed_text())
    assert set(outcomes(audit("proofs")).values()) == {"failed"}
    assert list(verdicts()) == ["toy/LEM-2"]


def test_a_time_limit_of_pytest_is_an_error_and_the_work_does_not_start_over(
    audit: Callable[..., pytest.RunResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Path] = []
    original = claims.in_copy

    def late(path: Path, make: object, *rest: Any) -> object:
        calls.append(path)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGALRM)).start()
        return original(path, partial(time.sleep, 60), *rest)

    def stop(*arguments: object) -> None:
        pytest.fail("Timeout >1.0s")  # as pytest-timeout does it, in the process that waits

    monkeypatch.setattr(claims, "in_copy", late)
    content(lem=boxed_text())
    before = signal.signal(signal.SIGALRM, stop)
    try:
        result = audit("proofs")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert set(outcomes(result).values()) == {"failed"}
    assert len(calls) == 1
    result.stdout.fnmatch_lines(["*pytest stopped it before there was a verdict*"])


def test_a_verdict_that_nobody_foresaw_is_an_error(
    audit: Callable[..., pytest.RunResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "planned_verdicts", lambda claim, context: {})
    content(lem=claim_text())
    assert outcomes(audit("proofs")) == {"toy/LEM-1": "failed"}
    assert "a defect of dpaudit" in verdicts()["toy/LEM-1"].evidence[0].detail


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--dpaudit-alpha", "0.9"), "*alpha must be above 0 and at most 0.5, got 0.9*"),
        (("--dpaudit-seed", "-1"), "*--dpaudit-seed must be at least 0 and below 2^63, got -1*"),
        (("--dpaudit-seed", str(2**63)), f"*--dpaudit-seed must be at least 0 and below 2^63, got {2**63}*"),
        (("--dpaudit-run-dir", "audits"), "*the run folder 'audits' is not empty*"),
    ],
)
def test_wrong_flags_are_usage_errors(
    audit: Callable[..., pytest.RunResult], flags: tuple[str, str], message: str
) -> None:
    content(good=target_text())
    result = audit("audits", *flags)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_files_are_found_as_the_command_line_finds_them(audit: Callable[..., pytest.RunResult]) -> None:
    content(_hidden=target_text("toy/hidden"), good=target_text(), other="TARGET = 'https://example.org'\n")
    write(Path("audits/_private/deep.py"), target_text("toy/deep"))
    write(Path("audits/test_words.py"), "WORDS = 'TARGET of dpaudit'\ndef test_words(): assert WORDS\n")
    assert outcomes(audit("audits")) == {"toy/sum": "passed", "test_words": "passed"}
    named = audit("audits/_hidden.py", folder="named")
    assert outcomes(named) == {"toy/hidden": "passed"}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("import dpaudit\nTARGET = 1", (Part.AUDIT,)),
        ("from dpaudit import x\nif x:\n    CLAIMS, y = 1, 2", (Part.VERIFY,)),
        ("from dpaudit.y import z as AUDIT\nCLAIM: int = 1", (Part.VERIFY, Part.AUDIT)),
        ("import dpaudit\ndef f():\n    TARGET = 1", ()),
        ("'TARGET = 1 in dpaudit'", ()),
        ("TARGET = 1", ()),
        ("import dpaudit\nAUDITS = (", (Part.AUDIT,)),
    ],
)
def test_a_file_is_read_without_running_it(tmp_path: Path, text: str, parts: tuple[Part, ...]) -> None:
    assert pytest_items.parts_of(write(tmp_path / "file.py", text)) == parts


def test_junit_xml_keeps_the_numbers(audit: Callable[..., pytest.RunResult]) -> None:
    content(good=target_text())
    audit("audits", "--junitxml", "found.xml")
    text = Path("found.xml").read_text()
    assert '<property name="dpaudit_outcome" value="CONSISTENT"' in text
    assert 'name="dpaudit_epsilon_lower_95"' in text
    assert 'name="dpaudit_replay" value="dpaudit audit' in text


def test_an_interruption_leaves_what_was_finished(
    audit: Callable[..., pytest.RunResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(verify, "verify_claim", interrupt)
    content(good=target_text(), lem=claim_text())
    assert audit("audits", "proofs", no_reraise_ctrlc=True).ret == pytest.ExitCode.INTERRUPTED
    header = json.loads(Path("out/run.json").read_text())
    assert (header["exit_code"], list(verdicts())) == (130, ["toy/sum"])


@pytest.mark.deep
@pytest.mark.skipif(find_spec("xdist") is None, reason="pytest-xdist is not installed")
def test_workers_share_the_files_and_write_one_folder(pytester: pytest.Pytester) -> None:
    content(lem_1=claim_text(), lem_2=boxed_text(), absent=target_text(needs="(('absent_package', 'torch'),)"))
    flags = (*LOADED, "--dpaudit", "proofs", "audits")
    pytester.runpytest_subprocess(*flags, "--dpaudit-run-dir", "one")
    pytester.runpytest_subprocess(*flags, "--dpaudit-run-dir", "two", "-n", "2").assert_outcomes(passed=11, failed=1)
    one, two = ({v.id: v.numbers for v in verdicts(folder).values()} for folder in ("one", "two"))
    assert list(one.items()) == list(two.items())


def page_block() -> str:
    """The test file that docs/pytest.md shows."""
    found = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "pytest.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.deep
def test_the_test_file_of_the_page_passes(pytester: pytest.Pytester) -> None:  # false alarm: 1e-6, seed fixed
    pytester.makepyfile(page_block())
    pytester.runpytest(*LOADED).assert_outcomes(passed=2)


def test_the_mistake_of_the_page_prints_what_the_page_shows(pytester: pytest.Pytester) -> None:
    text = (ROOT / "docs" / "pytest.md").read_text(encoding="utf-8")
    pytester.makepyfile(page_block().replace("assert_sensitivity(mean, 2 *", "assert_sensitivity(mean, 1 *"))
    result = pytester.runpytest(*LOADED, "-k", "moves")
    result.assert_outcomes(failed=1, deselected=1)
    shown = re.search(r"```text\n(.*?)```", text, re.DOTALL)
    assert shown is not None
    assert all(line in result.stdout.str() for line in shown[1].splitlines())


def test_every_flag_is_on_the_page() -> None:
    parser = pytest.Parser(_ispytest=True)
    pytest_plugin.pytest_addoption(parser)
    flags = {name for option in parser.getgroup("dpaudit").options for name in option.names()}
    text = (ROOT / "docs" / "pytest.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(--dpaudit-[a-z-]+)", text, flags=re.MULTILINE)) == flags - {"--dpaudit"}


def test_a_machine_that_can_do_no_work_is_an_error_that_says_so(
    audit: Callable[..., pytest.RunResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    content(good=target_text())
    monkeypatch.setattr(items, "perform", lambda order: Answer([], {}, "no room for temporary files"))
    done = audit("audits")
    assert "no room for temporary files" in done.stdout.str()
    assert [verdict.outcome.value for verdict in verdicts().values()] == ["ERROR"]
