"""The command `recheck`: accepted, refused, stale and absent certificates, and what is shipped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import dpaudit
from small_content import boxed_text, claim_text, write

from dpaudit.claims.certificates import overview
from dpaudit.records.verdict import ExitCode

NAMES = ["toy/LEM-2", "toy/LEM-2~best-height"]


def rows(*words: str | Path) -> dict[str, str]:
    return {row["name"]: row["state"] for row in json.loads(dpaudit("recheck", *words, "--format", "json").stdout)}


@pytest.fixture
def shipped(workdir: Path) -> Path:
    """A folder of claims with the certificates of a run shipped beside them."""
    write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text())
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    done = dpaudit("verify", "--jobs", "1", "--no-report", "--run-dir", "out")
    assert done.exit_code == 0, done.output
    assert dpaudit("recheck", "out", "--ship").exit_code == 0
    return workdir / "proofs" / "toy"


def certificates(folder: Path) -> list[Path]:
    return sorted((folder / "certificates").glob("*.json"))


def test_what_is_shipped_is_accepted(shipped: Path) -> None:
    done = dpaudit("recheck")
    assert (done.exit_code, done.stdout.count("accepted")) == (0, 2)
    assert rows() == dict.fromkeys(NAMES, "accepted")
    assert rows("out") == dict.fromkeys(NAMES, "accepted")
    assert rows("toy/LEM-2") == dict.fromkeys(NAMES, "accepted")
    assert rows(certificates(shipped)[0]) == {NAMES[0]: "accepted"}


def test_an_edited_statement_is_stale(shipped: Path) -> None:
    write(shipped / "lem_2.py", boxed_text().replace("r*(1 - r) <= 0.26", "r*(1 - r) <= 0.255"))
    done = dpaudit("recheck")
    assert done.exit_code == 1
    assert "toy/LEM-2 was edited" in done.stdout
    assert rows()[NAMES[0]] == "stale"


@pytest.mark.parametrize(
    ("old", "new"),
    [("13/50", "12/50"), ('"splits": "', '"splits": "0 '), ("toy/LEM-2", "toy/LEM-3"), ("{", "["), ('"1"', '"2"')],
)
def test_a_corrupted_certificate_is_refused(shipped: Path, old: str, new: str) -> None:
    file = certificates(shipped)[0]
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))
    done = dpaudit("recheck")
    assert done.exit_code == 1
    assert "refused" in done.stdout


def test_a_lost_certificate_is_absent(shipped: Path) -> None:
    certificates(shipped)[1].unlink()
    assert rows() == {NAMES[0]: "accepted", NAMES[1]: "absent"}
    assert dpaudit("recheck").exit_code == 1


def test_a_statement_that_is_gone_leaves_a_stale_certificate(shipped: Path) -> None:
    (shipped / "lem_2.py").unlink()
    assert set(rows().values()) == {"stale"}


def test_no_certificate_at_all(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    assert dpaudit("recheck").exit_code == ExitCode.NOTHING_COLLECTED


def test_what_does_not_exist_is_a_wrong_argument(shipped: Path) -> None:
    assert dpaudit("recheck", "nowhere").exit_code == 2
    assert dpaudit("recheck", "--ship").exit_code == 2
    assert dpaudit("recheck", "out", "proofs", "--ship").exit_code == 2


def test_shipping_replaces_those_of_the_claims_of_the_run_alone(shipped: Path) -> None:
    write(shipped / "lem_4.py", boxed_text("toy/LEM-4"))
    assert dpaudit("verify", "toy/LEM-4", "--jobs", "1", "--no-report", "--run-dir", "other").exit_code == 0
    old = write(shipped / "certificates" / "toy_LEM-4_s9.json", "{}")
    assert overview.ship(Path("other"), None) == 2
    assert not old.exists()
    assert set(rows().values()) == {"accepted"}
    assert len(rows()) == 4


def test_a_certificate_of_no_claim_here_is_not_shipped(shipped: Path) -> None:
    (shipped / "lem_2.py").unlink()
    done = dpaudit("recheck", "out", "--ship")
    assert done.exit_code == 2
    assert "is no statement of" in done.stderr
    assert len(certificates(shipped)) == 2
