"""Sessions that share one error budget: each takes a share before it looks at data, with a seed of its own."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from loaded_plugin import LOADED, content, warm  # noqa: F401  warm is a fixture
from small_content import claim_text, target_text, write

from dpaudit.pytest_plugin import ledger
from dpaudit.records.verdict import Verdict
from dpaudit.runs import spending_file
from dpaudit.runs.reading import load_run
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.spending import Spending

pytest_plugins = ["pytester"]

FLAGS = ("--dpaudit", "--dpaudit-no-isolate", "-p", "no:cacheprovider")
SHARED = ("audits", "--dpaudit-ledger", "nightly.json")
Session = Callable[..., pytest.RunResult]


@pytest.fixture
def session(pytester: pytest.Pytester) -> Session:
    """Run `pytest --dpaudit` beside a target and a ledger of 0.05 over ten runs, into the run folder `folder`."""
    content(good=target_text(trials=2_000))
    spending_file.make(Path("nightly.json"), 0.05, 10)

    def run(*arguments: str, folder: str = "out") -> pytest.RunResult:
        return pytester.runpytest(*LOADED, *FLAGS, *arguments, "--dpaudit-run-dir", folder)

    return run


def entries() -> Spending:
    return spending_file.read(Path("nightly.json"))


def verdict(folder: str) -> Verdict:
    (found,) = load_run(Path(folder)).verdicts
    return found


def test_each_session_takes_the_next_share_and_draws_a_seed(session: Session) -> None:
    for number, folder in ((1, "one"), (2, "two")):
        result = session(*SHARED, folder=folder)
        result.assert_outcomes(passed=1)
        result.stdout.fnmatch_lines(
            [f"error budget 0.0025: run {number} of the ledger nightly.json, whose runs share 0.05"]
        )
        header = json.loads((Path(folder) / "run.json").read_text())
        assert (header["spending"]["number"], header["error_budget"]["total"]) == (number, 0.0025)
        result.stdout.fnmatch_lines([f"dpaudit: seed {header['seed']}"])
    first, second = entries().runs
    assert (first.share, second.share) == (0.0025, 0.0025)
    assert (first.run, second.run) == ("one", "two")
    assert first.seed != second.seed
    assert "--alpha 0.0025" in verdict("one").replay


def test_what_is_entered_repeats_the_session_without_the_ledger(session: Session) -> None:
    session(*SHARED, folder="one")
    (entry,) = entries().runs
    assert json.loads((Path("one") / "run.json").read_text())["command"] == entry.command
    words = shlex.split(entry.command)
    assert words[0] == "pytest"
    assert "--dpaudit-ledger" not in words
    again = [word for word in words[1:] if word not in (*LOADED, *FLAGS)]
    session(*[word if word != "one" else "two" for word in again], folder="two").assert_outcomes(passed=1)
    assert verdict("two").numbers == verdict("one").numbers
    assert len(entries().runs) == 1


@pytest.mark.parametrize("flags", [("--collect-only",), ("claims",)])
def test_a_session_that_tests_nothing_takes_nothing(session: Session, flags: tuple[str, ...]) -> None:
    write(Path("claims") / "lem_1.py", claim_text())
    session(*SHARED[1:], *(("audits", *flags) if flags[0].startswith("-") else flags))
    assert entries().runs == ()


def test_a_session_that_stops_at_a_broken_file_takes_nothing(session: Session) -> None:
    write(Path("audits") / "test_broken.py", "import there_is_no_such_module\n")
    assert session(*SHARED).ret == pytest.ExitCode.INTERRUPTED
    assert entries().runs == ()


def test_a_seed_that_the_ledger_had_is_refused(session: Session) -> None:
    session(*SHARED, "--dpaudit-seed", "7", folder="one")
    result = session(*SHARED, "--dpaudit-seed", "7", folder="two")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*the seed 7 is that of run 1 of the ledger*leave out --dpaudit-seed*"])
    assert len(entries().runs) == 1


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--dpaudit-ledger", "nightly.json", "--dpaudit-alpha", "0.01"), "*--dpaudit-alpha exclude each other*"),
        (("--dpaudit-ledger", "nightly.json", "-n", "2"), "*needs one process*leave out -n*dpaudit audit --ledger*"),
        (("--dpaudit-ledger", "absent.json"), "*cannot read the ledger absent.json*"),
        (("--dpaudit-ledger", "damaged.json"), "*the ledger damaged.json*"),
    ],
)
def test_wrong_flags_are_usage_errors(session: Session, flags: tuple[str, ...], message: str) -> None:
    Path("damaged.json").write_text(Path("nightly.json").read_text().replace("0.05", "0.06"))
    result = session("audits", *flags)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])
    assert entries().runs == ()


@pytest.mark.parametrize(
    "typed",
    [
        ("audits", "--dpaudit-ledger", "f", "--dpaudit-seed", "3", "-k", "x"),
        ("audits", "--dpaudit-ledger=f", "--dpaudit-seed=3", "-k", "x"),
    ],
)
def test_what_repeats_has_its_own_seed_and_share(typed: tuple[str, ...]) -> None:
    settings = Settings("pytest", (Part.AUDIT,), seed=5, alpha=0.0025)
    assert ledger.again(typed, settings) == "pytest audits -k x --dpaudit-seed 5 --dpaudit-alpha 0.0025"
