"""Data and draws of a wrong shape or range, and NaN anywhere, are refused by name on every form."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpaudit.algorithms.resque import (
    ac_sa,
    aggregate,
    bias_reduced_prox,
    epoch_sgd,
    high_probability_erm,
    lambda_search,
    private_erm,
    private_regularised_erm,
    private_sco,
    resque_estimate,
    resque_pool,
    sub_erm,
    sub_erm_strongly_convex,
)
from dpaudit.algorithms.resque.ball_acceleration.objectives import Objective, Shape
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses
from dpaudit.records.errors import ConfigurationError

STREAM, NAN = Stream(93, "tests/inputs"), float("nan")
TRIALS = Trials(STREAM, np.arange(2))
LOSSES = ridge_losses([(Ridge.LINEAR, (1.0,)), (Ridge.ABSOLUTE, (1.0,), 0.1)])
ORACLE = Oracle(LOSSES)
SUB_ERM = sub_erm.Params(centre=(0.0,), radius=1.0, smoothing=1.0, privacy=1.0, steps=4)
STRONG = {"centre": (0.0,), "radius": 1.0, "smoothing": 1.0, "privacy": 1.0, "steps": 4, "regulariser": 1.0}
LEVELS = bias_reduced_prox.Params(records=32, **STRONG)  # type: ignore[arg-type]
POOL, EPOCH = resque_pool.Params((0.0,), 1.0, 3), epoch_sgd.Params((0.0,), 1.0, 1.0, 1.0, 2.0, 1.0)
AC_SA = ac_sa.Params((0.0,), 1.0, 1.0, 1.0, 0.5, 1.0)
POINT, VOTE = resque_estimate.Params((0.0,), (0.1,), 1.0), aggregate.Params(3, 1, 0.5)
ERM = private_erm.Params(
    origin=(0.0,), radius=1.0, ball_radius=0.5, lipschitz=1.0, accuracy=0.5, records=2, failure=0.9
)
SEARCH, MADE = lambda_search.Params(1.0, 0.5, 1.0, 0.5), Objective(Shape.NORM, np.zeros((2, 1)))
WHOLE: dict[str, Any] = {
    "origin": (0.0,), "radius": 1.0, "lipschitz": 1.0, "records": 16, "epsilon": 0.5, "delta": 0.1, "steps": (1, 1, 1),
    "accuracy_share": 0.5, "ball_share": 0.3, "smoothing_share": 0.5, "privacy": 1.0, "failure": 0.9, "most": 1,
}  # fmt: skip


def inputs(changed: int, value: Any) -> tuple[Any, ...]:
    """Indices, draws and noise of `SUB_ERM`, one of them replaced."""
    given = [np.zeros(3, dtype=np.int64), np.zeros((3, 1)), np.zeros((2, 1))]
    given[changed] = value
    return tuple(given)


def broken(array: np.ndarray) -> np.ndarray:
    copy = np.array(array, dtype=float)
    copy.flat[-1] = NAN
    return copy


ONES, SIGNS = np.zeros(3, dtype=np.int64), np.ones(3)
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: sub_erm.reference(SUB_ERM, LOSSES, *inputs(0, np.zeros(2, int))), r"indices must have shape \(3,\), got"),
    (lambda: sub_erm.reference(SUB_ERM, LOSSES, *inputs(0, np.full(3, 2))), "indices must be from 0 to 1, got 2 to 2"),
    (lambda: sub_erm.reference(SUB_ERM, LOSSES, *inputs(1, broken(np.zeros((3, 1))))), "draws must be finite"),
    (lambda: sub_erm.reference(SUB_ERM, LOSSES, *inputs(2, np.zeros((1, 1)))), r"noise must have shape \(2, 1\)"),
    (lambda: dataclasses.replace(SUB_ERM, privacy=-1.0), r"privacy must be above 0\.0, got -1\.0"),
    (lambda: dataclasses.replace(SUB_ERM, privacy=NAN), "privacy must be finite, got nan"),
    (lambda: dataclasses.replace(SUB_ERM, start=(NAN,)), r"start\[0\] must be finite"),
    (lambda: sub_erm.cpu(dataclasses.replace(SUB_ERM, records=3), LOSSES, TRIALS), "have 2 records, .* say 3"),
    (lambda: ridge_losses([(Ridge.LINEAR, (NAN,))]), "directions must be finite"),
    (lambda: ridge_losses([(Ridge.ABSOLUTE, (1.0,), NAN)]), "offsets must be finite"),
    (lambda: Oracle(LOSSES, "mean", NAN), "spread must be finite"),
    (lambda: sub_erm_strongly_convex.Params(**{**STRONG, "regulariser": 0.0}), r"regulariser must be above 0\.0"),
    (lambda: high_probability_erm.Params(failure=1.0, **STRONG), "failure must be at most"),
    (lambda: dataclasses.replace(LEVELS, records=31), r"steps must be at most records/\(2 privacy_constant\) = 3\.875"),
    (lambda: bias_reduced_prox.cpu(LEVELS, LOSSES, TRIALS, np.ones((2, 9), int)), r"levels must have shape \(2, 1\)"),
    (lambda: bias_reduced_prox.gpu(LEVELS, LOSSES, TRIALS, np.zeros((2, 1), int)), "levels must be integers of at"),
    (lambda: bias_reduced_prox.reference(LEVELS, LOSSES, STREAM, 0, np.array([1.5])), "levels must be integers"),
    (lambda: resque_pool.reference(POOL, ORACLE, np.zeros((2, 1)), ONES, SIGNS), r"normals must have shape \(3, 1\)"),
    (lambda: epoch_sgd.reference(EPOCH, ORACLE, broken(np.zeros((48, 1))), ONES, SIGNS), "normals must be finite"),
    (lambda: ac_sa.reference(AC_SA, ORACLE, np.zeros((1, 1)), ONES, SIGNS), "normals must have shape"),
    (lambda: resque_estimate.reference(POINT, np.array([NAN]), np.ones(1)), "draw must be finite"),
    (lambda: resque_estimate.cpu(POINT, np.ones((2, 1)), broken(np.ones((2, 1)))), "gradients must be finite"),
    (lambda: resque_estimate.gpu(POINT, broken(np.ones((2, 1))), np.ones((2, 1))), "draws must be finite"),
    (lambda: aggregate.reference(VOTE, np.zeros((2, 1))), r"points must have shape \(\.\.\., 3, 1\), got \(2, 1\)"),
    (lambda: aggregate.reference(VOTE, broken(np.zeros((3, 1)))), "points must be finite"),
    (
        lambda: aggregate.cpu(VOTE, np.zeros((2, 3, 1)), distances=-np.ones(2)),
        r"distances must be at least 0, got -1\.0",
    ),
    (lambda: aggregate.gpu(VOTE, broken(np.zeros((2, 3, 1)))), "points must be finite"),
    (lambda: lambda_search.cpu(SEARCH, MADE, *(broken(np.zeros((2, 1))),) * 2, np.ones(2), TRIALS), "must be finite"),
    (lambda: Objective(Shape.NORM, np.full((2, 1), NAN)), "centres must be finite"),
    (lambda: private_erm.cpu(ERM, LOSSES, TRIALS, places=(np.zeros((2, 2)),) * 2), r"origins must have shape \(2, 1\)"),
    (lambda: private_erm.gpu(ERM, LOSSES, TRIALS, places=(np.zeros((2, 1)), broken(np.zeros((2, 1))))), "targets must"),
    (lambda: dataclasses.replace(ERM, privacy=-2.0), r"privacy must be above 0\.0, got -2\.0"),
    (lambda: dataclasses.replace(ERM, ball_radius=2.0), r"ball_radius must be below radius = 1\.0, got 2\.0"),
    (lambda: dataclasses.replace(ERM, accuracy=2.0), r"accuracy must be at most L R = 1\.0, got 2\.0"),
    (
        lambda: private_regularised_erm.Params(regulariser=1.0, **{**WHOLE, "accuracy_share": None}),
        "no feasible schedule: kappa = .* take more records",
    ),
    (lambda: private_regularised_erm.Params(regulariser=-1.0, **WHOLE), r"regulariser must be at least 0\.0, got -1"),
    (lambda: private_sco.cpu(private_sco.Params(**WHOLE), LOSSES, TRIALS), "have 2 records, the parameters say 16"),
    (lambda: private_sco.Params(**{**WHOLE, "epsilon": -0.5}), r"epsilon must be above 0\.0, got -0\.5"),
]


@pytest.mark.parametrize(("attempt", "words"), REFUSED, ids=[words[:40] for _, words in REFUSED])
def test_it_is_refused_with_what_was_given_and_what_is_allowed(attempt: Callable[[], Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        attempt()
