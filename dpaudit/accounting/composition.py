"""What accountants need of a mechanism: its flat composition, loss laws and Renyi divergences.

Only compositions of Gaussian mechanisms, one Laplace mechanism or one pure-DP mechanism can be sampled.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy.special import bdtrc

from dpaudit.accounting.loss_distributions import FORWARD, REVERSE, SYMMETRIC, Part
from dpaudit.accounting.loss_laws import (
    CountedLoss,
    GaussianLoss,
    LaplaceLoss,
    Law,
    ResponseLoss,
    SampledLoss,
    TriangleLoss,
)
from dpaudit.accounting.subsampling import counts, line, symmetrised
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import (
    ApproximateRenyi,
    Composed,
    Concentrated,
    Constant,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    Mechanism,
    PoissonSampled,
    PureDP,
    SelfComposed,
    WithReplacementSampled,
)
from dpaudit.records.privacy import Neighbours

Sampled = PoissonSampled | FixedSizeSampled | WithReplacementSampled
Leaf = Laplace | PureDP | Concentrated | ApproximateRenyi | Sampled
_ROUND_UP = 1 + 1e-12
_TRIANGLE = "triangle"
"""Beside the orders: a sample of fixed size realises three laws that are all different."""
_LARGEST_ORDER, _LARGEST_SAMPLED_ORDER = 1e7, 2e3


@dataclass
class Flat:
    """A composition as one Gaussian mechanism, mu-GDP, and a number of runs of each other kind."""

    squared: float = 0.0
    leaves: dict[Leaf, int] = field(default_factory=dict)
    unbounded: str = ""
    """The class of a leaf whose budget is infinite."""

    @property
    def mu(self) -> float:
        """The mu of this GDP: the root of the sum of squares."""
        return math.sqrt(self.squared)

    @property
    def event(self) -> float:
        """Probability that an event fails, rounded up."""
        kept = sum(n * math.log1p(-leaf.failure) for leaf, n in self.leaves.items() if isinstance(leaf, Concentrated))
        return -math.expm1(kept) * _ROUND_UP

    @property
    def shift(self) -> float:
        """Total variation that is given away, rounded up."""
        kept = [n * leaf.failure for leaf, n in self.leaves.items() if isinstance(leaf, ApproximateRenyi)]
        return sum(kept) * _ROUND_UP

    @property
    def told(self) -> float:
        """Probability that something fails when every failure is an event of its own, rounded down."""
        kinds = Concentrated | ApproximateRenyi
        kept = sum(n * math.log1p(-leaf.failure) for leaf, n in self.leaves.items() if isinstance(leaf, kinds))
        return -math.expm1(kept) / _ROUND_UP

    @property
    def renyi_only(self) -> bool:
        """Whether a leaf is known by Renyi divergences alone."""
        return any(isinstance(leaf, Concentrated | ApproximateRenyi) for leaf in self.leaves)

    @property
    def pure(self) -> float:
        """The sum of the pure epsilons, rounded up; infinite if a leaf has none, or none that is known."""
        budgets = (n * _largest_loss(leaf) for leaf, n in self.leaves.items())
        return sum(budgets, 0.0) * _ROUND_UP if self.squared == 0 else math.inf

    def representative(self) -> Flat:
        """The composition with a Gaussian mechanism in place of each leaf that is known by Renyi divergences alone."""
        squared, leaves = self.squared, dict[Leaf, int]()
        for leaf, count in self.leaves.items():
            if isinstance(leaf, Concentrated):
                squared += 2 * leaf.rho * count
            elif isinstance(leaf, ApproximateRenyi):
                squared += 2 * leaf.epsilon / leaf.order * count
            else:
                leaves[leaf] = count
        return Flat(squared, leaves)


def gaussian_parameter(mechanism: Mechanism) -> float | None:
    """mu of a composition of Gaussian mechanisms (0 for constants), None for any other mechanism."""
    flat = flattened(mechanism)
    return None if flat.leaves or flat.unbounded else flat.mu


def flattened(mechanism: Mechanism) -> Flat:
    """The composition without nesting; sampling that is none is taken away."""
    flat = Flat()
    for leaf, count in _leaves(mechanism, 1):
        if isinstance(leaf, Gaussian):
            flat.squared += count / leaf.noise_multiplier**2
        elif _is_unbounded(leaf):
            flat.unbounded = type(leaf).__name__
        elif leaf != PureDP(0.0) and not (isinstance(leaf, Sampled) and gaussian_parameter(leaf.mechanism) == 0):
            flat.leaves[leaf] = flat.leaves.get(leaf, 0) + count
    return flat


def _leaves(mechanism: Mechanism, count: int) -> Iterator[tuple[Gaussian | Leaf, int]]:
    if isinstance(mechanism, Constant):
        return
    if isinstance(mechanism, SelfComposed):
        yield from _leaves(mechanism.mechanism, count * mechanism.count)
    elif isinstance(mechanism, Composed):
        for part in mechanism.mechanisms:
            yield from _leaves(part, count)
    elif isinstance(mechanism, PoissonSampled | FixedSizeSampled) and _rate(mechanism) == 1:
        yield from _leaves(mechanism.mechanism, count)
    elif isinstance(mechanism, WithReplacementSampled) and mechanism.records == 1:
        yield from ((_every_time(leaf, mechanism.draws), n * count) for leaf, n in _leaves(mechanism.mechanism, 1))
    else:
        yield mechanism, count


def _every_time(leaf: Gaussian | Leaf, draws: int) -> Gaussian | Leaf:
    """The leaf when the one record is drawn `draws` times."""
    if isinstance(leaf, Gaussian | Laplace):
        return type(leaf)(leaf.noise_multiplier / draws)
    if isinstance(leaf, PureDP):
        return PureDP(leaf.epsilon * draws)
    raise ContentError(f"{type(leaf).__name__} cannot be sampled with replacement")


def _rate(leaf: PoissonSampled | FixedSizeSampled) -> float:
    return leaf.rate if isinstance(leaf, PoissonSampled) else leaf.size / leaf.records


def _is_unbounded(leaf: Leaf) -> bool:
    budget = leaf.rho if isinstance(leaf, Concentrated) else getattr(leaf, "epsilon", 0.0)
    inner = flattened(leaf.mechanism).unbounded if isinstance(leaf, Sampled) else ""
    return budget == math.inf or bool(inner)


def refuse_neighbours(mechanism: Mechanism, neighbours: Neighbours) -> None:
    """Refuse a sampling scheme that is not accounted under `neighbours`.

    Replacing a record moves two decisions of a Poisson sample, which a sensitivity of one does not describe;
    adding one changes the rate of a sample of fixed size.
    """
    for leaf, _ in _leaves(mechanism, 1):
        if isinstance(leaf, PoissonSampled) and neighbours is Neighbours.REPLACE_ONE:
            raise ContentError("Poisson sampling is accounted for add-or-remove and zero-out only, got replace-one")
        if isinstance(leaf, FixedSizeSampled | WithReplacementSampled) and neighbours is not Neighbours.REPLACE_ONE:
            raise ContentError(f"{type(leaf).__name__} is accounted for replace-one only, got {neighbours.name}")
        if isinstance(leaf, Sampled):
            refuse_neighbours(leaf.mechanism, neighbours)


def loss_parts(flat: Flat, delta: float, upper: bool) -> list[list[Part]]:
    """Compositions of loss laws, one per order of the neighbours, the worst of which bounds `flat` from one side."""
    gaussian = [Part((GaussianLoss(flat.mu),), FORWARD)] if flat.mu > 0 else []
    kinds = PoissonSampled if upper else Sampled
    orders = (FORWARD, REVERSE) if any(isinstance(leaf, kinds) for leaf in flat.leaves) else (FORWARD,)
    if not upper and any(isinstance(leaf, FixedSizeSampled) for leaf in flat.leaves):
        orders = (*orders, _TRIANGLE)
    share = 1e-9 * delta / sum(flat.leaves.values())
    return [gaussian + [_part(leaf, n, order, upper, share) for leaf, n in flat.leaves.items()] for order in orders]


def _part(leaf: Leaf, count: int, order: str, upper: bool, share: float) -> Part:
    if isinstance(leaf, Laplace | PureDP):
        law = _law(leaf)
        return Part((law,), FORWARD, count, anchor=law.reach(0.5)[1])
    if not isinstance(leaf, Sampled):
        raise ContentError(f"{type(leaf).__name__} has no privacy loss distribution")
    order = SYMMETRIC if upper and not isinstance(leaf, PoissonSampled) else order
    if isinstance(leaf, WithReplacementSampled):
        return _counted(leaf, count, FORWARD if order == _TRIANGLE else order, share)
    rate, base = _rate(leaf), _base(leaf)
    if order == _TRIANGLE and isinstance(leaf, FixedSizeSampled) and isinstance(base, GaussianLoss):
        return Part((TriangleLoss(rate, base.mu),), FORWARD, count)
    order = FORWARD if order == _TRIANGLE else order
    return Part((SampledLoss(rate, base),), order, count, anchor=-math.log1p(-rate))


def _counted(leaf: WithReplacementSampled, count: int, order: str, share: float) -> Part:
    """From above the number of occurrences is shown; from below it is hidden, and counted up to a most."""
    base, weights = _base(leaf), counts(leaf.draws, leaf.records)
    tails = np.asarray(bdtrc(np.arange(leaf.draws + 1), leaf.draws, 1 / leaf.records))
    most = int(np.argmax(tails <= share))
    anchor = -leaf.draws * math.log1p(-1 / leaf.records)
    drawn, kept = -math.expm1(-anchor), weights[: most + 1]
    if order == SYMMETRIC:
        laws = tuple(SampledLoss(drawn, _scaled(base, k)) for k in range(1, most + 1))
        return Part(laws, order, count, tuple(kept[1:] / drawn), anchor, float(tails[most]) / drawn)
    if isinstance(base, GaussianLoss):
        kept = np.append(kept[:-1], kept[-1] + tails[most])
        return Part((CountedLoss(tuple(kept), base.mu),), order, count, anchor=anchor)
    return Part((SampledLoss(drawn, base),), order, count, anchor=anchor)


def _base(leaf: Sampled) -> GaussianLoss | LaplaceLoss | ResponseLoss:
    """The law of what runs on the sample."""
    flat = flattened(leaf.mechanism)
    if not flat.leaves:
        return GaussianLoss(flat.mu)
    inner, count = next(iter(flat.leaves.items()))
    if flat.mu > 0 or len(flat.leaves) > 1 or count > 1 or not isinstance(inner, Laplace | PureDP):
        raise ContentError(
            "only a sample of Gaussian mechanisms, of one Laplace or of one PureDP mechanism can be accounted, got "
            f"{leaf.mechanism!r}"
        )
    return _law(inner)


def _law(leaf: Laplace | PureDP) -> LaplaceLoss | ResponseLoss:
    return LaplaceLoss(1 / leaf.noise_multiplier) if isinstance(leaf, Laplace) else ResponseLoss(leaf.epsilon)


def _largest_loss(leaf: Leaf) -> float:
    """The epsilon of pure DP that the worst mechanism of this kind reaches; infinite if there is none or none is known.

    That of a sample, log(1 + rate (e^epsilon - 1)) (Balle, Barthe, Gaboardi 2018, theorems 8 and 9), is reached in the
    order (P, Q), which all releases may have at once: a composition reaches the sum.
    """
    if isinstance(leaf, Laplace | PureDP):
        return _law(leaf).reach(0.5)[1]
    if isinstance(leaf, PoissonSampled | FixedSizeSampled) and not isinstance(base := _base(leaf), GaussianLoss):
        return SampledLoss(_rate(leaf), base).reach(0.5)[1]
    return math.inf


def _scaled(law: GaussianLoss | LaplaceLoss | ResponseLoss, factor: int) -> Law:
    """The law for neighbours at `factor` times the distance."""
    if isinstance(law, GaussianLoss):
        return GaussianLoss(law.mu * factor)
    if isinstance(law, LaplaceLoss):
        return LaplaceLoss(law.width * factor)
    return ResponseLoss(law.epsilon * factor)


def largest_order(flat: Flat) -> float:
    """The largest order at which all leaves have a bound that is worth its time."""
    orders = [leaf.order for leaf in flat.leaves if isinstance(leaf, ApproximateRenyi)]
    sampled = any(isinstance(leaf, Sampled) for leaf in flat.leaves)
    return min([*orders, _LARGEST_SAMPLED_ORDER if sampled else _LARGEST_ORDER])


def renyi_divergence(flat: Flat, order: float) -> float:
    """An upper bound on the divergence of the composition at `order`, up to rounding; failures set apart."""
    return order * flat.squared / 2 + sum(n * _renyi(leaf, order) for leaf, n in flat.leaves.items())


def _renyi(leaf: Leaf, order: float) -> float:
    if isinstance(leaf, Concentrated):
        return order * leaf.rho
    if isinstance(leaf, ApproximateRenyi):
        return leaf.epsilon if order <= leaf.order else math.inf
    if isinstance(leaf, Laplace):
        return _laplace_divergence(order, 1 / leaf.noise_multiplier)
    if isinstance(leaf, PureDP):
        return _response_divergence(order, leaf.epsilon)
    base = _base(leaf)
    if isinstance(leaf, WithReplacementSampled) or isinstance(base, LaplaceLoss):
        raise ContentError(
            f"{type(leaf).__name__} of {type(base).__name__.removesuffix('Loss')} has no Renyi divergence here, so it "
            "cannot be composed with Concentrated or ApproximateRenyi"
        )
    rate = _rate(leaf)
    if isinstance(base, ResponseLoss):
        return _response_divergence(order, math.log1p(rate * math.expm1(base.epsilon)))
    curve = line if isinstance(leaf, PoissonSampled) else symmetrised
    return float(curve(order, rate, 1 / base.mu**2))


def _laplace_divergence(order: float, width: float) -> float:
    """Mironov (2017), proposition 6; order width^2/2 where that loses digits."""
    if order * width < 1e-2:
        return order * width**2 / 2
    logs = (math.log(order) + (order - 1) * width, math.log(order - 1) - order * width)
    return float((np.logaddexp(*logs) - math.log(2 * order - 1)) / (order - 1))


def _response_divergence(order: float, epsilon: float) -> float:
    """Of randomised response; order epsilon^2/2 (Bun, Steinke 2016, proposition 3.3) where that loses digits."""
    if order * epsilon < 1e-2:
        return order * epsilon**2 / 2
    more, less = -np.logaddexp(0.0, -epsilon), -np.logaddexp(0.0, epsilon)
    return float(np.logaddexp(order * more + (1 - order) * less, order * less + (1 - order) * more) / (order - 1))
