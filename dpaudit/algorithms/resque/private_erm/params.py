"""Parameters of `private_erm`, checked as they are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from dpaudit.algorithms.resque import ball_acceleration, bias_reduced_prox, high_probability_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.sub_erm.setting import ESTIMATORS
from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Count, NotNegative, Numbers, OneOf, Positive, Range
from dpaudit.records.validation import check_vector


@dataclass(frozen=True)
class Params(ball_acceleration.Params):
    """The numbers of ball acceleration (R, r, L, eps_opt, C_ba, C_stop, output), oracle_error being 0, and

    origin: centre of the domain, d numbers; records: n; smoothing: rho, privacy: beta, above 0; search_steps,
    ball_steps, proximal_steps: T_1, T_2, T_3; failure: zeta in (0, 1); constant: C_cvx; error_constant: C_sc or None;
    privacy_constant: C_priv; tether and target: a quadratic of the objective, at least 0 and d numbers (None: origin);
    most: cap of iterations instead of ceil(C_ba K log kappa); estimator: see `sub_erm`. Raises ConfigurationError.
    """

    origin: Numbers = (0.0,)
    records: Count = 2
    smoothing: Positive = 1.0
    privacy: Positive = 1.0
    search_steps: Count = 1
    ball_steps: Count = 1
    proximal_steps: Count = 1
    failure: Annotated[float, Range(above=0.0, most=1 - 2.0**-53)] = 0.1
    constant: Positive = 1.0
    error_constant: float | None = None
    privacy_constant: Annotated[float, Range(least=1.0)] = 1.0
    tether: NotNegative = 0.0
    target: tuple[float, ...] | None = None
    most: Count | None = None
    estimator: Annotated[str, OneOf(ESTIMATORS)] = "resque"
    output: str = "projected"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.target is not None:
            check_vector("target", self.target, len(self.origin))
        if self.oracle_error:
            raise ConfigurationError("oracle_error must be 0: the private oracles have errors of their own")
        _ = self.proximal, self.search_oracle()  # their checks are checks of these numbers

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.origin)

    @property
    def most_iterations(self) -> int:
        """The public cap of iterations."""
        return super().most_iterations if self.most is None else self.most

    def _shared(self, steps: int, centre: Array | None, strength: float | None) -> dict[str, Any]:
        """Fields of a solver of the ball subproblem at y = centre with lambda = strength, by default any."""
        y = np.array(self.origin) if centre is None else centre
        lam = self.smallest_strength if strength is None else strength
        target = np.array(self.origin if self.target is None else self.target)
        anchor = subproblem_anchors(self.tether, target[None], y[None], np.array([lam]))[0]
        return {
            "centre": tuple(y.tolist()), "radius": self.ball_radius, "smoothing": self.smoothing, "steps": steps,
            "privacy": self.privacy, "lipschitz": self.lipschitz, "regulariser": lam + self.tether,
            "anchor": tuple(anchor.tolist()) if self.tether else None, "constant": self.constant,
            "estimator": self.estimator, "records": self.records,
        }  # fmt: skip

    def search_oracle(self, centre: Array | None = None, strength: float | None = None) -> high_probability_erm.Params:
        """O_ls at y, (d,), with lambda."""
        shared = self._shared(self.search_steps, centre, strength)
        return high_probability_erm.Params(failure=self.failure, error_constant=self.error_constant, **shared)

    def ball_oracle(self, centre: Array | None = None, strength: float | None = None) -> solver.Params:
        """O_bo at y with lambda."""
        return solver.Params(**self._shared(self.ball_steps, centre, strength))

    def proximal_oracle(self, centre: Array | None = None, strength: float | None = None) -> bias_reduced_prox.Params:
        """O_sp at y with lambda."""
        shared = self._shared(self.proximal_steps, centre, strength)
        return bias_reduced_prox.Params(privacy_constant=self.privacy_constant, **shared)

    @property
    def proximal(self) -> bias_reduced_prox.Params:
        """O_sp at the origin."""
        return self.proximal_oracle()


def subproblem_anchors(tether: float, targets: Array, centres: Array, strengths: Array) -> Array:
    """(lambda y + tether target)/(lambda + tether) for targets and y (m, d), lambda (m,); y itself without a tether."""
    lam = strengths[:, None]
    return np.asarray((lam * centres + tether * targets) / (lam + tether)) if tether else centres
