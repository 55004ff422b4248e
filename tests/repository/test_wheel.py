"""What is shipped: the sdist builds again, the wheel made from it works in an empty folder, builds repeat byte by byte.

Dependencies are those of the tests; nothing is downloaded.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path

import pytest

import dpaudit

ROOT = Path(__file__).parents[2]
EPOCH = 1_700_000_000
CONTENT = ("proofs", "audits")
FOLDERS = (*CONTENT, ".ci", "benchmarks", "docs", "dpaudit", "reports", "tests")
FILES = ("pyproject.toml", "README.md", "LICENSE", "constraints.txt", "tox.ini", "ARCHITECTURE.md", "CONTRIBUTING.md")
NOT_KEPT = {"__pycache__", "_build", ".hypothesis"}
FAR_AWAY = {"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7", "LC_ALL": "C"}


@dataclass(frozen=True)
class Built:
    """What one build made: the sdist, and the wheel of the same folder."""

    sdist: Path
    wheel: Path


def build(source: Path, to: Path, **variables: str) -> Built:
    """The sdist and the wheel of the folder `source`, in the folder `to`."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH), **variables}
    for target in ("sdist", "wheel"):
        words = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(to)]
        done = subprocess.run(words, cwd=source, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    [sdist], [wheel] = to.glob("*.tar.gz"), to.glob("*.whl")
    return Built(sdist, wheel)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Built from the checkout."""
    return build(ROOT, tmp_path_factory.mktemp("first"))


@pytest.fixture(scope="module")
def second(first: Built, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Built from the unpacked sdist: another folder, with files that are new and that nobody else may read."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(first.sdist) as packed:
        packed.extractall(folder, filter="data")
    [source] = folder.iterdir()
    for path in (p for p in source.rglob("*") if p.is_file()):
        path.chmod(path.stat().st_mode & 0o700)
        os.utime(path)
    return build(source, tmp_path_factory.mktemp("second"), **FAR_AWAY)


def kept(folder: str) -> Iterator[str]:
    """The files of a folder of the checkout, relative to the checkout, without what tools leave there."""
    for path in (ROOT / folder).rglob("*"):
        place = path.relative_to(ROOT)
        if path.is_file() and not NOT_KEPT & {*place.parts}:
            yield place.as_posix()


# What is packed. ------------------------------------------------------------------------------------


@pytest.mark.deep
def test_the_wheel_holds_package_and_content_and_nothing_else(second: Built) -> None:
    with zipfile.ZipFile(second.wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
    content = {f"dpaudit/_content/{name}" for folder in CONTENT for name in kept(folder)}
    assert names == {*kept("dpaudit"), *content}
    for needed in ("*/report.css", "*/report.html", "*/function.py.txt", "*/py.typed", "*/certificates/*.json"):
        assert any(Path(name).match(needed) for name in names), needed


def test_the_wheel_has_the_command_and_the_plugin(second: Built) -> None:
    with zipfile.ZipFile(second.wheel) as packed:
        [points] = (name for name in packed.namelist() if name.endswith(".dist-info/entry_points.txt"))
        read = ConfigParser()
        read.read_string(packed.read(points).decode())
    assert {name: dict(read[name]) for name in read.sections()} == {
        "console_scripts": {"dpaudit": "dpaudit.cli.main:main"},
        "pytest11": {"dpaudit": "dpaudit.pytest_plugin"},
    }


def test_the_sdist_holds_all_that_builds_and_tests_it(first: Built) -> None:
    with tarfile.open(first.sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {name for folder in FOLDERS for name in kept(folder)} | {*FILES} <= names


# Builds repeat. -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sdist", "wheel"])
def test_two_folders_give_the_same_bytes(kind: str, first: Built, second: Built) -> None:
    one, other = getattr(first, kind), getattr(second, kind)
    assert one.name == other.name
    assert members(one) == members(other), "which files differ"
    assert one.read_bytes() == other.read_bytes()


def members(packed: Path) -> list[tuple[str, int, object]]:
    """Name, size and time of every file that is packed, in the order of packing."""
    if packed.suffix == ".whl":
        with zipfile.ZipFile(packed) as wheel:
            return [(one.filename, one.file_size, one.date_time) for one in wheel.infolist()]
    with tarfile.open(packed) as sdist:
        return [(one.name, one.size, one.mtime) for one in sdist.getmembers()]


def test_the_time_of_every_file_is_that_of_the_source(first: Built) -> None:
    assert {when for *_, when in members(first.sdist)} == {EPOCH}
    assert {when for *_, when in members(first.wheel)} == {time.gmtime(EPOCH)[:6]}


# The wheel works. -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(second: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel is installed in, alone."""
    folder = tmp_path_factory.mktemp("installed")
    alone = ("--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check", "--target", str(folder))
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", *alone, str(second.wheel)], cwd=folder, check=True)
    return folder


@pytest.fixture
def called(installed: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which Python finds the installed wheel before any other dpaudit."""
    monkeypatch.setenv("PYTHONPATH", str(installed))
    return workdir


def python(*words: str, code: int = 0) -> str:
    """What Python printed, in the working directory; it ended with this exit code."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def run(*words: str, code: int = 0) -> str:
    """What `dpaudit` printed."""
    return python("-m", "dpaudit", *words, code=code)


def test_it_is_the_wheel_that_is_tried(called: Path, installed: Path) -> None:
    assert python("-c", "import dpaudit; print(dpaudit.__file__)").strip() == str(installed / "dpaudit/__init__.py")
    assert run("--version").split()[-1] == dpaudit.__version__
    assert python(str(installed / "bin" / "dpaudit"), "--version") == run("--version")


@pytest.mark.deep
def test_the_doctor_draws_noise(called: Path) -> None:
    assert re.search(r"^works +noise ", run("doctor"), re.MULTILINE)


@pytest.mark.deep
def test_shipped_claims_and_targets_are_listed(called: Path) -> None:
    listed = run("list")
    assert re.search(r"^claim +resque/LEM-2\.1 ", listed, re.MULTILINE)
    assert re.search(r"^target +known-bad/histogram-wrong-scale ", listed, re.MULTILINE)


def test_the_starter_audit_is_consistent_with_a_page_and_with_less_noise_it_is_refuted(called: Path) -> None:
    file = called / run("init", "audit").strip()
    flags = ("--level", "smoke", "--jobs", "1", "--no-controls")
    assert "1 consistent" in run("audit", file.name, *flags, "--run-dir", "right")
    assert "<style>" in (called / "right" / "report.html").read_text(encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("laplace(scale=1.0)", "laplace(scale=0.1)"), encoding="utf-8")
    assert "1 refuted" in run("audit", file.name, *flags, "--no-report", "--run-dir", "wrong", code=1)


@pytest.mark.deep
def test_the_starter_claim_is_proved(called: Path) -> None:
    file = run("init", "claim").strip()
    assert "2 proved" in run("verify", file, "--level", "smoke", "--jobs", "1", "--no-report")


@pytest.mark.deep
def test_a_shipped_claim_is_proved_by_its_shipped_certificate(called: Path) -> None:
    run("verify", "rbcd/LEM-D.8", "--jobs", "1", "--no-report", "--no-cache", "--format", "json", "-o", "out.json")
    assert "the checker accepts the certificate" in (called / "out.json").read_text(encoding="utf-8")


@pytest.mark.deep
def test_a_run_is_archived_with_the_licence_and_content_of_the_wheel(called: Path) -> None:
    run("verify", "rbcd/LEM-D.8", "--jobs", "1", "--no-report", "--run-dir", "out")
    assert run("archive", "out") == "out.zip\n"
    with zipfile.ZipFile(called / "out.zip") as packed:
        assert packed.read("LICENSE") == (ROOT / "LICENSE").read_bytes()
        assert packed.read("CITATION.cff") == (ROOT / "CITATION.cff").read_bytes()
        assert packed.read("checker/dpaudit/recheck/check.py") == (ROOT / "dpaudit/recheck/check.py").read_bytes()
        assert any(name.startswith("content/proofs/rbcd/") for name in packed.namelist())
        assert '"license": "Apache-2.0"' in packed.read(".zenodo.json").decode()


@pytest.mark.deep
def test_an_unknown_name_is_refused(called: Path) -> None:
    run("verify", "no/SUCH-1", "--no-report", code=2)
