"""The JSON form of records: everything comes back, anything wrong is named."""

from __future__ import annotations

import enum
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.records.claim import Bound, Cases, Claim, ClaimKind, Identical, Statement, Step, Symbol, integer, real
from dpaudit.records.context import Context
from dpaudit.records.errors import ContentError, UnknownNameError
from dpaudit.records.mechanism import Composed, Gaussian, Laplace, PoissonSampled, SelfComposed
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Neighbours, PrivacyClaim, RenyiDP, View
from dpaudit.records.serial import decode, encode, record
from dpaudit.records.target import Control, Target, TrialPlan
from dpaudit.records.verdict import Evidence, Verdict

RECORDS = (Claim, Context, Evidence, PrivacyClaim, Statement, Step, Symbol, Target, TrialPlan, Verdict)

positive = st.floats(min_value=1e-6, max_value=1e6)
texts = st.text(max_size=8)
st.register_type_strategy(str, texts)
st.register_type_strategy(TrialPlan, st.builds(TrialPlan, *[st.integers(2, 10**7)] * 3))
st.register_type_strategy(Gaussian, st.builds(Gaussian, positive))
st.register_type_strategy(Laplace, st.builds(Laplace, positive))
st.register_type_strategy(GaussianDP, st.builds(GaussianDP, positive))
st.register_type_strategy(RenyiDP, st.builds(RenyiDP, st.floats(1.1, 64), positive))
st.register_type_strategy(ApproximateDP, st.builds(ApproximateDP, positive | st.just(math.inf), st.floats(0, 0.5)))
st.register_type_strategy(
    PrivacyClaim,
    st.builds(
        PrivacyClaim,
        st.from_type(GaussianDP) | st.from_type(RenyiDP) | st.from_type(ApproximateDP),
        st.sampled_from(Neighbours),
        st.floats(1e-12, 0.5),
        texts,
    ),
)
mechanisms = st.recursive(
    st.from_type(Gaussian) | st.from_type(Laplace),
    lambda inner: (
        st.builds(PoissonSampled, st.floats(0.01, 1), inner)
        | st.builds(SelfComposed, inner, st.integers(1, 100))
        | st.builds(Composed, st.lists(inner, max_size=3).map(tuple))
    ),
    max_leaves=4,
)
targets = st.builds(
    Target,
    name=texts,
    title=texts,
    view=st.sampled_from(View),
    claim=st.from_type(PrivacyClaim),
    trials=st.from_type(TrialPlan),
    needs=st.lists(st.tuples(texts, texts), max_size=2).map(tuple),
    control=st.sampled_from(Control),
    truth=st.none() | mechanisms,
)


def through_json(value: object) -> object:
    """`value` as a file would give it back."""
    return decode(json.loads(json.dumps(encode(value), allow_nan=False)))


@given(st.from_type(Verdict))
def test_every_verdict_comes_back(verdict: Verdict) -> None:
    again = through_json(verdict)
    assert repr(again) == repr(verdict)  # repr, because NaN differs from itself
    assert type(again) is Verdict


@given(targets)
def test_every_target_comes_back(target: Target) -> None:
    assert through_json(target) == target


@given(st.from_type(Evidence) | st.from_type(Symbol) | st.from_type(Statement))
def test_small_records_come_back(value: object) -> None:
    assert repr(through_json(value)) == repr(value)


def test_a_claim_with_nested_moves_comes_back() -> None:
    statement = Statement("a <= b", (real("a", "[0, 1)"), integer("b", "[1, oo)")))
    split = Cases((("a < 1/2", (Identical(),)), ("otherwise", (Bound(right="b + 1", argument=(Identical(),)),))))
    step = Step("s1", "words", statement, argument=(split,))
    claim = Claim("toy/LEM-1", "title", "words", "p. 1", ClaimKind.INEQUALITY, statement, steps=(step,))
    again = through_json(claim)
    assert again.steps[0].argument[0] == split  # type: ignore[attr-defined]
    assert again.statement == statement  # type: ignore[attr-defined]


@pytest.mark.parametrize("number", [math.inf, -math.inf])
def test_infinite_floats_have_a_form(number: float) -> None:
    assert encode(number) == {"float": str(number)}
    assert decode(encode(number)) == number


def test_nan_stays_nan() -> None:
    assert math.isnan(decode(encode(math.nan)))


def test_an_integer_that_is_no_float_is_refused() -> None:
    """A message between processes may hold one of any size."""
    assert decode({"type": "Gaussian", "noise_multiplier": 10**299}).noise_multiplier == 1e299
    for value in (10**400, -(10**400)):
        with pytest.raises(ContentError, match="must be a float, got an integer of more than 300 digits"):
            decode({"type": "Gaussian", "noise_multiplier": value})


def test_an_unknown_record_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'Verdict'"):
        decode({"type": "Verdikt"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"surprise": 1}, "no field 'surprise'"),
        ({"engine": 3}, r"Evidence.engine must be a str, got 3"),
        ({"outcome": "FINE"}, "unknown value of Evidence.outcome 'FINE'"),
        ({"numbers": "x"}, "must be an array"),
        ({"numbers": [["a"]]}, "must have 2 items, got 1"),
    ],
)
def test_wrong_fields_are_named(change: dict[str, object], message: str) -> None:
    body = {"type": "Evidence", "engine": "exact", "outcome": "PROVED", "detail": "", **change}
    with pytest.raises((ContentError, UnknownNameError), match=message):
        decode(body)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(ContentError, match="missing 1 required positional argument: 'detail'"):
        decode({"type": "Evidence", "engine": "exact", "outcome": "PROVED"})


def test_a_bool_is_not_an_int() -> None:
    with pytest.raises(ContentError, match="must be an int"):
        decode({"type": "TrialPlan", "smoke": True, "standard": 3, "deep": 4})


@pytest.mark.parametrize("value", [object(), {1: 2}, {1, 2}])
def test_what_has_no_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="a record may not hold"):
        encode(value)


def test_two_records_of_one_name_are_refused() -> None:
    twin = type("Verdict", (), {"__annotations__": {}})
    with pytest.raises(TypeError, match="two records are called Verdict"):
        record(twin)


def test_enumerations_become_their_value() -> None:
    class Colour(enum.Enum):
        RED = "red"

    assert encode((Colour.RED, [1, 2.5, None])) == ["red", [1, 2.5, None]]


@pytest.mark.parametrize("cls", RECORDS)
def test_records_are_frozen(cls: type) -> None:
    parameters = getattr(cls, "__dataclass_params__")  # noqa: B009
    assert parameters.frozen


def test_half_a_surrogate_pair_becomes_text_that_a_file_can_hold() -> None:
    assert encode("a\ud800b") == "a\\ud800b"
    assert encode("ä∞") == "ä∞"
