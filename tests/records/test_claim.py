"""Claims as data: one JSON form, printed steps told from steps of ours."""

import pytest

from dpaudit.records.claim import (
    Boxes,
    Claim,
    ClaimKind,
    Condition,
    Mutant,
    Origin,
    Reads,
    Sampling,
    Search,
    Statement,
    Step,
    given,
    real,
)
from dpaudit.records.errors import ContentError
from dpaudit.records.serial import decode, encode

R = real("r", "[0, 1]")


def step(name):
    return Step(name, "words", Statement("r <= 1", (R,)), (Boxes(),), (Search("draw", 0.9),), (Mutant("m", "c"),))


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("s1", True),
        ("s12", True),
        ("s4-bound", True),
        ("s1~repaired", False),
        ("r1", False),
        ("tight", False),
        ("sens", False),
    ],
)
def test_printed_steps_are_known_by_their_name(name, printed):
    assert (step(name).read_as is Reads.PRINTED) is printed


def test_a_claim_survives_json():
    checks = (Sampling("draw", "<=", 1.0, 2.0, 0.5), Search("hunt", 0.9))
    whole = Claim(
        "a/B-1", "t", "w", "p", ClaimKind.MOMENT, Statement("r <= 1", (R,)), (Boxes(9),), (step("s1"),), checks
    )
    assert decode(encode(whole)) == whole
    assert decode(encode(Claim("a/B-2", "t", "w", "p", ClaimKind.PRIVACY, None))).statement is None


def test_what_is_said_of_a_condition_is_said_of_one_that_stands_there():
    statement = Statement("r <= 1", (R,), ("r <= 1/2",))
    origin = Condition("r <= 1/2", Origin.GIVEN, "a/B-1/s1")
    assert given(Step("s2", "w", statement, origins=(origin,))) == ("a/B-1/s1",)
    with pytest.raises(ContentError, match="no condition of it"):
        Step("s2", "w", statement, origins=(Condition("r <= 1/3", Origin.OURS),))


def test_what_is_read_is_said_or_told_by_the_name():
    assert Step("s1", "w", None, reads=Reads.REASON).read_as is Reads.REASON
    claims = {name: Claim(name, "t", "w", "p", ClaimKind.TAIL, None) for name in ("a/B-1", "a/B-1~repaired")}
    assert [claim.read_as for claim in claims.values()] == [Reads.PRINTED, Reads.OURS]
