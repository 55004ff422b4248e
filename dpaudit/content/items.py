"""What was found at a path: a record with its carrier, or a file that is broken; and the choice among them by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Generic, TypeVar

from dpaudit.agreement.forms import Forms
from dpaudit.content.audits import Audit
from dpaudit.content.places import shown
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.claim import Claim
from dpaudit.records.errors import ConfigurationError, UnknownNameError
from dpaudit.records.target import Target

Record = TypeVar("Record", Claim, Algorithm, Target)
Carrier = TypeVar("Carrier", ModuleType, Forms, Audit)


@dataclass(frozen=True)
class Loaded(Generic[Record, Carrier]):
    """A record, what carries it, and the `path` of the file. carrier: of a claim the module of its file, of a target an
    Audit, of an algorithm its Forms."""

    record: Record
    carrier: Carrier
    path: Path

    @property
    def name(self) -> str:
        """The id of a claim, the name of an algorithm or target."""
        return str(self.record.id if isinstance(self.record, Claim) else self.record.name)


@dataclass(frozen=True)
class Broken:
    """A file that could not be loaded: `error` says why, with file and line; `missing` is true
    when all that it lacks is an optional package."""

    name: str
    path: Path
    error: str
    missing: bool = False


ClaimItem = Loaded[Claim, ModuleType] | Broken
TargetItem = Loaded[Target, Audit] | Broken
AlgorithmItem = Loaded[Algorithm, Forms] | Broken
Item = ClaimItem | TargetItem | AlgorithmItem
Selected = TypeVar("Selected", bound=Item)


def select(items: Sequence[Selected], names: Sequence[str], what: str) -> tuple[Selected, ...]:
    """The items that `names` ask for, in the order of `items`; all of them if there are no names.

    A name is that of an item, the group before its first slash, or that of one of its
    steps. Raises UnknownNameError with the nearest known name.
    """
    chosen: set[int] = set()
    for name in names:
        hits = [i for i, item in enumerate(items) if item.name == name or item.name.startswith(f"{name}/")]
        hits = hits or [
            i for i, item in enumerate(items) if name.startswith(f"{item.name}/") or name in _variants(item)
        ]
        if not hits:
            raise _unknown(what, name, items)
        chosen.update(hits)
    return tuple(item for i, item in enumerate(items) if i in chosen or not names)


def _variants(item: Item) -> set[str]:
    """The ids of the mutants of a claim and of its best constants."""
    if not isinstance(item, Loaded) or not isinstance(item.record, Claim):
        return set()
    claim = item.record
    made = {f"{claim.id}~{mutant.name}" for mutant in claim.mutants}
    return made | {row.best_id(claim.id) for row in claim.tightness}


def _unknown(what: str, name: str, items: Sequence[Item]) -> ConfigurationError:
    """The error of a name that chooses nothing. A file that might hold it, but could not be loaded, is the likelier
    cause and stands first, unless all that it lacks is an optional package."""
    broken = sorted((item for item in items if isinstance(item, Broken)), key=lambda item: item.missing)
    known = [item.name for item in items if isinstance(item, Loaded)]
    near = of_group(name, known)
    groups = () if near else {one.partition("/")[0] for one in known if "/" in one}
    error = UnknownNameError(what, name, near or known, groups=groups, see=f"dpaudit list {what}s")
    if not broken:
        return error
    count = "1 file could not be loaded" if len(broken) == 1 else f"{len(broken)} files could not be loaded, the first"
    cause = f"{count}: {broken[0].error}"
    return ConfigurationError(f"{error}; {cause}" if broken[0].missing else f"{cause}; {error}")


def of_group(name: str, known: Sequence[str]) -> list[str]:
    """The known names of the paper or library that `name` is, or begins with; none if there is no such group."""
    return [one for one in known if one.startswith(f"{name.partition('/')[0]}/")]


def refuse_duplicates(items: Sequence[Item]) -> None:
    """ConfigurationError, naming both files, if two items have one name."""
    seen: dict[str, Path] = {}
    for item in items:
        if item.name in seen:
            raise ConfigurationError(
                f"two records are called {item.name!r}: in {shown(seen[item.name])} and {shown(item.path)}; rename one"
            )
        seen[item.name] = item.path
