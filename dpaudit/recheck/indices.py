"""Names for the variables of sums and integrals: one for equal ends, so that equal sums look equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dpaudit.recheck.terms import Term, free


class Indices:
    """The names that are in use, each with the head and the ends of its sums."""

    def __init__(self) -> None:
        self._rows: list[tuple[str, Term, Term, str]] = []

    def known(
        self, head: str, low: Term, high: Term, taken: Iterable[str], equal: Callable[[Term, Term], bool]
    ) -> str | None:
        """The name for these ends; none of `taken`, the variables of sums around, and none that one of those hangs on
        by the ends of its range: what is known of the one would be said of the other."""
        refused = self._with_ends(taken)
        for of, first, last, name in self._rows:
            if of == head and name not in refused and equal(first, low) and equal(last, high):
                return name
        return None

    def new(self, head: str, low: Term, high: Term) -> str:
        """A name that nothing has yet, which no symbol can have."""
        name = f"#{len(self._rows)}"
        self._rows.append((head, low, high, name))
        return name

    def _with_ends(self, names: Iterable[str]) -> set[str]:
        """The names, and the variables of sums that the ends of their ranges hang on."""
        ends = {name: free(low) | free(high) for _, low, high, name in self._rows}
        found, waiting = set(names), list(names)
        for name in waiting:
            new = ends.get(name, frozenset()) - found
            found |= new
            waiting += new
        return found
