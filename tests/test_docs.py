"""The documentation builds without a warning, and the code in it does what the text says."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from dpaudit import auditing, verify
from dpaudit.context import Context, Level
from dpaudit.verdict import Kind, Outcome

DOCS = Path(__file__).parents[1] / "docs"


def example(page: str, folder: Path, holding: str = "") -> ModuleType:
    """The first Python block of `page` that holds this text, saved and imported as a user would save it."""
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    file = folder / "example.py"
    file.write_text(next(block for block in blocks if holding in block), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("example", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_documentation_builds_without_a_warning(tmp_path: Path) -> None:
    assert importlib.util.find_spec("myst_parser"), "install the documentation tools: pip install 'dpaudit[docs]'"
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", str(DOCS), str(tmp_path / "html")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "html" / "statistics.html").is_file()


def test_the_target_of_the_tutorial_is_refuted_with_the_planted_factor_of_two(tmp_path: Path) -> None:
    module = example("audit_your_own.md", tmp_path, "TARGET = Target(")
    # Chance that a true claim would be refuted here: at most 1e-6 (alpha); the seed is fixed.
    verdict = auditing.audit(module.TARGET, module, Context(1, Level.SMOKE, 1e-6))
    assert verdict.outcome is Outcome.REFUTED
    assert 1.0 < dict(verdict.numbers)["mu_lower_95"] <= 2.0


def test_the_ten_lines_of_the_readme_are_refuted_as_it_says(tmp_path: Path) -> None:
    module = example("../README.md", tmp_path)
    # Chance that a true claim would be refuted here: at most 1e-6 (alpha); the seed is fixed.
    verdict = auditing.audit(module.TARGET, module, Context(20261121, Level.SMOKE, 1e-6))
    assert verdict.outcome is Outcome.REFUTED
    said = re.search(r"epsilon at least ([\d.]+), claimed 4.38: one step", (DOCS / "../README.md").read_text("utf-8"))
    assert said is not None
    assert abs(float(said[1]) - dict(verdict.numbers)["epsilon_lower_95"]) < 0.01


def test_the_example_of_the_algorithms_runs_on_both_backends(tmp_path: Path) -> None:
    module = example("algorithms.md", tmp_path)
    assert module.models.shape == (1_000, 4)
    assert abs(module.same.numpy() - module.models).max() < 1e-12
    assert 0 < module.epsilon.lower <= module.epsilon.upper < 20


def test_the_claim_of_the_page_is_proved_and_its_mutants_are_caught(tmp_path: Path) -> None:
    module = example("claims.md", tmp_path)
    verdicts = verify.verify_claim(module.CLAIM, module, Context(1, Level.SMOKE, 1e-6))
    assert {v.outcome for v in verdicts if v.kind is Kind.MUTANT} == {Outcome.REFUTED}
    assert [v.outcome for v in verdicts if v.kind is not Kind.MUTANT] == [Outcome.PROVED, Outcome.PROVED]


def test_every_table_of_numbers_names_numbers_that_an_audit_reports(tmp_path: Path) -> None:
    text = (DOCS / "audit_your_own.md").read_text(encoding="utf-8")
    named = {name for line in re.findall(r"(?m)^\| (`.+?`) \|", text) for name in re.findall(r"`(\w+)`", line)}
    module = example("audit_your_own.md", tmp_path, "TARGET = Target(")
    verdict = auditing.audit(module.TARGET, module, Context(1, Level.SMOKE, 1e-6))
    assert named
    assert named <= {name for name, _ in verdict.numbers}


def test_the_lemma_of_the_page_is_proved_with_its_constant_and_its_mutants_are_caught(tmp_path: Path) -> None:
    module = example("your_lemma.md", tmp_path)
    verdicts = verify.verify_claim(module.CLAIM, module, Context(20261121, Level.SMOKE, 1e-6))
    assert all(v.as_expected for v in verdicts)
    assert [v.id for v in verdicts if v.kind is not Kind.MUTANT] == [
        "mine/LEM-7", "mine/LEM-7/s1", "mine/LEM-7/s2", "mine/LEM-7/s2~best-constant",
    ]  # fmt: skip
    assert sum(v.kind is Kind.MUTANT for v in verdicts) == 3
