"""The last bits of what diffprivlib 0.6.6 releases, and its integers beyond 2^53.

What: one call of a mechanism or tool a trial, as in `mechanisms.py`. Why: the noise is drawn as a float64
and added to the value, so that the grid which the sum lies on tells the value (Mironov 2012). Snapping is the mechanism
of the library that is made against this, and must stay clean.
Worst-case neighbours: 0 against 1; for `Geometric`, whose integer noise is added in float64, two integers that differ
by its sensitivity of 1 and that float64 rounds apart: 2^60 + 128 and 2^60 + 129.
The adversary sees the released value and, named before any trial, one event: it lies in [1/4, 1/2) and is no multiple
of 2^-53. The noise of 0 reaches such numbers; 1 plus noise cannot.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.adapters.command import Command
from dpaudit.attacks.float_bits import off_grid
from dpaudit.content.loading import load_module
from dpaudit.records.privacy import Neighbours
from dpaudit.records.verdict import Outcome

SHARED = load_module(Path(__file__).with_name("_process.py"))

VALUES = ({"value": np.array(0.0)}, {"value": np.array(1.0)})
SAMPLES = ({"sample": np.array([0.0])}, {"sample": np.array([1.0])})
LARGE = ({"value": np.array(2**60 + 128)}, {"value": np.array(2**60 + 129)})
SMALL = ({"value": np.array(2**20 + 128)}, {"value": np.array(2**20 + 129)})
EFFECT = (
    "one output in {} betrays the data set with certainty: whoever sees a released number that is no multiple of "
    "2^-53 knows which of two neighbours it came from, however much noise was added"
)
LARGE_EFFECT = (
    "a count of 2^60 + 129 is released as 2^60 + 256 or so and never as 2^60, which 2^60 + 128 is released as: one "
    "record moves the released integer by 256 where the noise moves it by 2"
)


def fine(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The event, fixed in advance."""
    return off_grid(outputs, -53, 0.25, 0.5)


def smaller(outputs: Any, data: Any, neighbour: Any) -> Any:
    """At 2^60 every float64 is a multiple of 256."""
    return -(outputs - float(data["value"]))


def _leak(
    name: str, release: str, what: str, share: str, epsilon: float = 1.0, delta: float = 0.0, pair: Any = VALUES
) -> Command:
    return SHARED.audit(
        f"{name}-bits",
        release,
        pair,
        fine,
        what,
        SHARED.promise(what, epsilon, delta),
        trials=SHARED.MECHANISMS,
        expects=Outcome.REFUTED,
        effect=EFFECT.format(share),
        repair="diffprivlib/snapping-bits",
        title=f"{what}, last bits",
    )


def _integers(name: str, pair: Any, **options: Any) -> Command:
    what = "mechanisms.Geometric"
    privacy = SHARED.promise(what, neighbours=Neighbours.ADD_OR_REMOVE)
    return SHARED.audit(
        name,
        "geometric",
        pair,
        smaller,
        what,
        privacy,
        trials=SHARED.MECHANISMS,
        title=f"{what} of large integers",
        **options,
    )


AUDITS = (
    _leak("laplace", "laplace", "mechanisms.Laplace", "thirty"),
    _leak("gaussian-analytic", "gaussian_analytic_small_delta", "mechanisms.GaussianAnalytic", "seventy", delta=1e-5),
    _leak("mean", "mean", "tools.mean", "thirty", pair=SAMPLES),
    SHARED.audit(
        "snapping-bits",
        "snapping",
        VALUES,
        None,
        "mechanisms.Snapping",
        SHARED.promise("mechanisms.Snapping"),
        trials=SHARED.MECHANISMS,
        float_bits=True,
        title="mechanisms.Snapping, values and last bits",
    ),
    _integers(
        "geometric-2-60", LARGE, expects=Outcome.REFUTED, effect=LARGE_EFFECT, repair="diffprivlib/geometric-2-20"
    ),
    _integers("geometric-2-20", SMALL),
)
