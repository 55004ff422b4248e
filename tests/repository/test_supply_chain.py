"""What is installed and released: pins with hashes, what pip refuses, known vulnerabilities, the bill of materials.

Nothing is downloaded: pip installs wheels that are made here, pip-audit and cyclonedx-py are stand-ins.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from configparser import ConfigParser
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest
from packaging.utils import canonicalize_name
from packaging.version import Version
from small_content import write

import dpaudit

ROOT = Path(__file__).parents[2]
PINNED = re.compile(r"(?m)^([\w.-]+)==([\w.+]+)((?: \\\n    --hash=sha256:[0-9a-f]{64})*)$")
DIGEST = re.compile(r"--hash=sha256:([0-9a-f]{64})(?![0-9a-f])")
NOT_OF_USERS = {"all", "dev", "docs", "fuzz", "ray", "testing"}
"""Extras that the bill of materials leaves out: `all` names the others, and ray has no version that was tried."""


def script(name: str) -> ModuleType:
    """A script of `.ci` as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def pins(file: str) -> dict[str, tuple[str, frozenset[str]]]:
    """Of each name that a file pins, in its canonical form: the version and the hashes."""
    text = (ROOT / file).read_text(encoding="utf-8")
    found = [
        (canonicalize_name(name), number, frozenset(DIGEST.findall(rest)))
        for name, number, rest in PINNED.findall(text)
    ]
    assert len(found) == len({name for name, *_ in found}) == len(re.findall(r"(?m)^[^#\s]", text)), file
    return {name: (number, digests) for name, number, digests in found}


def tox() -> ConfigParser:
    """The content of tox.ini."""
    made = ConfigParser(interpolation=None)
    made.read(ROOT / "tox.ini", encoding="utf-8")
    return made


# Pins and hashes. -----------------------------------------------------------------------------------


def test_what_is_pinned_has_hashes_and_nothing_else_has() -> None:
    versions = {name: number for name, (number, _) in pins("constraints.txt").items()}
    hashed = pins(".ci/hashes.txt")
    assert {name: number for name, (number, _) in hashed.items()} == versions, "run: tox -e hashes"
    assert [name for name, (_, digests) in hashed.items() if not digests] == []


def test_users_get_versions_alone() -> None:
    assert {digests for _, digests in pins("constraints.txt").values()} == {frozenset()}, "no checkout has a hash"


def test_every_environment_installs_by_hashes() -> None:
    sections = tox()
    assert sections["testenv"]["constraints"] == "{tox_root}/.ci/hashes.txt"
    assert sections["pkgenv"]["constraints"] == "{[testenv]constraints}"
    others = [name for name in sections.sections() if name not in {"testenv", "pkgenv"}]
    assert [name for name in others if {"constraints", "install_command"} & {*sections[name]}] == []
    assert sections["tox"]["requires"] == "virtualenv>=21.3", "the first whose pip reads hashes of constraints"


def test_torch_for_processors_is_the_pinned_version_and_its_hash_is_known() -> None:
    [line] = re.findall(r"(?m)^torch.*$", (ROOT / ".ci" / "torch-cpu.txt").read_text(encoding="utf-8"))
    number, digests = pins(".ci/hashes.txt")["torch"]
    requirement, _, digest = line.partition(" ")
    assert requirement == f"torch=={number}+cpu"
    assert {*DIGEST.findall(digest)} < digests, "add this line of .ci/torch-cpu.txt to torch in .ci/hashes.txt"


# What pip refuses. ----------------------------------------------------------------------------------


def wheel(folder: Path, name: str, text: str) -> str:
    """Writes a wheel of version 1 with one module of this text; its hash, as a constraint states it."""
    files = {
        f"{name}.py": text,
        f"{name}-1.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        f"{name}-1.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [f"{path},sha256={encoded(content)},{len(content)}" for path, content in files.items()]
    files[f"{name}-1.dist-info/RECORD"] = "\n".join([*rows, f"{name}-1.dist-info/RECORD,,", ""])
    path = folder / f"{name}-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as packed:
        for place, content in files.items():
            packed.writestr(zipfile.ZipInfo(place), content)  # without the time
    return f"--hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def encoded(content: str) -> str:
    """The SHA-256 of a text in the form of a RECORD."""
    return base64.urlsafe_b64encode(hashlib.sha256(content.encode()).digest()).rstrip(b"=").decode()


PIP = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--dry-run")


def install(folder: Path, *constraints: str) -> subprocess.CompletedProcess[str]:
    """What pip says to `first` as an environment of tox asks for it: without a version, constraints beside it."""
    file = write(folder / "hashes.txt", "\n".join(constraints) + "\n")
    words = [*PIP, "--find-links", str(folder), "first>=1", "-c", str(file)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.skipif(Version(version("pip")) < Version("26.1"), reason="environments of tox have pip 26.1 or newer")
def test_pip_installs_what_has_its_hash_and_refuses_what_was_changed_or_has_none(workdir: Path) -> None:
    right = f"first==1 {wheel(workdir, 'first', 'VALUE = 1')}"
    assert install(workdir, right).returncode == 0
    other = f"second==1 {wheel(workdir, 'second', 'VALUE = 1')}"
    assert install(workdir, other, "first==1").returncode == 1, "no hash beside another one that has"
    wheel(workdir, "first", "VALUE = 2")
    refused = install(workdir, right)
    assert refused.returncode == 1
    assert "DO NOT MATCH THE HASHES" in refused.stderr


# Known vulnerabilities. -----------------------------------------------------------------------------

CLEAN = {"name": "click", "version": "8.5.1", "vulns": []}
BAD = {
    "name": "jinja2",
    "version": "2.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1", "3.0"], "aliases": []}, {"id": "PYSEC-2", "fix_versions": []}],
}
UNKNOWN = {"name": "mine", "skip_reason": "Dependency not found on PyPI and could not be audited: mine (1.0)"}


