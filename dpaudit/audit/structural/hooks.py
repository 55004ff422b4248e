"""What the hooks of an optimiser keep from step to step, so that a step can be made again as if it were the first time.

A hook keeps things where the optimiser does not: in variables of the function that made it, in an object whose method
it is, in a dictionary of its module. A step that is made several times would count several times there. From the hooks
on, what they reach is kept as it was and put back in place: dictionaries, lists, sets, tensors, arrays, attributes of
objects. Models, optimisers and what belongs to this package are left alone: others put those back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

_MOST = 10_000
"""Things that are kept; what lies further away is no state of a hook."""
_LISTS = ("_optimizer_step_pre_hooks", "_optimizer_step_post_hooks")
_PLAIN = (str, bytes, int, float, complex, bool, type(None), type, ModuleType, BuiltinFunctionType, range)


def hooks_of(optimizer: Any) -> list[Any]:
    """The functions that `optimizer.step()` calls beside its own, and those of the optimiser that it wraps."""
    found: list[Any] = []
    for one in (optimizer, vars(optimizer).get("original_optimizer")):
        if one is not None:
            found += [vars(one)["step_hook"]] if callable(vars(one).get("step_hook")) else []
            found += [hook for name in _LISTS for hook in getattr(one, name, {}).values()]
    return found


class Kept:
    """What hooks reach, as it is now."""

    def __init__(self, hooks: list[Any]) -> None:
        self._back: list[Callable[[], object]] = []
        self._seen: dict[int, Any] = {}
        waiting = list(hooks)
        while waiting and len(self._seen) < _MOST:
            one = waiting.pop()
            if isinstance(one, _PLAIN) or id(one) in self._seen or _left_alone(one):
                continue
            self._seen[id(one)] = one  # held, so that its number stays its own
            waiting += list(_inside(one))
            back = _kept(one)
            self._back += [back] if back is not None else []

    def restore(self) -> None:
        """Put everything back in place; what was kept stays good."""
        for back in self._back:
            back()


def _left_alone(one: Any) -> bool:
    kind = type(one)
    if kind.__module__.partition(".")[0] == "dpaudit" or hasattr(one, "param_groups"):
        return True
    return any(base.__name__ in ("Module", "Dataset", "Parameter", "DataLoader") for base in kind.__mro__)


def _inside(one: Any) -> Iterator[Any]:
    """What it reaches."""
    if isinstance(one, dict):
        yield from one.values()
    elif isinstance(one, list | tuple | set | frozenset):
        yield from one
    elif isinstance(one, CellType):
        yield from _contents(one)
    elif isinstance(one, FunctionType):
        yield from (*(one.__closure__ or ()), *(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values())
        named = (one.__globals__.get(name) for name in one.__code__.co_names)
        yield from (value for value in named if isinstance(value, dict | list | set) or _is_tensor(value))
        yield one.__dict__
    elif isinstance(one, MethodType):
        yield from (one.__self__, one.__func__)
    elif isinstance(one, partial):
        yield from (one.func, one.args, one.keywords)
    elif not _is_tensor(one) and not isinstance(one, np.ndarray):
        yield getattr(one, "__dict__", None)


def _kept(one: Any) -> Callable[[], object] | None:
    """How to put it back; None where nothing of it can change."""
    if isinstance(one, dict | set):
        return partial(_refill, one, one.copy())
    if isinstance(one, list):
        return partial(one.__setitem__, slice(None), list(one))
    if isinstance(one, CellType):
        contents = _contents(one)
        return partial(setattr, one, "cell_contents", contents[0]) if contents else None
    if isinstance(one, np.ndarray) and one.flags.writeable:
        return partial(np.copyto, one, one.copy())
    return partial(one.data.copy_, one.detach().clone()) if _is_tensor(one) else None


def _refill(one: Any, values: Any) -> None:
    one.clear()
    one.update(values)


def _contents(cell: CellType) -> tuple[Any, ...]:
    try:
        return (cell.cell_contents,)
    except ValueError:  # empty
        return ()


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "detach") and hasattr(value, "copy_")
