"""Who has signed a run: a signature of run.json with a key of OpenSSH, beside it.

    ssh-keygen -Y sign -f ~/.ssh/id_ed25519 -n dpaudit RUN/run.json

writes it. run.json has the digest of all records, and a record those of its files, so that the signature is one of all
that the run has found. `ssh-keygen` verifies it, against a file of those whose signatures count ("allowed signers" in
the words of ssh-keygen).
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from dpaudit.records.documents import read_bytes
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.runs import store

SIGNATURE = f"{store.RUN}.sig"
NAMESPACE = "dpaudit"
"""What the signature is for, so that one of another file of the same key is none of a run."""
_SECONDS = 60
_KIB = 1 << 10


def signer(folder: Path, signers: Path) -> str:
    """Who of the file `signers` has signed the run in `folder`.

    Raises ContentError where there is no signature, where it is of nobody in that file, or of another run.json;
    ConfigurationError without `ssh-keygen` or the file.
    """
    if not signers.is_file():
        what = "no regular file is" if signers.exists() or signers.is_symlink() else "no file"
        raise ConfigurationError(f"{what} {str(signers)!r}; give one with a line for each: NAME KEY-TYPE KEY")
    run = read_bytes(folder / store.RUN, inside=folder)
    try:
        signature = read_bytes(folder / SIGNATURE, 64 * _KIB, folder)
    except FileNotFoundError as error:
        advice = f"ssh-keygen -Y sign -f KEY -n {NAMESPACE} {folder / store.RUN}"
        raise ContentError(f"there is no signature; who vouches for the run writes it by: {advice}") from error
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, SIGNATURE)  # a copy: what was read is what is verified
        file.write_bytes(signature)
        found = _asked(["find-principals", "-s", str(file), "-f", str(signers)], b"", "it is of nobody in the file")
        name = found.splitlines()[0]
        words = ["verify", "-s", str(file), "-f", str(signers), "-I", name, "-n", NAMESPACE]
        _asked(words, run, f"{store.RUN} is not what {name} has signed")
    return name


def _asked(words: list[str], given: bytes, refused: str) -> str:
    """What `ssh-keygen -Y` prints; ContentError says that it was `refused`."""
    try:
        done = subprocess.run(["ssh-keygen", "-Y", *words], input=given, capture_output=True, timeout=_SECONDS)
    except OSError as error:
        raise ConfigurationError("ssh-keygen does not start; install OpenSSH, 8.2 or later") from error
    if done.returncode or not done.stdout.strip():
        said = " ".join((done.stderr or done.stdout).decode(errors="replace").split())[:200]
        raise ContentError(f"{refused}: {said}")
    return done.stdout.decode(errors="replace")
