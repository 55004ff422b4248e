"""Every random generator that a training can reach without being given one, seeded for a while and put back.

    global     Python `random`, NumPy's legacy functions, torch on the CPU and on CUDA if torch is imported
    fresh      `numpy.random.default_rng()`, `RandomState()` and every bit generator made without a seed: they take
               their entropy from `numpy.random.bit_generator.randbits`, which here gives numbers that hang on the seed

Explicit generators and keys (`default_rng(7)`, torch.Generator with a seed, JAX keys) follow their own seeds: they are
public values. What reads the operating system's entropy itself (`os.urandom`, `secrets`, `random.SystemRandom`) is left
alone, as noise in production should: a training that uses it does not repeat, which a replay on the same data shows.
"""

from __future__ import annotations

import marshal
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import numpy as np
from numpy.random import bit_generator

from dpaudit.audit.alignment.names import Replaced, replaced

State = dict[str, bytes]

_PLAIN = 2
"""The last version of marshal in which equal values have equal bytes."""
_ENTROPY: Any = bit_generator
_Random = random.Random
"""As it was imported: while draws are aligned, another class stands in its place."""


@dataclass
class Frozen:
    """The global generators during `frozen`. seeded: their states at the start, by name; final: at the end."""

    seeded: State
    final: State = field(default_factory=dict)

    def moved(self) -> tuple[str, ...]:
        """Names of the global generators that were read or set since the start."""
        now = self.final or states()
        return tuple(name for name, state in self.seeded.items() if now.get(name) != state)

    def reset_alike(self, other: Frozen) -> tuple[str, ...]:
        """Names of the generators that both ended in the same state, although they started in different ones.

        The code between set them to a seed of its own: what they give is no secret.
        """
        names = set(self.moved()) & set(other.moved())
        return tuple(sorted(name for name in names if self.final and self.final[name] == other.final.get(name)))


@contextmanager
def frozen(seed: int) -> Iterator[Frozen]:
    """As `seeded`, and what was done to the generators meanwhile."""
    with seeded(seed):
        found = Frozen(states())
        yield found
        found.final = states()


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed all generators that are present, yield, and put everything back as it was, whatever is raised.

    seed: at least 0. The same seed gives the same numbers to the same code in the same process.
    """
    kept = [(restore, read()) for read, restore in _generators()]
    entropy = _ENTROPY.randbits
    fresh = _Random(f"dpaudit fresh generators {seed}")
    _ENTROPY.randbits = fresh.getrandbits
    try:
        _seed_all(seed)
        yield
    finally:
        _ENTROPY.randbits = entropy
        for restore, state in kept:
            restore(state)


@contextmanager
def every_seed(seed: int | None) -> Iterator[None]:
    """Whoever seeds a generator with a number of its own gets this one in its place: NumPy's `default_rng` and `seed`,
    Python's `random.seed`, torch's `manual_seed`, of the module and of a `Generator`, JAX's `key` and `PRNGKey`, by
    whatever name the program has them. seed: at least 0; None: nothing is replaced."""
    if seed is None:
        yield
        return
    owners: list[tuple[Any, str]] = [(np.random, "default_rng"), (np.random, "seed"), (random, "seed")]
    owners += [(torch, "manual_seed")] if (torch := _torch()) else []
    jax = sys.modules.get("jax.random")
    owners += [(jax, "key"), (jax, "PRNGKey")] if jax is not None else []
    others: Replaced = {}
    for owner, name in owners:
        function = getattr(owner, name)
        number = seed % 2**32 if owner in (np.random, jax) and name != "default_rng" else seed
        others[id(function)] = function, _seeded_with(number, function)
    if torch:
        others[id(torch.Generator)] = torch.Generator, _generator_class(torch.Generator, seed)
    with replaced(others, [np.random, random, *([torch] if torch else []), *([jax] if jax is not None else [])]):
        yield


def _seeded_with(seed: int, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        own = next(iter((*given, *named.values())), None)
        return function(seed) if isinstance(own, int | np.integer) else function(*given, **named)

    return call


def _generator_class(base: type, seed: int) -> type:
    class Generator(base):  # type: ignore[misc]
        def manual_seed(self, own: int) -> Any:
            return super().manual_seed(seed)

    return Generator


def _torch() -> Any:
    """torch if it is imported: a package that is not cannot have been seeded."""
    return sys.modules.get("torch")


def _generators() -> list[tuple[Callable[[], Any], Callable[[Any], Any]]]:
    """How to read and to set the state of each global generator."""
    listed: list[tuple[Callable[[], Any], Callable[[Any], Any]]] = [
        (random.getstate, random.setstate),
        (np.random.get_state, np.random.set_state),
    ]
    if torch := _torch():
        listed.append((torch.get_rng_state, torch.set_rng_state))
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            listed.append((torch.cuda.get_rng_state_all, torch.cuda.set_rng_state_all))
    return listed


def _seed_all(seed: int) -> None:
    """Different seeds for each: two libraries must not happen to draw the same numbers."""
    mixed = np.random.SeedSequence(seed).generate_state(3)
    random.seed(int(mixed[0]))
    np.random.seed(int(mixed[1]))
    if torch := _torch():
        _seed_torch(torch, int(mixed[2]))


def _seed_torch(torch: Any, seed: int) -> None:
    """As `torch.manual_seed`, which for each kind of device that is absent writes down the whole stack of calls."""
    present = getattr(torch, "accelerator", None)
    if present is None or present.is_available():
        torch.manual_seed(seed)
    else:
        torch.default_generator.manual_seed(seed)


def states() -> State:
    """The states of the global generators as bytes, by name."""
    kind, key, position, *rest = np.random.get_state()
    legacy = np.asarray(key).tobytes() + repr((kind, position, rest)).encode()
    states = {"random": marshal.dumps(random.getstate(), _PLAIN), "numpy.random": legacy}
    if torch := _torch():
        states["torch"] = torch.get_rng_state().numpy().tobytes()
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            states["torch.cuda"] = b"".join(state.numpy().tobytes() for state in torch.cuda.get_rng_state_all())
    return states
