"""Agreement of the algorithms that run PrivateERM in stages: one row per stage, and whole runs.

A stage runs PrivateERM, which is compared in its own file. Here a row holds what the stages add: from the raw
result of the reference's stage, the projection onto the domain. The inner results enter by the trajectories.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.resque.private_erm.cases import counted_calls, example_records
from dpaudit.algorithms.resque.private_erm.stages import onto_domain
from dpaudit.algorithms.resque.shared.cases import Calls, points_of, whole_runs
from dpaudit.algorithms.resque.shared.counted import together
from dpaudit.algorithms.resque.sub_erm.setting import onto_ball
from dpaudit.algorithms.stepwise import SomeParams
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import load_torch
from dpaudit.problems.smoothing.ridges import RidgeLosses


def stage_case(module: ModuleType, name: str, params: SomeParams, seed: int) -> Case:
    """One instance for `module`, whose reference gives `raw` and whose params have an origin and a radius."""
    losses = example_records(seed, params.records, params.dimension)
    stages = _Stages(module, params, losses, Stream(seed, f"agree/{module.ALGORITHM.name}/{name}"))
    operations = 2 * params.dimension + 20
    return Case(
        name, params, operations, stages.reference, stages.by_cpu, stages.by_gpu, stages.calls,
        whole_runs(module, params, lambda numbers: losses, stages.stream),
    )  # fmt: skip


@dataclass(frozen=True)
class _Stages:
    module: ModuleType
    params: SomeParams
    losses: RidgeLosses
    stream: Stream

    def reference(self, trials: int) -> Trace:
        runs = [self.module.reference(self.params, self.losses, self.stream, trial) for trial in range(trials)]
        raw, origin = np.concatenate([run.raw for run in runs]), np.array(self.params.origin)
        projected, away = onto_ball(raw, origin, self.params.radius), self.distance(raw)
        size = np.linalg.norm(np.abs(raw) + np.abs(origin), axis=1, keepdims=True)
        counts = [len(run.raw) for run in runs]
        return Trace(
            np.repeat(np.arange(trials), counts), np.concatenate([np.arange(count) for count in counts]), raw,
            projected, np.abs(projected) + np.abs(origin) + size, self.outside(raw),
            np.abs(away - self.params.radius), size, np.stack([run.final for run in runs]),
        )  # fmt: skip

    def distance(self, rows: Array) -> Array:
        away = rows - np.array(self.params.origin, dtype=rows.dtype)
        return np.asarray(np.linalg.norm(away, axis=1, keepdims=True))

    def outside(self, rows: Array) -> Integers:
        return np.asarray(self.distance(rows) > self.params.radius, dtype=np.int64)

    def by_cpu(self, trace: Trace, dtype: str) -> Replay:
        rows, whole = trace.before.astype(dtype), Trials(self.stream, np.arange(len(trace.final)))
        after = onto_ball(rows, np.array(self.params.origin, dtype=dtype), self.params.radius)
        return Replay(after, self.outside(rows), points_of(self.module.cpu(self.params, self.losses, whole, dtype)))

    def by_gpu(self, trace: Trace, dtype: str, device: str) -> Replay:
        torch, whole = load_torch(), Trials(self.stream, np.arange(len(trace.final)))
        kind = getattr(torch, dtype)
        rows, origin = (torch.as_tensor(p, dtype=kind, device=device) for p in (trace.before, self.params.origin))
        after = onto_domain(rows, origin, self.params.radius).cpu().numpy()
        final = points_of(self.module.gpu(self.params, self.losses, whole, device, dtype))
        return Replay(after, self.outside(rows.cpu().numpy()), final)

    def calls(self, trial: int) -> Calls:
        """Counted in all runs of PrivateERM of one trial, whose numbers of searches and levels enter the formula."""
        run = self.module.reference(self.params, self.losses, self.stream, trial)
        phases = [phase.stages for phase in run.phases] if hasattr(run, "phases") else [run.stages]
        counted = together(self.module.NO_CALLS, *(counted_calls(stage) for phase in phases for stage in phase))
        drawn = [[(stage.outer.calls, stage.levels) for stage in phase] for phase in phases]
        return counted, self.module.calls(self.params, drawn if hasattr(run, "phases") else drawn[0])
