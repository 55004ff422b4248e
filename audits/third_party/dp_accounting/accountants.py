"""Accountants that are released: the PLD and RDP accountants of dp-accounting 0.6.0, those of jax-privacy and OpenDP.

What: the epsilons that they state for sampled and repeated Gaussian mechanisms, from one step to 100,000.
Why: an accountant rounds up, so that what it states covers the mechanism: dp-accounting calls its PLD estimate
"pessimistic", jax-privacy its cached epsilon "always an over-approximation", OpenDP proves its conversions.
Worst-case neighbours: none; the mechanisms are known, and their epsilons enclosed from both sides.
The adversary sees what the mechanism releases.
What is refuted: at deltas of 1e-11 and below, the PLD accountant meets the rounding of its FFT, some 1e-17 in every
cell and of either sign, so that what it states can be too small: by 0.015 (delta 1e-12, 10,000 steps) to 0.24 (1e-13,
100,000) on one processor, by 0.004 and 0.025 (1e-12 and 1e-13, 10,000) on another, where it is too large in 100,000
steps. The tails that it cuts are counted, and not at fault.
`CachedExperimentAccountant` fills its cache with the first parameters that it is asked about and answers questions
about all others from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpaudit.audit.accounts import Account
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target
from dpaudit.records.verdict import Outcome

DELTAS = (1e-5, 1e-8)
SMALL_DELTAS = (1e-11, 1e-12)
SETTINGS = ((0.01, 1.0, 1_000), (0.1, 4.0, 1_000), (0.5, 20.0, 2_000), (1.0, 30.0, 1_000))
"""Sampling rate, noise multiplier, steps."""


@dataclass(frozen=True)
class Accountant:
    """One accountant. The adversary sees what the mechanism releases."""

    TARGET: Target
    accounts: Callable[[], Iterator[Account]]

    def neighbours(self, rng: np.random.Generator) -> tuple[None, None]:
        """There is no data: the mechanisms are known."""
        return None, None


def sampled(rate: float, noise_multiplier: float, steps: int) -> Mechanism:
    """What an accountant is told of DP-SGD."""
    step = Gaussian(noise_multiplier)
    return SelfComposed(PoissonSampled(rate, step) if rate < 1 else step, steps)


def label(rate: float, noise_multiplier: float, steps: int, delta: float) -> str:
    """An account in words."""
    return f"rate {rate:g}, noise {noise_multiplier:g}, {steps} steps, delta {delta:g}"


def stated(package: str, rate: float, noise_multiplier: float, steps: int, delta: float) -> float:
    """The epsilon of dp-accounting's accountant `pld` or `rdp`."""
    import dp_accounting

    event = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(noise_multiplier))
    accountant = dp_accounting.pld.PLDAccountant() if package == "pld" else dp_accounting.rdp.RdpAccountant()
    return float(accountant.compose(event, steps).get_epsilon(delta))


def dp_accounting_pld() -> Iterator[Account]:
    """At the deltas that people use."""
    for setting in SETTINGS:
        for delta in DELTAS:
            yield Account(label(*setting, delta), sampled(*setting), delta, stated("pld", *setting, delta))


def dp_accounting_rdp() -> Iterator[Account]:
    """Renyi divergences are added up and converted."""
    for setting in SETTINGS[:2]:
        for delta in (*DELTAS, SMALL_DELTAS[-1]):
            yield Account(label(*setting, delta), sampled(*setting), delta, stated("rdp", *setting, delta))


def dp_accounting_pld_small_delta() -> Iterator[Account]:
    """1-GDP in 10,000 and 100,000 steps on all records, and sampled steps."""
    for steps in (10_000, 100_000):
        for delta in SMALL_DELTAS:
            setting = (1.0, math.sqrt(steps), steps)
            yield Account(label(*setting, delta), sampled(*setting), delta, stated("pld", *setting, delta))
    for setting in ((0.01, 1.0, 10_000),):
        yield Account(label(*setting, 1e-12), sampled(*setting), 1e-12, stated("pld", *setting, 1e-12))


def jax_privacy_accountant() -> Any:
    """The training accountant of jax-privacy with its default configuration."""
    from jax_privacy.accounting import accountants, analysis

    return analysis.DpsgdTrainingAccountant(dp_accountant_config=accountants.PldAccountantConfig())


