"""Checks of numbers that callers hand in; each error names what was given, what is allowed, what to do."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpaudit.records.errors import ConfigurationError


def check_count(name: str, value: object, least: int = 1, most: int | None = None) -> int:
    """`value` if it is an integer in [least, most]."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigurationError(f"{name} must be an integer, got {value!r}")
    if value < least or (most is not None and value > most):
        limits = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ConfigurationError(f"{name} must be {limits}, got {value}")
    return value


def check_number(
    name: str, value: object, *, above: float | None = None, least: float | None = None, most: float | None = None
) -> float:
    """`value` if it is a finite number above `above`, at least `least` and at most `most`."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ConfigurationError(f"{name} must be a number, got {value!r}; write it as a Python float")
    if not math.isfinite(value):
        raise ConfigurationError(f"{name} must be finite, got {value}")
    if above is not None and not value > above:
        raise ConfigurationError(f"{name} must be above {above}, got {value}")
    if least is not None and not value >= least:
        raise ConfigurationError(f"{name} must be at least {least}, got {value}")
    if most is not None and not value <= most:
        raise ConfigurationError(f"{name} must be at most {most}, got {value}")
    return float(value)


def check_vector(
    name: str,
    values: Sequence[object],
    length: int | None = None,
    *,
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
) -> None:
    """Refuse `values` unless they are a tuple of `length` (any above 0 by default) numbers in the range."""
    if not isinstance(values, tuple):
        raise ConfigurationError(f"{name} must be a tuple of numbers, got {type(values).__name__}")
    if not values or (length is not None and len(values) != length):
        raise ConfigurationError(f"{name} must have {length or 'one or more'} numbers, got {len(values)}")
    for position, value in enumerate(values):
        check_number(f"{name}[{position}]", value, above=above, least=least, most=most)


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Refuse `value` unless it is one of `choices`."""
    if value not in choices:
        raise ConfigurationError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")


def check_noisy(noise: float) -> None:
    """Refuse noise of 0 where privacy is to be promised."""
    if not noise > 0:
        raise ConfigurationError("noise is 0, so the run promises no privacy; raise it")
