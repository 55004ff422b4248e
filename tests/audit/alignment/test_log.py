"""Logs travel as text, and nothing else is taken for one."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.audit.alignment.log import Drawn, Log, from_text
from dpaudit.records.errors import ContentError


def test_a_log_comes_back() -> None:
    log = Log(
        3,
        np.array([2, 0, 1]),
        (np.array([0, 2]), np.array([], dtype=np.int64)),
        (("torch", "ab"),),
        {"ab": "x.py:1|0|0"},
        {"k": Drawn((2, 3), "u"), "l": Drawn(None, ""), "m": Drawn((), "")},
        {("ab", "x.py:1", 2): 5},
        ("x.py:1",),
        ("x.py:1", "x.py:2"),
        (3, 1),
    )
    again = from_text(log.text())
    assert again.text() == log.text()
    assert (again.calls, again.counts, again.bases, again.first) == (log.calls, log.counts, log.bases, log.first)
    assert again.members[0].tolist() == [0, 2]
    assert (again.noisy, again.sizes, again.fewer(2)) == (log.noisy, log.sizes, ("x.py:2",))
    assert from_text(Log().text()) == Log()


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", "[1,null,[],[],[],[],[],[],[],[]]", "[1,null,[],[[1]],{},[],[],[],[],[]]"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ContentError, match="no log of draws"):
        from_text(text)


def test_moved_records_keep_their_batches() -> None:
    moved = Log(3, None, (np.array([0, 2]),)).moved(np.array([2, 0, 1]))
    assert moved.members[0].tolist() == [1, 0]
