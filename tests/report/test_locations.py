"""Which file and which paper or library an outcome belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_folder import verdict

from dpaudit.records.verdict import Kind, Outcome
from dpaudit.report.locations import Files, group
from dpaudit.runs.reading import Run

PLAN = [
    {"part": "verify", "name": "toy/LEM-1", "file": "proofs/toy/lem_1.py"},
    {"part": "verify", "name": "toy/LEM-1~repaired", "file": "proofs/toy/repaired.py"},
    {"part": "verify", "name": "toy/LEM-1.2", "file": "proofs/toy/lem_1_2.py"},
    {"part": "agree", "name": "toy/ALG-1", "file": "dpaudit/algorithms/alg.py"},
    {"part": "audit", "name": "known-bad/no-noise", "file": "audits/known_bad/no_noise.py"},
]


@pytest.mark.parametrize(
    ("name", "kind", "file", "owner"),
    [
        ("toy/LEM-1", Kind.CLAIM, "proofs/toy/lem_1.py", "toy"),
        ("toy/LEM-1/s1", Kind.STEP, "proofs/toy/lem_1.py", "toy"),
        ("toy/LEM-1/s1~a/b", Kind.MUTANT, "proofs/toy/lem_1.py", "toy"),
        ("toy/LEM-1~repaired/s2", Kind.STEP, "proofs/toy/repaired.py", "toy"),
        ("toy/LEM-1.2~best-c", Kind.REDUCTION, "proofs/toy/lem_1_2.py", "toy"),
        ("toy/LEM-1.3", Kind.CLAIM, "", "toy"),
        ("agree/toy/ALG-1/numba/float64", Kind.AGREEMENT, "dpaudit/algorithms/alg.py", "toy"),
        ("known-bad/no-noise", Kind.CONTROL, "audits/known_bad/no_noise.py", "known-bad"),
        ("alone", Kind.AUDIT, "", "alone"),
    ],
)
def test_an_outcome_belongs_to_the_file_of_its_task(name: str, kind: Kind, file: str, owner: str) -> None:
    found = verdict(name, kind, Outcome.CONSISTENT)
    assert Files(Run(Path("out"), {"plan": PLAN}, ())).of(found) == file
    assert group(found) == owner


def test_a_run_that_does_not_record_its_plan_has_no_files() -> None:
    assert Files(Run(Path("out"), {}, ())).of(verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED)) == ""
