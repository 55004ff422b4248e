"""The numba form of SubERM: one trial after the other, no allocation inside a trial.

`centres`, `anchors`, `starts`, `regularisers`, `distances`: rows of xbar, c, x_0, lambda, r'; `plan`: see
`sub_erm.plan`; `losses`: see `smoothing.kernels.ridge_arrays`; `keys`: two words each of the indices, the queries and
the noise; `fixed`: record numbers, (0, 0) for drawn ones, (1, steps) or (trials, steps) for given ones, whose row
lists[i] trial i reads.

Addresses: step = phase i >= 1; index j for the j-th record, j d + a for coordinate a of the j-th query.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.resque.shared.kernels import project
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Packed, compiled, normal_pair, uniform_pair
from dpaudit.problems.domain_kernels import copy
from dpaudit.problems.smoothing.ridges import Ridge

RESQUE, UNWEIGHTED, PLAIN = 0, 1, 2
_ZERO, _LINEAR, _ABSOLUTE = int(Ridge.ZERO), int(Ridge.LINEAR), int(Ridge.ABSOLUTE)
REUSED, LAST = 2, 3
"""Negative controls 2 (queries of the first phase in all phases) and 3 (noise on the last iterate)."""


@compiled()
def slope(kind: int, margin: float) -> float:
    """`smoothing.kernels.ridge_slope` of a margin at hand: no array is passed, which would cost more than the step."""
    if kind == _LINEAR or (kind != _ZERO and margin > 0.0):
        return 1.0
    return -1.0 if kind == _ABSOLUTE and margin < 0.0 else 0.0


@compiled()
def advance(
    y: Array, query: Array, record: int, eta: float, shrink: float, centre: Array, anchor: Array, radius: float,
    smoothing: float, estimator: int, kinds: Integers, directions: Array, offsets: Array, lipschitz: float,
) -> Packed:  # fmt: skip
    """One step in place with xi = `query`; the slope of the record at the query, whether y was projected."""
    margin, exponent = -offsets[record], 0.0
    for a in range(len(y)):
        v = y[a] - centre[a]
        if estimator == PLAIN:
            margin += directions[record, a] * y[a]
        else:
            margin += directions[record, a] * (centre[a] + query[a])
            exponent += v * (2.0 * query[a] - v)
    steepness, square = slope(kinds[record], margin), 0.0
    factor = eta * lipschitz * steepness
    if estimator == RESQUE and steepness != 0.0:
        factor *= np.exp(exponent / (2.0 * smoothing * smoothing))
    for a in range(len(y)):
        y[a] = (y[a] + shrink * anchor[a] - factor * directions[record, a]) / (1.0 + shrink)
        square += (y[a] - centre[a]) * (y[a] - centre[a])
    if not square > radius * radius:
        return steepness, False
    pulled = radius / np.sqrt(square)
    for a in range(len(y)):
        y[a] = centre[a] + pulled * (y[a] - centre[a])
    return steepness, True


@compiled()
def draw_query(
    query: Array, j: int, step: int, spare: Array, smoothing: float, key0: int, key1: int, trial: int
) -> None:
    """rho times the normals of the j-th query; `spare`: a block number and its two normals, made once."""
    for a in range(len(query)):
        position = j * len(query) + a
        block = position // 2
        if spare[0] != block:
            spare[0] = block
            spare[1], spare[2] = normal_pair(key0, key1, block, step, trial)
        query[a] = smoothing * query.dtype.type(spare[1 + position % 2])


@compiled()
def draw_record(j: int, step: int, records: int, key0: int, key1: int, trial: int) -> Packed:
    """Uniform on 0..n-1."""
    return np.int64(uniform_pair(key0, key1, j // 2, step, trial)[j % 2] * records)


@compiled()
def add(values: Array, total: Array) -> None:
    """total += values."""
    for a in range(len(total)):
        total[a] += values[a]


@compiled()
def one_phase(
    y: Array, total: Array, query: Array, spare: Array, i: int, steps: int, eta: float, row: int, trial: int,
    centre: Array, anchor: Array, regulariser: float, keys: Packed, plan: Packed, losses: Packed, fixed: Packed,
    used: int,
) -> None:  # fmt: skip
    """Phase i in place: y ends at y_T, `total` at the sum that is averaged; `used`: steps of the phases before."""
    _, _, radius, smoothing, _, estimator, regret, _, _, control, queried = plan
    kinds, directions, offsets, _, lipschitz = losses
    records, drawn, step = len(kinds), fixed.shape[1] == 0, 1 if control == REUSED else i
    first, second, shrink = 0.0, 0.0, eta * regulariser
    total[:] = 0.0
    spare[0] = -1.0
    for j in range(steps):
        record: Packed = np.int64(0)
        if not drawn:
            record = fixed[row, used + j]
        elif records > 1:
            if j % 2 == 0:
                first, second = uniform_pair(keys[0], keys[1], j // 2, i, trial)
            record = np.int64((first if j % 2 == 0 else second) * records)
        if queried and kinds[record] != _ZERO:
            draw_query(query, j, step, spare, smoothing, keys[2], keys[3], trial)
        if regret:
            add(y, total)
        advance(y, query, record, eta, shrink, centre, anchor, radius, smoothing, estimator, kinds, directions, offsets,
                lipschitz)  # fmt: skip
        if not regret:
            add(y, total)


@compiled()
def weightless_phase(
    y: Array, total: Array, i: int, steps: int, eta: float, trial: int, centre: Array, anchor: Array,
    regulariser: float, radius: float, regret: bool, key0: int, key1: int, kinds: Integers, directions: Array,
    lipschitz: float,
) -> None:  # fmt: skip
    """`one_phase` where w = 1 and every record is ZERO or LINEAR: the same numbers in a third of the time."""
    records, shrink, first, second = len(kinds), eta * regulariser, 0.0, 0.0
    scale, square_radius = eta * lipschitz, radius * radius
    total[:] = 0.0
    for j in range(steps):
        record = 0
        if records > 1:
            if j % 2 == 0:
                first, second = uniform_pair(key0, key1, j // 2, i, trial)
            record = int((first if j % 2 == 0 else second) * records)
        factor, square = scale * kinds[record], 0.0
        for a in range(len(y)):
            if regret:
                total[a] += y[a]
            y[a] = (y[a] + shrink * anchor[a] - factor * directions[record, a]) / (1.0 + shrink)
            square += (y[a] - centre[a]) * (y[a] - centre[a])
        if square > square_radius:
            pulled = radius / np.sqrt(square)
            for a in range(len(y)):
                y[a] = centre[a] + pulled * (y[a] - centre[a])
        if not regret:
            add(y, total)


@compiled()
def release(
    x: Array, y: Array, total: Array, i: int, steps: int, eta: float, trial: int, keys: Packed, plan: Packed
) -> None:
    """x = average + N(0, (L eta/beta)^2 I); `total` receives the average (control: y_T in its place)."""
    _, beta, _, _, lipschitz, _, _, _, _, control, _ = plan
    sigma = lipschitz * eta / beta * (0.1 if control == 1 else 1.0)
    for a in range(len(x)):
        total[a] = y[a] if control == LAST else total[a] / steps
        normal = normal_pair(keys[4], keys[5], a // 2, i, trial)[a % 2]
        x[a] = total[a] + sigma * x.dtype.type(normal)


@compiled()
def run(
    centres: Array, anchors: Array, starts: Array, regularisers: Array, distances: Array, trials: Integers,
    lists: Integers, final: Array, phases: Array, averages: Array, queries: Integers, keys: Packed, plan: Packed,
    losses: Packed, fixed: Packed,
) -> None:  # fmt: skip
    """All phases of all trials; the outputs have one row per trial."""
    horizon, beta, radius, _, lipschitz, estimator, regret, project_start, project_output, _, queried = plan
    lean = estimator == UNWEIGHTED and not queried and fixed.shape[1] == 0
    d, k = final.shape[1], phases.shape[1]
    y, total, query = np.empty(d, final.dtype), np.empty(d, final.dtype), np.zeros(d, final.dtype)
    spare = np.empty(3)
    for row in range(len(trials)):
        x, centre = final[row], centres[row]
        copy(starts[row], x)
        eta = distances[row] / lipschitz * min(1.0 / np.sqrt(horizon), beta / np.sqrt(d))
        steps, queries[row] = 2**k, 0
        for i in range(1, k + 1):
            steps, eta = steps // 2, eta / 4.0
            copy(x, y)
            if project_start and i > 1:
                project(y, centre, radius)
            if lean:
                weightless_phase(
                    y, total, i, steps, eta, trials[row], centre, anchors[row], regularisers[row], radius, regret,
                    keys[0], keys[1], losses[0], losses[1], losses[4],
                )  # fmt: skip
            else:
                one_phase(
                    y, total, query, spare, i, steps, eta, lists[row], trials[row], centre, anchors[row],
                    regularisers[row], keys, plan, losses, fixed, queries[row],
                )  # fmt: skip
            release(x, y, total, i, steps, eta, trials[row], keys, plan)
            queries[row] += steps
            copy(x, phases[row, i - 1])
            copy(total, averages[row, i - 1])
        if project_output:
            project(x, centre, radius)


@compiled()
def replay(
    states: Array, phase: Integers, j: Integers, last: Packed, centres: Array, anchors: Array, regularisers: Array,
    distances: Array, trials: Integers, ways: Integers, keys: Packed, plan: Packed, losses: Packed,
) -> None:  # fmt: skip
    """Step j of phase `phase` of each row, in place: `states`, (rows, 3 d), holds y, the sum, and receives x where
    `last` holds; `ways`, (rows, 3), receives the record, whether y was projected, the slope."""
    horizon, beta, radius, smoothing, lipschitz, estimator, regret, _, _, control, queried = plan
    d, records = states.shape[1] // 3, len(losses[0])
    query, average, spare = np.zeros(d, states.dtype), np.empty(d, states.dtype), np.empty(3)
    for row in range(len(states)):
        y, total, i = states[row, :d], states[row, d : 2 * d], phase[row]
        eta = distances[row] / lipschitz * min(1.0 / np.sqrt(horizon), beta / np.sqrt(d)) / 4.0**i
        record = draw_record(j[row], i, records, keys[0], keys[1], trials[row])
        if queried:
            step = 1 if control == REUSED else i
            spare[0] = -1.0
            draw_query(query, j[row], step, spare, smoothing, keys[2], keys[3], trials[row])
        if regret:
            add(y, total)
        steepness, outside = advance(
            y, query, record, eta, eta * regularisers[row], centres[row], anchors[row], radius, smoothing, estimator,
            losses[0], losses[1], losses[2], losses[4],
        )  # fmt: skip
        if not regret:
            add(y, total)
        if last[row]:
            copy(total, average)
            release(states[row, 2 * d :], y, average, i, j[row] + 1, eta, trials[row], keys, plan)
        ways[row, 0], ways[row, 1], ways[row, 2] = record, np.int64(outside), np.int64(steepness)


@compiled()
def add_both(total: Array, y: Array, gap: Array, there: Array) -> None:
    """total += y, gap += y - there."""
    for a in range(len(y)):
        total[a] += y[a]
        gap[a] += y[a] - there[a]


@compiled()
def squared(here: Array, there: Array) -> float:
    """|here - there|^2."""
    total = 0.0
    for a in range(len(here)):
        total += (here[a] - there[a]) * (here[a] - there[a])
    return total


@compiled()
def coupled_phase(
    y: Array, there: Array, total: Array, gap: Array, query: Array, spare: Array, i: int, steps: int, eta: float,
    row: int, trial: int, centre: Array, anchor: Array, regulariser: float, keys: Packed, plan: Packed, losses: Packed,
    neighbour: Packed, fixed: Packed, used: int, path: Array, differs: Packed,
) -> Packed:  # fmt: skip
    """`one_phase` for two data sets at once; `gap`: the sum of y - there; returns how many differing records came."""
    _, _, radius, smoothing, _, estimator, regret, _, _, control, queried = plan
    kinds, directions, offsets, _, steep = losses
    other_kinds, other_directions, other_offsets, _, other_steep = neighbour
    hits, shrink, step = 0, eta * regulariser, 1 if control == REUSED else i
    total[:] = 0.0
    gap[:] = 0.0
    spare[0] = -1.0
    for j in range(steps):
        record = draw_record(j, i, len(kinds), keys[0], keys[1], trial)
        if fixed.shape[1] > 0:
            record = fixed[row, used + j]
        hits += differs[record]
        if queried and (kinds[record] != _ZERO or other_kinds[record] != _ZERO):
            draw_query(query, j, step, spare, smoothing, keys[2], keys[3], trial)
        if regret:
            add_both(total, y, gap, there)
        advance(y, query, record, eta, shrink, centre, anchor, radius, smoothing, estimator, kinds, directions, offsets,
                steep)  # fmt: skip
        advance(there, query, record, eta, shrink, centre, anchor, radius, smoothing, estimator, other_kinds,
                other_directions, other_offsets, other_steep)  # fmt: skip
        if not regret:
            add_both(total, y, gap, there)
        if len(path) > 0:
            path[used + j] = squared(y, there)
    return hits


@compiled()
def coupled(
    centres: Array, anchors: Array, starts: Array, regularisers: Array, distances: Array, trials: Integers,
    lists: Integers, path: Array, drift: Array, hits: Integers, keys: Packed, plan: Packed, losses: Packed,
    neighbour: Packed, fixed: Packed, differs: Packed,
) -> None:  # fmt: skip
    """Two data sets on the same draws; every phase starts both from the x_{i-1} of the first.

    path: |y_j - y'_j|^2 of every step (not kept if it has no columns); drift: |ybar_i - ybar'_i|; hits: how often
    a record for which `differs` holds was drawn in phase i.
    """
    horizon, beta, radius, _, lipschitz, _, _, project_start, _, control, _ = plan
    d, k, room, spare = centres.shape[1], drift.shape[1], np.zeros((7, centres.shape[1])), np.empty(3)
    x, y, there, total, gap, query, origin = room[0], room[1], room[2], room[3], room[4], room[5], room[6]
    for row in range(len(trials)):
        copy(starts[row], x)
        eta = distances[row] / lipschitz * min(1.0 / np.sqrt(horizon), beta / np.sqrt(d))
        steps = 2**k
        for i in range(1, k + 1):
            steps, eta = steps // 2, eta / 4.0
            copy(x, y)
            if project_start and i > 1:
                project(y, centres[row], radius)
            copy(y, there)
            hits[row, i - 1] = coupled_phase(
                y, there, total, gap, query, spare, i, steps, eta, lists[row], trials[row], centres[row], anchors[row],
                regularisers[row], keys, plan, losses, neighbour, fixed, 2**k - 2 * steps, path[row], differs,
            )  # fmt: skip
            apart = squared(y, there) * steps**2 if control == LAST else squared(gap, origin)
            drift[row, i - 1] = np.sqrt(apart) / steps
            release(x, y, total, i, steps, eta, trials[row], keys, plan)
