"""The command `audit-auditor`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import dpaudit
from small_content import write

PLANTED = "dpaudit.audit.planted.auditors"
QUICK = ("--repetitions", "40", "--trials", "100", "--law", "no signal, normal", "--law", "Laplace", "--no-isolate")


def invoke(*words: str | Path) -> tuple[int, str, str]:
    found = dpaudit("audit-auditor", *words)
    return found.exit_code, found.stdout, found.stderr


def test_a_planted_auditor_is_refuted_in_a_table() -> None:
    code, text, errors = invoke(f"{PLANTED}:absolute_mu", *QUICK, "--trials", "40:100")
    rows = text.splitlines()
    assert code == 1
    assert rows[0].split()[:3] == ["law", "trials", "audits"]
    assert rows[1].split("  ")[0] == "no signal, normal"
    assert rows[1].endswith("refuted")
    assert "40:100" in rows[2]
    assert rows[-1].startswith("The bound is refuted on 4 of 4 rows")
    assert "seed 20261121" in errors


def test_the_bound_by_counts_of_dpaudit_is_not_refuted(tmp_path: Path) -> None:
    """It returns a record, and takes a generator of its own."""
    write(
        tmp_path / "counts.py",
        "import numpy as np\nfrom dpaudit.estimators import held_out_threshold\n"
        "def bound(x, y, delta, alpha):\n"
        "    return held_out_threshold.lower_bound(x, y, delta, alpha, np.random.default_rng(0))\n",
    )
    code, text, _ = invoke(f"{tmp_path / 'counts.py'}:bound", *QUICK, "--law", "randomised", "--trials", "20")
    assert code == 0
    assert "The bound is not refuted on any of 10 rows" in text


@pytest.mark.parametrize("name", ["split_threshold", "fixed_threshold"])
def test_clopper_pearson_is_not_refuted(name: str) -> None:
    code, text, _ = invoke(f"{PLANTED}:{name}", *QUICK)
    assert code == 0
    assert text.count("consistent") == 2


def test_rows_as_json_repeat_with_the_seed() -> None:
    words = (f"{PLANTED}:best_threshold", *QUICK, "--format", "json")
    first, again, other = invoke(*words), invoke(*words), invoke(*words, "--seed", "5")
    assert first[1] == again[1] != other[1]
    row = json.loads(first[1])[0]
    assert (row["law"], row["audits"], row["trials_in"], row["trials_out"]) == ("no signal, normal", 40, 100, 100)
    assert row["rate"] == row["false_alarms"] / 40
    assert row["rate_lower_95"] <= row["rate"] <= row["rate_upper_95"]
    assert row["alpha"] == 1e-3 / 2
    assert "The bound" in first[2]


def test_the_confidence_is_what_is_asked(tmp_path: Path) -> None:
    write(tmp_path / "asks.py", "def bound(x, y, delta, alpha):\n    return delta + alpha\n")
    words = (f"{tmp_path / 'asks.py'}:bound", *QUICK, "--confidence", "0.9", "--delta", "0.25", "--format", "json")
    assert json.loads(invoke(*words)[1])[0]["largest_bound"] == pytest.approx(0.35)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("float('nan')", "bounds returned NaN"),
        ("None", "it must return a number, got NoneType"),
        ("'0.5'", "it must return a number, got str"),
        ("True", "it must return a number, got bool"),
    ],
)
def test_no_number_is_counted_and_said_apart(tmp_path: Path, value: str, reason: str) -> None:
    write(tmp_path / "fails.py", f"def bound(x, y, delta, alpha):\n    return {value}\n")
    code, text, _ = invoke(f"{tmp_path / 'fails.py'}:bound", *QUICK)
    assert code == 3
    assert f"no bound in 80 audits, in 2 rows: {reason}" in text
    assert text.count("error") >= 2
    assert "0.0 [" not in text  # of no bounds none is too large, and none is not


def test_a_refutation_outranks_what_it_raised(tmp_path: Path) -> None:
    write(
        tmp_path / "both.py",
        "def bound(x, y, delta, alpha):\n    if x[0] > 0.5:\n        raise ValueError('x')\n    return 9.0\n",
    )
    assert invoke(f"{tmp_path / 'both.py'}:bound", *QUICK)[0] == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nothing",), "names no function"),
        (("no_such_module:bound",), "there is no module"),
        ((f"{PLANTED}:absolute_nu",), "did you mean 'absolute_mu'"),
        (("textwrap:dedent",), "by place, and takes"),
        ((f"{PLANTED}:absolute_mu", "--law", "Lapalce"), "unknown law"),
        ((f"{PLANTED}:absolute_mu", "--trials", "many"), "--trials takes N or N:M"),
        ((f"{PLANTED}:absolute_mu", "--trials", "0"), "at least 1 on each side"),
        ((), "Missing"),
    ],
)
def test_wrong_arguments(words: tuple[str, ...], reason: str) -> None:
    code, _, errors = invoke(*words)
    assert code == 2
    assert reason in errors
