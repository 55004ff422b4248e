"""A kept verdict is used again only if nothing that decides it has changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from small_content import claim_text, write

from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Evidence, Kind, Outcome, Verdict
from dpaudit.runs import cache, provenance

CONTEXT = Context(7, Level.SMOKE, 1e-6)
SHOWN = (Evidence("exact", Outcome.PROVED, ""),)
VERDICT = Verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED, Outcome.PROVED, "t", SHOWN, "nowhere", 7)


@pytest.fixture
def claim(tmp_path: Path) -> Path:
    """A claim file of a paper, with one named theorem beside it."""
    write(tmp_path / "proofs" / "assumed" / "some.toml", '[theorem]\nstatement = "x"\nsource = "y"\n')
    write(tmp_path / "proofs" / "assumed" / "some.py", "def theorem():\n    return 1.0\n")
    write(tmp_path / "proofs" / "toy" / "paper.toml", 'title = "A"\n')
    write(tmp_path / "proofs" / "toy" / "certificates" / "toy_LEM-1_s1.json", "{}")
    write(tmp_path / "proofs" / "toy" / "certificates" / "toy_LEM-7.json", "{}")
    return write(tmp_path / "proofs" / "toy" / "lem_1.py", claim_text())


def key(claim: Path, context: Context = CONTEXT, name: str = "toy/LEM-1") -> str:
    return cache.key(claim, name, context)


def test_what_is_kept_is_found_again(claim: Path) -> None:
    cache.save(key(claim), [VERDICT], CONTEXT)
    (found,) = cache.load(key(claim), CONTEXT) or [None]
    assert found is not None
    assert (found["id"], found["outcome"]) == ("toy/LEM-1", "PROVED")
    assert cache.load("0" * 64, CONTEXT) is None


@pytest.mark.parametrize("place", ["lem_1.py", "paper.toml", "../assumed/some.toml", "../assumed/some.py",
                                   "certificates/toy_LEM-1_s1.json"])  # fmt: skip
def test_one_changed_byte_beside_the_claim_is_another_key(claim: Path, place: str) -> None:
    before = key(claim)
    with (claim.parent / place).open("a") as file:
        file.write("\n")
    assert key(claim) != before


def test_the_certificate_of_another_claim_is_no_part_of_the_key(claim: Path) -> None:
    before = key(claim)
    (claim.parent / "certificates" / "toy_LEM-7.json").write_text("[]")
    assert key(claim) == before


@pytest.mark.parametrize(
    "place",
    [
        "recheck/check.py",
        "claims/engines/rigorous/boxes.py",
        "claims/engines/linear.py",
        "algorithms/srgd/dp_sgd/__init__.py",
    ],
)
def test_one_changed_byte_in_the_checker_or_an_engine_is_another_key(
    claim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    copy = tmp_path / "dpaudit"
    shutil.copytree(
        Path(provenance.__file__).parents[1], copy, ignore=shutil.ignore_patterns("__pycache__", "_content")
    )
    monkeypatch.setattr(provenance, "__file__", str(copy / "runs" / "provenance.py"))
    cache._engine.cache_clear()
    before = key(claim)
    with (copy / place).open("a") as file:
        file.write("\n")
    cache._engine.cache_clear()
    assert key(claim) != before
    monkeypatch.undo()
    cache._engine.cache_clear()


def test_a_new_or_lost_file_beside_the_claim_is_another_key(claim: Path) -> None:
    keys = [key(claim)]
    write(claim.parent.parent / "assumed" / "more.toml", "")
    keys.append(key(claim))
    (claim.parent / "paper.toml").unlink()
    keys.append(key(claim))
    assert len(set(keys)) == 3


@pytest.mark.parametrize(
    "change",
    [{"seed": 8}, {"level": Level.DEEP}, {"alpha": 1e-7}, {"device": "cuda"}, {"mutants": True}, {"folder": "run"}],
    ids=str,
)
def test_every_setting_is_part_of_the_key(claim: Path, change: dict[str, object]) -> None:
    assert key(claim, replace(CONTEXT, **change)) != key(claim)  # type: ignore[arg-type]


def test_two_claims_of_one_file_have_two_keys(claim: Path) -> None:
    assert key(claim, name="toy/LEM-2") != key(claim)


@pytest.mark.parametrize("package", ["sympy", "python-flint", "numpy", "z3-solver", "cvc5"])
def test_another_version_of_a_package_is_another_key(
    claim: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    before, versions = key(claim), provenance.version
    monkeypatch.setattr(provenance, "version", lambda name: "0.0" if name == package else versions(name))
    cache._engine.cache_clear()
    assert key(claim) != before
    monkeypatch.undo()
    cache._engine.cache_clear()
    assert key(claim) == before


@pytest.mark.parametrize("name", ["OMP_NUM_THREADS", "ATEN_CPU_CAPABILITY", "OPENBLAS_CORETYPE"])
def test_other_threads_or_instructions_are_another_key(claim: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    before = key(claim)
    monkeypatch.setenv(name, "7")
    assert key(claim) != before


def test_what_a_flow_knows_beside_is_part_of_the_key(claim: Path) -> None:
    assert len({cache.key(claim, "toy/LEM-1", CONTEXT, *more) for more in ((), ("a",), ("b",))}) == 3


IMPORTS = {
    "import helper": False,
    "from helper import bound": False,
    "from . import helper": False,
    "from .helper import bound": False,
    "import importlib": False,
    "from pathlib import Path": False,
    "x = open('data.txt').read()": False,
    "exec('x = 1')": False,
    "def late():\n    import helper": False,
    "import math": True,
    "import numpy as np": True,
    "from scipy import special": True,
    "from dpaudit.algorithms.resque import sub_erm": True,
    "from dpaudit.adapters.command import Command": False,
    "from dpaudit.adapters import command": False,
    "import dpaudit.audit.timing": False,
    "from dpaudit.adapters import release": True,
}


@pytest.mark.parametrize("line", IMPORTS)
def test_a_claim_that_brings_in_more_is_not_kept(claim: Path, line: str) -> None:
    """The key knows nothing of what a helper file or data file holds."""
    claim.write_text(f"{line}\n{claim.read_text()}")
    assert cache.self_contained(claim) is IMPORTS[line]


@pytest.fixture
def folder(claim: Path) -> Path:
    """The file of a claim that has a part, in a folder of its own."""
    write(claim.parent / "lem_2" / "printed.py", "TEN = 10\n")
    return write(claim.parent / "lem_2" / "claim.py", f"from .printed import TEN\n{claim_text()}")


@pytest.mark.parametrize("place", ["claim.py", "printed.py", "../paper.toml", "../../assumed/some.toml",
                                   "../certificates/toy_LEM-1_s1.json"])  # fmt: skip
def test_one_changed_byte_of_a_part_is_another_key(folder: Path, place: str) -> None:
    before = key(folder)
    with (folder.parent / place).open("a") as file:
        file.write("\n")
    assert key(folder) != before


@pytest.mark.parametrize("line", [*IMPORTS, "from .printed import TEN"])
def test_a_part_that_brings_in_more_is_not_kept(folder: Path, line: str) -> None:
    folder.with_name("printed.py").write_text(f"{line}\n")
    assert cache.self_contained(folder) is IMPORTS.get(line, True)


def test_what_cannot_be_read_is_not_kept(claim: Path) -> None:
    claim.write_text("def")
    assert not cache.self_contained(claim)


@pytest.mark.parametrize(
    ("outcome", "expected", "kept"),
    [
        (Outcome.PROVED, Outcome.PROVED, True),
        (Outcome.REFUTED, Outcome.PROVED, True),
        (Outcome.INCONCLUSIVE, Outcome.INCONCLUSIVE, True),
        (Outcome.INCONCLUSIVE, Outcome.PROVED, False),
        (Outcome.NOT_RUN, Outcome.PROVED, False),
        (Outcome.ERROR, Outcome.PROVED, False),
    ],
)
def test_what_may_come_out_otherwise_next_time_is_not_kept(
    claim: Path, outcome: Outcome, expected: Outcome, kept: bool
) -> None:
    cache.save(key(claim), [VERDICT, replace(VERDICT, outcome=outcome, expected=expected)], CONTEXT)
    assert (cache.load(key(claim), CONTEXT) is not None) is kept


def test_a_file_that_changed_meanwhile_leaves_nothing(claim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(claim)
    claim.write_text(claim.read_text() + "\n")
    cache.save(before, [VERDICT], CONTEXT)
    assert cache.load(before, CONTEXT) is None
    monkeypatch.setattr(cache, "_sources", lambda: b"edited since this process began")
    cache.save(key(claim), [VERDICT], CONTEXT)
    assert cache.load(key(claim), CONTEXT) is None


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", '{"digest": "0", "content": {}}'])
def test_a_damaged_entry_counts_as_absent(claim: Path, damage: str) -> None:
    cache.save(key(claim), [VERDICT], CONTEXT)
    (cache.folder() / f"{key(claim)}.json").write_text(damage)
    assert cache.load(key(claim), CONTEXT) is None


def test_an_entry_that_is_cut_anywhere_counts_as_absent(claim: Path) -> None:
    cache.save(key(claim), [VERDICT], CONTEXT)
    digest = key(claim)
    file = cache.folder() / f"{digest}.json"
    text = file.read_text()
    for size in range(len(text)):
        file.write_text(text[:size])
        assert cache.load(digest, CONTEXT) is None


def test_the_entry_of_another_key_counts_as_absent(claim: Path) -> None:
    """Copied or renamed, it would be the verdict on something else."""
    other = key(claim, name="toy/LEM-2")
    cache.save(key(claim), [VERDICT], CONTEXT)
    shutil.copy(cache.folder() / f"{key(claim)}.json", cache.folder() / f"{other}.json")
    assert cache.load(other, CONTEXT) is None


@pytest.mark.parametrize(
    "content",
    [
        {"verdicts": 3, "attachments": {}, "wishes": {"type": "Plan"}},
        {"verdicts": [{"type": "Plan"}], "attachments": {}},
        {"verdicts": [], "attachments": {"../../outside.txt": "x"}},
        {"verdicts": [], "attachments": {"/tmp/outside.txt": "x"}},
        {"verdicts": [], "attachments": 3},
        3,
    ],
)
def test_an_entry_that_somebody_made_up_counts_as_absent_or_says_nothing(
    claim: Path, tmp_path: Path, content: object
) -> None:
    digest = key(claim)
    entry = {"digest": cache._sum(digest, content), "content": content}
    write(cache.folder() / f"{digest}.json", json.dumps(entry))
    (tmp_path / "run").mkdir()
    assert cache.load(digest, replace(CONTEXT, folder=str(tmp_path / "run" / "task"))) in (None, 3)
    assert not list(tmp_path.rglob("outside.txt"))


WRITER = """
import sys
from pathlib import Path
from dpaudit.runs import cache
sys.path.insert(0, sys.argv[2])
from test_cache import CONTEXT, VERDICT, key
for _ in range(10):
    cache.save(key(Path(sys.argv[1])), [VERDICT], CONTEXT)
    assert cache.load(key(Path(sys.argv[1])), CONTEXT)
