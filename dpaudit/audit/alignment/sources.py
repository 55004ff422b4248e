"""Random generators as the alignment needs them: their state can be read, set, and made from a key."""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, TypeAlias

import numpy as np

State: TypeAlias = Any
"""What a generator gives as its state: each library has its own type."""
Generator: TypeAlias = Any
"""A generator of Python, NumPy or torch: they share no class."""


class Source(ABC):
    """One generator; name: for messages."""

    def __init__(self, name: str, generator: Generator) -> None:
        self.name, self.generator = name, generator

    @abstractmethod
    def read(self) -> State:
        """The state, equal to another one if the generator stands at the same place."""

    @abstractmethod
    def write(self, state: State) -> None:
        """Put the generator where it stood."""

    @abstractmethod
    def seed(self, key: bytes) -> None:
        """Set the generator to a state that hangs on all 16 bytes of the key alone."""

    @abstractmethod
    def fingerprint(self, state: State) -> str:
        """A short text for the state, the same in every process."""


Place: TypeAlias = tuple[int, int]
"""A generator and the hash of a state of it."""


def place_of(source: Source, state: State) -> Place:
    """Where the generator stands."""
    return id(source.generator), hash(state)


class Stream:
    """A generator and where it stands; again: in a state that it was in before, where something was drawn."""

    def __init__(self, source: Source, since: int) -> None:
        self.source, self.since, self.name, self.again = source, since, "", False
        self.start: State = source.read()
        self.left: State = self.start
        self.base = source.fingerprint(self.start)


class PythonSource(Source):
    """A `random.Random`."""

    def read(self) -> State:
        return self.generator.getstate()

    def write(self, state: State) -> None:
        self.generator.setstate(state)

    def seed(self, key: bytes) -> None:
        random.Random.seed(self.generator, int.from_bytes(key))

    def fingerprint(self, state: State) -> str:
        return repr((state[1][:4], state[1][-1], state[2]))


class BitSource(Source):
    """A bit generator of NumPy."""

    def read(self) -> State:
        return _hashable(self.generator.state)

    def write(self, state: State) -> None:
        self.generator.state = _plain(state)

    def seed(self, key: bytes) -> None:
        self.generator.state = type(self.generator)(int.from_bytes(key)).state

    def fingerprint(self, state: State) -> str:
        return hashlib.blake2b(repr(state).encode(), digest_size=16).hexdigest()


class LegacySource(Source):
    """A `numpy.random.RandomState`, or the one behind NumPy's legacy functions, with its spare normal draw."""

    def read(self) -> State:
        return _hashable(self.generator.get_state(legacy=False))

    def write(self, state: State) -> None:
        self.generator.set_state(_plain(state))

    def seed(self, key: bytes) -> None:
        fresh = self.generator.get_state(legacy=False)
        fresh["state"] = _kind(fresh["bit_generator"])(int.from_bytes(key)).state["state"]
        fresh.update(has_gauss=0, gauss=0.0)
        self.generator.set_state(fresh)

    def fingerprint(self, state: State) -> str:
        return hashlib.blake2b(repr(state).encode(), digest_size=16).hexdigest()


class TorchSource(Source):
    """A generator of torch."""

    _ENGINE = slice(24, 24 + 8 * 624)
    """Where the words of the Mersenne Twister lie in the state of a generator on the CPU, 64 bits each."""

    def read(self) -> State:
        with _untransformed():
            return self.generator.get_state().numpy().tobytes()

    def write(self, state: State) -> None:
        import torch

        with _untransformed():
            self.generator.set_state(torch.frombuffer(bytearray(state), dtype=torch.uint8))

    def seed(self, key: bytes) -> None:
        """On the CPU all words are made from the key: a seed of torch has 32 bits there, which would soon repeat."""
        self.generator.manual_seed(int.from_bytes(key[:8]) >> 1)
        if self.generator.device.type == "cpu":
            state = bytearray(self.read())
            words = np.frombuffer(hashlib.shake_128(key).digest(4 * 624), dtype=np.uint32)
            state[self._ENGINE] = words.astype(np.uint64).tobytes()
            self.write(state)

    def fingerprint(self, state: State) -> str:
        return hashlib.blake2b(state, digest_size=16).hexdigest()


def _untransformed() -> AbstractContextManager[object]:
    """Inside `vmap` and `grad` of torch new tensors are wrapped, which states must not be."""
    peek, clear = _interpreters()
    return nullcontext() if peek() is None else clear()


@cache
def _interpreters() -> tuple[Callable[[], object], Callable[[], AbstractContextManager[object]]]:
    """What looks at the transformations of torch that the code is in, and what leaves them for a while."""
    from torch._C._functorch import peek_interpreter_stack
    from torch._functorch.pyfunctorch import temporarily_clear_interpreter_stack

    return peek_interpreter_stack, temporarily_clear_interpreter_stack


def _kind(name: str) -> Any:
    """The class of a bit generator."""
    return getattr(np.random, name)


def _hashable(state: State) -> State:
    """Dictionaries as tuples, arrays as bytes: states that can be compared."""
    if isinstance(state, dict):
        return tuple([(key, value if type(value) is int else _hashable(value)) for key, value in state.items()])
    return (str(state.dtype), state.tobytes()) if isinstance(state, np.ndarray) else state


def _plain(state: State) -> State:
    """The other way."""
    if not isinstance(state, tuple):
        return state
    if len(state) == 2 and isinstance(state[1], bytes):
        return np.frombuffer(state[1], dtype=state[0]).copy()
    return {key: _plain(value) for key, value in state}
