"""Which certificates there are and in which state; what ships, and what an exit code says of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_content import boxed_text, write

from dpaudit.claims.certificates.overview import (
    ABSENT,
    ACCEPTED,
    REFUSED,
    STALE,
    _citable,
    _claims,
    exit_code,
    overview,
    ship,
)
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import ExitCode
from dpaudit.runs.execute import run
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings


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


CITING = """
from dpaudit.records.claim import ByTheorem, Claim, ClaimKind, Statement, real

CLAIM = Claim("toy/LEM-3", "t", "w", "Lemma 3", ClaimKind.INEQUALITY, Statement("x**2*(1 - x**2) <= 0.26",
              (real("x", "[0, 1]"),)), (ByTheorem("other/LEM-2", at=(("r", "x**2"),)),))
"""


def test_what_a_certificate_cites_of_another_paper_is_as_it_reads_now(workdir: Path, tmp_path: Path) -> None:
    """In the folder of the claims, and in a run that did not look at the claim that is cited."""
    cited = write(workdir / "proofs" / "other" / "lem_2.py", boxed_text("other/LEM-2"))
    write(workdir / "proofs" / "toy" / "lem_3.py", CITING)
    made = tmp_path / "run"
    plan = make_plan(Settings("verify", (Part.VERIFY,), ("toy/LEM-3",), jobs=1))
    assert run(plan, made, lambda *_: None).code is ExitCode.EXPECTED
    assert ship(made, workdir / "proofs") == 1
    for again in ("0.26", "0.255"):
        write(cited, boxed_text("other/LEM-2", again))
        _claims.cache_clear()
        _citable.cache_clear()
        of_run = [row for row in overview((str(made),), workdir / "proofs") if row["name"] == "toy/LEM-3"]
        shipped = list(overview(("toy/LEM-3",), workdir / "proofs"))
        states = [row["state"] for row in (*of_run, *shipped)]
        assert states == [ACCEPTED if again == "0.26" else STALE] * 2, (of_run, shipped)
