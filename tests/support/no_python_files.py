"""Names that end in .py and lead to no file that can be read: what a hostile folder may hold beside honest files."""

from __future__ import annotations

import os
from pathlib import Path

NO_FILES = {
    "pipe.py": "is no regular file", "endless.py": "is no regular file",
    "loop.py": "is a link that leads to itself", "lost.py": "is a link to what is not there",
    "large.py": "is larger than 4 MiB",
}  # fmt: skip
"""What is said of each."""


def made_in(folder: Path) -> Path:
    """The folder, with all of NO_FILES in it, and a folder whose name ends as theirs."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "folder.py").mkdir()
    os.mkfifo(folder / "pipe.py")
    for name, target in {"endless.py": "/dev/zero", "loop.py": "loop.py", "lost.py": "nowhere.py"}.items():
        (folder / name).symlink_to(target)
    with (folder / "large.py").open("wb") as file:
        file.truncate(5 << 20)
    return folder


def said_of(errors: list[str], folder: Path) -> None:
    """Each of the names has its words, once, and none says where the folder lies."""
    assert len(errors) == len(NO_FILES)
    for name, words in NO_FILES.items():
        assert sum(words in error and name in error for error in errors) == 1, (name, errors)
    assert not any(f"{folder}/" in error for error in errors), errors
