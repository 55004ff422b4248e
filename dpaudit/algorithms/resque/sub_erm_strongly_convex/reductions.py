"""What `sub_erm_strongly_convex` equals for some parameters."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.shared.reductions import BALL, STRONG, reduction, stream_of
from dpaudit.algorithms.resque.sub_erm.cases import example_losses


def reductions(seed: int) -> tuple[Reduction, ...]:
    """With one call: SubERM-reg; without one: xbar."""

    def one_call(seed: int) -> tuple[Pair, ...]:
        params, losses = solver.Params(**STRONG, steps=4), example_losses(seed, 2)
        run = solver.reference(params, losses, stream_of(seed), 0)
        (call,) = solver.schedule(params, np.array([4.0]))
        inner = sub_erm.Params(
            **{**BALL, "privacy": math.sqrt(2) * 3.0}, steps=2, regulariser=4.0, distance=float(call[2][0])
        )
        inputs = sub_erm.draw_inputs(inner, losses.records, stream_of(seed).part("call 1"), 0)
        short = solver.reference(replace(params, steps=2), losses, stream_of(seed), 0)
        return (
            Pair("T = 4", run.final, sub_erm.reference(inner, losses, *inputs).final),
            Pair("T = 2", short.final, np.array(params.centre)),
        )

    return (
        reduction(
            "ALG-8", "algorithm 5", "SubERM-sc with one call is SubERM-reg, and without a call xbar",
            "T = 4: T_0 = 2, beta_0 = sqrt 2 beta, r_0; T = 2: one call with T_0 = 1, which returns its start",
            one_call, seed,
        ),
    )  # fmt: skip
