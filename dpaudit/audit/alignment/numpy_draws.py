"""The random functions of Python and NumPy, handed to an alignment.

For a while the functions of `random` and `numpy.random` are replaced, and what makes a generator gives one whose
methods are seen: `default_rng`, `RandomState` and `random.Random`. Names that modules of the program have imported
before are replaced too. Not seen: generators that were made before, and methods of bit generators.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any

import numpy as np

from dpaudit.audit.alignment.names import Replaced, replaced
from dpaudit.audit.alignment.rows import Call, Value
from dpaudit.audit.alignment.sources import BitSource, LegacySource, PythonSource, Source

Draw = Callable[[Source, Call], Value]
Function = Callable[..., Value]

_SETTINGS = ("seed", "getstate", "setstate", "get_state", "set_state", "spawn", "get_bit_generator")
"""Public methods of generators that draw nothing."""
_LEGACY: Any = np.random.mtrand._rand
_PYTHON: Any = random._inst


@contextmanager
def seen(draw: Draw) -> Iterator[None]:
    """In this context the random functions of Python and NumPy are `draw(generator, call)`."""
    with replaced(_replaced(draw), (random, np.random)):
        yield


@cache
def _replaced(draw: Draw) -> Replaced:
    pairs: list[tuple[Function, Function]] = []
    for module, own, source in (
        (random, _PYTHON, PythonSource("random", _PYTHON)),
        (np.random, _LEGACY, LegacySource("numpy.random", _LEGACY)),
    ):
        for name, value in vars(module).items():
            if callable(value) and getattr(value, "__self__", None) is own and name not in _SETTINGS:
                pairs.append((value, _function(draw, source, value)))
    generator = _class(np.random.Generator, lambda one: BitSource("a generator of NumPy", one.bit_generator), draw)

    @wraps(np.random.default_rng)
    def default_rng(*args: Any, **kwargs: Any) -> Any:
        made = _default_rng(*args, **kwargs)
        return generator(made.bit_generator) if type(made) is np.random.Generator else made

    _default_rng = np.random.default_rng
    pairs.append((_default_rng, default_rng))
    legacy = _class(np.random.RandomState, lambda one: LegacySource("a generator of NumPy", one), draw)
    python = _class(random.Random, lambda one: PythonSource("a generator of Python", one), draw)
    pairs += [(np.random.RandomState, legacy), (random.Random, python)]
    return {id(one): (one, other) for one, other in pairs}


def _function(draw: Draw, source: Source, function: Function) -> Function:
    @wraps(function)
    def drawn(*args: Value, **kwargs: Value) -> Value:
        return draw(source, Call(function, args, kwargs))

    return drawn


class _Kind(type):
    """Of a class that stands for another one: whatever is an instance of that one is one of this."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.__mro__[1])


def _class(base: type, source: Callable[[Any], Source], draw: Draw) -> Any:
    """A class of generators whose draws are seen."""

    def method(name: str) -> Function:
        original = getattr(base, name)

        @wraps(original)
        def drawn(self: Any, *args: Value, **kwargs: Value) -> Value:
            return draw(source(self), Call(original.__get__(self), args, kwargs))

        return drawn

    def copied(self: Any, memo: dict[int, object]) -> Any:
        import copy

        return type(self)(copy.deepcopy(self.bit_generator, memo))

    methods = {name: method(name) for name in dir(base) if _draws(base, name)}
    if base is np.random.Generator:
        methods["__deepcopy__"] = copied
    return _Kind(base.__name__, (base,), methods)


def _draws(base: type, name: str) -> bool:
    value = getattr(base, name)
    return not name.startswith("_") and name not in _SETTINGS and callable(value) and not isinstance(value, type)
