"""Types that say which values a field of parameters may have, and the check of all fields of a record by them.

A field is declared as `noise: NotNegative`, `steps: Count` or `output: Annotated[str, OneOf(OUTPUTS)]`, and
`check_fields(self)` in `__post_init__` refuses everything else by its name. What hangs on other fields, such as the
length of a vector, is checked there as well, by the functions of `validation`.
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from dpaudit.records.validation import check_choice, check_count, check_number, check_vector


@dataclass(frozen=True)
class Range:
    """Of a number, or of every number of a tuple; bounds as in `check_number`."""

    above: float | None = None
    least: float | None = None
    most: float | None = None

    def check(self, name: str, value: object, kind: object) -> None:
        """Refuse another value; kind: the type of the field without its range."""
        if kind is int:
            least, most = (None if bound is None else int(bound) for bound in (self.least, self.most))
            check_count(name, value, 1 if least is None else least, most)
        elif kind is float:
            check_number(name, value, above=self.above, least=self.least, most=self.most)
        else:
            numbers = typing.cast("Sequence[object]", value)
            check_vector(name, numbers, above=self.above, least=self.least, most=self.most)


@dataclass(frozen=True)
class OneOf:
    """Of a text: one of these."""

    choices: Sequence[str]

    def check(self, name: str, value: object, kind: object) -> None:
        """Refuse another value."""
        check_choice(name, value, self.choices)


Count = Annotated[int, Range(least=1)]
Positive = Annotated[float, Range(above=0.0)]
NotNegative = Annotated[float, Range(least=0.0)]
Numbers = Annotated[tuple[float, ...], Range()]
PositiveNumbers = Annotated[tuple[float, ...], Range(above=0.0)]


def check_fields(record: object) -> None:
    """Refuse values out of the ranges that the fields of a dataclass are declared with; None where it may stand."""
    for name, (kind, rule, optional) in _rules(typing.cast("Any", type(record))).items():
        value = getattr(record, name)
        if not (optional and value is None):
            rule.check(name, value, kind)


@functools.cache
def _rules(cls: Any) -> dict[str, tuple[object, Range | OneOf, bool]]:
    """Type and rule of every field that has one, and whether it may be None; a field that a class declares again
    without a rule keeps the one of its base."""
    found = {}
    for base in reversed(cls.__mro__):
        for name, hint in typing.get_type_hints(base, include_extras=True).items():
            choices = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
            for part in (choice for choice in choices if typing.get_origin(choice) is Annotated):
                kind, rule, *_ = typing.get_args(part)
                found[name] = (kind, rule, part is not hint)
    return found
