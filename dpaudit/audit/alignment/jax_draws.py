"""The random functions of JAX, handed to an alignment.

What JAX draws hangs on a key alone, and keys follow from one another. A program that splits a key once for each record,
or draws an order of them, has other keys on the neighbour ever after. Where a key has the origin of the recorded one,
the same seed and the same numbers folded in, the recorded one stands in its place. Not seen: calls inside of `jit`,
`vmap` and other transformations, whose keys are followed until they go in.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial, update_wrapper
from hashlib import blake2b
from typing import Any

import numpy as np

from dpaudit.audit.alignment.log import Shape
from dpaudit.audit.alignment.names import Function, Replaced, replaced
from dpaudit.audit.alignment.rows import Call, Fit, Value, by_row

MADE = ("key", "PRNGKey")
"""Functions that make a key of a seed."""
DERIVED = ("split", "fold_in", "clone")
_DRAWN = (
    "ball", "bernoulli", "beta", "binomial", "bits", "categorical", "cauchy", "chisquare", "choice", "dirichlet",
    "double_sided_maxwell", "exponential", "f", "gamma", "generalized_normal", "geometric", "gumbel", "laplace",
    "loggamma", "logistic", "lognormal", "maxwell", "multinomial", "multivariate_normal", "normal", "orthogonal",
    "pareto", "permutation", "poisson", "rademacher", "randint", "rayleigh", "t", "triangular", "truncated_normal",
    "uniform", "wald", "weibull_min",
)  # fmt: skip


@dataclass(frozen=True)
class KeyCall:
    """A call of `jax.random`. given: the key, None where one is made of a seed; args, kwargs: the rest."""

    function: Function
    given: Value
    args: tuple[Value, ...]
    kwargs: dict[str, Value]

    @property
    def key(self) -> str:
        """The key as text, "" for none."""
        return "" if self.given is None else text(self.given)

    @property
    def many(self) -> bool:
        """May it give one row for each record?"""
        return self.function.__name__ not in (*MADE, "fold_in", "clone")

    def make(self, key: str) -> Value:
        """What it gives for the key of this text."""
        if self.given is None:
            return self.function(*self.args, **self.kwargs)
        return self.function(_like(self.given, key), *self.args, **self.kwargs)

    def origins(self, value: Value, own: str) -> dict[str, str]:
        """The origin of each key that it gave, by its text; own: that of its key."""
        name = self.function.__name__
        if name not in (*MADE, *DERIVED):
            return {}
        numbers = ",".join(str(np.asarray(one)) for one in (*self.args, *self.kwargs.values()))
        origin = own if name == "split" else f"{own}/{numbers}"
        return dict.fromkeys(_texts(value), origin)

    def by_row(self, key: str, now: Shape, found: Fit) -> Value:
        """What it gives with the recorded rows of the records that were there; None if it takes no such number."""
        if self.function.__name__ == "split":
            return self._split(key, found)
        current = key

        def start(label: str) -> None:
            nonlocal current
            current = folded(self.given, key, label) if label else key

        def function(*args: Value, **kwargs: Value) -> Value:
            return np.asarray(self.function(_like(self.given, current), *args, **kwargs))

        call = Call(update_wrapper(function, self.function), self.args, self.kwargs)
        value = by_row(call, now, found, start)
        return None if value is None else _jax().numpy.asarray(value)

    def _split(self, key: str, found: Fit) -> Value:
        keys = _data(self.function(_like(self.given, key), found.recorded))
        new = [_numbers(folded(self.given, key, label)) for label in found.labels]
        rows = [keys[row] if row >= 0 else new[place] for place, row in enumerate(found.rows)]
        return _wrapped(self.given, np.stack(rows))


@contextmanager
def seen(draw: Callable[[KeyCall], Value]) -> Iterator[None]:
    """In this context the functions of `jax.random` are `draw(call)`; nothing where JAX is not loaded."""
    library = sys.modules.get("jax.random")
    if library is None:
        yield
        return
    with replaced(_replaced(draw), (library,)):
        yield


@cache
def _replaced(draw: Callable[[KeyCall], Value]) -> Replaced:
    library = sys.modules["jax.random"]
    functions = [getattr(library, name) for name in (*MADE, *DERIVED, *_DRAWN) if hasattr(library, name)]
    return {id(one): (one, update_wrapper(partial(_called, draw, one), one)) for one in functions}


def _called(draw: Callable[[KeyCall], Value], function: Function, /, *args: Value, **kwargs: Value) -> Value:
    jax = _jax()
    # What is traced computes later, even from plain numbers, and has no values yet.
    if any(isinstance(one, jax.core.Tracer) for one in (jax.numpy.zeros(()), *args, *kwargs.values())):
        return function(*args, **kwargs)
    if function.__name__ in MADE:
        return draw(KeyCall(function, None, args, kwargs))
    given, rest = (args[0], args[1:]) if args else (kwargs.get("key"), ())
    if not isinstance(given, jax.Array) or _data(given).ndim != 1:  # no key, or several
        return function(*args, **kwargs)
    return draw(KeyCall(function, given, rest, {name: one for name, one in kwargs.items() if args or name != "key"}))


def text(key: Value) -> str:
    """The numbers of a key."""
    return str(_data(key).tobytes().hex())


def folded(given: Value, key: str, label: str) -> str:
    """The key that follows from `key` by a label; given: a key of its kind."""
    number = int.from_bytes(blake2b(label.encode(), digest_size=4).digest()) >> 1
    return text(sys.modules["jax._src.random"].fold_in(_like(given, key), number))


def _texts(value: Value) -> list[str]:
    """Of each of several keys, or of one."""
    data = _data(value)
    return [row.tobytes().hex() for row in data.reshape(-1, data.shape[-1])]


def _data(key: Value) -> Any:
    return np.asarray(_jax().random.key_data(key))


def _numbers(key: str) -> Any:
    return np.frombuffer(bytes.fromhex(key), dtype=np.uint32)


def _like(given: Value, key: str) -> Value:
    """The key of this text, of the kind of another."""
    return _wrapped(given, _numbers(key))


def _wrapped(given: Value, data: Value) -> Value:
    jax = _jax()
    if not jax.dtypes.issubdtype(given.dtype, jax.dtypes.prng_key):
        return jax.numpy.asarray(data)
    return jax.random.wrap_key_data(jax.numpy.asarray(data), impl=jax.random.key_impl(given))


def _jax() -> Any:
    return sys.modules["jax"]