@pytest.mark.parametrize(
    ("packages", "code", "text"),
    [
        ([CLEAN], 0, "known vulnerabilities: 0; packages: 1"),
        (
            [CLEAN, BAD],
            1,
            "jinja2 2.0: PYSEC-1, fixed in 2.1, 3.0\njinja2 2.0: PYSEC-2, fixed in no version\n"
            "known vulnerabilities: 2; packages: 2",
        ),
        (
            [CLEAN, UNKNOWN],
            0,
            "known vulnerabilities: 0; packages: 1\nNOT RUN: the service does not answer for 1 packages: mine",
        ),
        ([UNKNOWN], 0, "NOT RUN: the service does not answer for 1 packages: mine"),
        ([], 2, "pip-audit saw no package; give a file that pins some"),
    ],
    ids=["none", "two", "unknown", "all unknown", "nothing"],
)
def test_an_answer_is_decided_by_its_findings(packages: list[object], code: int, text: str) -> None:
    decided = script("vulnerabilities").decision(json.dumps({"dependencies": packages, "fixes": []}), "summary")
    assert (decided.text, decided.code) == (text, code)


def test_a_finding_counts_beside_packages_that_the_service_does_not_know() -> None:
    decided = script("vulnerabilities").decision(json.dumps({"dependencies": [UNKNOWN, BAD]}), "")
    assert decided.code == 1
    assert decided.text.splitlines()[-1].startswith("NOT RUN: ")


@pytest.mark.parametrize(
    "last",
    [
        "ERROR:pip_audit._cli:Could not connect to PyPI's vulnerability feed\nERROR:pip_audit._cli:Tip: try another",
        "Traceback (most recent call last):\nrequests.exceptions.ConnectionError: HTTPSConnectionPool(host='pypi.org')",
        "Traceback (most recent call last):\nrequests.exceptions.HTTPError: 503 Server Error\n\npip_audit.ServiceError",
    ],
)
def test_a_service_that_is_not_reached_is_not_run(last: str) -> None:
    decided = script("vulnerabilities").decision("", last)
    assert decided.code == 0
    assert re.match(r"NOT RUN: .*(connect|Connection|503)", decided.text)


@pytest.mark.parametrize(
    "last",
    [
        "ERROR:pip_audit._cli:invalid requirements input: gone.txt",
        "Traceback (most recent call last):\nKeyError: 'vulnerabilities'",
        "Traceback (most recent call last):\nrequests.exceptions.HTTPError: 400 Client Error: Bad Request",
        "",
    ],
)
def test_any_other_failure_is_no_pass(last: str) -> None:
    assert script("vulnerabilities").decision("", last) == (f"pip-audit failed:\n{last}", 2)


def stand_in(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of this name comes first on the path, and is this script of Python."""
    write(folder / name, f"#!{sys.executable}\nimport json, sys\nfrom pathlib import Path\n{text}\n").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_the_script_asks_about_the_file_and_ends_with_the_code(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = f"print(json.dumps({{'dependencies': [{BAD!r}]}}) if sys.argv[-1] == 'hashes.txt' else '')\nsys.exit(1)"
    stand_in(workdir / "bin", "pip-audit", given, monkeypatch)
    words = [sys.executable, str(ROOT / ".ci" / "vulnerabilities.py"), "hashes.txt"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("jinja2 2.0: PYSEC-1, ")


# The bill of materials. -----------------------------------------------------------------------------


def test_the_bill_is_made_of_all_that_users_install() -> None:
    extras = tox()["testenv:runtime"]["extras"].split(", ")
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {*extras} == {*offered} - NOT_OF_USERS
    assert tox()["testenv:sbom"]["commands"].split()[2:] == ["{work_dir}/runtime", "dist/dpaudit.cdx.json"]


def test_the_bill_names_the_version_of_the_release(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = (
        "project = Path(sys.argv[sys.argv.index('--pyproject') + 1]).read_text()\n"
        "Path(sys.argv[sys.argv.index('-o') + 1]).write_text(json.dumps([sys.argv[1:], project]))\nsys.exit(3)"
    )
    stand_in(workdir / "bin", "cyclonedx-py", given, monkeypatch)
    assert script("materials").main("runtime", "dist/bill.json") == 3, "the exit code of cyclonedx-py"
    words, project = json.loads((workdir / "dist" / "bill.json").read_text(encoding="utf-8"))
    assert (words[0], words[-1]) == ("environment", "runtime")
    assert {"--output-reproducible", "--validate"} <= {*words}
    made, kept = (tomllib.loads(text)["project"] for text in (project, (ROOT / "pyproject.toml").read_text("utf-8")))
    assert kept.pop("dynamic") == ["version"]
    assert made == kept | {"version": dpaudit.__version__}


def test_a_module_without_a_version_is_refused() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match="the module has no line __version__"):
        script("materials").with_version(project, "VERSION = 1\n")
