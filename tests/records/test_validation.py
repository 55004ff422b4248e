"""Checks of parameters: what is given, what is allowed, what to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice, check_count, check_number, check_vector


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda: check_count("epochs", 0), "epochs must be at least 1, got 0"),
        (lambda: check_count("epochs", True), "epochs must be an integer, got True"),
        (lambda: check_count("epochs", 2.0), "epochs must be an integer, got 2.0"),
        (lambda: check_count("batch", 9, 1, 8), "batch must be from 1 to 8, got 9"),
        (lambda: check_number("noise", float("nan")), "noise must be finite, got nan"),
        (lambda: check_number("noise", float("inf")), "noise must be finite, got inf"),
        (lambda: check_number("noise", "1"), "noise must be a number, got '1'; write it as a Python float"),
        (lambda: check_number("noise", -1.0, least=0.0), "noise must be at least 0.0, got -1.0"),
        (lambda: check_number("radius", 0.0, above=0.0), "radius must be above 0.0, got 0.0"),
        (lambda: check_number("gamma", 1.5, most=1.0), "gamma must be at most 1.0, got 1.5"),
        (lambda: check_vector("start", [1.0]), "start must be a tuple of numbers, got list"),
        (lambda: check_vector("start", ()), "start must have one or more numbers, got 0"),
        (lambda: check_vector("start", (1.0,), 2), "start must have 2 numbers, got 1"),
        (lambda: check_vector("start", (1.0, float("nan"))), "start[1] must be finite, got nan"),
        (lambda: check_choice("loss", "l2", ("huber",)), "loss must be one of 'huber', got 'l2'"),
    ],
)
def test_wrong_values_are_refused_by_name(check: Callable[[], object], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check()
    assert str(caught.value) == message


def test_right_values_pass() -> None:
    assert check_count("epochs", 3, 1, 3) == 3
    assert check_number("noise", 0, least=0.0, most=0.0) == 0.0
    check_vector("start", (1, 2.5), 2)
    check_choice("loss", "huber", ("huber",))
