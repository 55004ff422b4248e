"""Where a claim comes from: its file, what its checks call by name, the folder of its paper."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from dpaudit.claims.engines.empirical import Draw
from dpaudit.content import places
from dpaudit.content.claim_folders import modules_of
from dpaudit.records.errors import ContentError


@dataclass(frozen=True)
class Source:
    """The loaded files of a claim, its own first; none for a claim that was made in memory."""

    modules: tuple[ModuleType, ...] = ()

    @classmethod
    def of(cls, module: ModuleType | None) -> Source:
        """The file `module` and, in a folder of a claim, its parts."""
        return cls() if module is None else cls(modules_of(module))

    @property
    def file(self) -> Path | None:
        """The file of the claim."""
        name = getattr(self.modules[0], "__file__", None) if self.modules else None
        return None if name is None else Path(name)

    @property
    def paper(self) -> Path | None:
        """The folder of the paper, where the certificates lie; the named theorems lie beside it."""
        return None if self.file is None else places.paper_of(self.file.resolve())

    def function(self, name: str) -> Draw | None:
        """What the files call `name`, None if nothing; ContentError if it means two things in two of them."""
        found = {id(value): value for module in self.modules if (value := getattr(module, name, None)) is not None}
        if len(found) > 1:
            raise ContentError(f"two parts of the claim define {name!r}; rename one")
        return next(iter(found.values()), None)
