"""Every starter file runs as it stands, is short, and replaces nothing."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
from command_line import dpaudit

from dpaudit.cli import starters
from dpaudit.records.errors import ConfigurationError, UnknownNameError

NEEDS = {"torch": "torch", "opacus": "opacus"}
FEWER = """
from dataclasses import replace
from dpaudit.records.target import TrialPlan
AUDIT.TARGET = replace(AUDIT.TARGET, trials=TrialPlan({0}, {0}, {0}))
"""
TRIALS = {"function": 300, "command": 300, "training": 120, "torch": 120, "opacus": 120}
"""A side: enough that the claim is within reach of so few."""


def own_lines(text: str) -> int:
    """Lines of code that a user may have to write: no import, no blank line, no comment, no docstring."""
    tree = ast.parse(text)
    spared = {
        line
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom)) or (isinstance(node, ast.Expr) and _is_text(node.value))
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    rows = enumerate(text.splitlines(), start=1)
    return sum(bool(row.strip()) and not row.strip().startswith("#") and place not in spared for place, row in rows)


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("kind", starters.KINDS)
def test_an_audit_runs_as_it_stands(kind: str, workdir: Path) -> None:
    if kind in NEEDS and find_spec(NEEDS[kind]) is None:
        pytest.skip(f"{NEEDS[kind]} is not installed")
    made = dpaudit("init", "audit", "--kind", kind)
    assert made.exit_code == 0, made.output
    path = Path(made.stdout.strip())
    assert f"then: dpaudit audit {path}" in made.stderr
    path.write_text(path.read_text() + FEWER.format(TRIALS[kind]))
    result = dpaudit("audit", str(path), "--no-controls", "--no-isolate", "--jobs", "1", "--no-report")
    assert result.exit_code == 0, result.output
    assert "1 consistent" in result.output


@pytest.mark.parametrize("kind", starters.KINDS)
def test_an_audit_takes_at_most_fifteen_lines(kind: str) -> None:
    assert 3 <= own_lines(starters.starter("audit", kind).source.read_text()) <= 15


@pytest.mark.parametrize("kind", starters.KINDS)
def test_an_audit_says_what_to_change(kind: str) -> None:
    text = starters.starter("audit", kind).source.read_text()
    assert text.count("# Change: ") >= 2
    assert all(len(row) <= 120 for row in text.splitlines())


def test_a_claim_is_proved_as_it_stands(workdir: Path) -> None:
    assert dpaudit("init", "claim").exit_code == 0
    result = dpaudit("verify", "my_claim.py", "--no-report", "--jobs", "1")
    assert result.exit_code == 0, result.output


def test_a_claim_says_what_to_change_before_each_of_its_parts() -> None:
    text = starters.starter("claim").source.read_text()
    rows = pairwise(row.strip() for row in text.splitlines())
    marked = [after.split("=")[0].strip() for mark, after in rows if mark.startswith("# Change: ")]
    assert marked == ["X, Y", "title", "statement", "argument", "mutants", "steps"]
    assert 'id="template/LEM-1",  # Change: ' in text


def test_an_algorithm_is_the_template_of_contributors(workdir: Path) -> None:
    result = dpaudit("init", "algorithm", "mine/noisy_mean")
    made = {file.name: file.read_text() for file in (workdir / "mine" / "noisy_mean").iterdir()}
    template = {file.name: file.read_text() for file in starters.TEMPLATE.glob("*.py")}
    assert {"__init__.py", "kernels.py", "cases.py"} <= set(template)
    assert made == {name: text.replace("algorithms._template", "algorithms.mine.noisy_mean")
                    for name, text in template.items()}  # fmt: skip
    assert "from dpaudit.algorithms.mine.noisy_mean import kernels" in made["__init__.py"]
    assert "dpaudit agree template/ALG-1 once it lies in dpaudit/algorithms/PAPER/" in result.stderr


def test_in_a_checkout_an_algorithm_lies_where_it_is_found(workdir: Path) -> None:
    (workdir / "dpaudit" / "algorithms").mkdir(parents=True)
    result = dpaudit("init", "algorithm")
    assert result.stdout.strip() == "dpaudit/algorithms/mine/my_algorithm"
    assert result.stderr.strip().endswith("then: dpaudit agree template/ALG-1")
    cases = workdir / "dpaudit" / "algorithms" / "mine" / "my_algorithm" / "cases.py"
    assert "from dpaudit.algorithms.mine.my_algorithm import" in cases.read_text()
    assert dpaudit("init", "algorithm").exit_code == 2
    cases.write_text("")
    assert dpaudit("init", "algorithm", "--force").exit_code == 0
    assert cases.read_text()


def test_an_algorithm_is_a_folder(workdir: Path) -> None:
    refused = dpaudit("init", "algorithm", "mine/noisy_mean.py")
    assert refused.exit_code == 2
    assert "an algorithm is a folder with the name of a package, got 'mine/noisy_mean.py'" in refused.stderr


def test_nothing_is_replaced_unless_asked(workdir: Path) -> None:
    (workdir / "mine.py").write_text("precious")
    refused = dpaudit("init", "audit", "mine.py")
    assert refused.exit_code == 2
    assert "'mine.py' is there already; name another file, or replace it with --force" in refused.stderr
    assert (workdir / "mine.py").read_text() == "precious"
    assert dpaudit("init", "audit", "mine.py", "--force").exit_code == 0
    assert "AUDIT" in (workdir / "mine.py").read_text()


def test_a_folder_is_never_replaced(workdir: Path) -> None:
    (workdir / "mine.py").mkdir()
    with pytest.raises(ConfigurationError, match="is there already"):
        starters.write(starters.starter("audit", path=Path("mine.py")), force=True)


@pytest.mark.parametrize(
    ("name", "message"), [("mine.txt", "must end in .py"), ("numpy.py", "would hide the installed")]
)
def test_names_that_cannot_work_are_refused(name: str, message: str, workdir: Path) -> None:
    with pytest.raises(ConfigurationError, match=message):
        starters.write(starters.starter("audit", path=Path(name)))
    assert not (workdir / name).exists()


def test_unknown_kinds_name_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'opacus'"):
        starters.starter("audit", "opacs")
    with pytest.raises(UnknownNameError, match="did you mean 'claim'"):
        starters.starter("claims")
