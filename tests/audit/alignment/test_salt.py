"""Sets of other draws are told apart by their numbers."""

from __future__ import annotations

from dpaudit.audit.alignment.salt import numbered, varied

SITES = ("a.py:3", "a.py:7")


def test_each_number_is_another_set_of_draws_at_the_same_sites() -> None:
    assert numbered(SITES, 1) == numbered(reversed(SITES), 1) != numbered(SITES, 2)
    assert set(SITES) < numbered(SITES, 1)


def test_only_what_was_numbered_is_varied() -> None:
    assert varied(numbered(SITES, 0))
    assert varied(numbered((), 0))
    assert not varied(frozenset(SITES))
    assert not varied(frozenset())
    assert not varied(None)