def parameters(rate: float, noise_multiplier: float, delta: float) -> Any:
    """The same as DpParams of a thousand records."""
    from jax_privacy.accounting import analysis

    return analysis.DpParams(
        noise_multipliers=noise_multiplier, num_samples=1_000, delta=delta, batch_size=round(1_000 * rate)
    )


def jax_privacy_dp_sgd() -> Iterator[Account]:
    """Its accountant of DP-SGD with Poisson batches."""
    for rate, noise, steps in ((0.01, 1.0, 1_000), (0.1, 4.0, 1_000), (0.5, 20.0, 2_000)):
        for delta in DELTAS:
            epsilon = jax_privacy_accountant().compute_epsilon(steps, parameters(rate, noise, delta))
            yield Account(label(rate, noise, steps, delta), sampled(rate, noise, steps), delta, float(epsilon))


def jax_privacy_cache() -> Iterator[Account]:
    """One cache that is asked about two trainings, the one with more noise first."""
    from jax_privacy.accounting import analysis

    cached = analysis.CachedExperimentAccountant(jax_privacy_accountant(), max_num_updates=100, num_cached_points=4)
    for noise in (4.0, 1.0):
        epsilon = cached.compute_epsilon(100, parameters(0.1, noise, 1e-5), allow_approximate_cache=True)
        yield Account(label(0.1, noise, 100, 1e-5), sampled(0.1, noise, 100), 1e-5, float(epsilon))


def opendp_zcdp() -> Iterator[Account]:
    """The conversion of zero-concentrated into approximate privacy, of Gaussian noise."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    for scale in (0.1, 0.5, 1.0, 3.0, 100.0):
        noisy = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=scale))
        for delta in (*DELTAS, 1e-3, 1e-12):
            epsilon = float(noisy.map(1.0).epsilon(delta))
            yield Account(f"Gaussian noise of scale {scale:g}, delta {delta:g}", Gaussian(scale), delta, epsilon)


def target(name: str, title: str, package: str, source: str, **options: Any) -> Target:
    """The target of one accountant; package: what is imported."""
    extra = "accountants" if package == "dp_accounting" else "third-party"
    return Target(
        name=name,
        title=title,
        view=View.TRANSCRIPT,
        claim=claim(epsilon=0.0, delta=1e-5, source=source),
        trials=None,
        needs=((package, extra),),
        effect="a training is reported with an epsilon below the one that it has",
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
        **options,
    )


PLD = "dp-accounting 0.6.0, PLDAccountant.get_epsilon"
AUDITS = (
    Accountant(target("dp-accounting/pld", "dp-accounting, PLD accountant", "dp_accounting", PLD), dp_accounting_pld),
    Accountant(
        target("dp-accounting/rdp", "dp-accounting, RDP accountant", "dp_accounting", PLD.replace("PLD", "Rdp")),
        dp_accounting_rdp,
    ),
    Accountant(
        target(
            "dp-accounting/pld-small-delta",
            "dp-accounting, PLD accountant at small deltas",
            "dp_accounting",
            PLD,
            expects=Outcome.REFUTED,
            repair="dp-accounting/rdp",
        ),
        dp_accounting_pld_small_delta,
    ),
    Accountant(
        target(
            "jax-privacy/accountant",
            "jax-privacy, accountant of DP-SGD",
            "jax_privacy",
            "jax-privacy 2.0.0, DpsgdTrainingAccountant.compute_epsilon",
        ),
        jax_privacy_dp_sgd,
    ),
    Accountant(
        target(
            "jax-privacy/cached-accountant",
            "jax-privacy, cached accountant",
            "jax_privacy",
            "jax-privacy 2.0.0, CachedExperimentAccountant: 'always an over-approximation of the true epsilon'",
            expects=Outcome.REFUTED,
            repair="jax-privacy/accountant",
        ),
        jax_privacy_cache,
    ),
    Accountant(
        target(
            "opendp/zcdp-conversion",
            "OpenDP, zero-concentrated to approximate privacy",
            "opendp",
            "OpenDP 0.16.0, make_zCDP_to_approxDP: the privacy profile of its map",
        ),
        opendp_zcdp,
    ),
)
