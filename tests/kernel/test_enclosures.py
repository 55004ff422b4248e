"""Enclosures: what interval arithmetic gets to see, and facts that hold for all numbers."""

from __future__ import annotations

import pytest
from domains import goal

from dpaudit.kernel import enclosures, facts
from dpaudit.kernel.prover import Prover
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.facts import FACTS
from dpaudit.recheck.terms import relation

PROVER = Prover(goal("0 <= 1", "x real [0, 1]", "n integer [1, 9]", "y real (0, 1]", "u vector", "v vector"))


@pytest.mark.parametrize(
    ("text", "split", "parts"),
    [
        ("x <= 2", False, ("reals; enclosed",)),
        ("x*(1 - x) <= 0.26", True, ("i_bisect x",)),
        ("n*x <= 9", True, ("set (real_n := IZR n) in *", "i_bisect real_n")),
        ("y**(1/3) <= 1", False, ("pw_exp y (1 / 3)",)),
    ],
)
def test_scripts(text: str, split: bool, parts: tuple[str, ...]) -> None:
    made = enclosures.script(PROVER, relation(text), split)
    assert all(part in made for part in parts)


@pytest.mark.parametrize("text", ["norm(u) <= 1", "max(x, 0) <= 1"])
def test_some_functions_are_not_enclosed(text: str) -> None:
    with pytest.raises(NotExported):
        enclosures.script(PROVER, relation(text), False)


def test_every_fact_of_the_checker_has_a_lemma_or_a_shape() -> None:
    by_shape = {"0 <= norm(u)", "0 <= dot(u, u)", "0 <= abs(x)", "0 <= Phi(x)", "Phi(x) <= 1"}
    assert set(FACTS) - set(facts.FACTS) == set(map(relation, by_shape))
    assert "apply norm_add" in facts.script(PROVER, relation("norm(u + v) <= norm(u) + norm(v)"))
    with pytest.raises(NotExported):
        facts.script(PROVER, relation("norm(u) <= norm(v)"))
