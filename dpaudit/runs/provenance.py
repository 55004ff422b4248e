"""What a run was made with: versions, commit, hardware. No user, host or path is recorded."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from dpaudit import __version__
from dpaudit.records.documents import read_bytes
from dpaudit.records.errors import ContentError
from dpaudit.records.serial import Json

PACKAGES = (
    "numpy", "scipy", "numba", "sympy", "mpmath", "python-flint", "z3-solver", "cvc5", "joblib", "torch",
    "dp-accounting", "opacus", "jax", "jax-privacy", "opendp", "scikit-learn", "jinja2", "matplotlib",
)  # fmt: skip
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""How many threads BLAS and torch may split a sum over, which shows in how it is rounded."""
INSTRUCTIONS = ("ATEN_CPU_CAPABILITY", "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "NUMBA_CPU_NAME")
"""Which instructions torch, BLAS, NumPy and numba may use, where the environment says it."""


def provenance(folder: Path | None = None) -> Json:
    """Versions, source, commit and hardware as plain data; `folder`: where to look for a git checkout."""
    own = {"versions": versions(), "source": source_digest().hex()}
    return {**own, "checkout": checkout(folder or Path.cwd()), "hardware": hardware()}


def versions() -> dict[str, str | None]:
    """Version of dpaudit, Python and each package that matters; None for one that is absent."""
    found: dict[str, str | None] = {"dpaudit": __version__, "python": platform.python_version()}
    return found | {name: version(name) for name in PACKAGES}


def version(package: str) -> str | None:
    """The installed version of a distribution, None if it is absent."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def checkout(folder: Path) -> Json | None:
    """Commit, whether tracked files differ from it, and a digest of the differences; None outside of git.

    The configuration of the checkout may belong to the code under audit: no program that it names is started.
    """
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    quiet = _without_programs(folder)
    if quiet is None:
        return {"commit": commit.decode().strip(), "dirty": True, "dirty_digest": None}
    status = _git(folder, *quiet, "status", "--porcelain", "--ignore-submodules=dirty") or b""
    plain = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty")
    difference = _git(folder, *quiet, "diff", "HEAD", *plain) or b""
    digest = hashlib.sha256(status + b"\0" + difference).hexdigest() if status.strip() else None
    return {"commit": commit.decode().strip(), "dirty": bool(status.strip()), "dirty_digest": digest}


def _without_programs(folder: Path) -> list[str] | None:
    """Options of git that switch off what a checkout may have started by `status` and `diff`: its monitor of files, and
    its filters, whose files then count as changed. None where the name of a filter cannot stand in an option."""
    names: set[str] = set()
    for scope in ("--local", "--worktree"):
        listed = _git(folder, "config", scope, "--includes", "--name-only", "--null", "--list") or b""
        names |= {name.decode(errors="surrogateescape") for name in listed.split(b"\0")}
    chosen = sorted({name.rpartition(".")[0] for name in names if name.lower().startswith("filter.")})
    if any("=" in name for name in chosen):
        return None
    values = ["core.fsmonitor=false", "core.hooksPath=/dev/null"]
    values += [f"{name}.{program}=" for name in chosen for program in ("clean", "smudge", "process")]
    values += [f"{name}.required=false" for name in chosen]
    return [word for value in values for word in ("-c", value)]


def _git(folder: Path, *arguments: str) -> bytes | None:
    apart = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, timeout=20, check=False, env=os.environ | apart
        )
    except (OSError, subprocess.TimeoutExpired):  # no git here: there is no commit to name
        return None
    return done.stdout if done.returncode == 0 else None


def hardware() -> Json:
    """Operating system, machine, processors that this process may use, memory in GiB."""
    try:
        memory = round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (AttributeError, ValueError, OSError):  # not every system can say
        memory = None
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processors": processors(),
        "memory_gib": memory,
    }


def arithmetic() -> dict[str, str]:
    """What decides beside the code how a sum is rounded: processor, and how many threads and which instructions are
    used."""
    from llvmlite import binding

    chosen = {name: os.environ.get(name, "unset") for name in (*THREAD_VARIABLES, *INSTRUCTIONS)}
    return {"machine": platform.machine(), "processor": binding.get_host_cpu_name(), **chosen}


def facts(folder: str, files: Iterable[str]) -> dict[str, str]:
    """What must be equal in all processes that work on one run, by name: else they would make other records.

    folder: where the run was started; files: absolute paths of the content.
    """
    found = {name: str(version) for name, version in versions().items()}
    found |= {"machine": platform.machine(), "the source of dpaudit": source_digest().hex()[:16]}
    found |= {name: os.environ.get(name, "unset") for name in THREAD_VARIABLES}
    found[f"the folder {folder}"] = "there" if Path(folder).is_dir() else "absent"
    return found | {f"the file {file}": _digest(Path(file)) for file in files}


def _digest(file: Path) -> str:
    return hashlib.sha256(_bytes(file)).hexdigest()[:16] if file.is_file() else "absent"


def processors() -> int:
    """How many processors this process may use; at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def source_digest() -> bytes:
    """One digest of the names and bytes of the source files of dpaudit, without the content that ships with it."""
    package, total = Path(__file__).parents[1], hashlib.sha256()
    for source in sorted(p for p in package.rglob("*.py") if "_content" not in p.parts):
        total.update(str(source.relative_to(package)).encode() + b"\0" + hashlib.sha256(source.read_bytes()).digest())
    return total.digest()


def content_digest(files: Iterable[Path]) -> str:
    """One digest of the bytes and bare names of content files, in sorted order."""
    total = hashlib.sha256()
    for path in sorted(files):
        total.update(path.name.encode() + b"\0" + hashlib.sha256(_bytes(path)).digest())
    return total.hexdigest()


def _bytes(path: Path) -> bytes:
    """Of a content file; what cannot be read is an error of its item, which says why."""
    try:
        return read_bytes(path)
    except (ContentError, OSError):
        return b"not read"
