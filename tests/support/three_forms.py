"""The numba and the torch form of an algorithm file beside its reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit.algorithms.stepwise import StepwiseAlgorithm, Trajectory
from dpaudit.noise.stream import Stream, Trials


def fast_forms(
    module: StepwiseAlgorithm, params: Any, problem: Any, trials: Trials, release: str = "transcript"
) -> list[np.ndarray]:
    """The results of numba and of torch on the CPU, in float64."""
    return [module.cpu(params, problem, trials, release), module.gpu(params, problem, trials, release).numpy()]


def run_of(module: StepwiseAlgorithm, params: Any, problem: Any, stream: Stream, trial: int = 0) -> Trajectory:
    """The reference's run of one trial."""
    return module.reference(params, problem, module.draw_inputs(params, stream, trial))


def assert_forms_repeat(
    module: StepwiseAlgorithm, params: Any, problem: Any, stream: Stream, tolerance: float = 1e-12
) -> None:
    """Fail unless both fast forms give the transcripts and outputs of the reference on three trials."""
    trials = Trials(stream, np.array([0, 5, 1 << 40]))
    runs = [run_of(module, params, problem, stream, int(t)) for t in trials.numbers]
    for release, expected in (("transcript", [r.transcript for r in runs]), ("final", [r.final for r in runs])):
        for found in fast_forms(module, params, problem, trials, release):
            assert found == pytest.approx(np.stack(expected), abs=tolerance)
