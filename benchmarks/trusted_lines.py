"""How much of the checker each shipped certificate rests on: the lines that a person has to read to believe it.

`python benchmarks/trusted_lines.py` checks every certificate in a process of its own, notes which functions of
`dpaudit.recheck` were entered, and counts their lines that are not blank. Of the modules that they stand in it counts
what stands outside of functions too, and the functions that are called when the module is loaded. It writes
reports/benchmarks/trusted_lines.json.
"""

from __future__ import annotations

import ast
import json
import multiprocessing
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
FILE = ROOT / "reports" / "benchmarks" / "trusted_lines.json"
GOAL = 1500
Functions = set[tuple[str, int]]
"""Module and first line of each."""
CHECKER = Path(import_module("dpaudit.recheck").__path__[0])
"""The checker that is imported: in an environment with an installed wheel it is not the one of this checkout."""


@contextmanager
def noted(found: Functions) -> Iterator[None]:
    """Within, the functions of the checker that are entered are added to `found`."""
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
    inside = (code for code in codes if Path(code.co_filename).is_relative_to(CHECKER))
    found |= {(Path(code.co_filename).relative_to(CHECKER).as_posix(), code.co_firstlineno) for code in inside}


AT_LOADING: Functions = set()
with noted(AT_LOADING):
    examine = import_module("dpaudit.recheck.__main__").examine


def entered(path: Path) -> Functions:
    """The functions of the checker that this certificate enters."""
    found: Functions = set()
    with noted(found):
        accepted = examine(str(path))["accepted"]
    if not accepted:
        raise SystemExit(f"{path} is not accepted by the checker in {CHECKER}")
    return found


@cache
def sizes(module: str) -> tuple[int, dict[int, tuple[int, int]]]:
    """Of a module: its lines outside of functions, and by the first line of a function its first and last line."""
    text = (CHECKER / module).read_text(encoding="utf-8")
    outermost: dict[int, tuple[int, int]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            outermost[first] = (first, node.end_lineno or first)
    full = {number for number, line in enumerate(text.splitlines(), 1) if line.strip()}
    covered = {line for first, last in outermost.values() for line in range(first, last + 1)}
    return len(full - covered), outermost


def lines(functions: Functions) -> int:
    """The lines that these functions have, and those that their modules need when they are loaded."""
    counted: dict[str, set[int]] = {}
    modules = {module for module, _ in functions}
    for module, line in functions | {one for one in AT_LOADING if one[0] in modules}:
        around = [span for span in sizes(module)[1].values() if span[0] <= line <= span[1]]
        full = counted.setdefault(module, set())
        for first, last in around:  # a function within a function counts as part of it
            full.update(range(first, last + 1))
    total = 0
    for module, numbers in counted.items():
        text = (CHECKER / module).read_text(encoding="utf-8").splitlines()
        total += sizes(module)[0] + sum(1 for number in numbers if text[number - 1].strip())
    return total


def grown(found: dict[Path, Functions], order: list[str]) -> list[dict[str, Any]]:
    """Module by module, the most used first: how many certificates enter it, and how many enter none but those so far,
    with the lines of these."""
    used = [{module for module, _ in functions} for functions in found.values()]
    rows, size = [], 0
    for number, module in enumerate(order, 1):
        size += len(_full(module))
        rows.append(
            {
                "module": module,
                "certificates": sum(module in one for one in used),
                "lines_so_far": size,
                "within_so_far": sum(one <= set(order[:number]) for one in used),
            }
        )
    return rows


def measured(paths: list[Path]) -> dict[str, Any]:
    """The record: lines a certificate, and for each module how many certificates enter it."""
    with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=1) as pool:
        found = dict(zip(paths, pool.imap(entered, paths, chunksize=1), strict=True))
    needed = {path: lines(functions) for path, functions in found.items()}
    ordered = sorted(needed.values())
    modules = Counter(module for functions in found.values() for module in {module for module, _ in functions})
    rows = grown(found, [module for module, _ in modules.most_common()])
    everywhere = sum(row["certificates"] == len(ordered) for row in rows)
    everything = sum(
        1 for path in CHECKER.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    )
    return {
        "how": "python benchmarks/trusted_lines.py",
        "certificates": len(ordered),
        "checker": everything,
        "median": round(statistics.median(ordered)),
        "least": ordered[0],
        "most": ordered[-1],
        "within_goal": sum(1 for count in ordered if count <= GOAL),
        "entered_by_any": lines(set().union(*found.values())),
        "everywhere": rows[everywhere - 1]["lines_so_far"],
        "with_seven_more": rows[everywhere + 6]["lines_so_far"],
        "within_those": rows[everywhere + 6]["within_so_far"],
        "modules": rows,
        "largest": {
            path.relative_to(ROOT).as_posix(): count
            for path, count in sorted(needed.items(), key=lambda row: -row[1])[:10]
        },
    }


def _full(module: str) -> list[str]:
    return [line for line in (CHECKER / module).read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    record = measured(sorted((ROOT / "proofs").glob("*/certificates/*.json")))
    FILE.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({name: value for name, value in record.items() if name not in ("modules", "largest")}, indent=1))
