"""How `run` must behave: it leaves the global random generators alone, and a trial can be played again from its seed.

Both are promises that the error probabilities rest on. Noise from a global generator hangs on whatever ran before, may
repeat from batch to batch, and cannot be made again. The same holds for noise that hangs on the batch in which a trial
comes; so the first trials of each side are played once more in another batch. Equal means equal up to rounding: sums
over other batch sizes round differently.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from dpaudit.arithmetic.arrays import Flags
from dpaudit.audit import contract, randomness
from dpaudit.content.audits import Audit, Data, Outputs
from dpaudit.noise.stream import Trials
from dpaudit.records.errors import ContentError

T = TypeVar("T")

REPLAYED = 3
"""Trials of each side that are played again."""

_TOLERANCE = 1e-4
"""Of the largest number of the trial: sums of float32 in another order."""
_PAUSES = (0.0, 0.02, 0.08, 0.32)
"""Seconds before another attempt beside threads of a cluster. When one of its workers dies, the others draw before each
of many attempts to reach it, and wait longer from one to the next."""


def undisturbed(function: Callable[..., T], *arguments: object, what: str = "run") -> T:
    """`function(*arguments)`; ContentError if it moved a global random generator of this process.

    Some packages draw from them while they are imported. A call that imported something is therefore made again. So is
    one beside which Python's own generator moved, on a worker of a cluster, several times: that is a thread among those
    of the cluster, which draw from this one before they connect again.
    """
    imported = len(sys.modules)
    found, moved = _watched(function, *arguments)
    if moved and len(sys.modules) > imported:
        found, moved = _watched(function, *arguments)
    for pause in _PAUSES if threading.current_thread() is not threading.main_thread() else ():
        if moved != ["random"]:
            break
        time.sleep(pause)
        found, moved = _watched(function, *arguments)
    if moved:
        raise ContentError(
            f"{what} used the global state of {', '.join(moved)}: draw from trials.stream or trials.seeds(), or give "
            "the training to dpaudit.adapters, which seed the global generators for each trial and put them back"
        )
    return found


def _watched(function: Callable[..., T], *arguments: object) -> tuple[T, list[str]]:
    """What the function returns, and which global generators it moved."""
    before = randomness.states()
    found = function(*arguments)
    after = randomness.states()
    return found, [name for name, state in before.items() if after.get(name) != state]


def play(subject: Audit, data: Data, trials: Trials, what: str = "run") -> Outputs:
    """The checked outputs of `subject.run`, one row a trial; ContentError for a broken promise."""
    return contract.numbers(undisturbed(contract.run_of(subject), data, trials, what=what), len(trials), what)


def check_repeats(subject: Audit, data: Data, trials: Trials, outputs: Outputs, what: str = "run") -> None:
    """Play the first of `trials` again in another batch; ContentError if any differs from its row of `outputs`."""
    again = np.arange(min(REPLAYED, len(trials)))[::-1]
    found = play(subject, data, Trials(trials.stream, trials.numbers[again]), what)
    if found.shape[1:] != outputs.shape[1:]:
        raise ContentError(f"{what} gives a trial shape {outputs.shape[1:]} and, played again, {found.shape[1:]}")
    for number, row, replayed in zip(trials.numbers[again], outputs[again], found, strict=True):
        apart = np.atleast_1d(_apart(row, replayed))
        if apart.any():
            place = int(np.argmax(apart))
            first, second = (np.atleast_1d(values).ravel()[place] for values in (row, replayed))
            raise ContentError(
                f"{what} gives trial {number} the value {first!s} and, played again in another batch, {second!s}: all "
                "randomness must come from trials.stream, trials.seeds() or the seed that an adapter hands over; where "
                "it cannot, say deterministic=False"
            )


def _apart(row: Outputs, again: Outputs) -> Flags:
    """Which numbers differ by more than rounding, flat."""
    one, other = (np.asarray(values, dtype=np.float64).ravel() for values in (row, again))
    finite = np.abs(np.concatenate([one, other]))
    slack = _TOLERANCE * float(np.max(finite[np.isfinite(finite)], initial=0.0))
    return ~np.isclose(one, other, rtol=_TOLERANCE, atol=slack)
