"""Strength, threat models and power of a run, from the one list of verdicts."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import run_folder

from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.verdict import Evidence, Kind, Outcome, Verdict
from dpaudit.report import scope

ALL = [*run_folder.claims(), *run_folder.agreements(), *run_folder.games()]


def test_a_slack_mutant_is_not_counted_among_the_proofs() -> None:
    mutant = next(v for v in ALL if v.id == "srm/COR-5~slack")
    assert scope.strength([mutant]).proved == 0


def test_an_audit_that_could_catch_nothing_is_the_hardest_of_all() -> None:
    audit = run_folder.games()[0]
    blind = replace(audit, id="blind", numbers=(("smallest_violation_at_90", math.inf),))
    unknown = replace(audit, id="unknown", numbers=())
    assert scope.hardest([audit, blind, unknown]) == (blind, math.inf)
    assert scope.hardest([unknown]) is None


def test_what_the_best_canaries_would_catch_is_no_power_of_a_run() -> None:
    audit = run_folder.games()[0]
    canaries = replace(audit, id="one training", numbers=(("smallest_violation_at_90", 9.0), ("canaries", 500)))
    played = replace(audit, id="game", numbers=(("smallest_violation_at_90", 2.0),))
    assert scope.hardest([canaries, played]) == (played, 2.0)


def test_the_threat_model_is_read_from_the_statement() -> None:
    audit = run_folder.games()[0]
    assert scope.threat_model(audit) == "the final model, neighbours that replace one record"
    assert scope.threat_model(replace(audit, statement="")) == "a view that is not recorded"


def test_a_proof_rests_on_what_the_claims_below_it_rest_on() -> None:
    def proved(name: str, *assuming: str, outcome: Outcome = Outcome.PROVED) -> Verdict:
        return run_folder.verdict(name, Kind.CLAIM, outcome, assuming=assuming)

    listed = [
        proved("p/A"),
        proved("p/B", "p/A"),
        proved("p/C", "p/B", "minkowski"),
        proved("p/D", "p/C", "p/E"),
        proved("p/E", outcome=Outcome.CONSISTENT),
        proved("p/F", "p/G"),
        proved("p/G", "p/F"),
    ]
    by_id = {v.id: v for v in listed}
    resting = {v.id: scope.foundations(v, by_id) for v in listed}
    assert resting["p/A"] == resting["p/B"] == frozenset()
    assert resting["p/D"] == {"minkowski", "p/E (consistent here)"}
    assert resting["p/F"] == {"p/F (in a circle)"}
    strong = scope.strength(listed)
    assert (strong.proved, strong.unconditional) == (6, 2)


def test_proofs_are_counted_by_who_checked_them() -> None:
    def proved(name: str, *engines: str, outcome: Outcome = Outcome.PROVED) -> Verdict:
        found = tuple(Evidence(engine, outcome, "") for engine in engines)
        return replace(run_folder.verdict(name, Kind.CLAIM, outcome), evidence=found)

    strong = scope.strength([
        proved("p/A", "symbolic", "recheck"),
        proved("p/B", "smt", "recheck"),
        proved("p/C", "exact"),
        proved("p/D", "smt", "recheck", outcome=Outcome.INCONCLUSIVE),
    ])  # fmt: skip
    assert (strong.proved, strong.checked, strong.two_solvers) == (3, 2, 1)


@pytest.mark.parametrize("relation", list(Neighbours))
def test_each_relation_is_told_from_those_that_read_like_it(relation: Neighbours) -> None:
    audit = run_folder.games()[0]
    text = f"1-GDP; neighbours: {relation}; the adversary sees {View.LOSS}"
    assert scope.threat_model(replace(audit, statement=text)) == f"{View.LOSS}, neighbours that {relation}"


def test_threat_models_are_counted() -> None:
    assert scope.models(ALL) == (
        ("a view that is not recorded", 1),
        ("the final model, neighbours that replace one record", 3),
    )
    idle = replace(run_folder.games()[0], id="idle", outcome=Outcome.NOT_RUN)
    assert scope.models([*ALL, idle]) == scope.models(ALL)
    assert scope.views(ALL).startswith("here it saw a view that is not recorded (1); the final model")
