"""The command `recheck`: accepted, refused, stale and absent certificates, and what is shipped."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from command_line import dpaudit
from coq import needs_coq
from small_content import boxed_text, claim_text, write

from dpaudit.claims.certificates import opinion, overview
from dpaudit.kernel.judge import ACCEPTED, NOT_TRANSLATED, REFUSED, Judged
from dpaudit.recheck.check import digest
from dpaudit.records.verdict import Basis, ExitCode
from dpaudit.runs.reading import load_run

NAMES = ["toy/LEM-1", "toy/LEM-2", "toy/LEM-2/s1", "toy/LEM-2~best-height"]
"""In the order of their files: one by algebra, one by boxes, one refuted by a point, one by boxes."""
OF_LEMMA_2 = NAMES[1:]


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
    assert (done.exit_code, done.stdout.count("accepted")) == (0, 4)
    assert rows() == dict.fromkeys(NAMES, "accepted")
    assert rows("out") == dict.fromkeys(NAMES, "accepted")
    assert rows("toy/LEM-2") == dict.fromkeys(OF_LEMMA_2, "accepted")
    assert rows(certificates(shipped)[0]) == {NAMES[0]: "accepted"}


def test_an_edited_statement_is_stale(shipped: Path) -> None:
    write(shipped / "lem_2.py", boxed_text().replace("r*(1 - r) <= 0.26", "r*(1 - r) <= 0.255"))
    done = dpaudit("recheck")
    assert done.exit_code == 1
    assert "toy/LEM-2 was edited" in done.stdout
    assert rows()["toy/LEM-2"] == "stale"


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("old", "new"),
    [("0.26", "0.24"), ('"splits": "', '"splits": "0 '), ("toy/LEM-2", "toy/LEM-3"), ("{", "["), ("[0, 1]", "[0, 2]")],
)
def test_a_corrupted_certificate_is_refused(shipped: Path, old: str, new: str) -> None:
    file = certificates(shipped)[1]
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))
    done = dpaudit("recheck")
    assert done.exit_code == 1
    assert "refused" in done.stdout


def test_a_lost_certificate_is_absent(shipped: Path) -> None:
    certificates(shipped)[1].unlink()
    assert rows() == dict.fromkeys(NAMES, "accepted") | {"toy/LEM-2": "absent"}
    assert dpaudit("recheck").exit_code == 1


def test_a_statement_that_is_gone_leaves_a_stale_certificate(shipped: Path) -> None:
    (shipped / "lem_2.py").unlink()
    assert rows() == dict.fromkeys(OF_LEMMA_2, "stale") | {"toy/LEM-1": "accepted"}


def test_no_certificate_at_all(workdir: Path) -> None:
    (workdir / "proofs" / "toy").mkdir(parents=True)
    assert dpaudit("recheck").exit_code == ExitCode.NOTHING_COLLECTED


def test_what_does_not_exist_is_a_wrong_argument(shipped: Path) -> None:
    assert dpaudit("recheck", "nowhere").exit_code == 2
    assert dpaudit("recheck", "--ship").exit_code == 2
    assert dpaudit("recheck", "out", "proofs", "--ship").exit_code == 2


@pytest.mark.deep
def test_shipping_replaces_those_of_the_claims_of_the_run_alone(shipped: Path) -> None:
    write(shipped / "lem_4.py", boxed_text("toy/LEM-4"))
    assert dpaudit("verify", "toy/LEM-4", "--jobs", "1", "--no-report", "--run-dir", "other").exit_code == 0
    old = write(shipped / "certificates" / "toy_LEM-4_s9.json", "{}")
    assert overview.ship(Path("other"), None) == 3
    assert not old.exists()
    assert set(rows().values()) == {"accepted"}
    assert len(rows()) == 7


def test_a_certificate_of_no_claim_here_is_not_shipped(shipped: Path) -> None:
    (shipped / "lem_2.py").unlink()
    done = dpaudit("recheck", "out", "--ship")
    assert done.exit_code == 2
    assert "is no statement of" in done.stderr
    assert len(certificates(shipped)) == 4


def forged(run: Path, name: str, **change: object) -> None:
    """Change fields of a certificate of a run, with a digest that fits."""
    path = run / "certificates" / f"{name}.json"
    data = json.loads(path.read_text()) | change
    path.write_text(json.dumps(data | {"digest": digest(data)}))


TRIVIAL = {
    "statement": {"symbols": [], "conditions": [], "goal": "0 <= 1", "exists": False},
    "proof": {"by": "positive"},
}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (TRIVIAL, "it is about another statement than the verdict toy/LEM-2"),
        (TRIVIAL | {"claim": "toy/LEM-9"}, "the run has no verdict on toy/LEM-9"),
        (TRIVIAL | {"claim": "toy/LEM-2/s1"}, "the run calls toy/LEM-2/s1 REFUTED, the certificate shows PROVED"),
    ],
)
def test_a_sound_certificate_of_a_run_belongs_to_its_verdict(
    shipped: Path, change: dict[str, object], reason: str
) -> None:
    forged(Path("out"), "toy_LEM-2", **change)
    done = dpaudit("recheck", "out")
    assert done.exit_code == 1
    assert reason in done.stdout


def test_a_verdict_of_a_run_that_says_proved_has_a_certificate(shipped: Path) -> None:
    (Path("out") / "certificates" / "toy_LEM-1.json").unlink()
    done = dpaudit("recheck", "out")
    assert done.exit_code == 1
    assert rows("out")["toy/LEM-1"] == "absent"
    assert "the run calls it PROVED, and there is no certificate" in done.stdout


def test_the_kernel_is_not_run_where_coq_is_absent(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(shipped))
    done = dpaudit("recheck", "--kernel")
    assert done.exit_code == ExitCode.INCONCLUSIVE
    assert "NOT_RUN" in done.stdout
    assert "apt install coq libcoq-interval libcoq-coquelicot" in done.stdout


@pytest.mark.deep
def test_what_coq_says_of_a_run_stands_in_its_report(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def judged(data: dict[str, Any], folder: Path | None) -> dict[str, Judged]:
        results = (Judged(ACCEPTED), Judged(REFUSED, "no script"), Judged(ACCEPTED), Judged(NOT_TRANSLATED, "no word"))
        return dict(zip(data, results, strict=True))

    monkeypatch.setattr(opinion, "judge", judged)
    done = dpaudit("recheck", "out", "--kernel")
    assert done.exit_code == ExitCode.REFUTED
    assert "kept in out/kernel.json; dpaudit report out shows it" in done.stderr
    told = dpaudit("report", "out", "--format", "markdown").stdout
    assert "asked for on 4 certificates: Coq accepted 2 and refused 1, and 1 were not put to it." in told
    assert rows("out") == dict.fromkeys(NAMES, "accepted")


@pytest.mark.deep
def test_a_report_says_that_there_was_no_coq(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(shipped))
    assert dpaudit("recheck", "out", "--kernel").exit_code == ExitCode.INCONCLUSIVE
    told = dpaudit("report", "out", "--format", "json").stdout
    assert told.count("not run: apt install coq libcoq-interval libcoq-coquelicot") == 4
    told = dpaudit("report", "out", "--format", "markdown").stdout
    assert "asked for on 4 certificates: Coq accepted 0 and refused 0, and 4 were not put to it." in told


@needs_coq
def test_the_kernel_accepts_what_is_shipped_and_refuses_a_forged_file(shipped: Path, workdir: Path) -> None:
    forged = certificates(shipped)[0]
    forged.write_text(forged.read_text().replace('"PROVED"', '"REFUTED"'))
    done = dpaudit("recheck", "--kernel", "--format", "json", "--texts", workdir / "texts")
    assert done.exit_code == ExitCode.REFUTED
    found = json.loads(done.stdout)
    assert [row["state"] for row in found] == ["refused", *["accepted"] * (len(found) - 1)], found
    assert (workdir / "texts" / "Certificates_0.v").is_file()


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("words", [("out", "--ship", "--kernel"), ("--texts", "texts")])
def test_the_kernel_excludes_what_makes_no_sense(shipped: Path, words: tuple[str, ...]) -> None:
    assert dpaudit("recheck", *words).exit_code == ExitCode.USAGE


def test_an_inference_from_what_is_refuted_has_a_certificate_that_is_accepted(workdir: Path) -> None:
    text = boxed_text().replace("steps=(", 'origins=(Condition("", Origin.GIVEN, "toy/LEM-2/s1"),),\n    steps=(')
    text = text.replace("statement=", "expects=Outcome.CONSISTENT,\n    statement=", 1)
    text = re.sub(r"from dpaudit[^\n]*import (\([^)]*\)|[^\n]*)", "from dpaudit.claims.writing import *", text, count=1)
    write(workdir / "proofs" / "toy" / "lem_2.py", text)
    assert dpaudit("verify", "--jobs", "1", "--no-report", "--run-dir", "out").exit_code == 0
    verdict = next(v for v in load_run(Path("out")).verdicts if v.id == "toy/LEM-2")
    assert verdict.basis is Basis.REFUTED_GIVEN
    done = dpaudit("recheck", "out")
    assert (done.exit_code, rows("out")["toy/LEM-2"]) == (0, "accepted"), done.stdout
    for file in Path("out", "certificates").glob("toy_LEM-2.json"):
        file.unlink()
    assert rows("out")["toy/LEM-2"] == "absent"
