"""The boundaries of dpaudit, where what others wrote is read: what each does with any bytes, and how it may end.

`play(data)` hands the bytes to the code of dpaudit that reads them, and returns, or raises one of `refusals`, the
errors that the reader is documented to raise. Any other exception is a defect, and so is a Wrong: what was read breaks
a promise, such as a certificate that is accepted and proves what fails at a point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import fuzz_messages
import fuzz_readers
import fuzz_statements

from dpaudit.recheck import terms
from dpaudit.records.errors import ConfigurationError, ContentError, MissingPackageError, UnknownNameError


@dataclass(frozen=True)
class Boundary:
    """what: in words; play: reads the bytes; refusals: what it may raise; longest: bytes of an input; seconds: after
    which one input hangs; json_from: where JSON begins in an input, which then ends with it or with a line, None where
    there is none."""

    name: str
    what: str
    play: Callable[[bytes], None]
    refusals: tuple[type[BaseException], ...]
    longest: int = 4096
    seconds: int = 20
    json_from: int | None = None


def outcome(boundary: Boundary, data: bytes) -> str:
    """How the bytes end there: "read", or the name of the refusal; what is a defect is raised."""
    try:
        boundary.play(data)
    except boundary.refusals as error:
        return type(error).__name__
    return "read"


BOUNDARIES = {
    one.name: one
    for one in (
        Boundary(
            "wire",
            "messages between a sandbox and dpaudit",
            fuzz_messages.message,
            (ContentError, EOFError),
            json_from=0,
        ),
        Boundary(
            "session",
            "answers of a sandbox to the calls of an audit",
            fuzz_messages.answers,
            (ContentError, MissingPackageError),
            json_from=1,
        ),
        Boundary(
            "plan",
            "what a sandbox says of the targets of a file",
            fuzz_messages.described,
            (ContentError, MissingPackageError),
            json_from=0,
        ),
        Boundary(
            "readers",
            "files of runs, ledgers, baselines, settings, kept verdicts, scores and certificates",
            fuzz_readers.read,
            (ContentError, ConfigurationError),
            longest=8192,
            json_from=2,
        ),
        Boundary(
            "expressions",
            "texts of statements, read by the language and by the checker",
            fuzz_statements.texts,
            (ContentError, UnknownNameError),
            longest=1024,
        ),
        Boundary(
            "recheck",
            "certificates, for the checker",
            fuzz_statements.certificates,
            (terms.Refused,),
            seconds=60,
            json_from=1,
        ),
    )
}
"""Every boundary by its name."""
