"""Small finished runs of claims and targets, to be archived."""

from __future__ import annotations

from pathlib import Path

from plans import silent
from small_content import boxed_text, claim_text, target_text, write

from dpaudit.runs.execute import run
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings

PAPER = 'title = "A toy"\nauthors = "A. Author"\nyear = 2024\nidentifier = "none"\nversion = "1"\n'
THEOREM = '[minkowski]\nstatement = "norms are subadditive"\nsource = "a book"\n'

_MADE: dict[Path, bytes] = {}


def content(folder: Path) -> None:
    """A paper of two claims, a theorem with the file that tries it, a paper that `made` leaves out, a target."""
    papers = folder / "proofs"
    write(papers / "toy" / "paper.toml", PAPER)
    write(papers / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    write(papers / "toy" / "lem_2.py", boxed_text("toy/LEM-2"))
    write(papers / "toy" / "unlisted.txt", "no content")
    write(papers / "other" / "lem_1.py", claim_text("other/LEM-1"))
    write(papers / "assumed" / "norms.toml", THEOREM)
    write(papers / "assumed" / "norms.py", "TRIED = True\n")
    write(folder / "audits" / "a.py", target_text("toy/a", trials=1000))
    write(folder / "audits" / "_helper.py", "ONE = 1\n")


def made(folder: Path) -> Path:
    """A run of the content of the working directory, but for what the keyword leaves out, in the new folder `folder`.

    Made once: a run names no place, so that a copy is the run.
    """
    if not _MADE:
        given = {"keyword": "toy", "controls": False, "cache": False, "isolate": False}
        run(make_plan(Settings("run", (Part.VERIFY, Part.AUDIT), **given)), folder, silent)  # type: ignore[arg-type]
        _MADE.update((path.relative_to(folder), path.read_bytes()) for path in folder.rglob("*") if path.is_file())
        return folder
    for name, data in _MADE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder
