"""One step of a method is proved for every t, by weights that are fitted to those at the first values of t."""

from __future__ import annotations

import pytest

from dpaudit.claims.argument.automatic import accepted
from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.engines.semidefinite.fitted import fitted
from dpaudit.claims.writing import Statement, integer, real, smooth_convex_at, vector
from dpaudit.recheck.goals import read_statement

pytest.importorskip("clarabel")

T = integer("t", "[0, oo)")
SYMBOLS = (T, *map(vector, ("x0", "xs", "g0", "g1")), *map(real, ("f0", "f1", "fs")))
AFTER = "x0 - g0"
CLASS = smooth_convex_at("1", ("xs", "", "fs"), ("x0", "g0", "f0"), (AFTER, "g1", "f1"))


def weights(bound):
    """The weights of the first node that the checker accepts; None if it accepts none."""
    goal = read_statement(as_data(Statement(bound, SYMBOLS, CLASS)))
    found = next((node for node in fitted(goal, ()) if accepted(goal, node)), None)
    return found and [weight for weight, _ in found["terms"]]


@pytest.mark.parametrize(
    ("before", "after", "divided"),
    [
        ("t", "t + 1", ""),  # Bansal and Gupta 2019, section 2.2
        ("t/(t + 1)", "1", "/(t + 1)"),
    ],
)
def test_the_potential_of_gradient_descent_goes_down_at_every_step(before, after, divided):
    scale = f"1/2{divided}"
    bound = f"({after})*(f1 - fs) + {scale}*norm({AFTER} - xs)**2 <= ({before})*(f0 - fs) + {scale}*norm(x0 - xs)**2"
    found = weights(bound)
    assert found
    assert any("t**1" in weight for weight in found)
    assert all(weight.endswith(divided) for weight in found)


@pytest.mark.parametrize(("before", "after"), [("t", "t + 2"), ("t", "21/20*t + 1")])
def test_a_potential_that_grows_too_fast_is_not_shown(before, after):
    bound = f"({after})*(f1 - fs) + 1/2*norm({AFTER} - xs)**2 <= ({before})*(f0 - fs) + 1/2*norm(x0 - xs)**2"
    assert weights(bound) is None
