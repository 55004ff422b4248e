"""Which certificates there are and in which state; what ships, and what an exit code says of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_content import boxed_text, write

from dpaudit.claims.certificates.overview import ABSENT, ACCEPTED, REFUSED, exit_code, overview, ship
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import ExitCode


@pytest.fixture
def proofs(workdir: Path) -> Path:
    """A folder of claims with one box proof and no certificate."""
    write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text())
    return workdir / "proofs"


def test_a_box_proof_without_certificate_is_absent(proofs: Path) -> None:
    rows = list(overview((), proofs))
    assert {"toy/LEM-2": ABSENT}.items() <= {row["name"]: row["state"] for row in rows}.items()
    assert all("dpaudit recheck RUN --ship" in row["detail"] for row in rows)
    assert exit_code(rows) is ExitCode.REFUTED


def test_what_is_no_certificate_is_refused_with_its_reason(proofs: Path) -> None:
    file = write(proofs / "toy" / "certificates" / "toy_LEM-2.json", "{}")
    (row,) = overview((str(file),), proofs)
    assert (row["state"], row["name"]) == (REFUSED, str(file))
    assert row["detail"]


def test_names_that_are_nothing_are_wrong_arguments(proofs: Path) -> None:
    with pytest.raises(ConfigurationError, match="is no certificate, run folder"):
        list(overview(("toy/LEM-9",), proofs))


def test_a_run_without_certificates_ships_none(proofs: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert ship(tmp_path / "out", proofs) == 0


def test_exit_codes() -> None:
    assert exit_code([]) is ExitCode.NOTHING_COLLECTED
    assert exit_code([{"state": ACCEPTED}]) is ExitCode.EXPECTED
    assert exit_code([{"state": ACCEPTED}, {"state": REFUSED}]) is ExitCode.REFUTED
