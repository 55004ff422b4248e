"""One error budget for many sessions: the flag `--dpaudit-ledger FILE`, of a file that `dpaudit ledger` made."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dpaudit.records.errors import DpauditError
from dpaudit.runs import spending_file
from dpaudit.runs.plan import Plan
from dpaudit.runs.settings import Settings

_OURS = ("--dpaudit-ledger", "--dpaudit-seed")
"""Flags with a value that make way for others in what repeats a session."""


def asked_for(config: pytest.Config) -> Path | None:
    """The ledger that the flags name; UsageError beside what excludes it, or where it cannot be read."""
    named = config.getoption("dpaudit_ledger")
    if named is None:
        return None
    if config.getoption("dpaudit_alpha") is not None:
        raise pytest.UsageError(
            "--dpaudit-ledger and --dpaudit-alpha exclude each other: a ledger says what its sessions may spend"
        )
    if getattr(config.option, "numprocesses", None) or getattr(config.option, "tx", None):
        raise pytest.UsageError(
            "--dpaudit-ledger needs one process, since a session takes one share: leave out -n of pytest-xdist, or use "
            "dpaudit audit --ledger FILE, which has --jobs"
        )
    try:
        spending_file.read(Path(named))
    except DpauditError as error:
        raise pytest.UsageError(str(error)) from error
    return Path(named)


def take(ledger: Path, plan: Plan, folder: Path, typed: Sequence[str]) -> Plan:
    """`plan` with the next share of the ledger, which is entered before this returns; UsageError where none is to be
    had. folder: of the run; typed: the arguments of pytest."""
    try:
        return spending_file.take(ledger, plan, folder, lambda settings: again(typed, settings))
    except DpauditError as error:
        raise pytest.UsageError(str(error).replace("leave out --seed", "leave out --dpaudit-seed")) from error


def again(typed: Sequence[str], settings: Settings) -> str:
    """What repeats a session, at the share that it had and without the ledger."""
    own = ("--dpaudit-seed", str(settings.seed), "--dpaudit-alpha", repr(settings.alpha))
    return shlex.join(["pytest", *_without(typed), *own])


def _without(typed: Sequence[str]) -> Iterator[str]:
    """The arguments but for `_OURS` and their values."""
    skipped = False
    for word in typed:
        if skipped or word in _OURS:
            skipped = not skipped
        elif not word.startswith(tuple(f"{name}=" for name in _OURS)):
            yield word
