"""The shape of the code base: order of packages, no circles, light imports, sizes, docstrings, mirrored tests."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import dpaudit
from dpaudit import PACKAGES
from dpaudit.records.verdict import Basis, ExitCode, Outcome
from dpaudit.report.formats.text import MEANINGS

PACKAGE = Path(dpaudit.__file__).parent
ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
FLOWS = ("claims", "agreement", "audit")
SIBLINGS = ("claims/engines", "audit/structural/checks")
"""Folders whose modules do not import each other; a folder in them counts as one module."""
HEAVY = ("torch", "numba", "sympy", "flint", "scipy.stats", "matplotlib", "sklearn", "opacus")
MOST_LINES = 400
SHARED = ("cases", "form", "kernels", "reductions", "tensors")
"""Parts of algorithms that the contract tests of all algorithms run."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name, without shipped content."""
    files = sorted(p for p in PACKAGE.rglob("*.py") if "_content" not in p.parts)
    return {
        ".".join(("dpaudit", *p.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): p for p in files
    }


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules of dpaudit that a file imports: at the top, inside functions, or for types alone."""
    found: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert not node.level, f"{path}: imports name their package in full"
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inside & set(modules())) | ({node.module} if inside - set(modules()) else set())
    return frozenset(found & set(modules()))


def package(module: str) -> str:
    """The package that a module lies in; empty for `dpaudit` itself and for `python -m dpaudit`."""
    name = (*module.split("."), "")[1]
    return "" if name == "__main__" else name


# Order. -------------------------------------------------------------------------------------------


def test_every_package_stands_in_the_order_and_nothing_lies_beside_them() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert set(PACKAGES) == folders
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}


def test_a_package_imports_only_those_before_it() -> None:
    place = {name: number for number, name in enumerate(PACKAGES)}
    upwards = [
        f"{module} imports {one}"
        for module, path in modules().items()
        for one in sorted(imported(path) - {"dpaudit"})
        if package(module) and place[package(one)] > place[package(module)]
    ]
    assert upwards == []


def test_the_graph_of_all_modules_has_no_circle() -> None:
    graph = {module: imported(path) - {module} for module, path in modules().items() if module != "dpaudit"}
    assert list(graphlib.TopologicalSorter(graph).static_order())


def test_the_three_flows_do_not_import_each_other() -> None:
    for flow in FLOWS:
        others = {f for f in FLOWS if f != flow}
        users = {m: imported(path) for m, path in modules().items() if package(m) == flow}
        assert {m: used for m, used in users.items() if others & {package(one) for one in used}} == {}


def test_siblings_do_not_import_each_other() -> None:
    for folder in SIBLINGS:
        base = f"dpaudit.{folder.replace('/', '.')}."
        inside = {module: module.removeprefix(base).split(".")[0] for module in modules() if module.startswith(base)}
        assert inside, folder
        wrong = [
            f"{module} imports {other}"
            for module, own in inside.items()
            for other in sorted(imported(modules()[module]) & set(inside))
            if inside[other] != own
        ]
        assert wrong == []


def test_records_need_the_standard_library_only() -> None:
    for path in (PACKAGE / "records").glob("*.py"):
        assert _top_level(path) <= {*sys.stdlib_module_names, "dpaudit"}, path.name


def test_the_checker_of_certificates_imports_nothing_but_itself() -> None:
    for path in (PACKAGE / "recheck").glob("*.py"):
        assert _top_level(path) <= {*sys.stdlib_module_names, "dpaudit"}, path.name
        assert {package(one) for one in imported(path)} <= {"recheck"}, path.name


def _top_level(path: Path) -> set[str]:
    tree = parsed(path)
    used = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    used |= {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    return {name.split(".")[0] for name in used}


# Imports and the public surface. --------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "import dpaudit",
        "from dpaudit import *",
        *(f"import dpaudit.{name}" for name in ("records", "content.loading", "cli.main", "pytest_plugin")),
        *(f"import dpaudit.records.{path.stem}" for path in sorted((PACKAGE / "records").glob("[a-z]*.py"))),
    ],
)
def test_imports_are_light(statement: str) -> None:
    heavy = tuple(name for name in HEAVY if statement != "from dpaudit import *" or name != "scipy.stats")
    code = f"{statement}\nimport sys\nprint([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_import_dpaudit_loads_no_module_of_its_own() -> None:
    code = "import dpaudit, sys\nprint([m for m in sys.modules if m.startswith('dpaudit.') or m == 'numpy'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_planning_loads_no_numpy() -> None:
    code = "import dpaudit.audit.planning, sys\nprint([m for m in ('numpy', 'scipy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there_once_and_documented() -> None:
    assert len(set(dpaudit.__all__)) == len(dpaudit.__all__)
    assert set(dpaudit.__all__) == set(dpaudit._HOME)
    for name in dpaudit.__all__:
        found = getattr(dpaudit, name)
        assert found.__doc__, name
        assert found.__module__ == dpaudit._HOME[name], name
    with pytest.raises(AttributeError, match="it has: ApproximateDP"):
        _ = dpaudit.Banana  # type: ignore[attr-defined]


def public() -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    """Every public class and function at the top of a module and, where a class has no base whose words its methods
    inherit, its public methods; with a name to show."""
    for module, path in modules().items():
        if any(part.startswith("_") and part != "__init__" for part in path.relative_to(PACKAGE).with_suffix("").parts):
            continue
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                yield f"{module}.{node.name}", node
                own = node.body if isinstance(node, ast.ClassDef) and not node.bases else ()
                for inner in own:
                    if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                        yield f"{module}.{node.name}.{inner.name}", inner


def test_every_module_and_every_public_name_has_a_docstring() -> None:
    silent = [m for m, path in modules().items() if not ast.get_docstring(parsed(path))]
    assert silent == []
    assert [name for name, node in public() if not ast.get_docstring(node)] == []


def test_every_package_says_its_job_in_one_sentence() -> None:
    for name in PACKAGES:
        first = (ast.get_docstring(parsed(PACKAGE / name / "__init__.py")) or "").split("\n\n")[0]
        assert first, name
        assert re.search(r"[.?:]$", first.strip()), name


def test_files_are_short() -> None:
    lines = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in modules().items()}
    assert {module: count for module, count in lines.items() if count > MOST_LINES} == {}


# Tests. ---------------------------------------------------------------------------------------------


@cache
def mirrored() -> dict[Path, frozenset[str]]:
    """The test files that mirror the package, relative to `tests/`, and the modules of dpaudit that each imports."""
    folders = (TESTS / name for name in PACKAGES)
    found = {p: imported(p) for folder in folders for p in sorted(folder.rglob("test_*.py"))}
    by_helper = {"dpaudit.cli.main"}  # what `command_line` of tests/support runs
    return {
        p.relative_to(TESTS): used | by_helper if "from command_line import" in p.read_text(encoding="utf-8") else used
        for p, used in found.items()
    }


@cache
def commands_tried() -> set[str]:
    """The first words that tests of the command line call functions with: `dpaudit("verify", ...)`."""
    trees = (parsed(path) for path in (TESTS / "cli").glob("test_*.py"))
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    return {str(node.args[0].value) for node in calls if isinstance(node.args[0], ast.Constant)}


def has_tests(module: str) -> bool:
    """Is there a test file for this module, for a folder that it lies in, or one of its package that imports it?

    The file of a command is tried by its name on a command line.
    """
    parts = module.split(".")[1:]
    if parts[0] == "cli" and parts[-1] in commands_tried():
        return True
    named = [Path(*parts[:k], f"test_{parts[k]}.py") for k in range(len(parts))]
    named += [Path(*parts[: k + 1], f"test_{parts[k]}.py") for k in range(len(parts) - 1)]
    if any(path in mirrored() for path in named):
        return True
    if parts[0] == "algorithms" and (parts[-1] in SHARED or "shared" in parts):
        return True
    return any(module in used for path, used in mirrored().items() if path.parts[0] == parts[0])


def test_every_module_has_its_tests() -> None:
    open_to_all = [
        module
        for module, path in modules().items()
        if package(module) and path.name != "__init__.py" and "._" not in module and _does_something(path)
    ]
    assert [module for module in open_to_all if not has_tests(module)] == []


def _does_something(path: Path) -> bool:
    """Names of types and protocols alone need no test."""
    made = (node for node in parsed(path).body if isinstance(node, ast.ClassDef | ast.FunctionDef))
    return any(isinstance(node, ast.FunctionDef) or "Protocol" not in map(ast.unparse, node.bases) for node in made)


def test_every_test_lies_where_its_module_lies() -> None:
    """Named after a module or the folder that it lies in, or importing something of that folder."""
    lost = []
    for path, used in mirrored().items():
        folder, name = "dpaudit." + ".".join(path.parent.parts), path.stem.removeprefix("test_")
        inside = any(one == folder or one.startswith(f"{folder}.") for one in used)
        named = f"{folder}.{name}" in modules() or f"{name}_".startswith(f"{path.parent.name}_")
        if not (named or inside or path.parts[0] == "content"):
            lost.append(path.as_posix())
    assert lost == []


def test_the_folders_of_tests_are_packages_or_known() -> None:
    folders = {path.name for path in TESTS.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders - set(PACKAGES) == {"benchmarks", "fuzz_corpus", "repository", "schemas", "support", "vectors"}


# Tables. --------------------------------------------------------------------------------------------


def table(pattern: str) -> list[str]:
    """First cells of the rows of ARCHITECTURE.md whose first cell matches."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return re.findall(rf"^\| *`?({pattern})`? *\|", text, flags=re.MULTILINE)


def test_the_documented_packages_are_those_of_the_code_in_their_order() -> None:
    assert table(r"[a-z_]+(?=`)")[: len(PACKAGES)] == list(PACKAGES)


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
