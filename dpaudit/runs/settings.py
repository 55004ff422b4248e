"""What a user asks of a run."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from dpaudit.confinement.limits import Limits
from dpaudit.records.context import Level
from dpaudit.records.serial import record
from dpaudit.runs import budget
from dpaudit.runs.executors.local import LOCAL

DEFAULT_SEED = 20261121
"""The seed of a run that names none, so that two runs are comparable without asking for it."""


class Part(StrEnum):
    """The names of the flows, in plan order; each is also the command that repeats one item of its flow."""

    VERIFY = "verify"
    AGREE = "agree"
    AUDIT = "audit"


@record
class Settings:
    """What the user asked for; run.json keeps it, so that a stopped run can go on.

    names: ids, names or paths, every item if empty; alpha: error budget of the whole run;
    proofs, audits: content folders, found by `content.places.content_folder` if None; controls:
    add controls to an audit that names none; mutants: try the mutants of inequalities by
    fixed operators too; cache: use and keep verdicts that nothing has changed for;
    time: minutes after which no new task begins, None for no clock;
    isolate: play targets that did not come with dpaudit, and those that ask for it, in sandboxes; time_limit:
    seconds of each call there; memory_limit: GiB of each process there; allow_network: they may use the network of
    the machine; load_limit: seconds in which a file is loaded there; baseline: file of the findings that are
    accepted; executor: who does the work, as `executors.local.parse` reads it; keyword: chooses among the items by
    their names, as `keyword.chooser` reads it; maxfail: outcomes that are not as expected after which no new task
    begins, None for no limit; left_out: names of structural checks that are not made.
    """

    command: str
    parts: tuple[Part, ...]
    names: tuple[str, ...] = ()
    seed: int = DEFAULT_SEED
    level: Level = Level.SMOKE
    alpha: float = budget.DEFAULT_TOTAL
    device: str = "cpu"
    jobs: int = 1
    proofs: Path | None = None
    audits: Path | None = None
    controls: bool = True
    allow_inconclusive: bool = False
    mutants: bool = False
    cache: bool = True
    isolate: bool = True
    time: float | None = None
    time_limit: float = Limits.seconds
    memory_limit: float = Limits.gib
    allow_network: bool = Limits.network
    load_limit: float = Limits.loading
    baseline: Path | None = None
    executor: str = LOCAL
    keyword: str = ""
    maxfail: int | None = None
    left_out: tuple[str, ...] = ()

    @property
    def limits(self) -> Limits:
        """Of each sandbox."""
        return Limits(self.time_limit, self.memory_limit, self.allow_network, self.load_limit)

    @property
    def controls_alone(self) -> bool:
        """Is it the command `controls`, which plays nothing else?"""
        return self.command == "controls"

    @property
    def paths(self) -> list[Path]:
        """The files and folders among the names."""
        return [Path(name).expanduser() for name in self.names if _is_path(name)]

    @property
    def ids(self) -> list[str]:
        """The ids and names of items among the names."""
        return [name for name in self.names if not _is_path(name)]


def _is_path(name: str) -> bool:
    """A path ends in .py, starts like one, or is there."""
    return name.endswith(".py") or name[:1] in "./~" or Path(name).exists()
