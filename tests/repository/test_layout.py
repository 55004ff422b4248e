"""The shape of the code base: import order, light imports, sizes, mirrored tests, documented tables."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

import dpaudit
from dpaudit.records.verdict import Basis, ExitCode, Outcome
from dpaudit.report.formats.text import MEANINGS

PACKAGE = Path(dpaudit.__file__).parent
ROOT = Path(__file__).parents[2]
LAYER_NAMES = ("records", "mathematics", "engines", "running", "outputs")
MOST_LINES = 400
HEAVY = ("torch", "numba", "sympy", "flint", "scipy.stats", "matplotlib", "sklearn", "opacus")
BESIDE = {"test_layout", "test_breaks", "test_docs", "test_laws", "test_sample", "test_tutorial", "test_vectors"}
"""Test files that belong to no single module."""


def layers() -> dict[str, list[str]]:
    """The table of layers in ARCHITECTURE.md: patterns of module names by layer."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = {name: re.search(rf"^\| {name} \|([^|]*)\|", text, flags=re.MULTILINE) for name in LAYER_NAMES}
    quoted = {name: " ".join(re.findall(r"`([^`]*)`", row[1])) for name, row in rows.items() if row}
    return {name: patterns.replace("/", "").split() for name, patterns in quoted.items()}


def layer(name: str) -> str:
    """The layer of a module or subpackage."""
    found = [key for key, patterns in LAYERS.items() if any(fnmatch(name, pattern) for pattern in patterns)]
    assert len(found) == 1 or name == "__main__", f"{name} must be in one row of the table of layers, not in {found}"
    return "outputs" if name == "__main__" else found[0]


LAYERS = layers()


def modules() -> list[Path]:
    """Every Python file of the package, without shipped content."""
    return sorted(p for p in PACKAGE.rglob("*.py") if "_content" not in p.parts)


def part(path: Path) -> str:
    """The module or subpackage of `dpaudit` that a file belongs to; empty for the package itself."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0].replace("__init__", "")


def imported(path: Path) -> set[str]:
    """The parts of dpaudit that a file imports, at the top or inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("dpaudit.")}
        elif isinstance(node, ast.ImportFrom) and node.module == "dpaudit":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dpaudit."):
            found.add(str(node.module).split(".")[1])
    return found - {"__version__"}


@pytest.mark.parametrize("path", modules(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_imports_go_downwards_only(path: Path) -> None:
    own = part(path)
    if not own:
        assert imported(path) == set(), "the package itself imports none of its modules"
        return
    rank = LAYER_NAMES.index(layer(own))
    assert {name for name in imported(path) if LAYER_NAMES.index(layer(name)) > rank} == set()
    if layer(own) == "engines":
        assert {name for name in imported(path) if layer(name) == "engines"} <= {own}, "no engine imports another"


def test_every_layer_is_documented() -> None:
    assert tuple(LAYERS) == LAYER_NAMES


@pytest.mark.parametrize(
    "statement",
    [
        "import dpaudit",
        *(f"import dpaudit.{name}" for name in LAYERS["records"]),
        "import dpaudit.content.loading",
        "import dpaudit.cli.main",
    ],
)
def test_imports_are_light(statement: str) -> None:
    code = f"{statement}\nimport sys\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_records_need_the_standard_library_only() -> None:
    for name in LAYERS["records"]:
        tree = ast.parse((PACKAGE / f"{name}.py").read_text(encoding="utf-8"))
        used = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        used |= {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert {u.split(".")[0] for u in used} <= {*sys.stdlib_module_names, "dpaudit"}, name


@pytest.mark.parametrize("path", modules(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def expected_tests(path: Path) -> list[Path]:
    """Where the tests of a module may lie: under its name, or for `noise_torch` with those of `noise`."""
    relative = path.relative_to(PACKAGE).with_suffix("")
    first = relative.name.split("_")[0]
    folder = ROOT / "tests" / relative.parent
    return [*folder.glob(f"test_{first}*.py"), *(ROOT / "tests").glob(f"test_{relative.parts[0]}.py")]


def test_every_module_has_its_tests() -> None:
    own = [p for p in modules() if not p.stem.startswith("_")]
    assert [p.relative_to(PACKAGE).as_posix() for p in own if not expected_tests(p)] == []


def test_every_test_file_has_its_module() -> None:
    known = {place for path in modules() for place in expected_tests(path)}
    found = [*(ROOT / "tests").glob("test_*.py"), *(ROOT / "tests" / "estimators").glob("test_*.py")]
    assert [p.name for p in found if p not in known and p.stem not in BESIDE] == []


def table(pattern: str) -> list[str]:
    """First cells of the rows of ARCHITECTURE.md whose first cell matches."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return re.findall(rf"^\| *`?({pattern})`? *\|", text, flags=re.MULTILINE)


def test_the_documented_outcomes_are_those_of_the_code() -> None:
    assert table("[A-Z_]{5,}") == [outcome.value for outcome in Outcome]


def test_the_documented_exit_codes_are_those_of_the_code() -> None:
    assert table(r"\d+") == [str(int(code)) for code in ExitCode]
    assert list(MEANINGS) == list(ExitCode)


def test_every_basis_is_documented() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert all(basis.value in text for basis in Basis)


def test_constraints_are_exact_and_name_no_place() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][0-9a-z.]*", pin) for pin in pins)
    assert "torch==2.13.0" in pins
