"""Signatures of runs: those of the file of signers count, for the run that they have signed, and no other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import run_folder
from click.testing import Result
from command_line import dpaudit

from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.runs import signatures, store

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this machine")


@pytest.fixture
def out(workdir: Path) -> Path:
    """A finished run of one verdict."""
    folder = workdir / "out"
    run_folder.write(folder, [run_folder.verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED)])
    return folder


def key(folder: Path, name: str) -> Path:
    """A new key of somebody."""
    path = folder / f"key-{name}"
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)]
    subprocess.run(words, check=True, capture_output=True)
    return path


def signers(folder: Path, **keys: Path) -> Path:
    """The file of those whose signatures count."""
    rows = [f"{name} {Path(f'{path}.pub').read_text(encoding='utf-8')}" for name, path in keys.items()]
    (folder / "signers").write_text("".join(rows), encoding="utf-8")
    return folder / "signers"


def sign(path: Path, run: Path, namespace: str = signatures.NAMESPACE) -> None:
    words = ["ssh-keygen", "-Y", "sign", "-f", str(path), "-n", namespace, str(run / store.RUN)]
    (run / signatures.SIGNATURE).unlink(missing_ok=True)
    subprocess.run(words, check=True, capture_output=True)


def checked(run: Path, file: Path) -> Result:
    return dpaudit("check", run, "--signers", file)


def test_who_has_signed_is_named(workdir: Path, out: Path) -> None:
    ada, eve = key(workdir, "ada"), key(workdir, "eve")
    sign(ada, out)
    done = checked(out, signers(workdir, eve=eve, ada=ada))
    assert done.exit_code == 0, done.output
    assert "signed by ada" in done.stdout


def test_a_run_that_was_forged_with_all_of_its_digests_is_not_signed(workdir: Path, out: Path) -> None:
    ada = key(workdir, "ada")
    sign(ada, out)
    signature = (out / signatures.SIGNATURE).read_bytes()
    shutil.rmtree(out)
    run_folder.write(out, [run_folder.verdict("toy/LEM-1", Kind.CLAIM, Outcome.REFUTED)])
    (out / signatures.SIGNATURE).write_bytes(signature)
    assert dpaudit("check", out).exit_code == 0
    done = checked(out, signers(workdir, ada=ada))
    assert done.exit_code == 1
    assert "run.json is not what ada has signed" in done.stdout
    assert "as it was written, and nobody whose signature counts has signed that" in done.stderr


@pytest.mark.parametrize(
    ("namespace", "by", "said"),
    [("dpaudit", "eve", "it is of nobody in the file"), ("file", "ada", "run.json is not what ada has signed")],
)
def test_what_is_of_somebody_else_or_for_something_else_does_not_count(
    workdir: Path, out: Path, namespace: str, by: str, said: str
) -> None:
    keys = {name: key(workdir, name) for name in ("ada", "eve")}
    sign(keys[by], out, namespace)
    with pytest.raises(ContentError, match=said):
        signatures.signer(out, signers(workdir, ada=keys["ada"]))


def test_what_is_missing_is_named(workdir: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match="no file 'nobody'; give one with a line for each: NAME KEY-TYPE KEY"):
        signatures.signer(out, Path("nobody"))
    file = signers(workdir, ada=key(workdir, "ada"))
    with pytest.raises(ContentError, match=r"there is no signature; .* it by: ssh-keygen -Y sign -f KEY -n dpau"):
        signatures.signer(out, file)
    sign(workdir / "key-ada", out)
    monkeypatch.setenv("PATH", str(workdir))
    with pytest.raises(ConfigurationError, match=r"ssh-keygen does not start; install OpenSSH, 8\.2 or later"):
        signatures.signer(out, file)
