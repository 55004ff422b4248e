"""What SubERM promises, as proved and as the paper prints it, and its calls as the accountants read them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpaudit.algorithms.resque.accounting import printed
from dpaudit.algorithms.resque.accounting.printed import Setting
from dpaudit.algorithms.resque.accounting.proved import PRINTED_CONSTANT, Call, always, printed_promise
from dpaudit.algorithms.resque.accounting.proved import promise as proved
from dpaudit.algorithms.resque.sub_erm.params import Params
from dpaudit.algorithms.resque.sub_erm.setting import BallSolver
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Promise


def promise(params: Params, delta: float = 1e-5) -> Promise:
    """The statement with the least epsilon at `delta`, in (0, 1), that is proved of all phase outputs x_1..x_k.

    Raises ConfigurationError where none is: no `records`, rho/r too small, x_0 outside the ball, gradients taken at
    the iterates (estimator "plain"), a `control` that breaks the algorithm, or a beta without bound.
    """
    centre = np.array(params.centre)
    start = centre if params.start is None else np.array(params.start)
    if np.linalg.norm(start - centre) > params.radius * (1 + 1e-12):
        raise ConfigurationError("start must lie in the ball for a promise of privacy: the noise is judged from there")
    calls = [accounted_call(params, params.steps, params.privacy, params.moved / params.radius)] if params.moved else []
    return proved([[always(calls)]], delta, "Carmon et al. (2023), lemmas 5 and 7, corollary 2, corrected")


def promise_as_printed(params: Params, delta: float = 1e-5, constant: float = PRINTED_CONSTANT) -> Promise:
    """Lemma 7 (corollary 2 with a regulariser) with C_priv = `constant`; ConfigurationError outside its conditions."""
    one, regularised = printed_setting(params), params.regulariser > 0
    return printed_promise(
        lambda orders, failure: printed.sub_erm(one(failure), orders, "paper", constant, regularised),
        delta,
        "Carmon et al. (2023), lemma 7, corollary 2, as printed",
    )


def accounted_call(
    solver: BallSolver, steps: int, privacy: float, reach: float = 2.0, noisy_start: bool = False
) -> Call:
    """One call with T = steps, beta = privacy and r' = reach r; noisy_start: x_0 carries noise that is not projected.

    Raises ConfigurationError where nothing is proved of such a call.
    """
    check_accountable(solver)
    phases = 0 if solver.project_start == "projected" else max(0, steps.bit_length() - 2)
    ratio = math.inf if solver.estimator == "unweighted" else solver.smoothing / solver.radius
    return Call(known_records(solver), steps, privacy, ratio, reach, solver.dimension, phases + noisy_start)


def check_accountable(solver: BallSolver) -> None:
    """Refuse the variants that no statement on privacy covers."""
    if solver.estimator == "plain":
        raise ConfigurationError(
            "estimator must be 'resque' or 'unweighted' for a promise of privacy, got 'plain': steps that take "
            "gradients of functions with kinks at the iterates move runs apart by more than the noise was made for"
        )
    if solver.control != "none":
        raise ConfigurationError(
            f"control must be 'none' for a promise of privacy, got {solver.control!r}, which breaks it: it is meant to "
            "be held against the promise of the parameters with control='none' and their noise"
        )


def known_records(solver: BallSolver) -> int:
    """n; ConfigurationError where it is not given."""
    if solver.records is None:
        raise ConfigurationError(
            "records must be given for a promise of privacy: how often a record is drawn, against the noise, decides it"
        )
    return solver.records


def printed_setting(solver: BallSolver) -> Callable[[float], Setting]:
    """The numbers of a solver as `accounting.printed` reads them, at any failure; w = 1 is the limit rho -> oo."""
    check_accountable(solver)
    smoothing = 1e300 * solver.radius if solver.estimator == "unweighted" else solver.smoothing
    shared = (solver.radius, smoothing, solver.dimension, solver.lipschitz)
    records = known_records(solver)
    return lambda failure: Setting(records, solver.steps, solver.privacy, failure, *shared)
