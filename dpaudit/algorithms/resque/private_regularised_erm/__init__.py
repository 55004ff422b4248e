"""PrivateRegERM: the empirical risk plus a quadratic, by PrivateERM in stages on smaller and smaller domains.

The paper only sketches it (corollary 3): the reduction of SubERM-sc once more, with PrivateERM as the inner solver.
Filled in: stage i works on all n records with the budget eps_i = eps 2^(-(k-i)/2)/4 and delta/k, its error target has
n_i = 2^(i-k) n in 1/sqrt n, its domain is the ball of radius R_i = min(2 R, sqrt(2 D_{i-1}/lambda)) around x_{i-1},
and its result is projected onto the domain of radius R. x_0 is the target x' of the quadratic, projected.
Equations (30) to (34) give the numbers of a stage; with constants of practical size they can be replaced: `steps`,
`privacy`, `failure`, `most`, and the shares of R_i that are r, rho and eps_opt/L.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", corollary 3. Shapes: d coordinates, k stages, m trials.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import numpy as np

from dpaudit.algorithms.resque import private_erm, sub_erm
from dpaudit.algorithms.resque.accounting import proved
from dpaudit.algorithms.resque.accounting.calibration import Calibration, private_excess
from dpaudit.algorithms.resque.accounting.proved import Block
from dpaudit.algorithms.resque.private_erm.stages import onto_domain
from dpaudit.algorithms.resque.shared.counted import together
from dpaudit.algorithms.resque.shared.turns import Turns, in_turn
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.problems.smoothing.ridges import RidgeLosses
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Promise
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim
from dpaudit.records.ranges import NotNegative, Numbers, Positive, Range, check_fields
from dpaudit.records.validation import check_vector

REPLACING = ("steps", "privacy", "failure", "most", "ball_share", "smoothing_share", "accuracy_share")
"""Fields that take the place of numbers of the calibration."""

NO_CALLS = {"gradients": 0, "search oracle": 0, "ball oracle": 0, "proximal oracle": 0}

ALGORITHM = Algorithm(
    name="resque/ALG-18",
    title="PrivateRegERM: private empirical risk with a quadratic",
    source="Carmon et al. (2023), corollary 3 (a sketch)",
    pseudo_code=(
        "k = ceil(log2 log2 n); x_0 = x'; for i = 1..k: E_i = (C L^2/lambda)(1/sqrt n_i + private excess)^2, "
        "D_i as in SubERM-sc, x_i = PrivateERM on the ball of radius min(2 R, sqrt(2 D_{i-1}/lambda)) around x_{i-1} "
        "with the quadratic and budget (eps_i, delta/k), projected onto B(R); return x_k"
    ),
    options=(("estimator", "resque", "unweighted: w = 1; plain: w = 1 and the gradient at y"),),
    released="the results of all oracle calls of all stages",
    cost="the gradients of k runs of PrivateERM",
    from_level=Level.STANDARD,
)

NOT_RECORDED = "calls sub_erm, and adds no noise of its own"


@dataclass(frozen=True, kw_only=True)
class Params:
    """Everything public about a run.

    origin: centre of the domain, d numbers; radius: R, lipschitz: L, epsilon, constant: C, acceleration_constant:
    C_ba, all above 0; delta in (0, 1); records: n, at least 2; regulariser: lambda, at least 0; target: x', d numbers
    (None: origin); solver_constant: C_cvx, error_constant: C_sc or None, privacy_constant: C_priv, estimator: see
    `private_erm`.

    In place of the calibration: steps: (T_1, T_2, T_3); privacy: beta; failure: zeta; most: iterations of a stage;
    ball_share, smoothing_share, accuracy_share: r/R_i, rho/R_i, eps_opt/(L R_i). Raises ConfigurationError.
    """

    origin: Numbers
    radius: Positive
    lipschitz: Positive
    records: Annotated[int, Range(least=2)]
    epsilon: Positive
    delta: Annotated[float, Range(above=0.0, most=1 - 2.0**-53)]
    regulariser: NotNegative
    target: tuple[float, ...] | None = None
    constant: Positive = 1.0
    acceleration_constant: Positive = 6.0
    solver_constant: Positive = 1.0
    error_constant: Positive | None = None
    privacy_constant: Annotated[float, Range(least=1.0)] = 1.0
    estimator: str = "resque"
    steps: tuple[int, int, int] | None = None
    privacy: Positive | None = None
    failure: Positive | None = None
    most: int | None = None
    ball_share: Positive | None = None
    smoothing_share: Positive | None = None
    accuracy_share: Positive | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if self.target is not None:
            check_vector("target", self.target, len(self.origin))
        stages(self)  # its checks are checks of these numbers

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.origin)

    @property
    def count(self) -> int:
        """k = ceil(log2 log2 n), exactly: the least k >= 0 with 2^(2^k) >= n."""
        return next(k for k in range(64) if (self.records - 1).bit_length() <= 1 << k)


@dataclass(frozen=True)
class Stage:
    """made: the calibration of the stage; gap: D_{i-1}, infinite without a regulariser; solver: its PrivateERM, with
    the origin of the whole, to be placed at x_{i-1}."""

    made: Calibration
    gap: float
    solver: private_erm.Params


def stages(params: Params) -> tuple[Stage, ...]:
    """Stages 1..k."""
    k, made, gaps = params.count, [], _gaps(params)
    for i in range(1, k + 1):
        gap = gaps[i - 1]
        reach = math.sqrt(2 * gap / params.regulariser) if params.regulariser > 0 else math.inf
        budget = params.epsilon * 2 ** (-(k - i) / 2) / 4
        calibration = Calibration(
            params.records, params.dimension, budget, params.delta / k, params.lipschitz, min(2 * params.radius, reach),
            params.constant, params.acceleration_constant, samples=params.records * 2.0 ** (i - k),
        )  # fmt: skip
        made.append(Stage(calibration, gap, _solver(params, calibration)))
    return tuple(made)


def _gaps(params: Params) -> list[float]:
    """D_i for i = 0..k."""
    k, lam = params.count, params.regulariser
    if lam == 0:
        return [math.inf] * (k + 1)
    scale, errors = params.constant * params.lipschitz**2 / lam, []
    for i in range(k + 1):
        budget, share = params.epsilon * 2 ** (-(k - i) / 2) / 4, params.delta / max(1, k)
        private = private_excess(params.records, params.dimension, budget, share)
        errors.append(scale * (1 / math.sqrt(params.records * 2.0 ** (i - k)) + private) ** 2)
    first = 2 * params.lipschitz**2 / lam / (4 * errors[0])
    return [4 * error * math.pow(first, 2.0**-i) for i, error in enumerate(errors)]


def _solver(params: Params, made: Calibration) -> private_erm.Params:
    reach, size = made.radius, params.lipschitz * made.radius
    if params.accuracy_share is None and made.kappa < 1:
        raise ConfigurationError(
            f"records = {params.records}, epsilon = {params.epsilon} leave no feasible schedule: kappa = L R/eps_opt "
            f"is {made.kappa:.3g} in a stage and must be at least 1; take more records, a larger epsilon, or give "
            "accuracy_share, ball_share and smoothing_share"
        )
    chosen: dict[str, Any] = {
        "tether": params.regulariser, "estimator": params.estimator, "privacy_constant": params.privacy_constant,
        "constant": params.solver_constant, "error_constant": params.error_constant, "most": params.most,
        "privacy": params.privacy, "failure": params.failure,
        "ball_radius": None if params.ball_share is None else params.ball_share * reach,
        "smoothing": None if params.smoothing_share is None else params.smoothing_share * reach,
        "accuracy": None if params.accuracy_share is None else params.accuracy_share * size,
    }  # fmt: skip
    names = ("search_steps", "ball_steps", "proximal_steps")
    chosen |= dict(zip(names, params.steps or (None, None, None), strict=True))
    kept = {name: value for name, value in chosen.items() if value is not None}
    return private_erm.from_calibration(made, params.origin, **kept)


@dataclass(frozen=True)
class Run:
    """final: x_k, (d,); iterates: x_0..x_k, (k + 1, d); raw: what the stages returned, (k, d); stages: their runs;
    queries: gradients counted."""

    final: Array
    iterates: Array
    raw: Array
    stages: tuple[private_erm.Run, ...]
    queries: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(k, d), with 1 for k = 0: the draws are those of the stages."""
    return (max(1, params.count), params.dimension)


