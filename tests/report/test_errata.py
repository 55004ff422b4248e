"""The tables that are read off verdicts: what they count, and what they leave out."""

import pytest
from run_folder import verdict

from dpaudit.records.verdict import OWN_SENTENCE, Kind, Outcome
from dpaudit.report import errata
from dpaudit.report.severity import Erratum, Severity

PROVED, REFUTED, INCONCLUSIVE = Outcome.PROVED, Outcome.REFUTED, Outcome.INCONCLUSIVE


def constant(printed="24", proved="1.5", outcome=PROVED, refuted="0.9"):
    numbers = (("constant", "factor"), ("printed", printed), ("proved", proved), ("refuted", refuted))
    return verdict("toy/LEM-1/s1~best-factor", Kind.REDUCTION, outcome, PROVED, numbers=numbers)


@pytest.mark.parametrize(
    ("printed", "proved", "factor"),
    [("24", "1.5", "16"), ("1/2", "1/3", "1.5"), ("24", "0", ""), ("2*pi", "6", ""), ("24", "e", "")],
)
def test_looseness_is_printed_over_proved(printed, proved, factor):
    (row,) = errata.looseness([constant(printed, proved), verdict("toy/LEM-1/r1", Kind.REDUCTION, PROVED)])
    assert (row.statement, row.constant, row.refuted) == ("toy/LEM-1/s1", "factor", "0.9")
    assert row.factor == factor


def test_a_constant_that_was_not_proved_keeps_its_outcome():
    (row,) = errata.looseness([constant(outcome=INCONCLUSIVE)])
    assert row.verdict.outcome is INCONCLUSIVE
    assert row.standing == ""


@pytest.mark.parametrize(
    ("printed", "proved", "refuted", "standing"),
    [
        ("1", "2", "1.99", "fails"), ("1.99", "2", "199/100", "fails"), ("1.995", "2", "1.99", "open"),
        ("2", "2", "1.99", "holds"), ("24", "2", "1.99", "holds"),
        ("3", "2", "2.5", "fails"), ("2.5", "2", "2.5", "fails"), ("2.25", "2", "2.5", "open"),
        ("1", "2", "2.5", "holds"),
        ("2", "exp(1/2)", "1.6", ""), ("not given", "2", "1", ""), ("2", "2", "2", ""), ("2", "1", "", ""),
    ],
)  # fmt: skip
def test_a_printed_constant_fails_where_a_weaker_one_is_refuted(printed, proved, refuted, standing):
    (row,) = errata.looseness([constant(printed, proved, refuted=refuted)])
    assert row.standing == standing


def test_the_score_counts_false_mutants_alone():
    outcomes = (REFUTED, REFUTED, PROVED, INCONCLUSIVE, Outcome.ERROR)
    verdicts = [verdict(f"toy/LEM-1~m{i}", Kind.MUTANT, o, REFUTED) for i, o in enumerate(outcomes)]
    first, second = errata.scores([*verdicts, verdict("other/LEM-1~m", Kind.MUTANT, PROVED)])
    assert (first.planted, first.caught, first.slack, first.escaped) == (5, 2, 1, 2)
    assert str(first) == "mutation score of toy: 0.500 (2 of 4 caught, 2 escaped; 1 more are true)"
    assert "none planted" in str(second)
    assert errata.scores([verdict("toy/LEM-1", Kind.CLAIM, PROVED)]) == []


def test_sentences_of_their_own_are_no_part_of_the_score():
    own = [
        verdict(f"toy/LEM-1~own{o}", Kind.MUTANT, o, REFUTED, numbers=((OWN_SENTENCE, True),))
        for o in (REFUTED, PROVED)
    ]
    (score,) = errata.scores([verdict("toy/LEM-1~m", Kind.MUTANT, REFUTED), *own])
    assert (score.planted, score.caught, score.slack, score.escaped) == (1, 1, 0, 0)
    assert str(score) == (
        "mutation score of toy: 1.000 (1 of 1 caught, 0 escaped; 0 more are true; 1 of 2 false sentences of their own "
        "refuted, which are not counted)"
    )


def test_an_erratum_says_what_why_and_what_instead():
    wrong = verdict("toy/LEM-1/s2", Kind.STEP, REFUTED, statement="x <= y", witness=(("x", "2"), ("y", "1")),
                    effect="a factor of two", repair="toy/LEM-1~repaired")  # fmt: skip
    text = "\n".join(errata.as_text([Erratum(wrong, Severity.CHANGES, 1)]))
    parts = (
        "toy/LEM-1/s2",
        "Printed, and false: x <= y",
        Severity.CHANGES,
        "(1 statement uses it)",
        "x = 2, y = 1",
        "a factor of two",
        "toy/LEM-1~repaired",
        "1 errata",
    )
    assert all(part in text for part in parts)


def test_an_erratum_without_a_witness_gives_its_reason():
    wrong = verdict("toy/LEM-1", Kind.CLAIM, REFUTED, detail="statistical: 9 of 10")
    text = "\n".join(errata.as_text([Erratum(wrong, Severity.FALLS, 0)]))
    assert "statistical: 9 of 10" in text


def test_the_index_has_a_row_for_every_statement():
    step = verdict("toy/LEM-1/s1", Kind.STEP, INCONCLUSIVE, PROVED, source="A paper, page 4")
    claim = verdict("toy/LEM-1", Kind.CLAIM, PROVED, engine="symbolic", assuming=("union|bound",),
                    numbers=(("largest_ratio", 0.98765),), source="A paper, Lemma 1")  # fmt: skip
    mutants = [verdict(f"toy/LEM-1~m{i}", Kind.MUTANT, o, REFUTED) for i, o in enumerate((REFUTED, INCONCLUSIVE))]
    lines = errata.index([claim, step, *mutants], "smoke", 7).splitlines()
    assert "level smoke, seed 7" in "\n".join(lines)
    (row,) = [line for line in lines if line.startswith("| toy/LEM-1 |")]
    for cell in ("Lemma 1", "proved", "union\\|bound", "0.9877", "1/2"):
        assert cell in row
    assert any(line.startswith("| toy/LEM-1/s1 |") and "[proved]" in line for line in lines)
    assert not any("~m0" in line for line in lines)
