"""A term at a point is what the statement writes: no root is taken apart, nothing is cancelled."""

import pytest

from dpaudit.claims.argument.proof import tried
from dpaudit.claims.engines.rigorous.at_point import Place, constant, coordinates
from dpaudit.claims.engines.rigorous.witness import certify, inside
from dpaudit.claims.language.expression import parse
from dpaudit.records.claim import Exhibit, Statement, gaussian, real, vector
from dpaudit.records.errors import ContentError

S, P, U, V = real("s", "[-1, 1]"), real("p", "[1, oo)"), vector("u"), vector("v")
XI = gaussian("xi", "sqrt(s)")


def value(text, symbols, **point):
    term = Place(symbols, tuple(point.items())).term(parse(text))
    return None if term is None else constant(term)


def test_vectors_are_written_in_brackets():
    assert [float(c) for c in coordinates("(1/2, -3)")] == [0.5, -3.0]
    with pytest.raises(ContentError, match="must look like"):
        coordinates("1/2")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dot(u, v)", 11),
        ("norm(u - 2*v)", 61**0.5),
        ("norm(-u/s)**2", 20),
        ("sqrt(dot(u, u)*s**2)", 1.25**0.5),
        ("sum(k, 1, 2, dot(k*u, v))", 33),
        ("s + min(norm(u), p)", 2.5),
    ],
)
def test_vectors_are_their_coordinates(text, expected):
    found = value(text, (S, P, U, V), s="1/2", p="2", u="(1, 2)", v="(3, 4)")
    assert found is not None
    assert float(found) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "dot(u, u)**2/dot(u, u)",
        "norm(u)/norm(u)",
        "dot(v, u/norm(u))",
        "log(dot(u, u))*0",
        "E(dot(u, u)**2/dot(u, u)*exp(dot(xi, v)))",
        "E(exp(dot(xi, v)/norm(u))*norm(u))",
        "E(sum(k, 1, 2, dot(xi, v/dot(u, u)))*0)",
        "E(exp(dot(xi, v))**(1/dot(u, u))*0)",
    ],
)
def test_what_is_cancelled_elsewhere_has_no_value_here(text):
    symbols, point = (S, U, V, XI), {"s": "1", "u": "(0, 0)", "v": "(1, 0)"}
    assert value(text, symbols, **point) is None
    everywhere = Statement(f"{text} <= -1", symbols)
    assert certify(everywhere, tuple(point.items())) is None
    assert not inside(everywhere, tuple(point.items()))
    assert certify(everywhere, (("s", "1"), ("u", "(1, 0)"), ("v", "(1, 0)"))) is not None or "*0" in text


def test_a_value_that_is_cancelled_elsewhere_exhibits_nothing():
    at = (Exhibit((("u", "(0, 0)"),)),)
    assert not tried(Statement("dot(u, u)**2/dot(u, u) <= 0", (U,), exists=True), at).closed
    assert tried(Statement("dot(u, u)**2 <= 0", (U,), exists=True), at).closed


@pytest.mark.parametrize("scale", ["sqrt(s)", "s", "1/(s + 1)", "log(s + 1)"])
def test_a_scale_that_is_no_standard_deviation_is_outside(scale):
    """E exp(<xi, v>) is exp(scale^2/2) at |v| = 1, so both relations fail for some scale; not for s = -1."""
    symbols = (S, V, gaussian("xi", scale))
    bad = (("s", "-1"), ("v", "(1, 0)"))
    good = (("s", "1"), ("v", "(1, 0)"))
    for relation in ("E(exp(dot(xi, v))) <= 1", "2 <= E(exp(dot(xi, v)))"):
        assert certify(Statement(relation, symbols), bad) is None
    assert certify(Statement("E(exp(dot(xi, v))) <= 1", symbols), good) is not None


def test_a_gaussian_outside_of_a_mean_and_two_dimensions_are_named():
    with pytest.raises(ContentError, match=r"xi is random: use it inside of E"):
        value("dot(xi, v)", (S, V, XI), s="1", v="(1, 0)")
    with pytest.raises(ContentError, match=r"have one dimension, got \[1, 2\]"):
        value("dot(u, v)", (U, V), u="(1,)", v="(1, 0)")


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("E(exp(dot(xi, v))**p)", True),
        ("E(abs(exp(dot(xi, v)) - 1)**p)", True),
        ("E(sum(k, 1, 2, exp(k*dot(xi, v))))", True),
        ("E(abs(dot(xi, v)))", False),
        ("E(sqrt(dot(xi, v)))", False),
    ],
)
def test_means_with_a_closed_form_have_a_value(text, closed):
    found = value(text, (P, V, gaussian("xi")), p="2", v="(1, 0)")
    assert (found is not None) == closed
