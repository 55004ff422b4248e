"""What the agreement cases of the ReSQue algorithms share: records, replays from the reference's states, counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.counted import SomeProblem
from dpaudit.algorithms.resque.shared.turns import Points, on_host
from dpaudit.algorithms.stepwise import SomeParams
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses

Calls = tuple[dict[str, int], dict[str, int]]


def all_kinds(rng: np.random.Generator) -> RidgeLosses:
    """One record of every kind in three dimensions, L = 1.5."""
    rows = rng.normal(size=(4, 3))
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    return ridge_losses([(kind, rows[kind], 0.1 * kind) for kind in Ridge], 1.5)


def points_of(result: object) -> Array:
    """The final points (trials, d) of a result, which is a batch or the points themselves."""
    return np.asarray(on_host(getattr(result, "final", result)))


def whole_runs(
    module: ModuleType, params: SomeParams, data_of: Callable[[Integers], SomeProblem], stream: Stream
) -> Callable[[Integers, str, str, str], Points]:
    """`Case.bulk` of an algorithm whose forms take (params, data, trials): data_of(numbers) are the data."""

    def bulk(numbers: Integers, backend: str, dtype: str, device: str) -> Points:
        given = (params, data_of(numbers), Trials(stream, numbers))
        if backend == "numba":
            return module.cpu(*given, dtype=dtype)
        return module.gpu(*given, device=device, dtype=dtype)

    return bulk


@dataclass(frozen=True)
class Instance:
    """One instance of an algorithm of `module`, whose forms take (params, data, trials, ...)."""

    module: ModuleType
    params: SomeParams
    data: SomeProblem
    stream: Stream

    def case(
        self, name: str, operations: int, trace: Callable[[Instance, int], Trace],
        calls: Callable[[Instance, int], Calls],
    ) -> Case:  # fmt: skip
        """The comparison step by step, with `advance_cpu` and `advance_gpu`, and of whole runs."""
        return Case(
            name, self.params, operations, lambda trials: trace(self, trials), self._cpu, self._gpu,
            lambda trial: calls(self, trial), self._bulk(),
        )  # fmt: skip

    def case_of_runs(
        self, name: str, operations: int, trace: Callable[[Instance, int], Trace], replay: Callable[[Points], Replay],
        calls: Callable[[Instance, int], Calls],
    ) -> Case:  # fmt: skip
        """The comparison of whole runs, in whose results `replay` finds what the trace has."""
        given = (self.params, self.data)
        return Case(
            name, self.params, operations, lambda trials: trace(self, trials),
            lambda made, dtype: replay(self.module.cpu(*given, self.whole(made), dtype=dtype)),
            lambda made, dtype, device: replay(
                self.module.gpu(*given, self.whole(made), device=device, dtype=dtype)
            ),
            lambda trial: calls(self, trial), self._bulk(),
        )  # fmt: skip

    def _bulk(self) -> Callable[[Integers, str, str, str], Points]:
        return whole_runs(self.module, self.params, lambda numbers: self.data, self.stream)

    def whole(self, trace: Trace) -> Trials:
        """The trials of a trace that has the numbers 0, 1, ..."""
        return Trials(self.stream, np.arange(len(trace.final)))

    def _cpu(self, trace: Trace, dtype: str) -> Replay:
        given, rows = (self.params, self.data), Trials(self.stream, trace.trials)
        after, ways = self.module.advance_cpu(*given, rows, trace.steps, trace.before, dtype)
        whole = self.module.cpu(*given, self.whole(trace), dtype=dtype)
        return Replay(after, ways.reshape(len(after), -1), points_of(whole))

    def _gpu(self, trace: Trace, dtype: str, device: str) -> Replay:
        given, rows = (self.params, self.data), Trials(self.stream, trace.trials)
        after, ways = self.module.advance_gpu(*given, rows, trace.steps, trace.before, dtype, device)
        whole = self.module.gpu(*given, self.whole(trace), device=device, dtype=dtype)
        return Replay(after, ways.reshape(len(after), -1), points_of(whole))
