"""Names of the variables of sums: one for equal ends, and never that of a variable around."""

from __future__ import annotations

from fractions import Fraction
from operator import eq

from dpaudit.recheck.indices import Indices

ZERO = Fraction(0)


def test_equal_ends_have_one_name() -> None:
    indices = Indices()
    assert indices.known("sum", ZERO, "n", (), eq) is None
    assert [indices.new("sum", ZERO, "n"), indices.new("sum", ZERO, "m")] == ["#0", "#1"]
    assert indices.known("sum", ZERO, "m", (), eq) == "#1"
    assert indices.known("integral", ZERO, "n", (), eq) is None
    assert indices.known("sum", ZERO, "n", (), lambda a, b: False) is None


def test_a_variable_around_is_not_named_again() -> None:
    indices = Indices()
    indices.new("sum", ZERO, "n")
    assert indices.known("sum", ZERO, "n", ("#0",), eq) is None
    indices.new("sum", ZERO, "n")
    assert indices.known("sum", ZERO, "n", ("#0",), eq) == "#1"


def test_nor_one_that_the_range_of_a_variable_around_hangs_on() -> None:
    """#1 runs to #0, and #2 to #1."""
    indices = Indices()
    for high in ("n", "#0", "#1"):
        indices.new("sum", ZERO, high)
    assert indices.known("sum", ZERO, "n", ("#2",), eq) is None
    assert indices.known("sum", ZERO, "#0", ("#2",), eq) is None
    assert indices.known("sum", ZERO, "#1", ("#0",), eq) == "#2"
