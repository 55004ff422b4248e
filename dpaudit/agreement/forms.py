"""What the agreement engine is told of an algorithm; `dpaudit.content` makes it of the files of a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from dpaudit.agreement.cases import Case, Reduction
from dpaudit.records.algorithm import Algorithm


def _nothing(seed: int) -> tuple[Reduction, ...]:
    return ()


@dataclass(frozen=True)
class Forms:
    """An algorithm in its three forms. cases, reductions: of a seed, the instances on which the forms are compared, and
    the other algorithms that this one equals for some parameters; code: the module that holds the forms.
    """

    algorithm: Algorithm
    code: ModuleType
    cases: Callable[[int], tuple[Case, ...]]
    reductions: Callable[[int], tuple[Reduction, ...]] = _nothing
