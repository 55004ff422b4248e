"""Powers and logarithms against mpmath, at random points of positive and of negative bases."""

from __future__ import annotations

import random

import mpmath
import pytest
from depth import repeats
from domains import domain

from dpaudit.recheck.terms import Refused, Term, term

ROWS = ("x real (-oo, oo)", "y real (0, oo)", "z real [0, oo)", "n integer [1, oo)", "m integer (-oo, oo)")
CONTEXT = domain(*ROWS)
FUNCTIONS = {"exp": mpmath.exp, "abs": abs}


def value(node: Term, at: dict[str, mpmath.mpf]) -> mpmath.mpf:
    """The real value; ValueError where there is none."""
    if isinstance(node, str):
        return at[node]
    if not isinstance(node, tuple):
        return mpmath.mpf(node.numerator) / node.denominator
    if len(node) == 1:
        return +mpmath.pi
    parts = [value(arg, at) for arg in node[1:]]
    match node[0]:
        case "sqrt" | "log" if parts[0] < 0 or (node[0] == "log" and parts[0] == 0):
            raise ValueError
        case "sqrt":
            return mpmath.sqrt(parts[0])
        case "log":
            return mpmath.log(parts[0])
        case "**":
            whole = parts[1] == mpmath.nint(parts[1])
            if (parts[0] < 0 and not whole) or (parts[0] == 0 and parts[1] < 0):
                raise ValueError
            return parts[0] ** (int(parts[1]) if whole else parts[1])
        case "/" if parts[1] == 0:
            raise ValueError
    simple = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}
    simple |= {"neg": lambda a: -a}
    return (simple | FUNCTIONS)[node[0]](*parts)


def made(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(["x", "y", "z", "n", "m", "2", "3", "1/2", "-1"])
    a, b = made(rng, depth - 1), made(rng, depth - 1)
    return rng.choice(
        [f"({a})*({b})", f"({a})/({b})", f"({a}) + ({b})", f"sqrt({a})", f"abs({a})", f"log({a})", f"exp({a})"]
        + [f"({a})**({c})" for c in ("2", "1/2", "n", "m", "3/2", "-1", "y", "2*m", "z")]
    )


def points(rng: random.Random) -> dict[str, mpmath.mpf]:
    real = [mpmath.mpf(v) for v in ("-3", "-1", "-0.5", "0", "0.5", "1", "2.25")]
    at = {"x": rng.choice(real), "y": rng.choice(real[4:]), "z": rng.choice(real[3:])}
    return at | {"n": mpmath.mpf(rng.randint(1, 4)), "m": mpmath.mpf(rng.randint(-3, 3))}


@pytest.mark.deep
def test_a_form_has_the_value_of_its_term_wherever_both_have_one() -> None:
    rng, tried = random.Random(20261124), 0
    with mpmath.workdps(40):
        for _ in range(repeats(2_000, 60_000)):
            node = term(made(rng, 3))
            try:
                back = CONTEXT.forms.node(CONTEXT.forms.form(node))
            except Refused:
                continue
            for _ in range(4):
                at = points(rng)
                try:
                    first, second = value(node, at), value(back, at)
                except (ValueError, OverflowError, ZeroDivisionError):
                    continue
                if mpmath.isfinite(first) and abs(first) < 1e30:
                    tried += 1
                    assert abs(first - second) <= 1e-25 * (1 + abs(first)), (node, at)
    assert tried > 1_000


def test_what_is_shown_to_have_a_value_has_one_and_its_sign() -> None:
    rng, shown = random.Random(8), 0
    with mpmath.workdps(40):
        for _ in range(repeats(2_000, 60_000)):
            node = term(made(rng, 2))
            try:
                defined, sign = CONTEXT.defined(node), CONTEXT.sign(node)
            except Refused:
                continue
            for _ in range(4):
                at = points(rng)
                try:
                    found = value(node, at)
                except (ValueError, ZeroDivisionError):
                    assert not defined, (node, at)
                    continue
                except OverflowError:
                    continue
                if sign is not None and mpmath.isfinite(found):
                    shown += 1
                    assert found > 0 or (sign == 0 and found >= 0), (node, at)
    assert shown > 500


@pytest.mark.parametrize("text", ["10**(10**9)", "2**(2**40)", "(1/3)**(10**8)", "3**(2000000001/2)"])
def test_numbers_that_are_too_long_are_refused(text: str) -> None:
    with pytest.raises(Refused, match="too large"):
        CONTEXT.forms.form(term(text))


def test_a_large_power_of_a_sum_is_not_written_out() -> None:
    assert len(CONTEXT.forms.form(term("(x + 1)**10000 + 1"))) == 2
    assert CONTEXT.equal(term("(x + 1)**10000*(x + 1)**10000"), term("(x + 1)**20000"))


def test_a_power_of_0_is_not_taken_apart() -> None:
    """0**(n - m) is 1 at n = m, where 0**n/0**m has no value."""
    context = domain("z real [0, 3]", "y real (0, oo)", "n integer [-2, 2]", "m integer [1, 5]", "w real [0, oo)")
    assert context.sign(term("z**(-n)")) == 0
    assert context.sign(term("y**(-n)")) == 1
    pinned = domain("z real (-oo, oo)", "y real (-oo, oo)", "m integer [1, 5]", "w real [0, oo)",
                    conditions=("0 <= -z**2 - y**2",))  # fmt: skip
    assert pinned.sign(term("(-z**2 - y**2)**(m - 1)*w - 1")) is None
    assert context.equal(term("z**(m - 1)*z"), term("z**m"))
    assert context.equal(term("z**(n + m)*z**(-n)"), term("z**m"))
    assert context.equal(term("(z**(m - 1))**2"), term("z**(2*m - 2)"))
    assert not context.equal(term("z**(m - 1)"), term("z**m"))
