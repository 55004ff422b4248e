"""The Gaussian mechanism on some coordinates of a gradient, in the form that is printed and in the form that is run.

Source: Maranjyan, Sadiev, Richtarik (2024), definition D.4 (rbcd/ALG-13), which prints f(D) + I_U N(0, sigma^2 I): the
coordinates outside of U are released without noise. What algorithm 1 releases, and what the analysis is about, is
I_U (f(D) + N(0, sigma^2 I)). Here f(D) is the gradient of the empirical risk at a public point.

Shapes: d coordinates, n records; one release. A transcript has shape (1, d), coordinates outside of U being
0 or bare; the output (d,) is the same vector. A batch of trials adds a first axis. State: the point, d numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.rbcd.coordinate_gaussian import kernels
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Trajectory, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Promise
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, NotNegative, Numbers, OneOf, Positive, check_fields
from dpaudit.records.validation import check_choice, check_vector

FORMS = ("what algorithm 1 releases", "as printed")

ALGORITHM = Algorithm(
    name="rbcd/ALG-13",
    title="Gaussian mechanism on coordinates",
    source="Maranjyan, Sadiev, Richtarik (2024), definition D.4",
    pseudo_code="release I_U (f(D) + N(0, sigma^2 I)); as printed: f(D) + I_U N(0, sigma^2 I)",
    options=(("form", FORMS[0], "as printed: the coordinates outside of U carry no noise"),),
    released="the vector, and U",
    cost="n gradients",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """point: where the gradient is taken, d finite numbers; chosen: U, 1 for a coordinate in it and 0 else, not all 0;
    noise: sigma, a standard deviation, at least 0; lipschitz: L_U above 0; records: n; form: one of FORMS.
    Raises ConfigurationError."""

    point: Numbers
    chosen: tuple[float, ...]
    noise: NotNegative
    lipschitz: Positive
    records: Count
    form: Annotated[str, OneOf(FORMS)] = FORMS[0]

    def __post_init__(self) -> None:
        check_fields(self)
        check_vector("chosen", self.chosen, len(self.point))
        if not set(self.chosen) <= {0.0, 1.0} or not any(self.chosen):
            raise ConfigurationError(f"chosen must be 0 or 1 for each coordinate and not all 0, got {self.chosen}")

    @property
    def steps(self) -> int:
        """1."""
        return 1

    @property
    def kept(self) -> Array:
        """Which coordinates are released at all, as 0 and 1."""
        return np.array(self.chosen) if self.form == FORMS[0] else np.ones(len(self.point))


class Draws(NamedTuple):
    """noise: standard normals, (1, d)."""

    noise: Array


def noise_shape(params: Params) -> tuple[int, ...]:
    """(1, d): the normals of one trial."""
    return (1, len(params.point))


def promise(params: Params) -> Promise:
    """One Gaussian mechanism of sensitivity 2 L_U/n (replace one record).

    Raises ConfigurationError without noise, and for the printed form unless U is everything: a coordinate without
    noise gives its record away.
    """
    bare = params.form == FORMS[1] and not all(params.chosen)
    if not params.noise > 0 or bare:
        where = "noise is absent outside of U" if bare else "noise is 0"
        raise ConfigurationError(f"{where}, so the release promises no privacy; use the form {FORMS[0]!r} with noise")
    multiplier = params.noise * params.records / (2 * params.lipschitz)
    source = "Maranjyan, Sadiev, Richtarik (2024), corollary D.5, corrected to the form that is run"
    return Promise(Gaussian(multiplier), Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """n gradients in one round."""
    return {"gradients": params.records, "values": 0, "rounds": 1}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """The noise of one trial for `reference`, from its part "noise"."""
    return Draws(stepwise.normals(stream, trial, noise_shape(params)))


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """The release from the point `state`, which stays."""
    chosen = np.array(params.chosen)
    f = problem.gradient(state)
    released = chosen * (f + params.noise * draw.noise)
    if params.form == FORMS[1]:
        released = f + chosen * (params.noise * draw.noise)
    return Step(state, released)


class _Torch(stepwise.Machine[Params]):
    """The constants of a release, for all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        self.chosen, self.kept = self.tensor(params.chosen), self.tensor(params.kept)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        noise = self.params.noise * self.normals(trials, step, state.shape[1])
        released = self.kept * self.problem.gradient(state) + self.chosen * noise
        return state, released, self.no_branches(len(trials))


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    vectors = (np.array(params.chosen, dtype=dtype), params.kept.astype(dtype), np.dtype(dtype).type(params.noise))
    return stream.part("noise").key, vectors, loss_kernels.arrays(problem, dtype)


STEPWISE = stepwise.Stepwise(
    step,
    start=lambda params: np.array(params.point),
    columns=lambda params: len(params.point),
    sizes=lambda params: (params.records, len(params.point)),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
)
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


def reference(params: Params, problem: SomeProblem, draws: Draws) -> Trajectory:
    """One trial as the paper prints it, or as it is run: final (d,), transcript (1, d), states (2, d)."""
    made = STEPWISE.reference(params, problem, draws)
    return replace(made, final=made.transcript[0])


def cpu(
    params: Params, problem: SomeProblem, trials: Trials, release: str = "transcript", dtype: str = "float64"
) -> Array:
    """All trials with numba: (trials, 1, d), or (trials, d) for the release "final", which is the same vector."""
    check_choice("release", release, stepwise.RELEASES)
    found = STEPWISE.cpu(params, problem, trials, "transcript", dtype)
    return found if release == "transcript" else found[:, 0]


def gpu(
    params: Params,
    problem: SomeProblem,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Tensor:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, 1, d) or (trials, d)."""
    check_choice("release", release, stepwise.RELEASES)
    found = STEPWISE.gpu(params, problem, trials, "transcript", device, dtype)
    return found if release == "transcript" else found[:, 0]


def declared_noise(params: Params, t: int, draw: Draws, columns: int) -> Array:
    """Noise on the coordinates of U alone."""
    return np.asarray(params.noise * np.diag(params.chosen))


RECORDED = stepwise.Recorded(declared_noise)
