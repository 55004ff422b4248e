"""A claim is shown like a page of its paper, with what a reader asks next beside each line."""

from __future__ import annotations

from dataclasses import replace

from run_folder import verdict

from dpaudit.claims.writing import erratum, step
from dpaudit.records.claim import Claim, ClaimKind, Reads, Statement, real
from dpaudit.records.verdict import Basis, Kind, Outcome
from dpaudit.report.formats import claim_page
from dpaudit.report.severity import Standing

X = real("x", "[0, 1]", "a number")
WRONG = erratum(
    "s1", "the square is at most a half", "x**2 <= 1/2", (X,), place="page 3, line 2", printed="x^2 \\le \\frac12",
    finding="false at 1", repair="toy/LEM-1/s2", reads=Reads.READING,
)  # fmt: skip
NEXT = step(
    "s2", "hence so is the cube", "x**3 <= 1/2", (X,), given={"toy/LEM-1/s1": "x**2 <= 1/2"}, enough=("x <= 9/10",),
    ours=("x <= 1",), expects=Outcome.CONSISTENT,
)  # fmt: skip
CLAIM = Claim(
    "toy/LEM-1", "a toy", "For x in [0, 1]: x <= 1.", "Lemma 1", ClaimKind.INEQUALITY, Statement("x <= 1", (X,)),
    steps=(WRONG, NEXT),
)  # fmt: skip


def page(*verdicts):
    found = {v.id: v for v in verdicts}
    return list(claim_page.lines(CLAIM, "lem_1.py", found, Standing.of_claims([CLAIM])))


def block(lines, start):
    """The lines of the statement whose first line has `start`, without the margin, in one line; and the margin."""
    first = next(i for i, line in enumerate(lines) if line[claim_page.MARGIN :].startswith(start))
    last = next((i for i, line in enumerate(lines[first:], first) if not line), len(lines))
    cut = [(line[: claim_page.MARGIN].strip(), line[claim_page.MARGIN :].strip()) for line in lines[first:last]]
    return " ".join(body for _, body in cut), " ".join(margin for margin, _ in cut if margin)


def test_the_printed_line_its_place_and_what_it_reads_come_first():
    body, margin = block(page(), "s1")
    assert body.startswith(
        "s1 the square is at most a half (page 3, line 2) [reading] printed: x^2 \\le \\frac12 checked:"
    )
    assert margin == "refuted"
    for part in ("finding: false at 1", "repair: toy/LEM-1/s2", "used by: toy/LEM-1/s2"):
        assert part in body


def test_conditions_say_where_they_come_from():
    body, _ = block(page(), "s2")
    for part in ("given: toy/LEM-1/s1", "large enough means: x <= 9/10", "assumed by us: x <= 1"):
        assert part in body


def test_the_margin_has_the_outcome_of_the_run_and_its_basis():
    judged = replace(verdict("toy/LEM-1/s2", Kind.STEP, Outcome.CONSISTENT), basis=Basis.REFUTED_GIVEN)
    undecided = verdict("toy/LEM-1/s1", Kind.STEP, Outcome.INCONCLUSIVE)
    assert block(page(undecided), "s1")[1] == "inconclusive", "not what was expected"
    lines = page(judged)
    assert block(lines, "s2")[1] == "consistent (valid inference from a refuted step)"
    assert block(lines, "For x")[1] == "proved", "what the run did not judge is as it is expected to be"
    assert "as judged by the run" in lines[1]
    assert "as expected" in page()[1]


def test_no_line_is_wider_than_a_page():
    assert max(map(len, page())) <= claim_page.MARGIN + claim_page.WIDTH
