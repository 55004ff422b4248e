"""One file, one addition: one of each kind is added to a copy of the checkout, and is found without a second edit."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COPIED = ("dpaudit", "proofs", "audits", "tests", "benchmarks", "pyproject.toml", "ARCHITECTURE.md", "constraints.txt")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc")

ESTIMATOR = '''
"""A threshold that is fixed before any trial: the least that an estimator can be."""

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.clopper_pearson import OperatingPoint

NAME, ASSUMES, COVERS, SOURCE = "fixed threshold", "", True, "Clopper, Pearson (1934)"


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """From the scores that reach 0.5."""
    check_levels(delta, alpha)
    on_data, on_neighbour = checked_scores(positive, negative)
    false, true = int((on_neighbour >= 0.5).sum()), int((on_data >= 0.5).sum())
    point = OperatingPoint(0.5, false, len(on_neighbour), true, len(on_data), alpha)
    rates = ((point.false_positive_rate_upper, point.true_positive_rate_lower),)
    return Bound(point.epsilon_lower(delta), point.mu_lower(), rates, alpha)
'''
CHECK = '''
"""Is every release a finite number?"""

import numpy as np

from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recording
from dpaudit.records.verdict import Outcome

NAME, FALSE_ALARM, PLACE, REPLAYS, SPLIT = "finite releases", "0", 99, False, False


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return check(seen.recorded)


def check(recorded: Recording) -> Finding:
    """REFUTED by a statistic that is not finite."""
    wrong = [one.name for one in recorded.releases if not np.isfinite(one.statistic).all()]
    outcome = Outcome.REFUTED if wrong else Outcome.CONSISTENT
    return Finding(NAME, outcome, f"{len(wrong)} releases are not finite")
'''
ATTACK = '''
"""The largest coordinate."""

import numpy as np


def largest_coordinate(outputs: np.ndarray) -> np.ndarray:
    """The largest number of each row, (trials, d) -> (trials,)."""
    return np.asarray(outputs.max(axis=1))
'''
FORMAT = '''
"""How many verdicts a run has."""

from dpaudit.report.formats.view import Filing, View, Whole, Write
from dpaudit.runs.reading import Run

NAME, PLACE, FILING = "tally", 99, Filing.WHOLE


def view(write: Write, announce: Write, verbose: bool) -> View:
    """See `Format`."""
    return Whole(write, tally)


def tally(run: Run) -> str:
    """One line."""
    return f"{len(run.verdicts)} verdicts"
'''
COMMAND = '''
"""The command `greet`."""

import click


@click.command(name="greet")
def command() -> None:
    """Say hello."""
    click.echo("hello")
'''
TESTS = {
    "estimators/test_fixed_threshold.py": "from dpaudit.estimators.fixed_threshold import lower_bound",
    "audit/structural/checks/test_finite_releases.py": "from dpaudit.audit.structural.checks import finite_releases",
    "attacks/test_largest_coordinate.py": "from dpaudit.attacks.largest_coordinate import largest_coordinate",
    "report/formats/test_tally.py": "from dpaudit.report.formats.tally import tally",
    "cli/test_greet.py": "from dpaudit.cli.greet import command",
    "algorithms/additions/test_noisy_mean.py": "from dpaudit.algorithms.additions.noisy_mean import cpu",
}
CODE = {
    "estimators/fixed_threshold.py": ESTIMATOR,
    "audit/structural/checks/finite_releases.py": CHECK,
    "attacks/largest_coordinate.py": ATTACK,
    "report/formats/tally.py": FORMAT,
    "cli/greet.py": COMMAND,
}
FAULTS = {
    "dpaudit/estimators/upwards.py": '"""Imports upwards."""\n\nfrom dpaudit.cli import greet\n',
    "dpaudit/estimators/circle.py": '"""In a circle."""\n\nfrom dpaudit.estimators import ring\n',
    "dpaudit/estimators/ring.py": '"""In a circle, for types alone."""\n\nfrom typing import TYPE_CHECKING\n\n'
    "if TYPE_CHECKING:\n    from dpaudit.estimators import circle\n",
    "dpaudit/estimators/untried.py": '"""Without a test."""\n\n\ndef untried() -> None:\n    """Nothing."""\n',
    "dpaudit/estimators/silent.py": '"""Says nothing of its function."""\n\n\ndef silent() -> None:\n    pass\n',
    "dpaudit/beside.py": '"""Beside the packages."""\n',
    "tests/estimators/test_no_module.py": "",
    "dpaudit/claims/engines/sibling.py": '"""Imports a sibling."""\n\nfrom dpaudit.claims.engines import smt\n',
}
SEEN = {
    "test_a_package_imports_only_those_before_it",
    "test_the_graph_of_all_modules_has_no_circle",
    "test_every_module_has_its_tests",
    "test_every_module_and_every_public_name_has_a_docstring",
    "test_every_package_stands_in_the_order_and_nothing_lies_beside_them",
    "test_every_test_lies_where_its_module_lies",
    "test_siblings_do_not_import_each_other",
}


def write(files: dict[str, str], base: Path) -> None:
    """Every text as a file below `base`."""
    for name, text in files.items():
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text(text.lstrip(), encoding="utf-8")


def renamed(path: Path, *changes: tuple[str, str]) -> str:
    """The text of a template under another name."""
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"{path} has no {old!r}"
        text = text.replace(old, new)
    return text


def content() -> dict[str, str]:
    """A claim, a target, and a planted bug beside its correct twin, from the templates."""
    template = ROOT / "audits" / "_template.py"
    bug = (
        'name="additions/bug", control=Control.KNOWN_BAD, expects=Outcome.REFUTED, repair="additions/release",\n'
        '    bug=PlantedBug("https://arxiv.org/abs/2302.07956", Tier.GAME, 400),'
    )
    attacks = "from dpaudit.attacks import likelihood_ratio\n"
    imports = (
        f"{attacks}from dpaudit.records.target import Control, PlantedBug, Tier\n"
        "from dpaudit.records.verdict import Outcome\n"
    )
    return {
        "proofs/additions/lem_1.py": renamed(ROOT / "proofs" / "_template.py", ("template/", "additions/")),
        "audits/additions/release.py": renamed(template, ("mine/release", "additions/release")),
        "audits/additions/bug.py": renamed(
            template,
            ('name="mine/release",', bug),
            (attacks, imports),
            ("truth=Gaussian(2.0)", "truth=Gaussian(20.0)"),
            ("data + 2.0 * noise", "data + 0.05 * noise"),
        ),
    }


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with one addition of each kind."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, copy / name, ignore=LEFT_OUT)
        else:
            shutil.copy(path, copy / name)
    template = ROOT / "dpaudit" / "algorithms" / "_template"
    new = "additions.noisy_mean"
    algorithm = {
        path.name: path.read_text(encoding="utf-8").replace("_template", new).replace("template/", "additions/")
        for path in template.glob("*.py")
    }
    write(algorithm, copy / "dpaudit" / "algorithms" / "additions" / "noisy_mean")
    write({"__init__.py": '"""A paper that was added."""\n'}, copy / "dpaudit" / "algorithms" / "additions")
    write(CODE, copy / "dpaudit")
    write({name: f"{line}\n\n\ndef test_it_is_there() -> None:\n    assert {line.rpartition(' ')[2]}\n"
           for name, line in TESTS.items()}, copy / "tests")  # fmt: skip
    write(content(), copy)
    return copy


def called(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python in the copy, which comes before any installed dpaudit."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    return subprocess.run(
        [sys.executable, *words], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )


def tried(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Tests of the copy."""
    return called(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=line", *words)


def test_the_copy_is_what_is_tried(checkout: Path) -> None:
    done = called(checkout, "-c", "import dpaudit; print(dpaudit.__file__)")
    assert done.stdout.strip() == str(checkout / "dpaudit" / "__init__.py")


def test_content_is_listed(checkout: Path) -> None:
    done = called(checkout, "-m", "dpaudit", "list", "--format", "json")
    names = {(row["kind"], row["name"]) for row in json.loads(done.stdout) if "additions" in row["name"]}
    assert names == {
        ("claim", "additions/LEM-1"),
        ("algorithm", "additions/ALG-1"),
        ("target", "additions/release"),
        ("target", "additions/bug"),
    }


@pytest.mark.deep
def test_the_claim_is_proved_and_shown_in_the_new_format(checkout: Path, tmp_path: Path) -> None:
    words = ("verify", "additions/LEM-1", "--jobs", "1", "--no-report", "--run-dir", str(tmp_path / "out"))
    done = called(checkout, "-m", "dpaudit", *words, "--format", "tally")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\d+ verdicts$", done.stdout, re.MULTILINE)


@pytest.mark.deep
def test_the_commands_and_the_checks_are_found(checkout: Path) -> None:
    assert re.search(r"^ +greet +Say hello", called(checkout, "-m", "dpaudit", "--help").stdout, re.MULTILINE)
    assert called(checkout, "-m", "dpaudit", "greet").stdout == "hello\n"
    assert "tally" in called(checkout, "-m", "dpaudit", "report", "--help").stdout
    code = "from dpaudit.audit.structural.examine import every_check; print([c.NAME for c in every_check()])"
    assert "finite releases" in called(checkout, "-c", code).stdout


@pytest.mark.deep
def test_the_contract_tests_find_the_additions_and_they_pass(checkout: Path) -> None:
    contracts = (
        "tests/algorithms/test_contract.py",
        "tests/estimators/test_every_estimator.py",
        "tests/content/audits/test_known_bad.py",
    )
    done = tried(checkout, *contracts, *(f"tests/{name}" for name in TESTS), "-rp",
                 "-k", "noisy_mean or fixed_threshold or it_is_there or additions/bug")  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    passed = re.findall(r"^PASSED (\S+?)::", done.stdout, re.MULTILINE)
    assert {*contracts, *(f"tests/{name}" for name in TESTS)} == set(passed)


@pytest.mark.deep
def test_the_layout_holds_with_the_additions_and_sees_planted_faults(checkout: Path) -> None:
    layout = ("tests/repository/test_layout.py", "-k", "not light")
    done = tried(checkout, *layout)
    assert done.returncode == 0, done.stdout[-3000:]
    write(FAULTS, checkout)
    found = tried(checkout, *layout, "-rf").stdout
    for name in FAULTS:
        (checkout / name).unlink()
    assert set(re.findall(r"^FAILED .*::(\w+)", found, re.MULTILINE)) == SEEN
