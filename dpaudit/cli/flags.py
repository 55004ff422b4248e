"""The flags of commands as they reach the functions that carry them out."""

from __future__ import annotations

from pathlib import Path
from typing import Required, TypedDict

from dpaudit.cli.format_flag import Export


class SettingFlags(TypedDict, total=False):
    """The fields of `Settings` that a command has flags for."""

    seed: int
    alpha: float
    device: str
    jobs: int
    proofs: Path | None
    audits: Path | None
    controls: bool
    allow_inconclusive: bool
    mutants: bool
    cache: bool
    isolate: bool
    time: float | None
    time_limit: float
    memory_limit: float
    allow_network: bool
    load_limit: float
    baseline: Path | None
    executor: str
    keyword: str
    maxfail: int | None


class OutputFlags(TypedDict):
    """Where the results of a run go; report: write its page; durations: name so many of the slowest checks."""

    forms: tuple[Export, ...]
    output: Path | None
    report: bool
    durations: int


class RunFlags(SettingFlags, OutputFlags, total=False):
    """The flags of a command that makes a run."""

    run_dir: Required[Path | None]
    ledger: Required[Path | None]
    level: Required[str]
    select: tuple[str, ...]
    ignore: tuple[str, ...]


class RestFlags(TypedDict):
    """The flags of `resume`, as `runs.resume.planned` takes them."""

    jobs: int | None
    moved: Path | None
    executor: str
    time: float | None
    maxfail: int | None


class ResumeFlags(RestFlags, OutputFlags):
    """All flags of `resume`."""
