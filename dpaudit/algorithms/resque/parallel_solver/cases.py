"""The instances on which the forms of the non-private oracles and of the parallel solver are compared.

A step is what these files add: joining the answers of the ball oracle, and an iteration around given answers. The steps
of the solvers inside are compared in their own files; here whole runs are, at the stated tolerance. Trials in which
a comparison (a movement with its ends, a distance with the reach) is close to a tie are left out.
"""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.resque import parallel_solver
from dpaudit.algorithms.resque.ball_acceleration.cases import TIE, nearest_end
from dpaudit.algorithms.resque.non_private_prox.cases import bound_case, example_oracle, nearest_join
from dpaudit.algorithms.resque.parallel_solver import Params, Run
from dpaudit.algorithms.resque.shared.cases import Calls
from dpaudit.algorithms.resque.shared.draws import projection_magnitude
from dpaudit.noise.stream import Stream, Trials


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Both solvers; the second in one dimension and with the point as it comes."""
    listed = (
        ("EpochSGD", Params(2, 1.0, 1.1, 0.6, acceleration_constant=1.5, stop_constant=1.5)),
        ("AC-SA", Params(2, 1.0, 1.1, 0.6, "ac_sa", "GL12", "last", 1.5, 1.5)),
    )
    functions = (_trace, _cpu, _gpu, _calls)
    return tuple(
        bound_case(
            parallel_solver, name, params, 4 * params.dimension + 30, Stream(seed, f"agree/parallel_solver/{name}"),
            functions,
        )
        for name, params in listed
    )  # fmt: skip


def _trace(params: Params, stream: Stream, trials: int) -> Trace:
    found: list[tuple[int, Run]] = []
    trial = 0
    while len(found) < trials:
        run = parallel_solver.reference(params, example_oracle(), stream, trial)
        movements = min(nearest_end(params.ball_radius, tried) for tried in run.outer.tried)
        if min(movements, *(nearest_join(points, params.oracles.reach) for points in run.searched)) > TIE:
            found.append((trial, run))
        trial += 1
    return _assembled(params, found)


def _calls(params: Params, stream: Stream, trial: int) -> Calls:
    run = parallel_solver.reference(params, example_oracle(), stream, trial)
    counted = {
        "search oracle": len(run.searched), "ball oracle": run.ball_calls, "gradients": run.queries,
        "rounds": run.rounds, "steps": run.depth,
    }  # fmt: skip
    return counted, parallel_solver.calls(params, run.outer.strengths, run.outer.tried, run.drawn)


def _assembled(params: Params, found: list[tuple[int, Run]]) -> Trace:
    d = params.dimension
    rows = []
    for trial, run in found:
        outer = run.outer
        before = np.hstack([outer.states[:-1], outer.strengths[:, None], run.answers])
        after = np.hstack([outer.centres, outer.states[1:, d:]])
        rows.append((np.full(len(before), trial), np.arange(len(before)), before, after))
    numbers, steps, before, after = (np.concatenate(column) for column in zip(*rows, strict=True))
    x, v, weight, lam, z = np.split(np.abs(before), [d, 2 * d, 2 * d + 1, 2 * d + 2], axis=1)
    a = after[:, 2 * d :] - weight
    y = (weight * x + a * v) / (weight + a)
    moved = projection_magnitude(v + a / 2 * lam * (y + z), np.zeros(d))
    none = np.zeros((len(before), 0))
    return Trace(
        numbers, steps, before, after, np.hstack([y, moved, weight + a]), none.astype(np.int64), none, none,
        np.stack([run.outer.point for _, run in found]),
    )  # fmt: skip


def _cpu(params: Params, stream: Stream, trace: Trace, dtype: str) -> Replay:
    trials = Trials(stream, trace.trials[trace.steps == 0])
    points = parallel_solver.runs(parallel_solver.cpu(params, example_oracle(), trials, dtype)).outer.points
    return Replay(parallel_solver.advance_cpu(params, trace.before, dtype), trace.branches, points)


def _gpu(params: Params, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    trials = Trials(stream, trace.trials[trace.steps == 0])
    whole = parallel_solver.gpu(params, example_oracle(), trials, device, dtype).cpu().numpy()
    after = parallel_solver.advance_gpu(params, trace.before, dtype, device)
    return Replay(after, trace.branches, parallel_solver.runs(whole).outer.points)
