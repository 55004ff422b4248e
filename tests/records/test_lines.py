"""Lines that carry a digest: of verdicts alone, and what is wrong with one is named."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
import run_folder

from dpaudit.records.digests import with_digest
from dpaudit.records.errors import ContentError
from dpaudit.records.lines import read_verdict
from dpaudit.records.serial import encode
from dpaudit.runs import store


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"type": "Settings"}, "unknown record type 'Settings'"),
        ({"type": []}, r"unknown record type '\[\]'"),
        ({"basis": {"type": "Gaussian", "scale": 1}}, "unknown record type 'Gaussian'"),
        ({"duration_s": {"float": []}}, "the float that JSON lacks must be inf, -inf or nan"),
        ({"seed": True}, "Verdict.seed must be an int"),
        ({"type": "Evidence"}, "here: "),
    ],
)
def test_a_line_makes_verdicts_and_their_evidence_alone(change: dict[str, Any], words: str) -> None:
    made = run_folder.claims()[0]
    assert read_verdict(with_digest(json.dumps(encode(made))), "here") == made
    with pytest.raises(ContentError, match=f"^here: .*{words}" if words != "here: " else words):
        read_verdict(with_digest(json.dumps(encode(made) | change)), "here")


@pytest.mark.parametrize(
    ("number", "read"),
    [
        (10**300 - 1, 10**300 - 1),
        (1 - 10**300, 1 - 10**300),
        (10**300, "about 2^996"),
        (-(10**5_000), "about -2^16609"),
        (math.inf, math.inf),
    ],
    ids=["largest", "least", "larger", "much less", "infinite"],
)
def test_whatever_is_written_can_be_read(number: float, read: float | str) -> None:
    made = replace(run_folder.claims()[0], numbers=(("size", number),))
    assert read_verdict(store.line(made), "here").numbers == (("size", read),)
