"""Counter-based noise: any draw of any trial can be made again, alone, on any backend.

A draw is addressed by (seed, purpose, trial, step, index) and by nothing else, so that
order, batching, number of processes and backend cannot matter:

    key      64 bits: the first 8 bytes, little-endian, of SHA-256("dpaudit-noise-1\\0<seed>\\0<purpose>")
    counter  4 words of 32 bits: (index // 2, step, trial modulo 2^32, trial // 2^32)
    words    Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011) of counter and key: 4 words of 32 bits
    bits     words 0, 1 for an even index, words 2, 3 for an odd one: word + 2^32 * next word
    uniform  (k + 1/2) * 2^-52 with k = the upper 52 bits: exact, never 0 or 1, symmetric about 1/2
    normal   the inverse normal distribution function AS241 (Wichura 1988, routine PPND16)

The arithmetic after the words uses + - * / and bit operations only, each correctly rounded
by IEEE 754; library log and sqrt differ between backends in the last bit. This file is the NumPy
form; `noise.kernels` (numba) and `noise.tensors` give the same float64 bits. A float32 draw is
the float64 one, rounded once. These streams are for audits, never for releasing data.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise import tensors
from dpaudit.noise.constants import (
    CENTRE,
    EXPONENT_OF_ONE,
    FAR,
    KEY_STEPS,
    LOG_SERIES,
    LOG_TWO_HIGH,
    LOG_TWO_LOW,
    LOW_WORD,
    MANTISSA,
    MIDDLE,
    MOST_DRAWS,
    MOST_STEPS,
    MULTIPLIERS,
    ROUNDS,
    SQRT_SEED,
    SQRT_TWO_MANTISSA,
    check_trials,
)
from dpaudit.noise.tensors import Dtype, Tensor
from dpaudit.records.errors import ConfigurationError

Words = NDArray[np.uint64]

_WORTH_COMPILING = 4_096


@dataclass(frozen=True)
class Stream:
    """The noise of one purpose in one run. seed: any integer; purpose: any text, such as "rbcd/alg-1/D"."""

    seed: int
    purpose: str

    @cached_property
    def key(self) -> tuple[int, int]:
        """The two 32-bit words of the Philox key."""
        text = f"dpaudit-noise-1\0{self.seed}\0{self.purpose}".encode()
        digest = hashlib.sha256(text).digest()
        return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:8], "little")

    def part(self, name: str) -> Stream:
        """An independent stream for one part of this purpose, such as "batches"."""
        return Stream(self.seed, f"{self.purpose}/{name}")

    def keys(self, *parts: str) -> tuple[int, ...]:
        """The key words of parts, two each, as kernels are handed them."""
        return tuple(word for name in parts for word in self.part(name).key)

    def uniforms(self, trials: ArrayLike, step: int, count: int) -> Array:
        """Uniforms in (0, 1), shape (len(trials), count); `trials`: integers from 0 to 2^63 - 1.

        Raises ConfigurationError for a step outside [0, 2^32) or a count outside [0, 2^33].
        """
        return self._draw(trials, step, count, normal=False)

    def normals(self, trials: ArrayLike, step: int, count: int) -> Array:
        """Standard normals, shape (len(trials), count); the address of each is (trial, step, index)."""
        return self._draw(trials, step, count, normal=True)

    def torch_normals(
        self, trials: ArrayLike, step: int, count: int, device: str = "cpu", dtype: Dtype = None
    ) -> Tensor:
        """The same normals as a torch tensor on `device`; `dtype` (default float64) only rounds them."""
        draws = tensors.normals(self.key, check_trials(trials), _address(step, count), count, device)
        return draws if dtype is None else draws.to(dtype)

    def torch_uniforms(self, trials: ArrayLike, step: int, count: int, device: str = "cpu") -> Tensor:
        """The same uniforms as a float64 torch tensor on `device`."""
        return tensors.uniforms(self.key, check_trials(trials), _address(step, count), count, device)

    def seeds(self, trials: ArrayLike) -> Integers:
        """One integer in [0, 2^63) per trial, for generators of other libraries; never part of the noise."""
        bits = uniform_bits(self.part("seeds").key, check_trials(trials), 0, 1)[:, 0]
        return np.asarray(bits >> np.uint64(1), dtype=np.int64)

    def _draw(self, trials: ArrayLike, step: int, count: int, normal: bool) -> Array:
        numbers, step = check_trials(trials), _address(step, count)
        if len(numbers) * count > _WORTH_COMPILING:  # the same bits, ten times as fast, after a second of compiling
            from dpaudit.noise import kernels

            return kernels.draw(self.key, numbers, step, count, normal)
        values = bits_to_uniform(uniform_bits(self.key, numbers, step, count))
        return inverse_normal(values) if normal else values


@dataclass(frozen=True)
class Trials:
    """A batch of trials. stream: their noise; numbers: which trials, integers, shape (trials,)."""

    stream: Stream
    numbers: Integers

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", check_trials(self.numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def seeds(self) -> Integers:
        """One 63-bit seed per trial, for generators of other libraries."""
        return self.stream.seeds(self.numbers)


def _address(step: int, count: int) -> int:
    if not 0 <= step < MOST_STEPS:
        raise ConfigurationError(f"step must be in [0, 2^32), got {step}; use another purpose for more draws")
    if not 0 <= count <= MOST_DRAWS:
        raise ConfigurationError(f"count must be in [0, 2^33], got {count}; use more steps")
    return int(step)


def philox(
    counter: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike], key: tuple[int, int]
) -> tuple[Words, Words, Words, Words]:
    """Philox4x32-10: four words of 32 bits, each as uint64, for four counter words (arrays broadcast)."""
    c0, c1, c2, c3 = (np.asarray(word, dtype=np.uint64) for word in counter)
    low, shift = np.uint64(LOW_WORD), np.uint64(32)
    for number in range(ROUNDS):
        k0, k1 = (np.uint64((k + number * s) & LOW_WORD) for k, s in zip(key, KEY_STEPS, strict=True))
        first, second = np.uint64(MULTIPLIERS[0]) * c0, np.uint64(MULTIPLIERS[1]) * c2
        c0, c1, c2, c3 = (second >> shift) ^ c1 ^ k0, second & low, (first >> shift) ^ c3 ^ k1, first & low
    return c0, c1, c2, c3


def uniform_bits(key: tuple[int, int], trials: Integers, step: int, count: int) -> Words:
    """The 64 random bits behind each draw, shape (len(trials), count)."""
    blocks = np.arange((count + 1) // 2, dtype=np.uint64)[None, :]
    numbers = trials.astype(np.uint64)[:, None]
    words = philox((blocks, step, numbers & np.uint64(LOW_WORD), numbers >> np.uint64(32)), key)
    even, odd = (low + (high << np.uint64(32)) for low, high in (words[:2], words[2:]))
    return np.stack([even, odd], axis=-1).reshape(len(trials), 2 * blocks.size)[:, :count]


def bits_to_uniform(bits: Words) -> Array:
    """(k + 1/2) 2^-52 with k the upper 52 bits; exact."""
    return ((bits >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52


def inverse_normal(uniform: Array) -> Array:
    """The normal quantile of each number in (0, 1), to about 1e-15 relative; any shape."""
    offset = uniform - 0.5
    near = 0.180625 - offset * offset
    value = np.asarray(offset * _ratio(near, CENTRE))
    outer = np.abs(offset) > 0.425
    tail = np.where(offset < 0, uniform, 1.0 - uniform)[outer]
    root = _square_root(-_logarithm(tail))
    size = np.where(root <= 5.0, _ratio(root - 1.6, MIDDLE), _ratio(root - 5.0, FAR))
    value[outer] = np.where(offset[outer] < 0, -size, size)
    return value


def _ratio(x: Array, polynomials: tuple[tuple[float, ...], tuple[float, ...]]) -> Array:
    above, below = (_polynomial(x, coefficients) for coefficients in polynomials)
    return above / below


def _polynomial(x: Array, coefficients: tuple[float, ...]) -> Array:
    value = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        value = value * x + coefficient
    return value


def _logarithm(x: Array) -> Array:
    """log of positive normal numbers to about 1 ulp, by + - * / only."""
    bits = x.view(np.int64)
    mantissa = bits & MANTISSA
    upper = (mantissa > SQRT_TWO_MANTISSA).astype(np.int64)
    exponent = ((bits >> 52) - EXPONENT_OF_ONE + upper).astype(np.float64)
    f = (mantissa | ((EXPONENT_OF_ONE - upper) << 52)).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    series = z * _polynomial(z, LOG_SERIES)
    half = 0.5 * f * f
    return np.asarray(exponent * LOG_TWO_HIGH - ((half - (s * (half + series) + exponent * LOG_TWO_LOW)) - f))


def _square_root(x: Array) -> Array:
    """Square root of positive normal numbers to about 1 ulp, by + * / only."""
    root = ((x.view(np.int64) >> 1) + SQRT_SEED).view(np.float64)
    for _ in range(4):
        root = 0.5 * (root + x / root)
    return root
