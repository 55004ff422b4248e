"""Checks certificates: `python -m dpaudit.recheck FILE...`, one JSON object a file on standard output.

Exit code 0 if all were accepted, 1 if one was refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import time

from dpaudit.recheck.check import check
from dpaudit.recheck.terms import Refused

MOST = 1 << 26
"""Bytes of a file; the longest certificate that ships has a two-hundredth of that."""


def examine(path: str) -> dict[str, object]:
    """What there is to say about one file; whatever is wrong with it is a refusal, not an exception."""
    started = time.perf_counter()
    found: dict[str, object] = dict.fromkeys(("claim", "source", "outcome", "reason", "sha256"), "")
    found |= {"file": path, "accepted": False, "steps": 0, "boxes": 0, "solvers": 0, "assuming": []}
    try:
        text = _text(path)
        found["sha256"] = hashlib.sha256(text).hexdigest()
        data = json.loads(text.decode(), object_pairs_hook=_once)
        checked = check(data)
        found |= {"accepted": True, **{name: data[name] for name in ("claim", "source", "outcome", "assuming")}}
        found |= {"steps": checked.steps, "boxes": checked.boxes, "solvers": checked.solvers}
    except Refused as error:
        found["reason"] = str(error)
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        found["reason"] = f"cannot be read: {error}"
    except (ArithmeticError, LookupError, TypeError, AttributeError) as error:
        found["reason"] = f"malformed: {type(error).__name__}: {error}"
    found["seconds"] = round(time.perf_counter() - started, 4)
    return found


def _text(path: str) -> bytes:
    """The bytes of a regular file: a pipe could be waited for without end, and a device has none."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise Refused("it is no regular file")
        text = file.read(MOST + 1)
    if len(text) > MOST:
        raise Refused(f"it is longer than {MOST} bytes")
    return text


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; a name that stands twice in it would be read by somebody as the first, by somebody as the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Refused("a name stands twice in one object")
    return found


def main(paths: list[str]) -> int:
    """Check every file; paths from standard input, one a line, for the single argument `-`."""
    accepted = True
    for path in [line.rstrip("\n") for line in sys.stdin] if paths == ["-"] else paths:
        found = examine(path)
        accepted = accepted and bool(found["accepted"])
        print(json.dumps(found), flush=True)
    return 0 if accepted else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
