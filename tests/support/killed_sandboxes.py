"""Sandboxes that are killed from outside in the middle of a call, as a machine does that is out of memory."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hostile_targets import told
from small_content import target_text, write

SERVER = "dpaudit.audit.sandbox.server"


def waits(folder: Path) -> str:
    """Lines of a target that wait to be killed as long as the file `hold` is in `folder`, and say so once."""
    return (
        "import pathlib, time\n"
        f"    if pathlib.Path({str(folder / 'hold')!r}).exists():\n"
        f"        pathlib.Path({str(folder / 'ready')!r}).write_text('ready')\n"
        f"    while pathlib.Path({str(folder / 'hold')!r}).exists():\n"
        "        time.sleep(0.01)"
    )


def held(folder: Path, where: str) -> Path:
    """A file with a target that waits to be killed in a function of it, or while it is loaded."""
    text = target_text(trials=200)
    before = {"loading": "def neighbours", "run": "    return data.sum() +"}[where]
    assert text.count(before) == 1
    lines = waits(folder)
    if where == "loading":
        lines = f"def _hold():\n    {lines}\n\n\n_hold()\n"
        return write(folder / "audits" / "held.py", text.replace(before, f"{lines}\n\n{before}"))
    return write(folder / "audits" / "held.py", text.replace(before, f"    {lines}\n{before}"))


@contextmanager
def killer(folder: Path, times: int) -> Iterator[list[int]]:
    """Kills the sandbox that waits in `folder`, so many times; the processes that were killed."""
    killed: list[int] = []
    (folder / "hold").touch()

    def kill(ready: Callable[[], str]) -> None:
        while len(killed) < times:
            deadline = time.monotonic() + 60
            while not ready() and time.monotonic() < deadline:
                time.sleep(0.005)
            found = servers()[0]
            os.kill(found, signal.SIGKILL)
            killed.append(found)
            while found in servers():
                time.sleep(0.005)
            if len(killed) == times:
                (folder / "hold").unlink()

    with told(folder / "ready") as ready:
        thread = threading.Thread(target=kill, args=(ready,), daemon=True)
        thread.start()
        yield killed
        thread.join(timeout=60)


def servers() -> list[int]:
    """The processes of sandboxes that this process has started, those inside first."""
    parents, names = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            names[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
    ours = [number for number, name in names.items() if SERVER in name and _below(number, parents)]
    return sorted(ours, reverse=True)


def _below(number: int, parents: dict[int, int]) -> bool:
    while number > 1:
        if number == os.getpid():
            return True
        number = parents.get(number, 0)
    return False
