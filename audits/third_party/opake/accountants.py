"""The accountants of opake 0.16.1 where the mechanism is DP-SGD: what they state, against enclosures of the truth.

What: `poisson` of opake.dpsgd and of opake.dpftrl with independent noise, which must state the same; and `b_min_sep`
with one band, whose Monte Carlo accountant then accounts for Poisson samples.
Why: `epsilon_at` is documented as the smallest epsilon that achieves (epsilon, delta)-DP, and the guide says that the
grid is "always conservative". Below a delta of 1e-10 the composition of many steps meets the rounding of its FFT.
Worst-case neighbours: none; the mechanisms are known, and their epsilons enclosed from both sides.
The adversary sees what the mechanism releases.
Banded matrices and balls-in-bins have no enclosure here: `benchmarks/opake_mixtures.py` holds them against ratios of
likelihoods.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dpaudit.audit.accounts import Account
from dpaudit.content.audits import Audit
from dpaudit.content.loading import load_module
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target
from dpaudit.records.verdict import Outcome

SHARED = Path(__file__).parents[1] / "_shared"
LIBRARY = load_module(SHARED / "_own_python.py").Library(
    "opake",
    "0.16.1",
    "DPAUDIT_OPAKE_PYTHON",
    Path(__file__).with_name("_asked_worker.py"),
    others="opake-dpsgd==0.16.1 opake-dpftrl==0.16.1",
    python="python3.13",
)
ASKED = load_module(SHARED / "_asked.py")

Setting = tuple[float, float, int]
"""Sampling rate, noise multiplier, steps."""
SETTINGS: tuple[Setting, ...] = ((0.01, 1.0, 1_000), (0.1, 4.0, 1_000), (0.5, 20.0, 2_000), (1.0, 30.0, 1_000))
ONE_BAND: tuple[Setting, ...] = ((0.3, 1.0, 4), (0.1, 1.0, 20))
MANY_STEPS: tuple[Setting, ...] = tuple(
    (1.0, math.sqrt(steps) / mu, steps) for mu in (1, 2) for steps in (10_000, 100_000)
)
"""mu-GDP, whatever the number of steps: its epsilon is a closed form."""


def mechanism(rate: float, noise: float, steps: int) -> Mechanism:
    """What the accountant is told."""
    step = Gaussian(noise)
    return SelfComposed(PoissonSampled(rate, step) if rate < 1 else step, steps)


def stated(kind: str, setting: Setting, delta: float) -> Any:
    """What the accountant of this kind states."""
    rate, noise, steps = setting
    return asked(kind)({"rate": rate, "noise": noise, "steps": steps, "delta": delta})


def asked(kind: str) -> Any:
    """A worker of this kind."""
    if kind not in WORKERS:
        WORKERS[kind] = ASKED.Asked(lambda: (LIBRARY.executable(), str(LIBRARY.worker), kind))
    return WORKERS[kind]


WORKERS: dict[str, Any] = {}


def label(kind: str, setting: Setting, delta: float) -> str:
    """An account in words."""
    rate, noise, steps = setting
    return f"{kind}, rate {rate:g}, noise {noise:g}, {steps} steps, delta {delta:g}"


def poisson(settings: tuple[Setting, ...], deltas: tuple[float, ...]) -> Callable[[], Iterator[Account]]:
    """Both accountants of Poisson samples, as readings of one state."""

    def accounts() -> Iterator[Account]:
        for setting in settings:
            for delta in deltas:
                for epsilon in stated("poisson", setting, delta):
                    yield Account(label("Poisson", setting, delta), mechanism(*setting), delta, epsilon)

    return accounts


def one_band() -> Iterator[Account]:
    """The Monte Carlo accountant of b-min-sep."""
    for setting in ONE_BAND:
        for delta in (1e-2, 1e-3):
            epsilon = stated("one_band", setting, delta)
            yield Account(label("b-min-sep, one band", setting, delta), mechanism(*setting), delta, epsilon)


def audit(name: str, title: str, accounts: Callable[[], Iterator[Account]], **options: Any) -> Audit:
    """One accountant."""
    return Audit(
        Target(
            name=f"opake/{name}",
            title=title,
            view=View.TRANSCRIPT,
            claim=claim(
                epsilon=0.0,
                delta=1e-5,
                source="opake 0.16.1, DpProcess.epsilon_at: Smallest epsilon achieving (epsilon, delta)-DP",
            ),
            trials=None,
            effect="a training is reported with an epsilon below the one that it has",
            optional=True,
            from_level=Level.STANDARD,
            **options,
        ),
        accounts=accounts,
    )


AUDITS = (
    audit("poisson-accountant", "opake, accountants of Poisson samples", poisson(SETTINGS, (1e-5, 1e-8))),
    audit("b-min-sep-one-band", "opake, accountant of b-min-sep with one band", one_band),
    audit(
        "small-delta",
        "opake, accountant at small deltas",
        poisson(MANY_STEPS, (1e-11, 1e-12)),
        expects=Outcome.REFUTED,
        repair="opake/poisson-accountant",
    ),
)
