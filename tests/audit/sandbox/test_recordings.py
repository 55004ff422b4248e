"""Recordings that a sandbox sends: what is none is refused in words, whatever it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from recordings import noisy, recording

from dpaudit.audit.sandbox.recordings import plain, repeat
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.errors import ContentError

SEEN = plain(recording(*noisy([np.ones(2), np.zeros(2)]), public=[("rate", 0.1)], batches=[np.arange(2)]))
DEEP = np.frombuffer(b"[" * 100_000, dtype=np.uint8)


def test_a_recording_is_repeated() -> None:
    found = repeat(SEEN, Recorder()).recording()
    assert [release.name for release in found.releases] == ["sum", "sum"]
    assert dict(found.public) == {"rate": 0.1}


@pytest.mark.parametrize(
    "sent",
    [
        np.zeros(2),
        [],
        None,
        {},
        {**SEEN, "releases": [np.zeros(2)]},
        {**SEEN, "releases": [{**SEEN["releases"][0], "at": float("inf")}]},
        {**SEEN, "releases": [{**SEEN["releases"][0], "at": 1 << 70}]},
        {**SEEN, "public": [("rate",)]},
        {**SEEN, "pieces": [np.zeros(2)]},
        {**SEEN, "inferred": True, "processed": [("w", float("inf"))]},
        {**SEEN, "draws": DEEP},
        {**SEEN, "draws": np.zeros(2)},
    ],
    ids=lambda sent: str(sent)[:40],
)
def test_what_is_no_recording_is_refused(sent: Any) -> None:
    with pytest.raises(ContentError, match=r"is no (recording|log of draws)"):
        repeat(sent, Recorder())
