"""The noise of `dpaudit.noise.stream` for numba: kernels to call inside compiled algorithms, same float64 bits.

`compiled` is the one way in which dpaudit compiles: machine code is kept between processes
in the user's cache folder, under a digest of all kernel sources. numba itself keys its cache on
the file of the calling function only: after a change of the noise a cached algorithm would
go on drawing the old one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise import constants
from dpaudit.noise.machine_code import cache_folder
from dpaudit.noise.threads import share_rows

F = TypeVar("F", bound=Callable[..., Any])
Packed: TypeAlias = Any  # flat tuples of numbers and arrays, or None, whose types numba infers
Scalar: TypeAlias = Any  # a number in the precision of the arrays, which numba infers
Index: TypeAlias = "int | np.int64"  # one 64-bit integer for numba, whether it was counted or read from an array

_PACKAGE = Path(__file__).resolve().parents[1]
_M0, _M1 = (np.uint64(word) for word in constants.MULTIPLIERS)
_S0, _S1 = (np.uint64(word) for word in constants.KEY_STEPS)
_LOW, _WORD, _SPARE, _ROUNDS = np.uint64(constants.LOW_WORD), np.uint64(32), np.uint64(12), constants.ROUNDS
_CENTRE, _MIDDLE, _FAR, _SERIES = constants.CENTRE, constants.MIDDLE, constants.FAR, constants.LOG_SERIES
_LOG_TWO_HIGH, _LOG_TWO_LOW = constants.LOG_TWO_HIGH, constants.LOG_TWO_LOW
_MANTISSA, _ONE, _SQRT_TWO, _SEED = (
    np.int64(bits)
    for bits in (constants.MANTISSA, constants.EXPONENT_OF_ONE, constants.SQRT_TWO_MANTISSA, constants.SQRT_SEED)
)


class Locator:
    """Where numba keeps the machine code of a file: by its place in the package, not by where the package lies, so that
    a checkout and every environment on a machine share what one of them has compiled. numba calls these methods."""

    def __init__(self, function: FunctionType, file: str) -> None:
        place = Path(file).resolve().parent.relative_to(_PACKAGE)
        self.folder, self.line = Path(cache_folder()) / place, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: FunctionType, file: str) -> Locator | None:
        """The place of a file of the package, None for any other."""
        return cls(function, file) if Path(file).resolve().is_relative_to(_PACKAGE) else None

    def get_cache_path(self) -> str:
        """The folder, which may not be there yet."""
        return str(self.folder)

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """What must be equal for code to be used: nothing more, the folder names the digest of the sources."""
        return ""

    def get_disambiguator(self) -> str:
        """Functions of one name are told apart by their first line."""
        return str(self.line)


def compiled() -> Callable[[F], F]:
    """Decorator: compile with strict IEEE arithmetic (no reordering, no fused operations)."""
    cached = bool(cache_folder())

    def decorate(function: F) -> F:
        before = numba.config.CACHE_LOCATOR_CLASSES
        numba.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"  # read while a function is decorated
        try:
            made: F = numba.njit(cache=cached, error_model="numpy", nogil=True, no_cfunc_wrapper=True)(function)
        finally:
            numba.config.CACHE_LOCATOR_CLASSES = before
        return made

    return decorate


@compiled()
def words(key0: int, key1: int, block: Index, step: Index, trial: Index) -> Packed:
    """Philox4x32-10 at one address: four 32-bit words as uint64."""
    number = np.uint64(trial)
    c0, c1, c2, c3 = np.uint64(block), np.uint64(step), number & _LOW, number >> _WORD
    k0, k1 = np.uint64(key0), np.uint64(key1)
    for _ in range(_ROUNDS):
        first, second = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (second >> _WORD) ^ c1 ^ k0, second & _LOW, (first >> _WORD) ^ c3 ^ k1, first & _LOW
        k0, k1 = (k0 + _S0) & _LOW, (k1 + _S1) & _LOW
    return c0, c1, c2, c3


@compiled()
def uniform_pair(key0: int, key1: int, block: Index, step: Index, trial: Index) -> Packed:
    """The uniforms of index 2*block and 2*block + 1 in (0, 1)."""
    w0, w1, w2, w3 = words(key0, key1, block, step, trial)
    first = np.int64((w0 | (w1 << _WORD)) >> _SPARE)
    second = np.int64((w2 | (w3 << _WORD)) >> _SPARE)
    return (first + 0.5) * 2.0**-52, (second + 0.5) * 2.0**-52


@compiled()
def normal_pair(key0: int, key1: int, block: Index, step: Index, trial: Index) -> Packed:
    """The standard normals of index 2*block and 2*block + 1."""
    first, second = uniform_pair(key0, key1, block, step, trial)
    return inverse_normal(first), inverse_normal(second)


@compiled()
def _polynomial(x: float, coefficients: Packed) -> float:
    value = coefficients[len(coefficients) - 1]
    for i in range(len(coefficients) - 2, -1, -1):
        value = value * x + coefficients[i]
    return value  # type: ignore[no-any-return]


@compiled()
def _logarithm(x: float) -> float:
    bits = np.float64(x).view(np.int64)
    mantissa = bits & _MANTISSA
    upper = np.int64(mantissa > _SQRT_TWO)
    exponent = np.float64((bits >> 52) - _ONE + upper)
    f = np.int64(mantissa | ((_ONE - upper) << 52)).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    series = z * _polynomial(z, _SERIES)
    half = 0.5 * f * f
    return exponent * _LOG_TWO_HIGH - ((half - (s * (half + series) + exponent * _LOG_TWO_LOW)) - f)


@compiled()
def _square_root(x: float) -> float:
    root = np.int64((np.float64(x).view(np.int64) >> 1) + _SEED).view(np.float64)
    for _ in range(4):
        root = 0.5 * (root + x / root)
    return root


@compiled()
def inverse_normal(uniform: float) -> float:
    """The normal quantile of a number in (0, 1)."""
    offset = uniform - 0.5
    if abs(offset) <= 0.425:
        near = 0.180625 - offset * offset
        return offset * (_polynomial(near, _CENTRE[0]) / _polynomial(near, _CENTRE[1]))
    tail = uniform if offset < 0 else 1.0 - uniform
    root = _square_root(-_logarithm(tail))
    if root <= 5.0:
        size = _polynomial(root - 1.6, _MIDDLE[0]) / _polynomial(root - 1.6, _MIDDLE[1])
    else:
        size = _polynomial(root - 5.0, _FAR[0]) / _polynomial(root - 5.0, _FAR[1])
    return -size if offset < 0 else size


@compiled()
def add_normals(values: Array, scale: Scalar, key0: int, key1: int, step: Index, trial: Index) -> None:
    """values += scale * (the first len(values) normals of the step), in the dtype of `values`."""
    kind = values.dtype.type
    count = len(values)
    for block in range(count // 2):
        first, second = normal_pair(key0, key1, block, step, trial)
        values[2 * block] += scale * kind(first)
        values[2 * block + 1] += scale * kind(second)
    if count % 2:
        first, _ = normal_pair(key0, key1, count // 2, step, trial)
        values[count - 1] += scale * kind(first)


@compiled()
def _fill(out: Array, trials: Integers, key0: int, key1: int, step: int, normal: bool) -> None:
    count = out.shape[1]
    for row in range(len(trials)):
        for block in range((count + 1) // 2):
            first, second = uniform_pair(key0, key1, block, step, trials[row])
            out[row, 2 * block] = inverse_normal(first) if normal else first
            if 2 * block + 1 < count:
                out[row, 2 * block + 1] = inverse_normal(second) if normal else second


def draw(key: tuple[int, int], trials: Integers, step: int, count: int, normal: bool) -> Array:
    """Uniforms or normals of all `trials` at `step`, shape (len(trials), count)."""
    out = np.empty((len(trials), count))
    share_rows(_fill, (out, trials), key[0], key[1], step, normal)
    return out
