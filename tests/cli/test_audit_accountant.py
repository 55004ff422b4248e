"""The command `audit-accountant`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import dpaudit
from small_content import write

SMALL = ("--noise-multiplier", "0.6", "--sampling-rate", "0.01", "--steps", "100", "--delta", "1e-5")
CENTRAL = """
import math
from dpaudit.accounting.epsilon import epsilon_bounds, gaussian_epsilon
from dpaudit.audit.accountant_grid import NEIGHBOURS, Cell

def central_limit(noise, rate, steps, delta):
    return gaussian_epsilon(delta, rate * math.sqrt(steps * math.expm1(noise**-2)))

def right(noise, rate, steps, delta):
    return epsilon_bounds(Cell(noise, rate, steps, delta).mechanism, delta, NEIGHBOURS).upper

def loose(noise, rate, steps, delta):
    return 2 * right(noise, rate, steps, delta)

def fails(noise, rate, steps, delta):
    if steps > 1:
        raise ValueError("too many steps")
    return loose(noise, rate, steps, delta) if rate == 1 else math.nan

def too_small(noise, rate, steps, delta):
    return fails(noise, rate, steps, delta) if steps > 1 else 0.0
"""


def invoke(folder: Path, name: str, *words: str) -> tuple[int, str, str]:
    write(folder / "acc.py", CENTRAL)
    found = dpaudit("audit-accountant", f"{folder / 'acc.py'}:{name}", *words)
    return found.exit_code, found.stdout, found.stderr


def test_the_central_limit_theorem_is_refuted(tmp_path: Path) -> None:
    code, text, _ = invoke(tmp_path, "central_limit", *SMALL)
    head, row, sentence = text.splitlines()
    assert code == 1
    assert head.split() == ["noise", "rate", "steps", "delta", "stated", "lower", "upper", "ratio", "standing"]
    assert row.split()[-1] == "below"
    assert float(row.split()[4]) < 1.6 < 3.8 < float(row.split()[5])
    assert "refuted, of 1 cells: 1 below" in sentence


@pytest.mark.parametrize(("name", "standing", "ratio"), [("right", "within", "nan"), ("loose", "above", 2.0)])
def test_a_right_one_is_not(tmp_path: Path, name: str, standing: str, ratio: object) -> None:
    words = ("--noise-multiplier", "2", "--steps", "10", "--delta", "1e-6", "--sampling-rate", "1", "--format", "json")
    code, text, errors = invoke(tmp_path, name, *words)
    [row] = json.loads(text)
    assert code == 0
    assert (row["standing"], row["ratio"]) == (standing, ratio)
    assert row["lower"] <= row["upper"] <= row["stated"] * (1 + 1e-9)
    assert "No stated epsilon is too small" in errors
    assert ("2 times too large" in errors) == (name == "loose")


def test_the_grid_has_every_combination(tmp_path: Path) -> None:
    words = (
        "--noise-multiplier",
        "2",
        "--noise-multiplier",
        "9",
        "--steps",
        "1",
        "--steps",
        "4",
        "--sampling-rate",
        "1",
    )
    rows = json.loads(invoke(tmp_path, "right", *words, "--format", "json", "--no-isolate")[1])
    assert len(rows) == 8  # two deltas by default
    assert {row["delta"] for row in rows} == {1e-5, 1e-10}


def test_no_number_is_said_of_its_cell(tmp_path: Path) -> None:
    words = ("--noise-multiplier", "2", "--steps", "1", "--steps", "4", "--delta", "1e-5")
    words += ("--sampling-rate", "1", "--sampling-rate", "0.5", "--no-isolate")
    code, text, _ = invoke(tmp_path, "fails", *words)
    rows = text.splitlines()
    assert code == 3
    assert sum("error: ValueError: too many steps" in row for row in rows) == 2
    assert sum("is not a number" in row for row in rows) == 1
    assert rows[-1].endswith("of 4 cells: 1 above, 3 error.")
    assert invoke(tmp_path, "too_small", *words)[0] == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nothing",), "names no function"),
        (("textwrap:dedent",), "(noise_multiplier, sampling_rate, steps, delta)"),
        (("math:cos", *(x for n in range(1, 100) for x in ("--steps", str(n)))), "may have 1000 cells"),
    ],
)
def test_wrong_arguments(words: tuple[str, ...], reason: str) -> None:
    found = dpaudit("audit-accountant", *words)
    assert found.exit_code == 2
    assert reason in found.stderr
