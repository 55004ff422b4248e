"""The statement language: what it reads, what it refuses, and exact values."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.claims.language import expression
from dpaudit.claims.language.expression import (
    Expr,
    bound,
    bound_names,
    is_vector,
    names,
    parse,
    parse_relation,
    rational,
    substitute,
)
from dpaudit.claims.language.statements import parse_statement
from dpaudit.records.claim import Statement, gaussian, real, vector
from dpaudit.records.errors import ContentError, UnknownNameError

NAMES = st.sampled_from(["a", "b", "c"])
LEAVES = st.one_of(
    st.fractions(min_value=0, max_value=9, max_denominator=9).map(lambda v: Expr("number", value=v)),
    NAMES.map(lambda n: Expr("symbol", name=n)),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda t: Expr(t[0], t[1:])),
        st.tuples(st.just("neg"), inner).map(lambda t: Expr("neg", t[1:])),
        st.tuples(inner, st.integers(0, 3)).map(lambda t: Expr("**", (t[0], Expr("number", value=Fraction(t[1]))))),
    ),
    max_leaves=8,
)


@given(TREES)
def test_the_printed_form_means_the_same(tree):
    values = {"a": Fraction(2, 3), "b": Fraction(5), "c": Fraction(7, 11)}
    try:
        expected = rational(tree, values)
    except ContentError:
        return
    assert rational(parse(str(tree)), values) == expected


def test_decimals_are_exact():
    assert rational(parse("0.7 + 0.1"), {}) == Fraction(8, 10)


@pytest.mark.parametrize(
    "text", ["-" * 100_000 + "1", "-" * 3_000 + "1", "1" + "+1" * 900, "f(" * 99 + "-" * 200 + "1" + ")" * 99]
)
def test_a_text_that_is_nested_too_deep_is_refused_as_text(text):
    """Python says MemoryError of some of them, which would stop a run as if the machine had failed."""
    with pytest.raises(ContentError, match="nested at most 200 deep"):
        parse(text)


def test_nesting_up_to_the_limit_is_read_and_evaluated():
    assert rational(parse("1" + "+1" * 190), {}) == 191
    assert str(parse(str(parse("-" * 190 + "1")))) == str(parse("-" * 190 + "1"))


@pytest.mark.parametrize("text", ["1e99999999", "1e-99999999", "1e5000", "1E+5000", "1_0e4999", "1e" + "9" * 40])
def test_a_number_that_is_too_long_to_write_down_is_refused_at_once(text):
    with pytest.raises(ContentError, match="has more than 4000 digits"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "sum(i, 1, 1000000, sum(j, 1, 1000000, j))",
        "sum(i, 1, 1001, sum(j, 1, 1000, j))",
        "sum(i, 1, 2000, 2**(1 + sum(j, 1, 501, j - 250)))",
        "sum(i, 1, 1000000, 2**(2**20))",
    ],
)
def test_a_short_text_cannot_ask_for_hours_of_exact_arithmetic(text, monkeypatch):
    monkeypatch.setattr(expression, "MOST_BITS_OF_SUM", 2**24)
    with pytest.raises(ContentError, match="no rational value"):
        rational(parse(text), {})


def test_sums_up_to_the_limit_have_their_value():
    assert rational(parse("sum(i, 1, 1000, sum(j, 1, 10, j))"), {}) == 55_000
    assert rational(parse("sum(i, 3, 2, 1/0)"), {}) == 0


def test_relations_are_turned_so_that_the_smaller_side_is_left():
    relation = parse_relation("x >= 2*y")
    assert (str(relation.left), relation.sign, str(relation.right)) == ("2 * y", "<=", "x")


@pytest.mark.parametrize("text", ["x +", "x <= y <= z", "x and y", "f'{x}'", "x.y", "exp(x, y)", "'text'", "x"])
def test_what_is_not_a_relation_of_the_language_is_refused(text):
    with pytest.raises(ContentError):
        parse_relation(text)


def test_an_unknown_function_names_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean 'sqrt'"):
        parse("sqr(x)")


def test_an_undeclared_symbol_names_the_nearest():
    with pytest.raises(UnknownNameError, match=r"rhoo.*did you mean 'rho'"):
        parse_statement(Statement("rhoo <= 1", (real("rho", "(0, oo)"),)))


def test_vectors_are_seen_through_sums_and_multiples():
    symbols = (vector("v"), real("c", "[0, 1]"))
    assert is_vector(parse("c*(v - 2*v)"), symbols)
    assert not is_vector(parse("dot(v, v)*c"), symbols)


def test_substitution_is_simultaneous():
    swapped = substitute(parse("a - b"), {parse("a"): parse("b"), parse("b"): parse("a")})
    assert str(swapped) == "b - a"
    assert names(swapped) == {"a", "b"}


def test_ends_of_ranges():
    assert bound("-oo") is None
    assert bound("-3/4") == Fraction(-3, 4)
    with pytest.raises(ContentError, match="exact number"):
        bound("sqrt(2)")


def test_a_line_break_keeps_the_digits():
    assert parse("1 +\n  0.10000000000000000000001") == parse("1 + 0.10000000000000000000001")
    assert parse("0.10000000000000000000001").value == Fraction(10**22 + 1, 10**23)


@pytest.mark.parametrize(
    ("symbols", "reason"),
    [
        ((real("x", "[0, 1]"), real("x", "[5, 6]")), "two meanings"),
        ((real("x"), real("pi", "(0, oo)")), "'pi' is a function, a constant"),
        ((real("x", "[2, 1]"),), "empty"),
        ((real("x", "[1, 1)"),), "empty"),
        ((real("x"), gaussian("xi", "E(1)")), r"the scale of xi must hold no mean, got E\(1\)"),
        ((real("x"), gaussian("eta"), gaussian("xi", "x*E(norm(eta))")), "the scale of xi must hold no mean"),
    ],
)
def test_symbols_that_make_a_statement_meaningless_are_refused(symbols, reason):
    with pytest.raises(ContentError, match=reason):
        parse_statement(Statement("x <= 5", symbols))


@pytest.mark.parametrize("name", ["exp", "E", "dot", "sum", "Phi", "pi", "oo", "lambda", "None"])
def test_a_name_with_a_meaning_is_no_symbol(name):
    with pytest.raises(ContentError, match=f"'{name}' is a function, a constant or a word of Python"):
        parse_statement(Statement("1 <= 1", (real(name, "[0, 1]"),)))


@pytest.mark.parametrize("name", ["dot(x, x)", "x y", "1x", "", "x-y", "\u0445", "\u212f", "x\n"])
def test_a_name_is_ascii_letters(name):
    with pytest.raises(ContentError, match="a name of ASCII letters"):
        parse_statement(Statement("1 <= 1", (real(name, "[0, 1]"),)))


@pytest.mark.parametrize("text", ["\u0445 <= 1", "x \u2264 1", "x <= \u0661", "\U0001d431 <= 1", "x <= 1\u00a0"])
def test_letters_that_look_alike_are_refused(text):
    with pytest.raises(ContentError, match="is no ASCII character"):
        parse_relation(text)


@pytest.mark.parametrize("text", ["x <= x + 1 # and x <= 1", "x <= 2 #", "# x <= 1\nx <= 2"])
def test_a_statement_has_no_comments(text):
    for read in (parse_relation, parse):
        with pytest.raises(ContentError, match="has no comments"):
            read(text)


class Other(str):
    """Prints something else, and is equal to it."""

    def __str__(self) -> str:
        return "x <= 0"

    def __hash__(self) -> int:
        return hash("x <= 0")

    def __eq__(self, other: object) -> bool:
        return other == "x <= 0"

    def split(self, *args: object) -> list[str]:  # type: ignore[override]
        return ["x <= 0"]


@pytest.mark.parametrize("read", [parse_relation, parse])
def test_a_statement_is_a_plain_text(read):
    parse_relation("x <= 0")  # what was read before is not found again by an equal text
    with pytest.raises(ContentError, match="plain text, got one of type Other"):
        read(Other("x <= 1"))


@pytest.mark.parametrize("interval", ["(oo, 0]", "[0, -oo)", "(oo, -oo)"])
def test_infinite_ends_stand_on_their_sides(interval):
    with pytest.raises(ContentError, match="runs from a number or -oo to a number or oo"):
        parse_statement(Statement("x <= 1", (real("x", interval),)))


def test_a_bound_variable_is_no_function():
    for text in ("sum(exp, 1, 3, exp) <= 9", "integral(pi, 0, 1, 1) <= 9"):
        with pytest.raises(ContentError, match=r"bare name|is a function"):
            parse_relation(text)


NEW = [
    "log2(x)", "floor(x / 2)", "ceil(x)", "factorial(n)", "binomial(n, k)", "Gamma(x)", "gamma_tail(a, x)",
    "binomial_cdf(k, n, q)", "exprel(-x)", "sum(k, 1, n, k**2 * x)", "integral(z, 0, x + 1, exp(-z**2))",
    "sum(j, 0, n, sum(i, 0, j, i * x))",
]  # fmt: skip


@pytest.mark.parametrize("text", NEW)
def test_functions_are_printed_as_they_are_read(text):
    assert str(parse(text)) == text
    assert parse(str(parse(text))) == parse(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("sum(k, 1, n)", "takes 4 arguments, got 3"),
        ("sum(k + 1, 1, n, k)", "needs a bare name first, got 'k [+] 1'"),
        ("integral(pi, 0, 1, pi)", "needs a bare name"),
        ("sum(k, 1, 3, sum(k, -1, 1, 1/k))", "'k' is the variable of two nested"),
        ("sum(k, 1, 3, integral(z, 0, 1, sum(k, 0, 1, z)))", "'k' is the variable of two nested"),
        ("gamma_tail(x)", "takes 2 arguments, got 1"),
        ("min(x)", "takes 2 to 9 arguments, got 1"),
    ],
)
def test_what_a_function_needs_is_said(text, reason):
    with pytest.raises(ContentError, match=reason):
        parse(text)


def test_a_bound_variable_is_not_free():
    total = parse("sum(k, k_0, n, k*x) + integral(z, 0, x, z)")
    assert names(total) == {"k_0", "n", "x"}
    assert bound_names(total) == {"k", "z"}
    assert names(parse("sum(k, 1, k, k)")) == {"k"}  # the end does not see it


def test_a_statement_knows_its_bound_variables():
    symbols = (real("x", "[0, 1]"),)
    parse_statement(Statement("sum(k, 1, 3, x**k) <= 3", symbols))
    with pytest.raises(ContentError, match="'x' is a symbol and the variable"):
        parse_statement(Statement("sum(x, 1, 3, x) <= 6", symbols))
    with pytest.raises(ContentError, match="'x' is a symbol and the variable"):
        parse_statement(Statement("x <= 3", symbols, ("integral(x, 0, 1, x) <= 1",)))
    with pytest.raises(UnknownNameError, match="'k'"):
        parse_statement(Statement("sum(k, 1, k, x) <= 3", symbols))


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("sum(k, 1, n, k*x)", {"x": "k + 1", "n": "k"}, "sum(k_1, 1, k, k_1 * (k + 1))"),
        ("sum(k, 1, n, k*x)", {"k": "3"}, "sum(k, 1, n, k * x)"),
        ("k + sum(k, 1, k, k)", {"k": "3"}, "3 + sum(k, 1, 3, k)"),
        ("sum(k, 1, n, k_1*x)", {"x": "k"}, "sum(k_2, 1, n, k_1 * k)"),
        ("sum(j, 1, n, sum(i, 1, j, x))", {"x": "i*j"}, "sum(j_1, 1, n, sum(i_1, 1, j_1, i * j))"),
        ("sum(k, 1, n, x)", {"x": "sum(k, 1, 2, k)"}, "sum(k_1, 1, n, sum(k, 1, 2, k))"),
        (
            "dot(u, u)*x + sum(k, 1, n, dot(u, u)*k)",
            {"dot(u, u)": "r**2", "x": "y"},
            "r**2 * y + sum(k, 1, n, r**2 * k)",
        ),
    ],
)
def test_substitution_never_captures_a_name(text, values, expected):
    assert str(substitute(parse(text), {parse(old): parse(new) for old, new in values.items()})) == expected


@given(st.integers(-3, 6), st.integers(-3, 6), st.integers(-4, 4))
def test_substituted_sums_keep_their_value(first, last, shift):
    """sum(k, a, b, k x) at x = k + shift, k = 5: the free k and the bound one are kept apart."""
    inner = substitute(parse("sum(k, a, b, k*x)"), {parse("x"): parse("k + s")})
    found = rational(inner, {name: Fraction(v) for name, v in {"a": first, "b": last, "s": shift, "k": 5}.items()})
    assert found == sum(i * (5 + shift) for i in range(first, last + 1))
