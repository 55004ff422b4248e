"""What `resque_estimate` equals for some parameters."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.resque import resque_estimate
from dpaudit.algorithms.resque.shared.reductions import reduction


def reductions(seed: int) -> tuple[Reduction, ...]:
    """At x = xbar and for rho -> oo: the gradient itself."""

    def at_the_centre(seed: int) -> tuple[Pair, ...]:
        rng, centre = np.random.default_rng(seed), (0.3, -1.0, 2.0)
        params, (xi, g) = resque_estimate.Params(centre, centre, 0.7), rng.normal(size=(2, 3))
        wide = resque_estimate.Params((0.5, 0.0, 1.0), centre, 1e150)
        return (
            Pair("x = xbar", resque_estimate.reference(params, xi, g), g),
            Pair("rho = 1e150", resque_estimate.reference(wide, xi, g), g),
        )

    return (
        reduction(
            "ALG-1", "definition 2", "at the centre, and for rho -> oo, the weight is 1",
            "at x = xbar, or with a radius beside which |x - xbar| vanishes, the estimate is the gradient itself",
            at_the_centre, seed,
        ),
    )  # fmt: skip
