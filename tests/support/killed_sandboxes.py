"""Sandboxes that are killed from outside in the middle of a call, as a machine does that is out of memory."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SERVER = "dpaudit.audit.sandbox.server"


def waits(folder: Path) -> str:
    """Lines of a target that wait to be killed as long as the file `hold` is in `folder`."""
    return (
        "import pathlib, time\n"
        f"    while pathlib.Path({str(folder / 'hold')!r}).exists():\n"
        f"        pathlib.Path({str(folder / 'ready')!r}).touch()\n"
        "        time.sleep(0.01)"
    )


@contextmanager
def killer(folder: Path, times: int, sent: signal.Signals = signal.SIGKILL) -> Iterator[list[int]]:
    """Sends a signal to the sandbox that waits in `folder`, so many times; the processes that were killed."""
    killed: list[int] = []
    (folder / "hold").touch()

    def kill() -> None:
        while len(killed) < times:
            deadline = time.monotonic() + 60
            while not (folder / "ready").exists() and time.monotonic() < deadline:
                time.sleep(0.005)
            if len(killed) == times - 1:
                (folder / "hold").unlink()
            (folder / "ready").unlink()
            found = servers()
            os.kill(found[0], sent)
            killed.append(found[0])
            while found[0] in servers():
                time.sleep(0.005)

    thread = threading.Thread(target=kill, daemon=True)
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
