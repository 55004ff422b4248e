"""The numbers of figure 1(a): epsilon against the number of steps under three ways to account.

The caption's constants are R = M = Delta = 1, m = 0.9, eta = K/M. The text gives neither n, d, delta, sigma, the K nor
the range of T; the defaults here are stated in `figure`. Every curve has the paper's numbers beside true ones.

Source: Chien, Chen, Li (2025), "Privacy Amplification in Differentially Private Zeroth-Order Optimization with
Hidden States", figure 1(a), appendix A.3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpaudit.algorithms.zeroth.accounting.calibration import (
    closed_form,
    crossing_steps,
    least_directions,
    saturation_steps,
    with_directions,
)
from dpaudit.algorithms.zeroth.accounting.hidden_state import hidden_states
from dpaudit.algorithms.zeroth.accounting.public_states import (
    Setting,
    converted,
    inverted,
    output_perturbation,
    public_states,
)
from dpaudit.algorithms.zeroth.accounting.windows import SMOOTH
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_count, check_number


@dataclass(frozen=True)
class Curve:
    """One line: epsilon at each T of the figure. printed: with the paper's constants; sound: what is true under
    `assumption` for the baselines, under the assumptions of the corollary for the hidden states."""

    label: str
    directions: int
    printed: tuple[float, ...]
    sound: tuple[float, ...]


@dataclass(frozen=True)
class Figure:
    """noise: sigma; steps: T; curves: composition, output perturbation, hidden states per K; saturation: N per K;
    crossing: per K the first T at which printed composition costs more than the printed bound at T = infinity;
    quarter: per K epsilon at T = infinity of K over that of 4K, (printed, true), nan where 4K > d/2."""

    noise: float
    steps: tuple[int, ...]
    curves: tuple[Curve, ...]
    saturation: tuple[int, ...]
    crossing: tuple[int, ...]
    quarter: tuple[tuple[float, float], ...]


def figure(
    records: int = 1000,
    dimension: int = 10_000,
    delta: float = 1e-5,
    multiples: Sequence[float] = (1.0, 2.0, 5.0),
    points: int = 40,
    spread: float = 20.0,
    assumption: str = SMOOTH,
) -> Figure:
    """The curves for n = records, d = dimension, K = multiples of the smallest K of corollary 3.3 and T on a
    logarithmic grid of `points` from 1 to `spread` times N of the first K; sigma is such that composition (theorem 3.1)
    gives epsilon 1 at this N. Output perturbation is at the last K, as in the paper; xi = 0, hidden states have
    b_dir = 1/2, composition has b_dir = 1. assumption: of the true baselines, that of the theorem or "clipping".
    Raises ConfigurationError if a K is above d/2."""
    check_count("points", points, 2)
    check_number("spread", spread, above=0.0)
    runs = _runs(records, dimension, delta, multiples)
    top = max(2.0, spread * saturation_steps(runs[0]))
    steps = tuple(sorted({round(top ** (i / (points - 1))) for i in range(points)}))
    ends = [converted(closed_form(_endless(run), delta).rho_29, delta / 2) for run in runs]
    return Figure(
        runs[0].noise,
        steps,
        (*_baselines(runs, delta, assumption, steps), *(_hidden(run, delta, steps) for run in runs)),
        tuple(saturation_steps(run) for run in runs),
        tuple(crossing_steps(run, delta, end, "theorem 3.1") for run, end in zip(runs, ends, strict=True)),
        tuple(_quarter(run, delta) for run in runs),
    )


def _runs(records: int, dimension: int, delta: float, multiples: Sequence[float]) -> list[Setting]:
    """One run per K, with the noise of the first."""
    base = Setting(records, dimension, 1, 1, 1.0, 1.0, 1.0, radius=1.0, smoothness=1.0, convexity=0.9)
    least = least_directions(base, delta)
    sizes = [math.ceil(multiple * least) for multiple in multiples]
    if not sizes or not 1 <= min(sizes) <= max(sizes) <= dimension / 2:
        raise ConfigurationError(f"K must be from 1 to d/2 = {dimension / 2:g}, got {sizes}; change multiples")
    first = saturation_steps(with_directions(base, sizes[0]))
    noise = math.sqrt(first / (2 * records**2 * inverted(1.0, delta)))
    return [replace(with_directions(base, size), noise=noise) for size in sizes]


def _endless(run: Setting) -> Setting:
    """The run with so many steps that no bound of the hidden states changes any more."""
    return replace(run, steps=1000 * saturation_steps(run))


def _baselines(runs: Sequence[Setting], delta: float, assumption: str, steps: Sequence[int]) -> tuple[Curve, Curve]:
    """Composition, and output perturbation at the last K."""
    accounts = [public_states(replace(runs[0], steps=count, b_dir=1.0), delta, assumption) for count in steps]
    printed = tuple(account.printed_epsilon for account in accounts)
    composition = Curve("composition", runs[0].directions, printed, tuple(account.epsilon for account in accounts))
    last, size = output_perturbation(replace(runs[-1], steps=1, b_dir=0.0), delta, assumption), len(steps)
    constant = (last.printed_epsilon,) * size, (last.epsilon,) * size
    return composition, Curve("output perturbation", runs[-1].directions, *constant)


def _hidden(run: Setting, delta: float, steps: Sequence[int]) -> Curve:
    runs = [replace(run, steps=count) for count in steps]
    printed = tuple(closed_form(each, delta).epsilon for each in runs)
    return Curve("hidden states", run.directions, printed, tuple(hidden_states(each, delta).epsilon for each in runs))


def _quarter(run: Setting, delta: float) -> tuple[float, float]:
    if 8 * run.directions > run.dimension:
        return math.nan, math.nan
    pair = [_endless(run), _endless(replace(with_directions(run, 4 * run.directions), noise=run.noise))]
    printed = [converted(closed_form(each, delta).rho_29, delta / 2) for each in pair]
    sound = [hidden_states(each, delta).epsilon for each in pair]
    return printed[0] / printed[1], sound[0] / sound[1]
