"""Counts and groups of a report, from the one list of verdicts."""

from __future__ import annotations

from dataclasses import replace

import run_folder
from run_folder import verdict

from dpaudit.records.reading import Reads
from dpaudit.records.verdict import OWN_SENTENCE, Evidence, Kind, Outcome
from dpaudit.report import sections

ALL = [*run_folder.claims(), *run_folder.agreements(), *run_folder.games()]


def test_the_synthetic_run_has_every_outcome_and_kind() -> None:
    assert {v.outcome for v in ALL} == set(Outcome)
    assert {v.kind for v in ALL} == set(Kind)


def test_the_table_of_kinds_adds_up() -> None:
    *lines, total = sections.tallies(ALL)
    assert [sum(column) for column in zip(*(line.counts for line in lines), strict=True)] == list(total.counts)
    assert sum(line.total for line in lines) == total.total == len(ALL)
    assert sum(line.unexpected for line in lines) == total.unexpected


def test_claims_and_steps_are_counted_by_what_they_read() -> None:
    rows = [
        replace(verdict("toy/LEM-1", Kind.CLAIM, Outcome.REFUTED, Outcome.REFUTED), reads=Reads.PRINTED),
        replace(verdict("toy/LEM-1/s1", Kind.STEP, Outcome.REFUTED, Outcome.REFUTED), reads=Reads.REASON),
        replace(verdict("toy/LEM-1/r1", Kind.REDUCTION, Outcome.PROVED), reads=Reads.OURS),
        verdict("toy/LEM-1~m", Kind.MUTANT, Outcome.REFUTED, Outcome.REFUTED),
    ]
    refuted = list(Outcome).index(Outcome.REFUTED)
    found = {tally.label: (tally.counts[refuted], tally.total) for tally in sections.reading_tallies(rows)}
    assert found == {"printed lines": (1, 1), "reasons given for a line": (1, 1), "added by us": (0, 1)}
    assert sections.reading_tallies([replace(v, reads=None) for v in rows]) == ()


def test_errata_of_papers_are_apart_from_implementations_and_controls() -> None:
    found = sections.refutations(ALL)
    assert [v.id for v in found.errata] == ["rbcd/LEM-2/s2"]
    assert [v.id for v in found.implementations] == ["third/party"]
    assert [v.id for v in found.unexpected] == ["srm/COR-6", "surprise/optimiser"]


def test_a_null_control_that_is_refuted_is_an_unexpected_refutation() -> None:
    null = replace(run_folder.games()[-1], outcome=Outcome.REFUTED)
    assert sections.refutations([null]).unexpected == (null,)


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
    assert [row.name for row in rbcd.rows] == ["LEM-2", "s1", "s2", "r1", "LEM-2~repaired", "THM-1", "THM-2", "THM-3"]
    assert lemma.cells[:2] == ((Outcome.PROVED, 1), (Outcome.PROVED, 1))
    assert (lemma.planted, lemma.caught) == (1, 1)


def test_coq_has_a_column_where_it_was_asked() -> None:
    asked = run_folder.verdict("a/B-1", Kind.CLAIM, Outcome.PROVED, engine="rigorous")
    opinion = Evidence(sections.KERNEL, Outcome.INCONCLUSIVE, "Coq does not accept the certificate")
    asked = replace(asked, evidence=(*asked.evidence, opinion))
    odd = run_folder.verdict("a/B-2", Kind.CLAIM, Outcome.NOT_RUN, engine="harness")
    assert sections.engines([asked]) == (*sections.ENGINES, "coq")
    assert sections.engines([asked, odd]) == (*sections.ENGINES, "coq", "other")
    (paper,) = sections.papers([asked, odd])
    cells = [row.cells[-2:] for row in paper.rows]
    assert cells == [((Outcome.INCONCLUSIVE, 1), (None, 0)), ((None, 0), (Outcome.NOT_RUN, 1))]


def test_sentences_of_their_own_are_counted_with_no_mutants() -> None:
    own = [
        run_folder.verdict(
            f"rbcd/LEM-2~own-{outcome}", Kind.MUTANT, outcome, Outcome.REFUTED, numbers=((OWN_SENTENCE, True),)
        )
        for outcome in (Outcome.REFUTED, Outcome.INCONCLUSIVE)
    ]
    plain, with_own = (
        {paper.name: paper for paper in sections.papers(listed)}["rbcd"] for listed in (ALL, [*ALL, *own])
    )
    assert (with_own.planted, with_own.caught) == (plain.planted, plain.caught) == (3, 2)
    assert with_own.survivors == (*plain.survivors, own[1])
    assert (plain.uncounted, with_own.uncounted) == (
        "",
        "1 of 2 false sentences of their own refuted, which are not counted",
    )
    assert with_own.rows[0].planted == 1
    assert "2 of 4 mutants caught" in sections.sentence([*ALL, *own])


