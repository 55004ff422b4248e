"""Engine `semidefinite`: right - left as a combination of conditions and squares of vectors, in every dimension.

A worst-case bound over a class of functions is of this kind once the functions are given by points, gradients and
values that interpolation conditions tie together (Drori and Teboulle 2014; Taylor, Hendrickx and Glineur 2017). The
weights of the conditions are found by a semidefinite program over the Gram matrix and then made exact; the checker goes
through the combination again and sees by itself that what is left is positive semidefinite. Where the program says that
there are none, a Gram matrix that breaks the bound is made a point with rational coordinates.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dpaudit.claims.engines.semidefinite.conic import weighed
from dpaudit.claims.engines.semidefinite.fitted import fitted
from dpaudit.claims.engines.semidefinite.points import worst
from dpaudit.claims.engines.semidefinite.program import combine, in_numbers
from dpaudit.claims.engines.semidefinite.rounding import made_exact
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.polynomials import minus
from dpaudit.recheck.terms import ZERO, Relation, relation, show

__all__ = ["available", "best", "combinations", "worst"]


def available() -> bool:
    """Is the solver there?"""
    return importlib.util.find_spec("clarabel") is not None


def combinations(goal: Goal, facts: Sequence[Relation]) -> Iterator[dict[str, object]]:
    """Nodes that may prove the goal by `combine`, for the checker to decide on; none where there are no weights."""
    program = in_numbers(goal, facts)
    if program is None:
        return
    for cost in (np.zeros(len(program.conditions)), np.ones(len(program.conditions))):
        for weights in made_exact(program, weighed(program, cost) or ()):
            if all(w >= 0 or c.sign == "==" for w, c in zip(weights, program.conditions, strict=True)):
                yield combine(program.conditions, map(show, weights))
    yield from fitted(goal, facts)


def best(form: str, goal: Goal, facts: Sequence[Relation] = ()) -> float | None:
    """The least c for which the relation `form`, which is linear in its `{c}`, can be shown so; None if there is none.

    goal: the same relation with any number in the place of `{c}`.
    """
    at = [goal.with_relation(relation(form.replace("{c}", f"({c})"))) for c in (0, 1)]
    programs = [program for one in at if (program := in_numbers(one, facts)) is not None]
    if len(programs) < 2:
        return None
    slopes = minus(programs[0].target, programs[1].target)
    first = programs[1] if len(programs[1].halves) >= len(programs[0].halves) else programs[0]
    zero, c = Relation(ZERO, "==", ZERO), len(first.conditions)
    whole = replace(
        first, conditions=(*first.conditions, zero), slacks=(*first.slacks, slopes), target=programs[0].target
    )
    found = weighed(whole, np.eye(1, c + 1, c)[0])
    return None if found is None else found[c]
