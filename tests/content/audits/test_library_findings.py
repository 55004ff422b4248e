"""The findings on released libraries: every refuted target has one, complete; scripts for maintainers still show it."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from dpaudit.content import loading
from dpaudit.content.items import Loaded
from dpaudit.records.verdict import Outcome

ROOT = Path(__file__).parents[3]
REPORTS = ROOT / "reports" / "third-party"
UPSTREAM = REPORTS / "upstream"
SCRIPTS = sorted(path.stem for path in UPSTREAM.glob("*.py"))
NEEDS = {"opendp": ("opendp", "randomgen")}
"""What a script imports, where it is not what its name starts with."""
OWN_PYTHON = {
    "diffprivlib": "DPAUDIT_DIFFPRIVLIB_PYTHON",
    "dpmm": "DPAUDIT_DPMM_PYTHON",
    "opake": "DPAUDIT_OPAKE_PYTHON",
}
"""Libraries that need a Python of their own, and the variable that names it."""
ROUNDS_OTHERWISE = ("dp_accounting-small-delta", "opake-small-delta")
"""Scripts whose defect is an error of rounding, which another processor may not make."""
NUMBER = re.compile(r"-?\d[\d.,]*(?:e[+-]?\d+)?")


def extension() -> ModuleType:
    """The reader of the findings, which also shows them in the documentation."""
    path = ROOT / "docs" / "extensions" / "library_findings.py"
    spec = importlib.util.spec_from_file_location("library_findings", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["library_findings"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


MODULE = extension()
FINDINGS = MODULE.findings()
ITEMS = loading.load_targets(sorted((ROOT / "audits" / "third_party").glob("*/[!_]*.py")))


def test_every_refuted_target_of_a_library_has_one_finding() -> None:
    refuted = [item.name for item in ITEMS if isinstance(item, Loaded) and item.record.expects is Outcome.REFUTED]
    assert len(refuted) > 40
    assert sorted(name for finding in FINDINGS for name in finding.targets) == sorted(refuted)


def test_a_finding_names_its_number_where_it_is_known_upstream() -> None:
    for finding in FINDINGS:
        if finding.status is MODULE.Status.KNOWN:
            assert re.search(r"(issues?|pull request) \d+", finding.upstream), finding.title


def test_a_hazard_is_called_one_by_its_target() -> None:
    effects = {item.name: item.record.effect for item in ITEMS if isinstance(item, Loaded)}
    for finding in FINDINGS:
        for name in finding.targets:
            assert ("hazard" in effects[name]) is (finding.status is MODULE.Status.HAZARD), name
            assert ("against documented advice" in effects[name]) is (finding.status is MODULE.Status.ADVICE), name


def test_what_is_missing_is_said() -> None:
    given = {field: getattr(FINDINGS[0], field) for field in FINDINGS[0].__dataclass_fields__}
    with pytest.raises(ValueError, match="lacks first; fill them in"):
        MODULE.Finding(**{**given, "first": " "})


def test_a_finding_has_an_id_of_its_own_that_can_stand_in_an_address() -> None:
    given = {field: getattr(FINDINGS[0], field) for field in FINDINGS[0].__dataclass_fields__}
    with pytest.raises(ValueError, match="small letters, digits and dashes, got 'A finding'"):
        MODULE.Finding(**{**given, "id": "A finding"})
    with pytest.raises(ValueError, match=f"two findings have the id '{FINDINGS[0].id}'"):
        MODULE.Finding.unlike([*FINDINGS, MODULE.Finding(**given)])


def test_the_reports_name_what_is_known_upstream() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in REPORTS.glob("*.md")}
    for finding in FINDINGS:
        report = texts.get(finding.library, "") + texts["accountants"]
        for number in re.findall(r"\b(?:issues?|requests?|and|,) (\d{2,4})\b", finding.upstream):
            assert re.search(rf"\b{number}\b", report), (finding.title, number)


def test_the_page_shows_every_finding_of_every_library() -> None:
    page = (ROOT / "docs" / "library_findings.md").read_text(encoding="utf-8")
    assert set(re.findall(r"{library-findings} (\S+)", page)) == {finding.library for finding in FINDINGS}
    shown = "\n".join(line for name in {finding.library for finding in FINDINGS} for line in MODULE.lines(name))
    assert [finding.title for finding in FINDINGS if f"**{finding.title}**" not in shown] == []


def test_the_page_of_all_findings_calls_known_what_is_known() -> None:
    page = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    rows = {finding.library: "" for finding in FINDINGS}
    for line in page.splitlines():
        for name in rows:
            if line.lower().startswith(f"| {name} "):
                rows[name] = line
    for name, row in rows.items():
        known = " ".join(
            finding.upstream
            for finding in FINDINGS
            if finding.library == name and finding.status is MODULE.Status.KNOWN
        )
        known_as = re.findall(r"\(known[^)]*?(?:issues?|requests?) (\d+(?:, \d+)*)", row)
        named = [number for numbers in known_as for number in numbers.split(", ")]
        assert [number for number in named if not re.search(rf"\b{number}\b", known)] == [], name
        assert bool(named) is (name not in ("dp-accounting", "opake")), name


@pytest.mark.parametrize("report", sorted(REPORTS.glob("*.md")), ids=lambda path: path.stem)
def test_the_tables_of_the_reports_are_those_of_the_findings(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    assert text.count("<!-- findings ") == 1
    assert MODULE.renewed(text) == text, "run python docs/extensions/library_findings.py"


# For maintainers. ---------------------------------------------------------------------------------


def test_every_script_has_its_text_and_every_finding_its_script() -> None:
    assert sorted(path.stem for path in UPSTREAM.glob("*.md")) == SCRIPTS
    assert {finding.script for finding in FINDINGS} - {""} == set(SCRIPTS)


def python(name: str) -> str:
    """The Python that has what a script imports; skips where there is none."""
    library = name.partition("-")[0]
    variable = OWN_PYTHON.get(library, "")
    if named := os.environ.get(variable, ""):
        return named
    for module in NEEDS.get(library, (library,)):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed{variable and f', and {variable} names no Python that has it'}")
    return sys.executable


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize("name", SCRIPTS)
def test_the_script_still_shows_the_defect_as_its_text_says(name: str) -> None:
    script = UPSTREAM / f"{name}.py"
    # Some scripts draw from the operating system; each of their limits is missed with probability below 1e-6.
    done = subprocess.run([python(name), "-W", "ignore", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    if done.returncode == 0 and name in ROUNDS_OTHERWISE:
        pytest.skip("this processor rounds otherwise")
    assert done.returncode == 1, f"{name}: the defect is gone from the installed version; say so in findings.toml"
    text = script.with_suffix(".md").read_text(encoding="utf-8")
    [printed] = re.findall(r"```text\n(.*?)\n```", text, re.DOTALL)
    assert NUMBER.sub("N", done.stdout.strip()) == NUMBER.sub("N", printed)
    assert script.read_text(encoding="utf-8").startswith('"""')
    assert text.startswith("# ")
