"""The boundaries of dpaudit fuzzed with coverage: does anything that others wrote end in what its reader does not say?

    python benchmarks/boundaries.py --seconds 600            each boundary for ten minutes, into the record
    python benchmarks/boundaries.py --seconds 600 --keep wire   new inputs that reach more are kept in tests/fuzz_corpus
    python benchmarks/boundaries.py --runs 2000 wire         so many inputs, the same ones each time; no record
    python benchmarks/boundaries.py --seeds                  makes the first inputs again, from files of a small run

It needs Atheris (the extra `fuzz`), which mutates inputs and counts the branches that they reach; JSON is changed as
JSON too, with the digests put right. An input begins as one of tests/fuzz_corpus/NAME. What ends in an exception that
the reader does not promise is written to runs/boundaries/NAME, once for each place in the code that raises it, and
fuzzing goes on; a hang, or more than 2 GiB of memory, ends it. `reports/benchmarks/boundaries.json` has the figures.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from fuzzed_modules import MODULES  # noqa: E402  it lies with the tests

FILE = ROOT / "reports" / "benchmarks" / "boundaries.json"
CORPUS = ROOT / "tests" / "fuzz_corpus"
FOUND = ROOT / "runs" / "boundaries"
NAMES = tuple(MODULES)
SEED, MEMORY = 20_280_000, 2048
MOST_KEPT, MOST_OF_INPUT = 36, 8192
"""Inputs of one boundary that are kept, and bytes of each."""


def fuzz(name: str, seconds: float, runs: int, found: Path, corpus: Path, seed: int) -> dict[str, Any]:
    """What a process of its own, which fuzzes one boundary, says at its end; corpus: a folder that it adds to."""
    found.mkdir(parents=True, exist_ok=True)
    # A machine that is busy with other tests stands still at times; so many inputs are tried at most once a change.
    limits = [f"-max_total_time={seconds:g}"] if seconds else [f"-runs={runs}", "-timeout=200"]
    words = [sys.executable, __file__, "--inside", name, "--", f"-seed={seed}", f"-artifact_prefix={found}/",
             f"-rss_limit_mb={MEMORY}", "-reload=0", *limits, str(corpus),
             str(CORPUS / name)]  # fmt: skip
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        ended = subprocess.run(words, stdout=said, stderr=said, check=False, env=os.environ | {"PYTHONHASHSEED": "0"})
        said.seek(0)
        text = said.read()
    if ended.returncode and not list(found.iterdir()):
        raise SystemExit(f"{name} could not be fuzzed:\n{text[-3000:]}")
    counted = re.findall(r"#(\d+)\s+\w+\s+cov: (\d+) ft: (\d+)", text) or [("0", "0", "0")]
    done = re.findall(r"Done (\d+) runs in (\d+) second", text) or [(counted[-1][0], "0")]  # none where it has hung
    return {
        "seconds": int(done[-1][1]),
        "executions": int(done[-1][0]),
        "branches": int(counted[-1][1]),
        "features": int(counted[-1][2]),
        "defects": len(list(found.iterdir())),
    }


def inside(name: str, words: list[str]) -> None:
    """Fuzz one boundary in this process, with the words of libFuzzer; never returns."""
    import atheris

    with _counted(MODULES[name]):
        from fuzz_boundaries import BOUNDARIES, outcome

    import tree_mutations

    boundary = BOUNDARIES[name]
    known, seen = vocabulary(name), set()
    kept = [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]

    def one(data: bytes) -> None:
        try:
            outcome(boundary, data)
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{type(error).__name__}-{Path(frame.filename).stem}-{frame.lineno}"
            if place not in seen:
                seen.add(place)
                folder = Path(next(w for w in words if w.startswith("-artifact_prefix=")).partition("=")[2])
                (folder / place).write_bytes(data)
                print(f"defect {place}: {error}", file=sys.stderr)

    def mutated(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        at = boundary.json_from
        if at is not None and rng.random() < 0.75:
            base = rng.choice(kept) if rng.random() < 0.5 else data  # else changes of changes are all that is tried
            made = tree_mutations.changed(base[at:], rng, known)
            if made is not None and at + len(made) <= most:
                return base[:at] + made
        return atheris.Mutate(data, most)

    with tempfile.NamedTemporaryFile("w", suffix=".dict", delete=False) as words_file:
        words_file.writelines(f'"{word}"\n' for word in known if re.fullmatch(r"[\w \[\](),.<=>*/+-]{2,40}", word))
    own = [
        f"-max_len={boundary.longest}",
        f"-timeout={boundary.seconds}",
        "-report_slow_units=1000",
        f"-dict={words_file.name}",
    ]
    atheris.Setup([sys.argv[0], *own, *words], one, custom_mutator=mutated)
    atheris.Fuzz()


@contextlib.contextmanager
def _counted(modules: tuple[str, ...]) -> Iterator[None]:
    """Within, these modules are loaded with counters at their branches; Atheris' own way takes whole packages, and half
    a minute for all of dpaudit."""
    from atheris.import_hook import AtherisMetaPathFinder

    class Finder(AtherisMetaPathFinder):
        def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
            wanted = any(fullname == one or fullname.startswith(f"{one}.") for one in modules)
            return super().find_spec(fullname, path, target) if wanted else None

    finder = Finder({"dpaudit"}, set(), False, True)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def vocabulary(name: str) -> tuple[str, ...]:
    """Keys and short texts of the first inputs, in order."""
    words: dict[str, None] = {}
    for path in sorted((CORPUS / name).iterdir()):
        text = path.read_bytes().decode("utf-8", errors="replace")
        words |= dict.fromkeys(re.findall(r"[A-Za-z_][\w.]{1,30}|[<>=]=?|\*\*", text))
    return tuple(words)[:400]


def keep(name: str, corpus: Path) -> int:
    """Add the inputs of `corpus` that reach what the kept ones do not, those first that reach most; how many there are
    then."""
    from fuzz_boundaries import BOUNDARIES

    kept = {path.read_bytes() for path in (CORPUS / name).iterdir()}
    reached: set[Any] = set().union(*(steps(BOUNDARIES[name], data) for data in kept))
    new = {path.read_bytes() for path in corpus.iterdir()} - kept
    found = {data: steps(BOUNDARIES[name], data) for data in new if len(data) <= MOST_OF_INPUT}
    while found and len(kept) < MOST_KEPT:
        best = max(found, key=lambda data: (len(found[data] - reached), -len(data), data))
        if not found[best] - reached:
            break
        reached |= found.pop(best)
        kept.add(best)
        put(name, best)
    return len(kept)


def steps(boundary: Any, data: bytes) -> set[Any]:
    """The steps from line to line that an input takes in the code that is counted; Atheris is not needed for it."""
    from fuzz_boundaries import outcome

    wanted = tuple(str(ROOT / module.replace(".", "/")) for module in MODULES[boundary.name])
    found: set[Any] = set()

    def enter(frame: Any, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(wanted):
            return None
        before = 0

        def step(frame: Any, event: str, argument: Any) -> Any:
            nonlocal before
            if event == "line":
                found.add((frame.f_code.co_filename, before, frame.f_lineno))
                before = frame.f_lineno
            return step

        return step

    sys.settrace(enter)
    try:
        with contextlib.suppress(Exception):  # a defect is kept too
            outcome(boundary, data)
    finally:
        sys.settrace(None)
    return found


def put(name: str, data: bytes) -> Path:
    """Keep an input under its digest."""
    path = CORPUS / name / hashlib.sha256(data).hexdigest()[:16]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def main() -> int:
    """Fuzz, and write the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *NAMES], help="default: all")
    parser.add_argument("--seconds", type=float, default=600, help="of each boundary")
    parser.add_argument("--runs", type=int, help="so many inputs of each, the same ones each time; no record")
    parser.add_argument("--seed", type=int, default=SEED, help="of the mutations")
    parser.add_argument("--keep", action="store_true", help="keep new inputs that reach more")
    parser.add_argument("--seeds", action="store_true", help="make the first inputs, and nothing else")
    asked = parser.parse_args()
    if asked.seeds:
        import boundary_seeds

        boundary_seeds.write(put)
        return 0
    defects = 0
    for name in asked.names or NAMES:
        with tempfile.TemporaryDirectory() as corpus:
            shutil.rmtree(FOUND / name, ignore_errors=True)
            seconds = 0 if asked.runs else asked.seconds
            row = fuzz(name, seconds, asked.runs or 0, FOUND / name, Path(corpus), asked.seed)
            print(f"{name}: {json.dumps(row)}", flush=True)
            defects += row["defects"]
            if asked.keep:
                print(f"{name}: {keep(name, Path(corpus))} inputs are kept", flush=True)
        if not asked.runs:
            _write(name, row)
    return 1 if defects else 0


def _write(name: str, row: dict[str, Any]) -> None:
    """Add the row to the record: seconds and inputs of all calls, the most branches, the defects of the last call."""
    record = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"rows": {}}
    before = record["rows"].get(name, row | {"seconds": 0, "executions": 0})
    added = {key: before[key] + row[key] for key in ("seconds", "executions")}
    most = {key: max(before[key], row[key]) for key in ("branches", "features")}
    rows = record["rows"] | {name: added | most | {"defects": row["defects"]}}
    made = {"how": "python benchmarks/boundaries.py --seconds 600", "seed": SEED,
            "rows": {one: rows[one] for one in NAMES if one in rows}}  # fmt: skip
    FILE.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2], sys.argv[4:])
    sys.exit(main())