"""


def test_two_processes_may_write_at_once(claim: Path) -> None:
    tests = Path(__file__).parent
    paths = os.pathsep.join([str(tests.parents[1]), str(tests.parent / "support"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", WRITER, str(claim), str(tests)]
    both = [subprocess.Popen(command, env=os.environ | {"PYTHONPATH": paths}) for _ in range(2)]
    assert [process.wait(timeout=400) for process in both] == [0, 0]
    assert [file.name for file in cache.folder().iterdir()] == [f"{key(claim)}.json"]


def test_a_changed_outcome_in_an_entry_is_noticed(claim: Path) -> None:
    cache.save(key(claim), [replace(VERDICT, outcome=Outcome.REFUTED)], CONTEXT)
    file = cache.folder() / f"{key(claim)}.json"
    data = json.loads(file.read_text())
    data["content"]["verdicts"][0]["outcome"] = "PROVED"
    file.write_text(json.dumps(data))
    assert cache.load(key(claim), CONTEXT) is None


def test_attachments_come_back(claim: Path, tmp_path: Path) -> None:
    first, second = (replace(CONTEXT, folder=str(tmp_path / name)) for name in ("one", "two"))
    name = first.attach("certificates/a.json", "{}")
    cache.save(key(claim, first), [replace(VERDICT, attachments=(name,))], first)
    assert cache.load(key(claim, second), second) is not None
    assert (tmp_path / "two" / name).read_text() == "{}"


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(
    claim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache.VARIABLE, str(write(tmp_path / "a file", "") / "below"))
    cache.save(key(claim), [VERDICT], CONTEXT)
    assert cache.load(key(claim), CONTEXT) is None


def test_the_folder_is_that_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert cache.folder() == Path("/cache/dpaudit")
    monkeypatch.setenv(cache.VARIABLE, "/named")
    assert cache.folder() == Path("/named")
