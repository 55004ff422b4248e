"""What workers of a cluster are handed: functions of a module that they can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any


def kill_named(flag: Path) -> None:
    """Kill the process whose number appears in the file."""
    end = time.monotonic() + 60
    while not (flag.exists() and flag.read_text()) and time.monotonic() < end:
        time.sleep(0.02)
    os.kill(int(flag.read_text()), signal.SIGKILL)


def stamped(item: str) -> float:
    begun = time.time()
    time.sleep(3 if item == "slow" else 0.1)
    return begun


def fatal(item: str) -> str:
    if item == "die":
        os._exit(3)
    return item.upper()


def process(item: int) -> int:
    return os.getpid()


def lacking(pid: int, facts: Any) -> dict[str, str]:
    """The facts, of a machine without content unless this is process `pid`."""
    found: dict[str, str] = facts()
    return found if os.getpid() == pid else {n: "absent" if n.startswith("the file") else v for n, v in found.items()}


def only_here(pid: int) -> dict[str, str]:
    if os.getpid() != pid:
        raise ModuleNotFoundError("No module named 'dpaudit'")
    return {}


def wait_for(flag: Path) -> None:
    end = time.monotonic() + 60
    while not flag.exists() and time.monotonic() < end:
        time.sleep(0.02)
