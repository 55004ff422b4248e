"""A running Coq that finds out which proofs fail, and goes on after one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from coq import needs_coq

from dpaudit.kernel import coqc
from dpaudit.kernel.export import Exported
from dpaudit.kernel.lemmas import Lemma
from dpaudit.kernel.session import Ended, Session

GOOD = Exported((), (Lemma("node_1", "0 <= 1", "", "lra"),), "0 <= 1", "exact node_1")


@needs_coq
def test_it_goes_on_after_a_failure(tmp_path: Path) -> None:
    coqc.prepare(tmp_path)
    session = Session(tmp_path)
    bad = replace(GOOD, theorem="1 <= 0")
    broken = replace(GOOD, proof="nonsense [")
    found = [session.failure(one) for one in (GOOD, bad, broken, GOOD)]
    assert [one is None for one in found] == [True, False, False, True]
    assert found[1] is not None
    assert found[1].startswith("claim: ")
    with pytest.raises(Ended):
        session.ask("Quit.", 5)
