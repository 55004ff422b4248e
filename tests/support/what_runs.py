"""Which algorithm a target runs and with which parameters, and the same target with other parameters.

Target files call `<algorithm>.cpu(params, ...)`, and `stepwise.instrument(algorithm, params, ...)` to record a
training; what stands here comes in between.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dpaudit.audit.structural import stepwise
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Stream, Trials

Change = Callable[[Any], Any]


def _between(patch: pytest.MonkeyPatch, seen: Callable[[ModuleType, Any], Any]) -> None:
    """Calls `seen` with every algorithm that is run and its parameters; it runs with what is returned."""
    for name, algorithm in list(sys.modules.items()):
        if name.startswith("dpaudit.algorithms.") and hasattr(algorithm, "cpu") and hasattr(algorithm, "promise"):

            def cpu(
                params: Any, *rest: Any, algorithm: Any = algorithm, honest: Any = algorithm.cpu, **more: Any
            ) -> Any:
                return honest(seen(algorithm, params), *rest, **more)

            patch.setattr(algorithm, "cpu", cpu)


def algorithm_and_params(audit: Audit) -> tuple[Any, Any]:
    """The one algorithm that two trials of a target run, and its parameters."""
    found: list[tuple[ModuleType, Any]] = []

    def seen(algorithm: ModuleType, params: Any) -> Any:
        found.append((algorithm, params))
        return params

    assert audit.neighbours is not None
    assert audit.run is not None
    with pytest.MonkeyPatch.context() as patch:
        _between(patch, seen)
        audit.run(audit.neighbours(np.random.default_rng(0))[0], Trials(Stream(0, "what runs"), np.arange(2)))
    [one] = found
    return one


def run_with(patch: pytest.MonkeyPatch, change: Change) -> None:
    """Every algorithm runs with changed parameters; scores still believe those of the target."""
    _between(patch, lambda algorithm, params: change(params))


def recorded_with(patch: pytest.MonkeyPatch, change: Change) -> None:
    """Every recorded training has, and declares, changed parameters."""
    honest = stepwise.instrument
    patch.setattr(stepwise, "instrument", lambda algorithm, params, *rest: honest(algorithm, change(params), *rest))
