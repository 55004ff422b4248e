"""Before a step of an induction sums are taken apart and named; an equation is shown by its increments."""

from __future__ import annotations

from domains import goal

from dpaudit.claims.argument.induction import first_steps
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.terms import relation

ROWS = ("n integer [1, oo)", "m integer [1, oo)", "x real (0, oo)", "xi gaussian 1")


def steps(at_next: str, before: str) -> list[dict[str, object]]:
    """The steps for a goal at n + 1, with what holds at n."""
    asked: Goal = goal(at_next, *ROWS, conditions=(before,))
    return first_steps(asked, "n")


def test_the_last_term_is_split_off_and_the_sum_gets_a_name() -> None:
    made = steps("sum(k, 1, n + 1, 1/k) <= 1 + log(n + 1)", "sum(k, 1, n, 1/k) <= 1 + log(n)")
    assert [step["by"] for step in made] == ["rewrite", "name"]
    assert relation(f"{made[0]['left']} <= 0") == relation("sum(k, 1, n, 1/k) + 1/(n + 1) <= 0")
    assert made[1]["symbol"] == ["sum_1", "real", "(-oo, oo)"]


def test_an_equation_is_shown_by_its_increments() -> None:
    made = steps("sum(k, 1, n + 1, k) == (n + 1)*(n + 2)/2", "sum(k, 1, n, k) == n*(n + 1)/2")
    assert [step["by"] for step in made] == ["rewrite", "subtract", "name"]
    assert relation(str(made[1]["fact"])) == relation("sum(k, 1, n, k) == n*(n + 1)/2")


def test_sums_that_end_elsewhere_stay_and_each_gets_one_name() -> None:
    made = steps("sum(k, 1, m, k)*x <= n + 1 + sum(k, 1, m, k)", "sum(k, 1, m, k)*x <= n + sum(k, 1, m, k)")
    assert [step["by"] for step in made] == ["name"]


def test_a_sum_of_draws_or_in_another_sum_gets_no_name() -> None:
    drawn = "E(sum(k, 1, m, norm(xi)**k)) <= n"
    assert steps(drawn.replace("<= n", "<= n + 1"), drawn) == []
    inner = "sum(k, 1, m, sum(j, 1, k, j)) <= n"
    assert [step["by"] for step in steps(inner.replace("<= n", "<= n + 1"), inner)] == ["name"]
