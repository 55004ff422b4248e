"""What differs between two verdicts of one id.

Times, seeds, replay lines, the bytes of attachments and acceptance by a baseline never do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dpaudit.records.verdict import Evidence, Numbers, Scalar, Verdict

FIELDS = (
    "kind", "outcome", "expected", "basis", "assuming", "statement", "effect", "repair", "title", "source",
    "attachments",
    "reads", "given", "formula", "rests_on",
)  # fmt: skip
"""What is compared as a whole; numbers, witness and evidence are compared number by number."""


@dataclass(frozen=True)
class Difference:
    """One value that is not the same; `what` names it, such as "outcome" or "witness x"; "" stands for none."""

    what: str
    before: Scalar
    after: Scalar


def differences(before: Verdict, after: Verdict) -> tuple[Difference, ...]:
    """Everything that differs between two verdicts, in the order of their fields; floats differ if a bit does."""
    was, now = dict(_values(before)), dict(_values(after))
    names = [*was, *(name for name in now if name not in was)]
    pairs = ((name, was.get(name, ""), now.get(name, "")) for name in names)
    return tuple(Difference(*pair) for pair in pairs if not _same(pair[1], pair[2]))


def _same(before: Scalar, after: Scalar) -> bool:
    """Values of one type that are written alike: NaN is the same as NaN, and -0.0 is not 0.0."""
    return type(before) is type(after) and repr(before) == repr(after)


def _values(verdict: Verdict) -> Iterator[tuple[str, Scalar]]:
    for name in FIELDS:
        value = getattr(verdict, name)
        yield name, ", ".join(value) if isinstance(value, tuple) else "" if value is None else str(value)
    for kind, numbers in (("witness", verdict.witness), ("number", verdict.numbers), ("condition", verdict.origins)):
        yield from _named(kind, numbers)
    yield from _evidence(verdict.evidence)


def _evidence(found: tuple[Evidence, ...]) -> Iterator[tuple[str, Scalar]]:
    """Evidence by its engine, and by its place among what that engine found."""
    seen: Counter[str] = Counter()
    for evidence in found:
        seen[evidence.engine] += 1
        name = f"{evidence.engine} {seen[evidence.engine]}"
        yield f"{name} outcome", evidence.outcome.value
        yield f"{name} detail", evidence.detail
        yield from _named(name, evidence.numbers)


def _named(kind: str, numbers: Numbers) -> Iterator[tuple[str, Scalar]]:
    yield from ((f"{kind} {name}", value) for name, value in numbers)
