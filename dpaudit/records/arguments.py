"""What users hand to the records and functions that they write with, checked by the types that these are declared with.

An argument that is unknown, missing or of another type is named in one sentence, with what is allowed and what to do.
Numbers of NumPy, and lists in the place of tuples, are taken for what they hold.
A record that users write is made by `stated` in the place of `serial.record`; other dataclasses and functions are
wrapped by `checked`. Types are read from annotations when they are first needed, which takes longer than all else.
"""

from __future__ import annotations

import collections.abc
import enum
import functools
import inspect
import reprlib
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, dataclass_transform

from dpaudit.records.errors import ContentError, UnknownNameError
from dpaudit.records.serial import record

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
Test = Callable[[object], bool]

_PLAIN = {float: "a number", int: "an integer", bool: "True or False", str: "a text", types.NoneType: "None"}
_NUMBERS = (float, int)
_UNIONS = (typing.Union, types.UnionType)


@dataclass_transform(frozen_default=True, kw_only_default=False)
def stated(cls: type[T]) -> type[T]:
    """`serial.record`, for a record that users write: what they hand over is checked."""
    return checked(record(cls))


def checked(made: T) -> T:
    """`made`, a dataclass or a function, that refuses wrong arguments: ContentError, UnknownNameError for names."""
    if isinstance(made, type):
        made.__init__ = _checking(made.__init__, made, 1)  # type: ignore[misc]
        return made
    return _checking(made, made, 0)  # type: ignore[type-var]  # what is no class here is a function


def _checking(function: F, owner: Any, first: int) -> F:
    """`function` that looks at its arguments from the one at `first` on; owner: what annotations and messages name."""
    parameters = list(inspect.signature(function).parameters.values())[first:]
    names = [one.name for one in parameters if one.kind is not one.VAR_KEYWORD]
    known, more = frozenset(names), len(names) < len(parameters)
    tests: dict[str, Test | None] = {}

    @functools.wraps(function)
    def checking(*given: Any, **named: Any) -> Any:
        if not tests:
            tests.update({name: _test(hint) for name, hint in _hints(owner).items()})
        own = list(given)
        for place, (name, value) in enumerate(zip(names, given[first:], strict=False), first):
            own[place] = _right(owner, name, value, tests.get(name))
        named = {name: _right(owner, name, value, tests.get(name)) for name, value in named.items()}
        if not (more or known.issuperset(named)):
            unknown = next(name for name in named if name not in known)
            raise UnknownNameError(f"argument of {owner.__name__}", unknown, names)
        try:
            return function(*own, **named)
        except TypeError as error:
            _refuse_numbers(owner, parameters, given[first:], named, error)
            raise

    return checking  # type: ignore[return-value]  # wraps keeps what it is


def _right(owner: Any, name: str, value: Any, test: Test | None) -> Any:
    """`value`, or where only its type is another the same in plain Python; ContentError if it is of a wrong type."""
    if test is None or test(value):
        return value
    plain = _plain(value)
    if not test(plain):
        raise _ill_typed(owner, name, _hints(owner)[name], value)
    return plain


def _plain(value: Any) -> Any:
    """A number of NumPy as one of Python, a list as a tuple, also inside."""
    if isinstance(value, list | tuple):
        return tuple(map(_plain, value))
    return value.item() if type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0 else value


def _refuse_numbers(
    owner: Any, parameters: list[inspect.Parameter], given: tuple[Any, ...], named: dict[str, Any], error: TypeError
) -> None:
    """ContentError if the arguments are too few, too many, or one is given twice; else nothing."""
    try:
        inspect.Signature(parameters).bind(*given, **named)
    except TypeError as found:
        takes = ", ".join(one.name for one in parameters)
        raise ContentError(f"{owner.__name__}: {found}; it takes {takes}") from error


@functools.lru_cache
def _hints(owner: Any) -> Mapping[str, Any]:
    return typing.get_type_hints(owner)


def _ill_typed(owner: Any, name: str, hint: Any, value: object) -> ContentError:
    place, hint, value = _innermost(hint, value)
    given = f"{reprlib.repr(value)} ({type(value).__name__})"
    return ContentError(f"{owner.__name__}: {name}{place} must be {_words(hint)}, got {given}{_advice(hint, value)}")


def _innermost(hint: Any, value: object) -> tuple[str, Any, object]:
    """The item of a tuple that is wrong, or the whole: its place, what it must be, and what it is."""
    if typing.get_origin(hint) is tuple and isinstance(value, tuple):
        items = typing.get_args(hint)
        if len(items) == 2 and items[1] is Ellipsis:
            items = (items[0],) * len(value)
        for place, (item, one) in enumerate(zip(items, value, strict=False)):
            test = _test(item)
            if test is not None and not test(one):
                inner, hint, value = _innermost(item, one)
                return f"[{place}]{inner}", hint, value
    return "", hint, value


def _advice(hint: Any, value: object) -> str:
    if typing.get_origin(hint) is tuple and not isinstance(value, tuple):
        return "; a tuple has round brackets, and of one item a comma: (item,)"
    kinds = typing.get_args(hint) if typing.get_origin(hint) in _UNIONS else (hint,)
    if isinstance(value, bool) or not set(kinds) & set(_NUMBERS):
        return ""
    if isinstance(value, str):
        return "; write it without quotation marks"
    if hasattr(value, "__index__"):
        return "; write int(...) around it"
    return "; write float(...) around it" if float in kinds and hasattr(value, "__float__") else ""


def _words(hint: Any) -> str:
    """What a value of this type is, in words."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, items = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:
        return " or ".join(dict.fromkeys(map(_words, items)))
    if origin is tuple:
        each = items[0] if len(items) == 2 and items[1] is Ellipsis else None
        return f"a tuple of which each item is {_words(each)}" if each else f"a tuple of {len(items)} items"
    if origin is collections.abc.Callable:
        return "a function"
    kind = origin or hint
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return f"one of {', '.join(f'{kind.__name__}.{one.name}' for one in kind)}"
    name = getattr(kind, "__name__", str(kind))
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


@functools.cache
def _test(hint: Any) -> Test | None:
    """Whether a value has this type; None where any value may be handed over."""
    origin, items = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS and all(isinstance(item, type) and item not in _NUMBERS for item in items):
        return lambda value: isinstance(value, items)
    if origin in _UNIONS:
        return _any_of([_test(item) for item in items])
    if hint is float:
        return lambda value: isinstance(value, float | int) and not isinstance(value, bool)
    if hint is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    if origin is tuple:
        return _tuple_of([_test(item) for item in items if item is not Ellipsis], Ellipsis in items)
    if origin is collections.abc.Callable:
        return callable
    kind = origin or hint
    if hint is Any or not isinstance(kind, type) or getattr(kind, "_is_protocol", False) or kind is object:
        return None
    return lambda value: isinstance(value, kind)


def _any_of(tests: list[Test | None]) -> Test | None:
    known = [test for test in tests if test is not None]
    return (lambda value: any(test(value) for test in known)) if len(known) == len(tests) else None


def _tuple_of(tests: list[Test | None], repeated: bool) -> Test:
    each = tests[0] if repeated else None
    if each is not None:
        return lambda value: isinstance(value, tuple) and all(map(each, value))

    def test(value: object) -> bool:
        if not isinstance(value, tuple) or not (repeated or len(value) == len(tests)):
            return False
        return repeated or all(one is None or one(item) for one, item in zip(tests, value, strict=True))

    return test
