"""Products of powers are compared by what conditions say of other products, and by nothing else."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpaudit.claims.argument import attempts
from dpaudit.claims.argument.nodes import Search, as_data
from dpaudit.claims.argument.proof import prove
from dpaudit.claims.engines import monomials
from dpaudit.claims.judge import judge
from dpaudit.claims.source import Source
from dpaudit.claims.writing import Combine, Statement, Step, point, positive, real
from dpaudit.recheck.goals import read_statement
from dpaudit.recheck.terms import show
from dpaudit.records.context import Context, Level

BELOW_N = ("T <= n", "d <= n**2", "1 <= n")


def statement(expression, names, conditions):
    return Statement(expression, tuple(map(positive, names.split())), conditions)


def chains(*parts):
    return monomials.chains(read_statement(as_data(statement(*parts))))


def outcome(said, *candidates):
    step = Step("s1", "a bound", said, candidates=candidates)
    return judge("toy/THM-1", step, Source(), Context(7, Level.SMOKE, 1e-6)).outcome


@pytest.mark.parametrize(
    ("expression", "names", "conditions"),
    [
        ("T**(3/2)*d**(1/4) <= n**3", "T n d", BELOW_N),
        ("T**(3/2)*d**(1/4) + n*d <= 2*n**3", "T n d", BELOW_N),
        ("T**(3/2)*d**(1/4)/e <= 2**(3/4)*n**2/e", "T n d e", ("T <= sqrt(2)*n", "d <= n**2")),
        ("(L*R*sqrt(T)/n)**(5/7)*K <= L*R*K*n**3", "L K R T n", ("T <= n**3", "1 <= L*R", "1 <= n")),
        ("x**(7/3)*y**(2/5) + y*z**(1/7) <= z**4 + z**(8/7)", "x y z", ("x <= z", "y <= z", "1 <= z")),
        ("a**(1/3)*b**(2/3) <= c", "a b c", ("a + b <= c",)),
        ("a**(2/3)*c**(1/3) <= 8**(1/3)*b", "a b c", ("a == b", "c <= 8*b")),
        ("a**(2/3)*c**(1/3) <= 8**(1/3)*b", "a b c", ("b == a", "c <= 8*b")),
        ("x**(3/2)*w**(1/2) <= z**2", "x w z", ("x <= 3*z", "x <= z", "w <= 5*z", "w <= z", "w <= 7*z")),
    ],
)
def test_what_follows_from_powers_of_conditions_is_proved(expression, names, conditions):
    said = statement(expression, names, conditions)
    goal = read_statement(as_data(said))
    (moves,) = [one for one in attempts.of(goal, deep=True) if isinstance(one[-1], Combine)]
    trail = prove(said, moves, Search())
    assert trail.closed
    assert not trail.partial
    assert outcome(said) == "PROVED"


@pytest.mark.parametrize(
    ("expression", "names", "conditions"),
    [
        ("T**(3/2)*d**(1/4) <= n**(19/10)", "T n d", BELOW_N),
        ("T**(3/2)*d**(1/4) <= 99/100*n**2", "T n d", BELOW_N),
        ("T**(3/2)*d**(1/4) + n*d <= 199/100*n**3", "T n d", BELOW_N),
        ("T**(3/2)*d**(1/4) <= n**3", "T n d", BELOW_N[:2]),
        ("n <= T**(3/2)", "T n", ("T <= n",)),
    ],
)
def test_what_does_not_follow_is_not_compared(expression, names, conditions):
    assert chains(expression, names, conditions) == ()
    assert outcome(statement(expression, names, conditions)) == "REFUTED"


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("expression", "names", "conditions"),
    [
        ("x**(3/2) <= 10**600*y**(3/2)", "x y", ("x <= 10**400*y",)),
        ("x**(3/2)*2**(1/2) <= 10**500*y**(3/2)", "x y", ("x <= y",)),
        ("x**(3/2)*exp(1000) <= y**(3/2)*z", "x y z", ("x <= y", "exp(1000) <= z")),
    ],
)
def test_numbers_that_no_float_holds_are_left_alone(expression, names, conditions):
    assert chains(expression, names, conditions) == ()
    assert outcome(statement(expression, names, conditions)) == "INCONCLUSIVE"


def test_nothing_is_divided_by_what_may_be_zero():
    x, y, z = real("x", "[0, oo)"), real("y", "[0, oo)"), positive("z")
    goal = read_statement(as_data(Statement("x**(3/2)*y**(1/4) <= z**2", (x, y, z), ("x <= z", "y <= z**2"))))
    assert monomials.chains(goal) == ()


def test_the_powers_are_exact_and_the_shares_use_up_the_left_side():
    found = chains("x**(7/3)*y**(2/5) + 3*y*z**(1/7) <= 2*z**4 + 2*z**(8/7)", "x y z", ("x <= z", "y <= z", "1 <= z"))
    powers = {show(link.raised): link.power for chain in found for link in chain.links}
    assert powers["(y**(2/5)) <= (z**(2/5))"] == Fraction(2, 5)
    assert powers["(x**(7/3)) <= (z**(7/3))"] == Fraction(7, 3)
    shares = {
        left: sum(c.share for c in found if show(c.fact.left) == left) for left in {show(c.fact.left) for c in found}
    }
    assert sorted(shares.values()) == [1, 3]


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("seed", range(12))
def test_random_comparisons_are_found_with_room_and_refused_without(seed):
    rng = np.random.default_rng(seed)
    names = "a b c d"
    sides = [rng.integers(0, 4, (2, 4)) for _ in range(3)]
    conditions = tuple(f"{product(low)} <= {product(high)}" for low, high in sides)
    weights = [Fraction(int(rng.integers(0, 5)), int(rng.integers(1, 4))) for _ in sides]
    left = [Fraction(int(e)) for e in rng.integers(0, 3, 4)]
    right = [
        e + sum(w * int(h - m) for w, (m, h) in zip(weights, ((s[0][k], s[1][k]) for s in sides), strict=True))
        for k, e in enumerate(left)
    ]
    goal = f"{product(left)} <= {product(right)}"
    assert outcome(statement(goal, names, conditions), point("a=1 b=1 c=1 d=1")) == "PROVED"
    assert chains(f"{product(left)} <= 99/100*({product(right)})", names, conditions) == ()


def product(exponents):
    return "*".join(f"{name}**({e})" for name, e in zip("abcd", exponents, strict=True))
