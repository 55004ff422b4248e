"""The command `ledger` and the flag --ledger, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import dpaudit
from small_content import claim_text, target_text, write

from dpaudit.cli import config, running
from dpaudit.runs import spending, spending_file

SHARE = spending.share(0.05, 365, 1)
AUDIT = ("audit", "sum.py", "--no-controls", "--no-isolate", "--jobs", "1", "--no-report")


@pytest.fixture
def ledger(workdir: Path) -> Path:
    """A new ledger, beside a target."""
    write(workdir / "sum.py", target_text(trials=1000))
    assert dpaudit("ledger", "n.json", "--total", "0.05").exit_code == 0
    return workdir / "n.json"


def header(folder: str) -> Any:
    return json.loads(Path(folder, "run.json").read_text())


def taken(file: Path) -> list[tuple[int, int, str]]:
    """Number, seed and folder of the runs that took a share."""
    return [(run.number, run.seed, run.run) for run in spending_file.read(file).runs]


def test_a_new_ledger_and_what_its_runs_took(ledger: Path) -> None:
    done = dpaudit("ledger", ledger)
    assert "0 runs of " in done.stderr
    assert "took 0 of 0.05; the next 365 have 6.849e-05 each" in done.stderr
    assert dpaudit(*AUDIT, "--ledger", ledger, "--run-dir", "one", "--seed", "5", "--time", "1e-9").exit_code == 4
    done = dpaudit("ledger", ledger, "--format", "json")
    one, coming = json.loads(done.stdout)
    assert (one["number"], one["seed"], one["share"], one["tests"], one["run"]) == (1, 5, SHARE, 1, "one")
    assert one["command"].startswith("dpaudit audit sum.py --seed 5 ")
    assert (coming["number"], coming["taken"], coming["share"], coming["seed"]) == (2, "the next run", SHARE, "")
    assert "1 run of " in done.stderr
    assert "took 6.849e-05 of 0.05; the next 364 have 6.849e-05 each" in done.stderr


def test_after_the_horizon_it_says_that_shares_fall(ledger: Path) -> None:
    assert dpaudit("ledger", "short.json", "--total", "0.05", "--horizon", "1").exit_code == 0
    dpaudit(*AUDIT, "--ledger", "short.json", "--run-dir", "one", "--time", "1e-9")
    done = dpaudit("ledger", "short.json")
    assert "took 0.025 of 0.05; each run has less than the one before it now" in done.stderr


def test_a_run_plays_at_its_share_and_says_where_that_is_from(ledger: Path) -> None:
    done = dpaudit(*AUDIT, "--ledger", ledger, "--run-dir", "one")
    assert done.exit_code == 0, done.output
    made = header("one")
    seed = made["seed"]
    assert taken(ledger) == [(1, seed, "one")]
    assert seed != 20261121
    assert made["error_budget"]["total"] == made["settings"]["alpha"] == SHARE
    assert (made["spending"]["file"], made["spending"]["number"], made["spending"]["total"]) == ("n.json", 1, 0.05)
    assert "run 1 of the ledger n.json, whose runs share 0.05: a test needs about 3.2 times as many" in done.stdout
    (record,) = map(json.loads, Path("one/records.jsonl").read_text().splitlines())
    assert f"--alpha {SHARE!r}" in record["replay"]
    assert "--ledger" not in record["replay"]


def test_a_share_is_spent_before_the_run_and_resume_and_replay_spend_none(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(running, "run", killed)
        assert dpaudit(*AUDIT, "--ledger", ledger, "--seed", "5").exit_code == 130
    assert [run[:2] for run in taken(ledger)] == [(1, 5)]
    dpaudit(*AUDIT, "--ledger", ledger, "--run-dir", "two", "--time", "1e-9")
    before = ledger.read_bytes()
    done = dpaudit("resume", "two", "--no-report")
    assert done.exit_code == 0, done.output
    assert "run 2 of the ledger n.json" in done.stdout
    assert header("two")["error_budget"]["total"] == SHARE
    done = dpaudit("replay", "two", "toy/sum", "--run-dir", "three", "--no-report", "--exact")
    assert done.exit_code == 0, done.output
    assert "run 2 of the ledger n.json" in done.stdout
    assert header("three")["error_budget"]["share"] == SHARE
    assert header("three")["spending"] == header("two")["spending"]
    assert ledger.read_bytes() == before


def test_a_run_without_a_statistical_test_takes_nothing_and_says_so(ledger: Path) -> None:
    write(Path("lem_1.py"), claim_text())
    done = dpaudit("verify", "lem_1.py", "--ledger", ledger, "--run-dir", "one", "--no-report", "--jobs", "1")
    assert done.exit_code == 0, done.output
    assert "nothing is taken from the ledger" in done.stderr
    assert header("one")["spending"] is None
    assert taken(ledger) == []


def test_a_ledger_and_an_alpha_exclude_each_other(ledger: Path) -> None:
    done = dpaudit(*AUDIT, "--ledger", ledger, "--alpha", "0.01")
    assert done.exit_code == 2
    assert "--ledger and --alpha exclude each other" in done.stderr
    assert dpaudit("ledger", "other.json", "--horizon", "7").exit_code == 2


def test_an_alpha_on_the_command_line_outranks_a_ledger_of_the_user_and_a_ledger_the_alpha_of_a_file(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = write(tmp_path / "user" / "dpaudit.toml", f'ledger = "{ledger}"\nalpha = 0.3\nseed = 9\n')
    monkeypatch.setattr(config, "user_file", lambda: own)
    dpaudit(*AUDIT, "--alpha", "0.01", "--run-dir", "one", "--time", "1e-9")
    assert (header("one")["error_budget"]["total"], header("one")["spending"], taken(ledger)) == (0.01, None, [])
    dpaudit(*AUDIT, "--run-dir", "two", "--time", "1e-9")
    assert header("two")["error_budget"]["total"] == SHARE
    assert header("two")["seed"] != 9, "a seed that is the same each night is no new noise"


def test_a_file_that_is_not_there_is_no_new_ledger_and_nothing_is_loaded(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(running, "make_plan")
    write(workdir / "sum.py", target_text(trials=1000))
    done = dpaudit(*AUDIT, "--ledger", "n.json", "--run-dir", "one")
    assert done.exit_code == 2
    assert "cannot read the ledger n.json" in done.stderr
    assert [one.name for one in workdir.iterdir()] == ["sum.py"]


@pytest.mark.parametrize("with_ledger", [True, False])
def test_what_may_have_been_looked_at_is_not_played_again_at_the_same_share(ledger: Path, with_ledger: bool) -> None:
    """A target whose noise is not that of its seed: the clock kept it from beginning, and then nobody knows that."""
    text = (ledger.parent / "sum.py").read_text(encoding="utf-8")
    file = ledger.parent / "sum.py"
    file.write_text(text.replace("trials=", "deterministic=False, trials=", 1), encoding="utf-8")
    flags = ("--ledger", ledger) if with_ledger else ()
    for folder in ("one", "two"):
        assert dpaudit(*AUDIT, *flags, "--run-dir", folder, "--time", "1e-9").exit_code == 4
    assert dpaudit("resume", "one", "--no-report").exit_code == 0
    Path("two/records.jsonl").write_text("", encoding="utf-8")
    done = dpaudit("resume", "two", "--no-report")
    if with_ledger:
        assert done.exit_code == 2, done.output
        assert (
            "the noise of toy/sum is not that of the seed, and may have been looked at before the stop" in done.output
        )
        assert "start a new run with --ledger, which takes a share of its own" in done.output
        assert Path("two/records.jsonl").read_text(encoding="utf-8") == ""
    else:
        assert done.exit_code == 0, done.output
        assert "toy/sum: the noise is not that of the seed, so that the game is another one" in done.output