def promise(params: Params, delta: float | None = None) -> Promise:
    """What is proved of all phase outputs of all oracle calls of all stages.

    delta: where the epsilon is to be least, in (0, 1), by default that of the parameters. Raises ConfigurationError
    where nothing is proved, see `sub_erm.promise`.
    """
    source = "Carmon et al. (2023), lemmas 3, 5 and 7, composed over the calls of corollary 3, corrected"
    runs = [accounted_blocks(params)]
    return proved.promise(runs, params.delta if delta is None else delta, source)


def promise_as_printed(params: Params) -> PrivacyClaim:
    """Corollary 3: (epsilon, delta)-DP of the parameters, where the calibration of the paper is used as it is."""
    return printed_claim(params, "corollary 3")


def printed_claim(params: Params, place: str) -> PrivacyClaim:
    """The (epsilon, delta) of the parameters; refuses those that replace numbers on which the printed promise rests."""
    replaced = [name for name in REPLACING if getattr(params, name) is not None]
    if replaced:
        raise ConfigurationError(
            f"the printed promise is that of the calibrated noise and steps; {', '.join(replaced)} must be None for it"
        )
    guarantee = ApproximateDP(params.epsilon, params.delta)
    source = f"Carmon et al. (2023), {place}, as printed"
    return PrivacyClaim(guarantee, Neighbours.REPLACE_ONE, params.delta, source)


