"""Rows of what Coq says, with stand-ins for Coq."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpaudit.claims.certificates import opinion
from dpaudit.kernel.coqc import Absent
from dpaudit.kernel.judge import ACCEPTED, NOT_TRANSLATED, REFUSED, Judged
from dpaudit.records.verdict import ExitCode


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """One certificate by its name, and one file that is none."""
    (tmp_path / "a.json").write_text(json.dumps({"claim": "toy/LEM-1"}))
    (tmp_path / "b.json").write_text("{")
    return [str(tmp_path / name) for name in ("a.json", "b.json")]


def test_rows_name_claims_and_what_is_assumed(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answers = (Judged(ACCEPTED, "", ("t",)), Judged(REFUSED, "why"))
    monkeypatch.setattr(opinion, "judge", lambda data, folder: dict(zip(data, answers, strict=True)))
    assert opinion.opinions(files, None) == [
        {"state": "accepted", "name": "toy/LEM-1", "detail": "assuming t"},
        {"state": "refused", "name": files[1], "detail": "why"},
    ]


def test_without_coq_nothing_is_judged(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: object) -> None:
        raise Absent("how to install it")

    monkeypatch.setattr(opinion, "judge", absent)
    rows = opinion.opinions(files, None)
    assert rows == [{"state": "NOT_RUN", "name": "coqc", "detail": "how to install it"}]
    assert opinion.exit_code(rows) is ExitCode.INCONCLUSIVE


@pytest.mark.parametrize(
    ("states", "code"),
    [
        ([], ExitCode.NOTHING_COLLECTED),
        ([ACCEPTED], ExitCode.EXPECTED),
        ([ACCEPTED, NOT_TRANSLATED], ExitCode.INCONCLUSIVE),
        ([ACCEPTED, NOT_TRANSLATED, REFUSED], ExitCode.REFUTED),
        (["NOT_RUN"], ExitCode.INCONCLUSIVE),
    ],
)
def test_exit_codes(states: list[str], code: ExitCode) -> None:
    assert opinion.exit_code([{"state": state} for state in states]) is code
