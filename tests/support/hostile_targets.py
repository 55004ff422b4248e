"""Target files that misbehave, for the tests of isolation: a name and what each does, as lines of its functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from small_content import target_text, write

HONEST = "return data.sum() + trials.stream.normals(trials.numbers, 0, 1)"

SOCKETS = '''

def _ends():
    """The descriptors that dpaudit talks over."""
    import os, socket, stat

    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                found.append(int(name))
        except OSError:
            pass
    return found
'''


def hostile(folder: Path, run: str, name: str = "toy/hostile", top: str = "", trials: int = 200) -> Path:
    """A target file whose `run` does the lines `run` before an honest answer; `top`: lines of the module."""
    body = "\n    ".join([*run.strip().splitlines(), HONEST])
    text = target_text(name=name, run=body, trials=trials)
    return write(folder / f"{name.rpartition('/')[2]}.py", text + SOCKETS + top)


@contextmanager
def told(path: Path) -> Iterator[Callable[[], str]]:
    """Makes a named pipe, in which a target writes that can write no file; gives what is new in it."""
    os.mkfifo(path)
    end = os.open(path, os.O_RDWR | os.O_NONBLOCK)  # as a writer too, so that nobody ever sees its end

    def read() -> str:
        try:
            return os.read(end, 1 << 16).decode()
        except BlockingIOError:
            return ""

    try:
        yield read
    finally:
        os.close(end)
        path.unlink()


def sends(message: str) -> str:
    """Lines of `run` that write `message`, an expression, to the socket of dpaudit."""
    return f"import os, json, pickle, struct\nfor end in _ends():\n    os.write(end, {message})"
