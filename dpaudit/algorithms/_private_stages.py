"""Agreement of the algorithms that run PrivateERM in stages: one row per stage, and whole runs.

A stage runs PrivateERM, which is compared in its own file. Here a row holds what the stages add: from the raw
result of the reference's stage, the projection onto the domain. The inner results enter by the trajectories.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.algorithms._private_erm_cases import example_records
from dpaudit.algorithms._sub_erm_setting import onto_ball
from dpaudit.comparison import Array, Case, Replay, Trace
from dpaudit.noise import Stream, Trials
from dpaudit.noise_torch import load_torch


def onto_domain(points: Any, origin: Any, radius: float) -> Any:
    """Tensors (m, d) projected onto the ball of `radius` around `origin`, (d,)."""
    away = points - origin
    square = (away * away).sum(1, keepdim=True)
    pulled = origin + radius / square.sqrt() * away
    return pulled.where(square > radius**2, points)


def stage_case(module: Any, name: str, params: Any, seed: int) -> Case:
    """One instance for `module`, whose reference gives `raw` and whose params have an origin and a radius."""
    losses = example_records(seed, params.records, params.dimension)
    stream = Stream(seed, f"agree/{module.ALGORITHM.name}/{name}")

    def run_reference(trials: int) -> Trace:
        runs = [module.reference(params, losses, stream, trial) for trial in range(trials)]
        raw = np.concatenate([run.raw for run in runs])
        projected, origin = onto_ball(raw, np.array(params.origin), params.radius), np.array(params.origin)
        away = np.linalg.norm(raw - origin, axis=1, keepdims=True)
        size = np.linalg.norm(np.abs(raw) + np.abs(origin), axis=1, keepdims=True)
        counts = [len(run.raw) for run in runs]
        return Trace(
            np.repeat(np.arange(trials), counts), np.concatenate([np.arange(count) for count in counts]), raw,
            projected, np.abs(projected) + np.abs(origin) + size, (away > params.radius).astype(np.int64),
            np.abs(away - params.radius), size, np.stack([run.final for run in runs]),
        )  # fmt: skip

    def replay(trace: Trace, rows: Array, after: Array, final: Array) -> Replay:
        outside = (
            np.linalg.norm(rows - np.array(params.origin, dtype=rows.dtype), axis=1, keepdims=True) > params.radius
        )
        return Replay(after, outside.astype(np.int64), final)

    def by_cpu(trace: Trace, dtype: str) -> Replay:
        rows = trace.before.astype(dtype)
        after = onto_ball(rows, np.array(params.origin, dtype=dtype), params.radius)
        return replay(trace, rows, after, module.cpu(params, losses, whole(trace), dtype).final)

    def by_gpu(trace: Trace, dtype: str, device: str) -> Replay:
        torch, rows = load_torch(), trace.before.astype(dtype)
        points, origin = (
            torch.as_tensor(part, dtype=getattr(torch, dtype), device=device) for part in (rows, params.origin)
        )
        after = onto_domain(points, origin, params.radius).cpu().numpy()
        final = module.gpu(params, losses, whole(trace), device, dtype).final
        return replay(trace, rows, after, final.cpu().numpy())

    def whole(trace: Trace) -> Trials:
        return Trials(stream, np.arange(len(trace.final)))

    return Case(
        name,
        params,
        operations=2 * params.dimension + 20,
        reference=run_reference,
        cpu=by_cpu,
        gpu=by_gpu,
    )