def accounted_blocks(params: Params) -> tuple[Block, ...]:
    """All calls of all stages, each of which reads all records, as the accountant reads them."""
    return tuple(part for stage in stages(params) for part in private_erm.accounted_blocks(stage.solver))


def calls(params: Params, drawn: Sequence[tuple[Integers, Integers]]) -> dict[str, int]:
    """Of a run whose stages made `searches` calls and drew `levels`, as `private_erm.calls` has them."""
    made = (private_erm.calls(stage.solver, *one) for stage, one in zip(stages(params), drawn, strict=True))
    return together(NO_CALLS, *made)


def reference(params: Params, losses: RidgeLosses, stream: Stream, trial: int) -> Run:
    """One trial, result of shape (d,); stage i draws from the part "stage i" of the stream."""
    origin, target = (np.array(part) for part in (params.origin, params.target or params.origin))
    x, done, queries = sub_erm.onto_ball(target, origin, params.radius), [], 0
    iterates = [x]
    for i, stage in enumerate(stages(params), start=1):
        placed = replace(stage.solver, origin=tuple(x.tolist()), target=tuple(target.tolist()))
        run = private_erm.reference(placed, losses, stream.part(f"stage {i}"), trial)
        x, queries = sub_erm.onto_ball(run.final, origin, params.radius), queries + int(run.queries.sum())
        done.append(run)
        iterates.append(x)
    raw = np.reshape([run.final for run in done], (-1, params.dimension))
    return Run(x, np.array(iterates), raw, tuple(done), queries)


def cpu(
    params: Params, losses: RidgeLosses, trials: Trials, dtype: str = "float64", targets: Array | None = None
) -> Turns:
    """All trials with numba; `final` has shape (trials, d). targets: another x' for every trial, (trials, d)."""
    m, origin = len(trials), np.array(params.origin)
    chosen = np.tile(params.target or params.origin, (m, 1)) if targets is None else targets.astype(np.float64)

    def solve(solver: private_erm.Params, part: Trials, x: Array) -> tuple[Array, Integers]:
        done = private_erm.cpu(solver, losses, part, dtype, (x, chosen))
        return sub_erm.onto_ball(done.final.astype(np.float64), origin, params.radius), done.queries.sum(axis=1)

    return in_turn(sub_erm.onto_ball(chosen, origin, params.radius), _named(params), trials, solve, dtype)


def gpu(
    params: Params,
    losses: RidgeLosses,
    trials: Trials,
    device: str = "cpu",
    dtype: str = "float64",
    targets: Tensor | None = None,
) -> Turns:
    """All trials with torch on `device`, the results of `cpu` as tensors; `final` has shape (trials, d)."""
    torch = load_torch()
    tensor = partial(torch.as_tensor, dtype=torch.float64, device=device)
    origin = tensor(params.origin)
    chosen = tensor(np.tile(params.target or params.origin, (len(trials), 1)) if targets is None else targets)

    def solve(solver: private_erm.Params, part: Trials, x: Tensor) -> tuple[Tensor, Integers]:
        done = private_erm.gpu(solver, losses, part, device, dtype, (x, chosen))
        return onto_domain(done.final.double(), origin, params.radius), done.queries.sum(axis=1)

    return in_turn(onto_domain(chosen, origin, params.radius), _named(params), trials, solve, dtype)


def _named(params: Params) -> Iterator[tuple[str, private_erm.Params]]:
    """The stages, each with the part of the stream that it draws from."""
    return ((f"stage {i}", stage.solver) for i, stage in enumerate(stages(params), start=1))
