"""Search for the neighbours that a statistic tells apart most: random records, then gradient ascent, then shrinking.

The distance that is found is a lower bound on the sensitivity of the statistic: above the declared one it is a witness
that stands on its own, below it nothing is proved. The last record is the one that differs, so that the others keep
their places.

Scores: no trial: it looks for two neighbouring data sets that a statistic without its noise tells apart most.

Finds: a sensitivity above the declared one by more than the 0.1 % that shrinking may give up, with the two data sets as
a witness that stands on its own.

Cannot find: that a sensitivity holds: below the declared one the distance proves nothing, and a search may stop at a
local maximum.

Needs: the statistic before noise as a function, a way to draw records, and a projection onto their domain; torch for
exact gradients.

Costs: the statistic on both data sets for every try; by differences, four evaluations for each coordinate of each
record and step.

Competes: never: it is called by hand, and no audit uses it. `tests/attacks/test_worst_case.py` shows how.

Source: searching neighbouring inputs by gradient goes back to Bichsel, Gehr, Drachsler-Cohen, Tsankov, Vechev,
"DP-Finder: finding differential privacy violations by sampling and optimization" (2018), section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.tensors import Module, Tensor
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import Neighbours

Statistic = Callable[[Any], Any]
"""Records, shape (n, d), to an array of any shape: what is released before noise."""

BACKENDS = ("numerical", "torch")
"""How gradients come: differences of `statistic` on NumPy arrays, or torch autograd of it on float64 tensors."""

_STARTS = 5
_DIFFERENCE = 1e-6
_DECIMALS = (0, 1, 2, 3)


@dataclass(frozen=True)
class Search:
    """What is searched.

    statistic: see `Statistic`; draw(rng, count) -> records (count, d); project: nearest records inside of the domain,
    (count, d) -> the same shape; neighbours: the relation; order: of the norm that measures the distance, 1, 2 or
    infinite; backend: one of BACKENDS. Raises ConfigurationError.
    """

    statistic: Statistic
    draw: Callable[[np.random.Generator, int], Array]
    project: Callable[[Array], Array]
    neighbours: Neighbours = Neighbours.REPLACE_ONE
    order: float = 2.0
    backend: str = "numerical"

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS or self.order not in (1, 2, np.inf):
            raise ConfigurationError(
                f"backend must be one of {', '.join(BACKENDS)} and order 1, 2 or inf, "
                f"got {self.backend!r}, {self.order}"
            )


@dataclass(frozen=True)
class WorstPair:
    """Two neighbours, records (n, d) and (n or n - 1, d), and the distance of the statistic between them."""

    data: Array
    neighbour: Array
    distance: float


def worst_pair(search: Search, records: int, rng: np.random.Generator, tries: int = 50, steps: int = 100) -> WorstPair:
    """The pair with the largest distance that is found with `records` >= 1 records, shrunk to a small witness.

    tries: random pairs, at least 1, the best of which start gradient ascents of at most `steps` steps. The
    witness keeps 99.9 % of the distance with fewer records and rounder numbers where it can. A statistic that is not
    finite on a pair of the domain has an infinite distance. Deterministic in `rng`.
    """
    if records < 1 or tries < 1 or steps < 0:
        raise ConfigurationError(f"records and tries must be at least 1, steps at least 0, got {records, tries, steps}")
    drawn = [search.project(search.draw(rng, records + 1)) for _ in range(tries)]
    starts = sorted(drawn, key=lambda rows: distance(search, rows), reverse=True)[:_STARTS]
    best = max((ascend(search, rows, steps) for rows in starts), key=lambda rows: distance(search, rows))
    return _pair(search, shrink(search, best))


def distance(search: Search, rows: Array) -> float:
    """How far the statistic moves between the neighbours that `rows` stands for.

    rows: (n + 1, d), the n records of the data set, then the one that replaces the last of them (unused when a record
    is removed or zeroed out).
    """
    first, second = (_statistic(search, part) for part in _sides(search.neighbours, rows))
    if first.shape != second.shape:
        raise ContentError(f"the statistic has shape {first.shape} on one data set, {second.shape} on its neighbour")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        return np.inf
    return float(np.linalg.norm((first - second).ravel(), search.order))


def ascend(search: Search, rows: Array, steps: int) -> Array:
    """Projected gradient ascent on `distance`; a step that does not improve is halved. Never worse than the start."""
    best, reached = rows, distance(search, rows)
    length = float(np.linalg.norm(rows)) or 1.0
    for _ in range(steps):
        if not np.isfinite(reached) or length < 1e-9:
            break
        slope = _gradient(search, best)
        size = float(np.linalg.norm(slope))
        if not (np.isfinite(size) and size > 0):
            break
        proposed = search.project(best + length * slope / size)
        found = distance(search, proposed)
        if found > reached:
            best, reached, length = proposed, found, 1.5 * length
        else:
            length /= 2
    return best


def shrink(search: Search, rows: Array, keep: float = 0.999) -> Array:
    """Fewer shared records and fewer digits, as long as the share `keep` of the distance is left."""
    floor = keep * distance(search, rows)
    for index in reversed(range(len(rows) - 2)):
        fewer = np.delete(rows, index, axis=0)
        rows = fewer if distance(search, fewer) >= floor else rows
    for index in range(len(rows)):
        for decimals in _DECIMALS:
            rounder = rows.copy()
            rounder[index] = np.round(rows[index], decimals)
            if np.array_equal(search.project(rounder), rounder) and distance(search, rounder) >= floor:
                rows = rounder
                break
    return rows


def module_gradient(module: Module, loss: Callable[[Tensor, Tensor], Tensor], targets: int = 1) -> Statistic:
    """The summed gradient of a torch module over its records as a statistic, for the backend "torch".

    A record is a row: its features, then `targets` columns for `loss(outputs, target)`, which returns the loss of
    one record (a number). The parameters stay as they are; they are taken in float64. Needs the extra `torch`.
    """
    import torch
    from torch.func import functional_call, grad, vmap

    parameters = {name: value.detach().double() for name, value in module.named_parameters()}

    def of_record(values: Mapping[str, Tensor], row: Tensor) -> Tensor:
        outputs = functional_call(module, values, (row[None, :-targets],))[0]
        return loss(outputs, row[-targets:])

    def statistic(rows: Tensor) -> Tensor:
        gradients = vmap(grad(of_record), in_dims=(None, 0))(parameters, rows)
        return torch.cat([part.reshape(len(rows), -1) for part in gradients.values()], dim=1).sum(dim=0)

    return statistic


def _sides(relation: Neighbours, rows: Any) -> tuple[Any, Any]:
    """Data set and neighbour, of NumPy rows or torch ones."""
    data, shared = rows[:-1], rows[:-2]
    if relation is Neighbours.ADD_OR_REMOVE:
        return data, shared
    last = rows[-1:] if relation is Neighbours.REPLACE_ONE else 0 * rows[-1:]
    if isinstance(rows, np.ndarray):
        return data, np.concatenate([shared, last])
    import torch

    return data, torch.cat([shared, last])


def _statistic(search: Search, records: Array) -> Array:
    if search.backend == "numerical":
        return np.asarray(search.statistic(records), dtype=np.float64)
    import torch

    return np.asarray(search.statistic(torch.from_numpy(np.ascontiguousarray(records))).detach(), dtype=np.float64)


def _gradient(search: Search, rows: Array) -> Array:
    if search.backend == "numerical":
        return _differences(search, rows)
    import torch

    values = torch.from_numpy(rows.copy()).requires_grad_()
    first, second = (search.statistic(part) for part in _sides(search.neighbours, values))
    torch.linalg.vector_norm((first - second).ravel(), search.order).backward()
    return np.asarray(values.grad, dtype=np.float64)


def _differences(search: Search, rows: Array) -> Array:
    """Central differences, one coordinate after the other."""
    slope = np.zeros_like(rows)
    for place in np.ndindex(rows.shape):
        step = _DIFFERENCE * max(1.0, abs(float(rows[place])))
        ends = []
        for sign in (1, -1):
            moved = rows.copy()
            moved[place] += sign * step
            ends.append(distance(search, moved))
        slope[place] = (ends[0] - ends[1]) / (2 * step) if np.isfinite(ends).all() else 0.0
    return slope


def _pair(search: Search, rows: Array) -> WorstPair:
    data, neighbour = _sides(search.neighbours, rows)
    return WorstPair(data, neighbour, distance(search, rows))
