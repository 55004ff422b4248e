"""How often somebody's lower bound on epsilon exceeds the true epsilon: a table over laws and numbers of trials.

The laws are those of `laws.known_laws`, played and judged as in the coverage tier (`coverage`). A row is one law at one
pair of sizes; the rows share the error budget equally, so that the probability that any row refutes a bound which keeps
its confidence is at most `alpha` (Bonferroni). Scores of a row hang on the seed, the law and the sizes alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpaudit.audit import coverage
from dpaudit.audit.coverage import Bounds, Played
from dpaudit.audit.laws import Law, known_laws
from dpaudit.audit.structural.finding import Finding
from dpaudit.records.errors import UnknownNameError

Sizes = tuple[int, int]
"""Trials on the first and on the second data set."""


@dataclass(frozen=True)
class Row:
    """What one law at one pair of sizes has shown."""

    law: Law
    sizes: Sizes
    played: Played
    finding: Finding

    def number(self, name: str) -> float:
        """A number of the finding."""
        return float(next(value for key, value in self.finding.numbers if key == name) or 0)


def chosen_laws(delta: float, names: Sequence[str]) -> tuple[Law, ...]:
    """The laws whose names begin with one of `names`, all without any; UnknownNameError for a name that no law has."""
    known = known_laws(delta)
    for name in names:
        if not any(law.name.startswith(name) for law in known):
            raise UnknownNameError("law", name, [law.name for law in known])
    return tuple(law for law in known if not names or law.name.startswith(tuple(names)))


def rows(
    bounds: Bounds,
    cells: Sequence[tuple[Law, Sizes]],
    audits: int,
    *,
    seed: int,
    alpha: float,
    level: float,
) -> Iterator[Row]:
    """One row a cell, in their order, as each is done. audits: of each; alpha: of all rows; level: of `bounds`."""
    for law, sizes in cells:
        rng = np.random.default_rng([seed, zlib.crc32(law.name.encode()), *sizes])
        played = coverage.play(bounds, law, audits, rng, sizes, level)
        yield Row(law, sizes, played, coverage.judge(law, played, alpha / len(cells), level))