def test_an_engine_of_another_name_gets_the_last_column() -> None:
    odd = run_folder.verdict("a/B-1", Kind.CLAIM, Outcome.NOT_RUN, engine="harness")
    assert sections.engines([odd]) == (*sections.ENGINES, "other")
    assert sections.papers([odd])[0].rows[0].cells[-1] == (Outcome.NOT_RUN, 1)


def test_a_file_that_could_not_be_loaded_belongs_to_no_paper() -> None:
    broken = run_folder.verdict("proofs/rbcd/lem_9", Kind.CLAIM, Outcome.ERROR, Outcome.PROVED, engine="run")
    assert [paper.name for paper in sections.papers([*ALL, broken])] == ["rbcd", "srm", sections.UNKNOWN_PAPER]
    assert " claims of 2 papers (rbcd, srm)" in sections.subject([*ALL, broken])


def test_lemmas_of_our_own_are_of_no_paper() -> None:
    own = run_folder.verdict("dpaudit/RANK", Kind.CLAIM, Outcome.PROVED)
    assert " claims of 2 papers (rbcd, srm) and of dpaudit's own" in sections.subject([*ALL, own])
    assert sections.subject([own]) == "1 claim of dpaudit's own"


def test_an_accepted_outcome_is_no_surprise_and_counts_as_none() -> None:
    accepted = replace(next(v for v in ALL if v.id == "srm/COR-6"), accepted="until 2030-01-01: known")
    assert sections.surprises([accepted]) == []
    assert sections.refutations([accepted]).unexpected == ()
    assert sections.tallies([accepted])[-1].unexpected == 0


def test_rows_of_a_paper_are_grouped_by_claim() -> None:
    rbcd = next(paper for paper in sections.papers(ALL) if paper.name == "rbcd")
    groups = {name: [row.name for row in rows] for name, rows in sections.by_claim(rbcd.rows)}
    assert groups["rbcd/LEM-2"] == ["LEM-2", "s1", "s2", "r1"]
    assert sum(map(len, groups.values())) == len(rbcd.rows)


def test_a_page_tells_all_evidence_but_the_quiet_checks() -> None:
    game = next(v for v in ALL if v.id == "third/party")
    silent = Evidence("structural", Outcome.CONSISTENT, "found nothing")
    both = replace(game, evidence=(*game.evidence, silent))
    assert (sections.told(both), sections.quiet(both)) == (list(game.evidence), [silent])
    held = replace(both, outcome=Outcome.CONSISTENT)
    assert sections.told(held) == list(both.evidence)


def test_one_outcome_is_and_several_are_not_as_expected() -> None:
    assert sections.unexpected(1, 2) == "1 of 2 outcomes is not as expected"
    assert sections.unexpected(3, 5) == "3 of 5 outcomes are not as expected"


def test_a_paper_is_cited_by_what_all_its_claims_share() -> None:
    sources = ("A. A, B. B (2024), On x, and y, Lemma 1", "A. A, B. B (2024), On x, and y, Theorem 2, part (b)")
    listed = [verdict(f"toy/LEM-{i}", Kind.CLAIM, Outcome.PROVED, source=s) for i, s in enumerate(sources)]
    [paper] = sections.papers(listed)
    assert sections.work(paper) == "A. A, B. B (2024), On x, and y"
    assert sections.outcomes(paper) == (2, 0, 0, 0, 0, 0)
    [alone] = sections.papers(listed[:1])
    assert sections.work(alone) == "", "of one claim nobody knows where the place begins"


def test_evidence_does_not_repeat_the_witness() -> None:
    v = verdict("toy/LEM-1", Kind.CLAIM, Outcome.REFUTED, witness=(("x", "1/2"), ("y", 3), ("left", "2")))
    said = {detail: sections.briefly(v, Evidence("exact", Outcome.REFUTED, detail)) for detail in (
        "at x = 1/2, y = 3: left 2 > right 1", "at x = 1/3: left 2 > right 1", "the checker accepts it",
    )}  # fmt: skip
    assert list(said.values()) == ["at the witness: left 2 > right 1", *list(said)[1:]]
    bare = replace(v, witness=())
    assert sections.briefly(bare, Evidence("exact", Outcome.REFUTED, "at : x")) == "at : x"
