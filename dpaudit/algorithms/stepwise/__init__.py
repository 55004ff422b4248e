"""What algorithms share that go step by step: their entry points, their draws, their agreement cases.

Such a folder writes one step of the reference, `step(params, problem, state, t, draw) -> Step`, on NumPy arrays that
may be `arithmetic.tracked.Tracked`; the bounds of its agreement then come from running that step on Tracked inputs, and
nothing is derived by hand. It writes the numba form of a step in `kernels`, the torch form as a `Machine`, and names
these parts once:

    STEPWISE = Stepwise(step, start, final, ...)
    reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
    advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu

`cases` makes the agreement cases of such a folder; `recorded.Recorded` says what a recorder may see of it.
"""

from dpaudit.algorithms.counted import SomeProblem
from dpaudit.algorithms.packed import Packed
from dpaudit.algorithms.stepwise.comparison import case, cases
from dpaudit.algorithms.stepwise.draws import normals, picked, uniforms
from dpaudit.algorithms.stepwise.forms import (
    RELEASES,
    Branches,
    SomeDraws,
    SomeParams,
    Step,
    Stepwise,
    StepwiseAlgorithm,
    Trajectory,
    at,
    check_sizes,
)
from dpaudit.algorithms.stepwise.recorded import Recorded, same_noise
from dpaudit.algorithms.stepwise.states import pack, unpack
from dpaudit.algorithms.stepwise.tensors import Constants, Machine
from dpaudit.algorithms.vectors import Vector
from dpaudit.noise.tensors import Tensor

__all__ = [
    "RELEASES",
    "Branches",
    "Constants",
    "Machine",
    "Packed",
    "Recorded",
    "SomeDraws",
    "SomeParams",
    "SomeProblem",
    "Step",
    "Stepwise",
    "StepwiseAlgorithm",
    "Tensor",
    "Trajectory",
    "Vector",
    "at",
    "case",
    "cases",
    "check_sizes",
    "normals",
    "pack",
    "picked",
    "same_noise",
    "uniforms",
    "unpack",
]
