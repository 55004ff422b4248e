"""The description of an algorithm; its three forms live in the file that carries it."""

from __future__ import annotations

from enum import StrEnum

from dpaudit.records.arguments import stated
from dpaudit.records.context import Level


class Backend(StrEnum):
    """The three forms of an algorithm; none calls another."""

    REFERENCE = "reference"
    NUMBA = "numba"
    TORCH = "torch"


@stated
class Algorithm:
    """One algorithm of a paper.

    name: `<paper>/<ID of the spec>`, for example `rbcd/ALG-1`; title; source: paper,
    number; pseudo_code: the lines as implemented; options: printed variants of
    ambiguous lines, as (name, default, other readings); released: what the adversary
    may see; cost: formula of the number of oracle calls; also: other ids of the specs that
    this algorithm is for some parameters, which its docstring names.
    """

    name: str
    title: str
    source: str
    pseudo_code: str
    options: tuple[tuple[str, str, str], ...]
    released: str
    cost: str
    also: tuple[str, ...] = ()
    from_level: Level = Level.SMOKE
