"""What is said of symmetric maps holds for them and for no others, and bounds for all maps follow."""

from __future__ import annotations

import numpy as np
import pytest
from at_numbers import gaps

from dpaudit.claims.judge import judge
from dpaudit.claims.operators import projected_by, symmetric_at, trace
from dpaudit.claims.source import Source
from dpaudit.claims.writing import Combine, Rewrite, Statement, Step, Termwise, integer, sequence, vector
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Outcome

SEED = 20261126


def slack_of(matrix):
    """Vectors with the matrix as their dot products, None where there are none."""
    values, vectors = np.linalg.eigh(matrix)
    return None if values[0] < -1e-9 else (vectors * np.sqrt(np.maximum(values, 0))).T.T


def meets(x, y, low, high):
    """Whether slack vectors exist with which all conditions hold for the columns of x and y."""
    rows = slack_of((y - low * x).T @ (high * x - y))
    if rows is None:
        return False
    named = {
        f"{name}{k}": column
        for name, columns in (("x", x.T), ("y", y.T), ("z", rows))
        for k, column in enumerate(columns)
    }
    images, slack = [(f"x{k}", f"y{k}") for k in range(x.shape[1])], tuple(f"z{k}" for k in range(x.shape[1]))
    return min(gaps(symmetric_at(str(low), str(high), *images, slack=slack), **named)) > -1e-8


@pytest.mark.parametrize("seed", range(8))
def test_the_conditions_hold_for_maps_of_the_class_and_not_for_others(seed):
    rng = np.random.default_rng([SEED, seed])
    basis, _ = np.linalg.qr(rng.normal(size=(4, 4)))
    x = rng.normal(size=(4, 3))
    inside, outside = (basis @ np.diag([1.0, *rng.uniform(1, 3, 2), top]) @ basis.T for top in (3.0, 5.0))
    assert meets(x, inside @ x, 1, 3)
    full = rng.normal(size=(4, 4))  # every direction is asked, so that the last one shows
    assert meets(full, inside @ full, 1, 3)
    assert not meets(full, outside @ full, 1, 3)
    turned = inside + np.triu(np.ones((4, 4)), 1)
    assert not meets(full, turned @ full, 1, 3)


def test_projectors_meet_the_conditions():
    rng = np.random.default_rng(SEED)
    half, _ = np.linalg.qr(rng.normal(size=(5, 2)))
    u, v = rng.normal(size=(2, 5))
    p, q = half @ (half.T @ u), half @ (half.T @ v)
    assert min(gaps(projected_by(("u", "p"), ("v", "q")), u=u, v=v, p=p, q=q)) > -1e-9
    assert min(gaps(projected_by(("u", "p")), u=u, p=2 * p)) < -1e-3


def outcome(expression, vectors, conditions):
    statement = Statement(expression, tuple(map(vector, vectors.split())), conditions)
    return judge("toy/THM-1", Step("s1", "a bound", statement), Source(), Context(7, Level.SMOKE, 1e-6)).outcome


@pytest.mark.parametrize(("expected", "share"), [("PROVED", "1/4"), ("REFUTED", "6/25")])
def test_a_step_on_a_quadratic_contracts(expected, share):
    """|x - A x/2| <= |x|/2 for eigenvalues between 1 and 3."""
    conditions = symmetric_at("1", "3", ("x", "y"))
    assert outcome(f"norm(x - 1/2*y)**2 <= {share}*norm(x)**2", "x y", conditions) == expected


@pytest.mark.parametrize(("expected", "share"), [("PROVED", "1/49"), ("REFUTED", "1/50")])
def test_two_steps_on_a_quadratic_do_what_chebyshev_found(expected, share):
    """x - 8/7 A x + 2/7 A^2 x for eigenvalues between 1 and 3: T_2(t) = 2 t^2 - 1 over T_2(2) = 7."""
    conditions = symmetric_at("1", "3", ("x", "y"), ("y", "w"), slack=("r", "s"))
    assert outcome(f"norm(x - 8/7*y + 2/7*w)**2 <= {share}*norm(x)**2", "x y w r s", conditions) == expected


def test_projectors_shorten_and_leave_a_right_angle():
    assert outcome("norm(p)**2 <= dot(p, x)", "x p", projected_by(("x", "p"))) == "PROVED"
    assert outcome("norm(p - q)**2 <= norm(x - y)**2", "x p y q", projected_by(("x", "p"), ("y", "q"))) == "PROVED"
    assert outcome("norm(x)**2 <= dot(p, x)", "x p", projected_by(("x", "p"))) == "REFUTED"


def test_a_map_with_two_images_needs_two_slack_vectors():
    with pytest.raises(ContentError, match="got 1 for 2"):
        symmetric_at("1", "3", ("x", "y"), ("y", "w"), slack=("r",))


def test_a_trace_is_the_sum_over_eigenvalues():
    assert trace("h", "d") == "sum(j, 1, d, h[j])"
    assert trace("h", "d", "2") == "sum(j, 1, d, h[j]**(2))"
    some = (integer("d", "[1, oo)"), sequence("h", "[0, 3]"))
    way = (Rewrite(right="sum(j, 1, d, 3*h[j])"), Termwise((Combine((("h[j]", "h[j] <= 3"),)),)))
    held = Step("s1", "words", Statement(f"{trace('h', 'd', '2')} <= 3*{trace('h', 'd')}", some), argument=way)
    wrong = Step("s1", "words", Statement(f"{trace('h', 'd', '2')} <= 2*{trace('h', 'd')}", some))
    said = [judge("toy/LEM-1/s1", one, Source(), Context(SEED, Level.SMOKE, 1e-6)).outcome for one in (held, wrong)]
    assert said == [Outcome.PROVED, Outcome.REFUTED]
