"""Parameters of `sub_erm`, checked as they are made."""

from __future__ import annotations

from dataclasses import dataclass

from dpaudit.algorithms.resque.sub_erm.setting import (
    BallSolver,
    powers_of_two,
    step_size,
)
from dpaudit.records.validation import check_number, check_vector


@dataclass(frozen=True, kw_only=True)
class Params(BallSolver):
    """Everything public about a run: the numbers of `BallSolver`, and

    distance: r', a bound on the root mean square of |x_0 - xstar|, from 0 to 2 r (None: r, as ALG-6);
    start: x_0, d numbers (None: the projection of `anchor`). Raises ConfigurationError.
    """

    distance: float | None = None
    start: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.distance is not None:
            check_number("distance", self.distance, least=0.0, most=2 * self.radius)
        if self.start is not None:
            check_vector("start", self.start, len(self.centre))

    @property
    def moved(self) -> float:
        """r'."""
        return self.radius if self.distance is None else self.distance

    @property
    def phases(self) -> tuple[tuple[int, float, float], ...]:
        """(T_i, eta_i, sigma_i) for i = 1..k; empty for T = 1."""
        horizon, k = powers_of_two(self.steps)
        eta = step_size(self.moved, self.lipschitz, self.steps, self.privacy, self.dimension)
        noise = self.lipschitz / self.privacy * (0.1 if self.control == "tenth_noise" else 1.0)
        return tuple((horizon >> i, eta / 4**i, noise * eta / 4**i) for i in range(1, k + 1))
