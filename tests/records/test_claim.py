"""Claims as data: one JSON form, printed steps told from steps of ours."""

import pytest

from dpaudit.records.claim import Boxes, Claim, ClaimKind, Mutant, Sampling, Search, Statement, Step, real
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
    assert step(name).printed is printed


def test_a_claim_survives_json():
    checks = (Sampling("draw", "<=", 1.0, 2.0, 0.5), Search("hunt", 0.9))
    whole = Claim(
        "a/B-1", "t", "w", "p", ClaimKind.MOMENT, Statement("r <= 1", (R,)), (Boxes(9),), (step("s1"),), checks
    )
    assert decode(encode(whole)) == whole
    assert decode(encode(Claim("a/B-2", "t", "w", "p", ClaimKind.PRIVACY, None))).statement is None
