"""The accountants of Opacus against exact ones: rdp, prv, gdp, and the calibration of the noise.

What: epsilons that `create_accountant` states for histories of (noise multiplier, sampling rate, steps), and the noise
multipliers of `get_noise_multiplier`, as `make_private_with_epsilon` uses it, held against an enclosure of the truth.
Why: a training can be right to the bit and still promise too much.
Worst-case neighbours: those of the Poisson-subsampled Gaussian mechanism; no data are needed.
The adversary sees every noisy gradient.
The central limit theorem of the gdp accountant understates, as its own warning says: "GDP accounting is experimental
and can underestimate privacy expenditure". Below zero: where delta is so large that the true epsilon is 0, rdp and prv
state negative numbers (issue 585).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dpaudit.audit.accounts import Account
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target
from dpaudit.records.verdict import Outcome

History = tuple[float, float, int, float]

USUAL: tuple[History, ...] = (
    (1.0, 0.01, 1_000, 1e-5), (0.5, 0.01, 100, 1e-5), (2.0, 0.1, 100, 1e-5), (10.0, 0.5, 100, 1e-5),
    (1.0, 1.0, 1, 1e-5), (5.0, 0.001, 1, 1e-5), (20.0, 0.9, 10, 1e-3), (0.3, 0.001, 10, 1e-5), (50.0, 1e-4, 1, 1e-5),
)  # fmt: skip
"""Noise multiplier, sampling rate, steps, delta."""
SHORT: tuple[History, ...] = ((0.5, 0.01, 100, 1e-5), (0.3, 0.001, 10, 1e-5), (1.0, 0.01, 1_000, 1e-5))
LARGE_DELTA: tuple[History, ...] = ((4.0, 0.5, 1, 0.3), (2.0, 0.1, 1, 0.2))
BUDGETS = ((1.0, 1e-5, 0.01, 10), (0.3, 1e-6, 0.05, 5), (3.0, 1e-5, 1 / 75, 3))
"""Target epsilon, delta, sampling rate, epochs."""


def mechanism(noise_multiplier: float, rate: float, steps: int) -> Mechanism:
    """What a history is."""
    once = Gaussian(noise_multiplier)
    return SelfComposed(PoissonSampled(rate, once) if rate < 1 else once, steps)


@dataclass(frozen=True)
class Stated:
    """The adversary sees every noisy gradient. accountant: its name in Opacus."""

    TARGET: Target
    accountant: str
    histories: tuple[History, ...]

    def accounts(self) -> Iterator[Account]:
        """What the accountant states of every history, read twice."""
        from opacus.accountants import create_accountant

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the range of orders, the warning that is quoted above, log(0) at rate 1
            for noise, rate, steps, delta in self.histories:
                asked = create_accountant(mechanism=self.accountant)
                asked.history = [(noise, rate, steps)]
                for _ in range(2):
                    label = f"noise {noise:g}, rate {rate:g}, {steps} steps"
                    yield Account(label, mechanism(noise, rate, steps), delta, float(asked.get_epsilon(delta)))


@dataclass(frozen=True)
class Calibrated:
    """The adversary sees every noisy gradient. accountant: its name in Opacus."""

    TARGET: Target
    accountant: str

    def accounts(self) -> Iterator[Account]:
        """The epsilon that was asked for, of the noise multiplier that was given, over the steps that are made."""
        from opacus.accountants.utils import get_noise_multiplier

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the range of orders
            for epsilon, delta, rate, epochs in BUDGETS:
                noise = get_noise_multiplier(
                    target_epsilon=epsilon,
                    target_delta=delta,
                    sample_rate=rate,
                    epochs=epochs,
                    accountant=self.accountant,
                )
                steps = epochs * int(1 / rate)  # of UniformWithReplacementSampler
                yield Account(f"epsilon {epsilon:g}, rate {rate:g}", mechanism(noise, rate, steps), delta, epsilon)


def target(name: str, title: str, stated: str, **more: Any) -> Target:
    """A target of the tier of accounts; its claim is what the first history gives."""
    kept: dict[str, Any] = {"effect": "the epsilon that is reported with a model is too small", **more}
    return Target(
        name=f"opacus/accountant-{name}",
        title=title,
        view=View.GRADIENTS,
        claim=claim(epsilon=1.83, delta=1e-5, source=f"Opacus 1.6.0, {stated}"),
        trials=None,
        needs=(("opacus", "third-party"), ("torch", "third-party")),
        optional=True,
        from_level=Level.STANDARD,
        **kept,
    )


CENTRAL_LIMIT: dict[str, Any] = {
    "expects": Outcome.REFUTED,
    "effect": "against documented advice, since its warning says so: epsilon 8.27 is reported as 3.47 (noise 0.3, rate "
    "0.001, 10 steps), 1.83 as 1.62 in a usual training",
    "repair": "opacus/accountant-prv",
}
NEGATIVE: dict[str, Any] = {
    "expects": Outcome.REFUTED,
    "effect": "a negative epsilon is reported, and enters sums of budgets as a credit",
    "repair": "opacus/accountant-prv",
}
AUDITS = (
    Stated(target("rdp", "Opacus, RDPAccountant", "RDPAccountant.get_epsilon"), "rdp", USUAL),
    Stated(target("prv", "Opacus, PRVAccountant", "PRVAccountant.get_epsilon: 'upper bound'"), "prv", USUAL),
    Stated(target("gdp", "Opacus, GaussianAccountant", "GaussianAccountant.get_epsilon", **CENTRAL_LIMIT), "gdp",
           SHORT),
    Stated(target("negative", "Opacus, PRVAccountant at large delta", "PRVAccountant.get_epsilon", **NEGATIVE), "prv",
           LARGE_DELTA),
    Calibrated(target("calibrated", "Opacus, noise for a target epsilon", "get_noise_multiplier"), "prv"),
)  # fmt: skip
