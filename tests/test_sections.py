"""Counts and groups of a report, from the one list of verdicts."""

from __future__ import annotations

import math
from dataclasses import replace

import run_folder

from dpaudit import sections
from dpaudit.verdict import Kind, Outcome

ALL = [*run_folder.claims(), *run_folder.agreements(), *run_folder.games()]


def test_the_synthetic_run_has_every_outcome_and_kind() -> None:
    assert {v.outcome for v in ALL} == set(Outcome)
    assert {v.kind for v in ALL} == set(Kind)


def test_the_table_of_kinds_adds_up() -> None:
    *lines, total = sections.tallies(ALL)
    assert [sum(column) for column in zip(*(line.counts for line in lines), strict=True)] == list(total.counts)
    assert sum(line.total for line in lines) == total.total == len(ALL)
    assert sum(line.unexpected for line in lines) == total.unexpected


def test_errata_of_papers_are_apart_from_implementations_and_controls() -> None:
    found = sections.refutations(ALL)
    assert [v.id for v in found.errata] == ["rbcd/LEM-2/s2"]
    assert [v.id for v in found.implementations] == ["third/party"]
    assert [v.id for v in found.unexpected] == ["srm/COR-6", "surprise/optimiser"]


def test_a_slack_mutant_is_not_counted_among_the_proofs() -> None:
    mutant = next(v for v in ALL if v.id == "srm/COR-5~slack")
    assert sections.strength([mutant]).proved == 0


def test_only_refutations_by_sampling_alone_are_statistical() -> None:
    sampled = run_folder.verdict("a/B-1", Kind.CLAIM, Outcome.REFUTED, engine="empirical", detail="statistical: mean 3")
    searched = run_folder.verdict(
        "a/B-2", Kind.CLAIM, Outcome.REFUTED, engine="empirical", detail="ratio 1.2 exceeds 1"
    )
    exact = replace(sampled, evidence=(*sampled.evidence, *next(v for v in ALL if v.id == "srm/COR-6").evidence))
    assert [sections.is_statistical(v) for v in (sampled, searched, exact)] == [True, False, False]


def test_the_matrix_has_statement_and_proof_apart() -> None:
    rbcd = next(paper for paper in sections.papers(ALL) if paper.name == "rbcd")
    lemma = rbcd.rows[0]
    assert (lemma.verdict.outcome, lemma.proof, lemma.settled, lemma.steps) == (Outcome.PROVED, Outcome.REFUTED, 1, 2)
    assert [row.name for row in rbcd.rows] == ["LEM-2", "s1", "s2", "LEM-2~repaired", "THM-1", "THM-2", "THM-3"]
    assert lemma.cells[:2] == ((Outcome.PROVED, 1), (Outcome.PROVED, 1))
    assert (lemma.planted, lemma.caught) == (1, 1)


def test_an_engine_of_another_name_gets_the_last_column() -> None:
    odd = run_folder.verdict("a/B-1", Kind.CLAIM, Outcome.NOT_RUN, engine="harness")
    assert sections.engines([odd]) == (*sections.ENGINES, "other")
    assert sections.papers([odd])[0].rows[0].cells[-1] == (Outcome.NOT_RUN, 1)


def test_an_audit_that_could_catch_nothing_is_the_hardest_of_all() -> None:
    audit = run_folder.games()[0]
    blind = replace(audit, id="blind", numbers=(("smallest_violation_at_90", math.inf),))
    unknown = replace(audit, id="unknown", numbers=())
    assert sections.hardest([audit, blind, unknown]) == (blind, math.inf)
    assert sections.hardest([unknown]) is None


def test_the_threat_model_is_read_from_the_statement() -> None:
    audit = run_folder.games()[0]
    assert sections.threat_model(audit) == "the final model, neighbours that replace one record"
    assert sections.threat_model(replace(audit, statement="")) == "a view that is not recorded"
