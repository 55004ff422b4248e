"""Noise and schedules of DP-SkGD (Maranjyan, Sadiev, Richtarik 2024), theorems 4.1 and 4.2."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice, check_count, check_number


@dataclass(frozen=True)
class Schedule:
    """inner_steps: K, epochs: T, at least 1; the real numbers are the formulas before rounding up."""

    inner_steps: int
    epochs: int
    inner_steps_real: float
    epochs_real: float


def calibrate(lipschitz: float, inner_steps: int, epochs: int, records: int, epsilon: float, delta: float) -> float:
    """sigma_U = sqrt(12 L_U^2 K T log(1/delta))/(n epsilon), theorem 4.1.

    lipschitz: L_U, above 0; epsilon in (0, 1]; delta in (0, 1/3). Raises ConfigurationError.
    """
    check_number("lipschitz", lipschitz, above=0.0)
    steps = check_count("inner_steps", inner_steps) * check_count("epochs", epochs)
    n = _privacy(records, epsilon, delta)
    return math.sqrt(12 * lipschitz**2 * steps * math.log(1 / delta)) / (n * epsilon)


def convex_schedule(records: int, epsilon: float, delta: float, distance: float, sketched_lipschitz: float) -> Schedule:
    """T = 1, K = n epsilon R/(Sigma_S sqrt(log(1/delta))), theorem 4.2a.

    distance: R in the norm of M P^-1, above 0; sketched_lipschitz: Sigma_S, above 0. The paper
    does not round; K is rounded up, at least 1.
    """
    n = _privacy(records, epsilon, delta)
    check_number("distance", distance, above=0.0)
    check_number("sketched_lipschitz", sketched_lipschitz, above=0.0)
    steps = n * epsilon * distance / (sketched_lipschitz * math.sqrt(math.log(1 / delta)))
    return Schedule(_up(steps), 1, steps, 1.0)


def strongly_convex_schedule(
    records: int,
    epsilon: float,
    delta: float,
    gap: float,
    sketched_lipschitz: float,
    strong_convexity: float,
    largest_ratio: float,
    inner_steps: str = "appendix",
) -> Schedule:
    """K and T of theorem 4.2b, both rounded up, at least 1.

    gap: f(w0) - f*; strong_convexity: mu; largest_ratio: max_i M_i/p_i; all above 0. inner_steps: which of the
    printed K, "appendix": 2 (1 + max_i(M_i/p_i)/mu), or "main text": 2 (1 + 1/(mu max_i(M_i/p_i))).
    T = log_2(gap n^2 epsilon^2/((1 + max_i(M_i/p_i)/mu) Sigma_S^2 log(1/delta))).
    """
    n = _privacy(records, epsilon, delta)
    check_number("gap", gap, above=0.0)
    check_number("sketched_lipschitz", sketched_lipschitz, above=0.0)
    check_number("strong_convexity", strong_convexity, above=0.0)
    check_number("largest_ratio", largest_ratio, above=0.0)
    check_choice("inner_steps", inner_steps, ("appendix", "main text"))
    condition = largest_ratio / strong_convexity
    steps = 2 * (1 + (condition if inner_steps == "appendix" else 1 / (strong_convexity * largest_ratio)))
    floor = (1 + condition) * sketched_lipschitz**2 * math.log(1 / delta)
    epochs = math.log2(gap * (n * epsilon) ** 2 / floor)
    return Schedule(_up(steps), _up(epochs), steps, epochs)


def _privacy(records: int, epsilon: float, delta: float) -> int:
    check_number("epsilon", epsilon, above=0.0, most=1.0)
    check_number("delta", delta, above=0.0)
    if not delta < 1 / 3:
        raise ConfigurationError(f"delta must be below 1/3 (theorem 4.1), got {delta}")
    return check_count("records", records)


def _up(value: float) -> int:
    return max(1, math.ceil(value))
