"""Where machine code is kept, and what a process has that must not write there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpaudit.noise import machine_code


def test_compiled_code_is_kept_per_version_of_the_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    machine_code.cache_folder.cache_clear()
    folder = Path(machine_code.cache_folder())
    assert folder.parent == tmp_path / "dpaudit"
    monkeypatch.setattr(machine_code, "_PACKAGE", tmp_path / "package")
    seen = {str(folder)}
    for source in ("noise/stream.py", "algorithms/paper/algorithm/__init__.py", "problems/loss_kernels.py"):
        (tmp_path / "package" / source).parent.mkdir(parents=True)
        (tmp_path / "package" / source).write_text("changed", encoding="utf-8")
        machine_code.cache_folder.cache_clear()
        assert machine_code.cache_folder() not in seen, source
        seen.add(machine_code.cache_folder())
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    machine_code.cache_folder.cache_clear()
    assert machine_code.cache_folder() == "", "an unwritable folder means no cache, not a crash"
    machine_code.cache_folder.cache_clear()


COMPILES = """
import os
from pathlib import Path
import numpy as np
from dpaudit.noise import kernels
kernels.draw((1, 2), np.arange(3), 0, 2, True)
print(kernels._fill.stats.cache_hits.total(), kernels.cache_folder())
"""


def compiled_by(home: Path, earlier: Path | None = None) -> tuple[int, Path]:
    """How often a new process that keeps its code in `home` found a kernel compiled, and the folder of its code."""
    variables = os.environ | {"NUMBA_CACHE_DIR": str(home)}
    variables |= {} if earlier is None else {machine_code.COMPILED: str(earlier)}
    done = subprocess.run([sys.executable, "-c", COMPILES], capture_output=True, text=True, check=True, env=variables)
    hits, folder = done.stdout.split()
    return int(hits), Path(folder)


def test_the_noise_is_compiled_before_a_sandbox_starts_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    kept = machine_code.cache_folder.__wrapped__()
    monkeypatch.setattr(machine_code, "cache_folder", lambda: kept)
    machine_code.prepare.__wrapped__()
    before = contents(tmp_path)
    assert compiled_by(tmp_path / "sandbox", tmp_path)[0] == 1
    monkeypatch.setattr(machine_code.subprocess, "run", None)
    machine_code.prepare.__wrapped__()
    assert before == {name: what for name, what in contents(tmp_path).items() if "sandbox" not in name}


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """All files below a folder, and when they were written."""
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.deep
def test_a_process_that_starts_from_a_cache_reads_it_and_never_writes_there(tmp_path: Path) -> None:
    _, kept = compiled_by(tmp_path / "user")
    whole = contents(tmp_path / "user")
    assert whole
    hits, own = compiled_by(tmp_path / "sandbox", tmp_path / "user")
    assert hits == 1
    assert own.is_relative_to(tmp_path / "sandbox")
    for file in [*kept.rglob("*_fill*.nbi"), *kept.rglob("*_fill*.nbc")]:
        file.unlink()  # so that a process compiles it again, beside links to nothing and links to the rest
    rest = contents(tmp_path / "user")
    hits, own = compiled_by(tmp_path / "sandbox", tmp_path / "user")
    assert hits == 0
    assert [path for path in own.rglob("*_fill*.nbi") if not path.is_symlink()]
    assert contents(tmp_path / "user") == rest
