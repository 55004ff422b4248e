"""The exceptions that dpaudit raises on purpose; everything else is a crash."""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable


class DpauditError(Exception):
    """Base class: the message says what was given, what is allowed, what to do."""


class ConfigurationError(DpauditError):
    """Wrong arguments or configuration (exit code 2)."""


class ContentError(DpauditError):
    """A claim, algorithm or target file is broken (an ERROR verdict)."""


class OtherBatchError(ContentError):
    """A training failed where it was handed another batch than it drew (an INCONCLUSIVE verdict); raised: the class of
    what it raised, in words."""

    def __init__(self, error: BaseException) -> None:
        self.raised = type(error).__name__
        super().__init__(
            f"the training fails on a replay, where it is handed another batch than it drew ({self.raised}: {error}); "
            "to settle it: look up values of its own by the ids that recorder.batch(ids) returns, or that "
            "records.tensors(ids) leaves in ids, a tensor or a list, and not by ids that were drawn before"
        )


class MachineFault(BaseException):
    """What keeps this machine from the work, in words: no process can be started, a disk is full. It is no finding on
    any item, and passes by all that catches what an item raises; the run stops, and `resume` goes on with it."""


_OF_THE_MACHINE = frozenset(
    getattr(errno, name)
    for name in ("EIO", "ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE", "ENOMEM", "ENOBUFS", "EAGAIN", "ESTALE")
    if hasattr(errno, name)
)


def of_the_machine(error: BaseException) -> bool:
    """Did the machine fail, and not what is checked: no memory, no room, no process, no descriptor, a bad disk?"""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _OF_THE_MACHINE)


def machine_words(error: BaseException) -> str:
    """What failed, and what to do."""
    if isinstance(error, MemoryError):
        return "this machine has no memory left: end other programs, or use fewer --jobs"
    reason, file = getattr(error, "strerror", None) or str(error), getattr(error, "filename", None)
    full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
    advice = "free some space" if full else "see its disks and ulimit -a"
    return f"this machine failed: {reason}{f' ({file})' if file else ''}; {advice}"


class UnknownNameError(ConfigurationError):
    """A name that nothing carries; the message names the nearest known ones.

    groups: names that stand for several of the known ones, and are allowed too; place: file and line; see: the command
    that lists them all.
    """

    def __init__(
        self,
        what: str,
        name: str,
        known: Iterable[str],
        *,
        groups: Iterable[str] = (),
        place: str = "",
        see: str = "",
    ) -> None:
        listed, several = sorted(known), sorted(groups)
        near = [f"{one!r} (every {what} of it)" if one in several else repr(one)
                for one in nearest(name, [*several, *listed])]  # fmt: skip
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        shown = several or listed
        more = (", ..." if len(shown) > MOST_KNOWN else "") + (f"; all: {see}" if see else "")
        where = f"{place}: " if place else ""
        super().__init__(
            f"{where}unknown {what} {name!r}{hint} (known: {', '.join(shown[:MOST_KNOWN]) or 'none'}{more})"
        )


MOST_KNOWN = 8
"""Names that a message lists."""


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names that `name` may have been meant for, the likeliest first; capitals make no difference."""
    folded = {one.casefold(): one for one in known}
    return [folded[one] for one in difflib.get_close_matches(name.casefold(), folded, n=most, cutoff=0.6)]


def install_line(extra: str = "") -> str:
    """The command that installs dpaudit, and the packages of an extra; it is on no index, so that its checkout does."""
    what = f"'.[{extra}]'" if extra else "."
    return f"pip install -c constraints.txt -e {what}  # in the checkout of dpaudit"


class MissingPackageError(DpauditError):
    """An optional package is absent; carries the line that installs it: that of an extra, or `install`."""

    def __init__(self, package: str, extra: str, install: str = "") -> None:
        self.package = package
        self.extra = extra
        self.install = install or install_line(extra)
        super().__init__(f"{package} is not installed; run: {self.install}")
