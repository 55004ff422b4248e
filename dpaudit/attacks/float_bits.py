"""Bit patterns of floating-point outputs: what arithmetic on a machine adds to a release.

Noise drawn as a float lies on a grid whose spacing depends on its own size, not on that of the released sum. q(D) +
noise therefore falls on numbers that q(D') + noise can never reach, however much noise there is: one low-order bit can
tell the neighbours apart where the value itself says little. An event that is named before any trial is run needs no
held-out part; `low_bits` makes features for `histogram.Histogram`, which finds the event itself.

Scores: an event in the bit pattern of the outputs (`off_grid`), or features of it for `histogram` (`low_bits`).

Finds: floating-point noise whose grid hangs on the released value, so that some outputs are possible on one side only.

Cannot find: leaks of the value, but for what sign and exponent show, and patterns beyond sign, exponent and last place;
noise that is rounded to one grid for all data sets leaves nothing to see in the last place.

Needs: floating-point outputs of 64 bits at most, as they are released; those that were printed with fewer digits have
lost what it looks at.

Costs: a few operations on whole numbers for each coordinate.

Competes: as "float bits" in a `Release` or `Command` with `float_bits=True`; `off_grid` is called by the `score` of a
target file.

Source: Mironov, "On significance of the least significant bits for differential privacy" (2012); Haney, Desfontaines,
Hartman, Shrestha, Hay, "Precision-based attacks and interval refining" (2022).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.attacks._outputs import Outputs, rows
from dpaudit.records.errors import ConfigurationError, ContentError

MANTISSA_BITS = 52
_MANTISSA = np.int64((1 << MANTISSA_BITS) - 1)
_BIAS = 1023


def exponent(values: ArrayLike) -> Integers:
    """floor(log2 |value|) of float64 numbers; -1023 for 0 and subnormal numbers, 1024 for infinities. Same shape."""
    return np.asarray(((_bits(values) >> MANTISSA_BITS) & 0x7FF) - _BIAS, dtype=np.int64)


def trailing_zeros(values: ArrayLike) -> Integers:
    """Zeros at the end of the 52-bit mantissa, 0 to 52 (52: a power of two, 0 or an infinity). Same shape."""
    mantissa = _bits(values) & _MANTISSA
    lowest = mantissa & -mantissa
    return np.where(mantissa == 0, MANTISSA_BITS, exponent(lowest.astype(np.float64)))


def last_place(values: ArrayLike) -> Integers:
    """The largest k such that the value is a multiple of 2^k, for numbers of normal size. Same shape."""
    return np.asarray(exponent(values) - MANTISSA_BITS + trailing_zeros(values), dtype=np.int64)


def off_grid(values: ArrayLike, power: int, low: float, high: float) -> Array:
    """1 where the value lies in [low, high) and is no multiple of 2^power, else 0; (trials, ...) -> (trials,).

    An event that is fixed in advance; one coordinate for which it holds is enough. -1022 <= power <= 1000.
    """
    if not -1022 <= power <= 1000:
        raise ConfigurationError(f"power must be from -1022 to 1000, got {power}")
    given = _floats(values)
    found = (given >= low) & (given < high) & (last_place(given) < power)
    return np.asarray(found.any(axis=tuple(range(1, found.ndim))), dtype=np.float64)


def low_bits(values: Outputs) -> Integers:
    """Features of each output: sign, exponent and `last_place` of every coordinate; (trials, ...) -> (trials, k)."""
    given = rows(_floats(values))
    return np.concatenate([np.signbit(given).astype(np.int64), exponent(given), last_place(given)], axis=1)


def _floats(values: ArrayLike) -> Array:
    given = np.asarray(values)
    if given.dtype.kind != "f" or given.itemsize > 8:
        raise ContentError(f"bit patterns need floating-point outputs of at most 64 bits, got {given.dtype}")
    if np.isnan(given).any():
        raise ContentError("bit patterns of NaN say nothing")
    return np.asarray(given, dtype=np.float64)  # exact for narrower floats


def _bits(values: ArrayLike) -> Integers:
    given = np.ascontiguousarray(np.asarray(values, dtype=np.float64))
    return given.view(np.int64).reshape(np.shape(values))
