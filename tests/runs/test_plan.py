"""The plan: which items, which controls, which share of the error budget."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from plans import audit, own_audits
from small_content import target_text, write


def test_every_audit_is_a_registered_test(workdir: Path) -> None:
    own_audits(workdir)
    ledger = audit("toy/sum", "bad/half", "null/zero", controls=False, alpha=4e-3).ledger  # the null control has two
    assert (ledger.total, ledger.planned, ledger.share) == (4e-3, 4, 1e-3)
    assert [entry.name for entry in ledger.entries] == ["bad/half", "null/zero", "toy/sum"]


def shared(folder: Path, share: str = "0.2") -> None:
    """Two targets in a file that sets what they share, one in another file."""
    two = target_text("toy/one") + "AUDITS = (Audit(TARGET, neighbours=neighbours, run=run, score=score),\n"
    two += "  Audit(replace(TARGET, name='toy/two'), neighbours=neighbours, run=run, score=score))\ndel TARGET\n"
    imports = "from dataclasses import replace\nfrom dpaudit.content.audits import Audit\n"
    write(folder / "audits" / "both.py", f"{imports}{two}ERROR_SHARE = {share}\n")
    write(folder / "audits" / "sum.py", target_text())


@pytest.mark.parametrize("isolate", [True, False])
def test_a_file_sets_what_its_audits_share(workdir: Path, isolate: bool) -> None:
    shared(workdir)
    plan = audit(alpha=1e-2, controls=False, isolate=isolate)
    assert {entry.name: plan.ledger.of(entry.name) for entry in plan.ledger.entries} == pytest.approx(
        {"toy/one": 1e-3, "toy/two": 1e-3, "toy/sum": 8e-3}
    )


def test_each_item_is_repeated_at_its_share(workdir: Path) -> None:
    shared(workdir)
    plan = audit(alpha=1e-2, controls=False)
    for task in plan.tasks:
        words = shlex.split(task.again)
        alone = audit(words[2], alpha=float(words[words.index("--alpha") + 1]), controls=False)
        assert alone.ledger.of(task.name) == pytest.approx(plan.ledger.of(task.name))


@pytest.mark.parametrize("share", ["0.0", "1.0", "-0.1", "float('nan')", "'half'", "True"])
@pytest.mark.parametrize("isolate", [True, False])
def test_what_is_no_share_is_an_error_of_its_file(workdir: Path, share: str, isolate: bool) -> None:
    shared(workdir, share)
    broken, sound = audit(controls=False, isolate=isolate).tasks
    assert "ERROR_SHARE" in broken.error or "error_share" in broken.error
    assert (sound.name, sound.error) == ("toy/sum", "")
