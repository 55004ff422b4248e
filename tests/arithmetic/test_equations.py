"""Exact solutions, or none."""

from fractions import Fraction

from dpaudit.arithmetic import equations


def test_equations_are_solved_exactly_or_not_at_all() -> None:
    third = Fraction(1, 3)
    assert equations.solved([{0: Fraction(3), 1: Fraction(1)}], {0: Fraction(1), 1: third}) == [third]
    assert equations.solved([{0: Fraction(3), 1: Fraction(1)}], {0: Fraction(1), 1: Fraction(1, 2)}) is None
    assert equations.solved([{0: Fraction(1)}, {0: Fraction(1)}], {0: Fraction(1)}) == [1, 0]
