"""The words for what decided a refutation, and the line of a verdict that has them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from judged_games import gaussian_scores, judged, make_target

from dpaudit.audit.game import decide
from dpaudit.audit.tier import joined, undecided
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import Gaussian, PoissonSampled
from dpaudit.records.privacy import ApproximateDP, GaussianDP
from dpaudit.records.verdict import Evidence, Kind, Numbers, Outcome, Verdict
from dpaudit.report import deciding
from dpaudit.report.formats.text import summary

CONSISTENT, REFUTED, NOT_RUN = Outcome.CONSISTENT, Outcome.REFUTED, Outcome.NOT_RUN
INCONCLUSIVE = Outcome.INCONCLUSIVE
COUNTED: Numbers = (
    ("true_positive_rate_lower", 0.5),
    ("true_positive_rate_allowed", 0.4),
    ("false_positive_rate_upper", 0.1),
    ("rank_p_value", 0.3),
)


def refuted(witness: Numbers, lower: float = 1.0, game: Outcome = Outcome.REFUTED, **changes: Any) -> Verdict:
    """A refuted target whose printed bound is `lower` and whose claim is 2; `game`: what the game alone found."""
    found = (Evidence("game", game, "so it went"), Evidence("noise", Outcome.REFUTED, "the noise is half"))
    verdict = Verdict(
        "a/b", Kind.AUDIT, Outcome.REFUTED, Outcome.CONSISTENT, "a sum", found, "here", 1, witness=witness
    )
    return replace(verdict, numbers=(("epsilon_lower_95", lower), ("epsilon_claimed", 2.0)), **changes)


def test_the_size_of_a_surprise_is_the_bound_with_its_certainty_or_what_was_found_first() -> None:
    sampled = Evidence("game", REFUTED, "statistical, wrong with probability at most 2.7e-05: so it went")
    audit = refuted(COUNTED, lower=2.5, evidence=(sampled,))
    sure = "statistical, a false alarm with probability at most 2.7e-05"
    assert deciding.size(audit) == f"epsilon at least 2.5, claimed 2; {sure}"
    at = replace(audit, numbers=(*audit.numbers, ("delta", 1e-5)))
    assert deciding.size(at) == f"epsilon at least 2.5, claimed 2; at delta 1e-05; {sure}"
    found = (Evidence("symbolic", INCONCLUSIVE, "gave up"), Evidence("rigorous", REFUTED, "left 2 > right 1"))
    claim = Verdict("a/L", Kind.CLAIM, REFUTED, Outcome.PROVED, "a claim", found, "here", 1)
    assert deciding.size(claim) == "left 2 > right 1"
    assert deciding.size(replace(claim, evidence=())) == ""


@pytest.mark.parametrize(
    ("witness", "words"),
    [
        (COUNTED, "true positive rate at least 0.5 at a false positive rate of at most 0.1, the claim allows 0.4"),
        (
            (("true_positive_rate_lower", 0.3), *COUNTED[1:]),
            "scores on D that rank so high have probability at most 0.3",
        ),
        ((("log_capital", 12.0),), "bets against the claim have won e^12 times their capital"),
        ((("correct", 90), ("guesses", 95)), "90 of 95 guesses were right, more than the claim allows"),
        ((("noise scale: factor", 0.5),), "so it went"),
        (
            (("true_positive_rate_lower", 0.40004), ("true_positive_rate_allowed", 0.40001), *COUNTED[2:]),
            "true positive rate at least 0.40004 at a false positive rate of at most 0.1, the claim allows 0.40001",
        ),
    ],
)
def test_a_bound_below_the_claim_gives_way_to_what_decided(witness: Numbers, words: str) -> None:
    verdict = refuted(witness)
    assert deciding.point(verdict).startswith(words)
    assert f"a/b  {words}" in summary(verdict)
    assert "epsilon at least" not in summary(verdict)
    assert summary(verdict).endswith(": a sum")


@pytest.mark.parametrize(("lower", "bound"), [(1.0, "claimed epsilon 2"), (2.5, "epsilon at least 2.5, claimed 2")])
def test_a_structural_check_that_refutes_heads_the_line_before_the_rates_of_the_game(lower: float, bound: str) -> None:
    verdict = refuted(COUNTED, lower=lower)
    scale = Evidence("structural", REFUTED, "noise scale: the noise is 0.1 of what is declared")
    said = deciding.line(replace(verdict, evidence=(*verdict.evidence, scale)))
    assert said.startswith(f"{scale.detail}; {bound}; refuted by game")


@pytest.mark.parametrize("witness", [COUNTED, COUNTED[3:], (("log_capital", 2.0),), (("correct", 90), ("guesses", 95))])
def test_where_the_curve_of_the_mechanism_is_violated_the_mechanism_is_named(witness: Numbers) -> None:
    said = deciding.point(refuted((*witness, ("allowed_by", "the mechanism that is claimed"))))
    assert "the mechanism that is claimed" in said
    assert said.replace("the mechanism that is claimed", "the claim") == deciding.point(refuted(witness))


def test_whose_curve_a_game_decides_on_is_in_its_witness_and_in_the_statement() -> None:
    """A point that allows much, and the curve of the mechanism through it, which does not."""
    target = make_target(ApproximateDP(3.6, 1e-5), claimed_mechanism=PoissonSampled(0.25, Gaussian(1.25)))
    assert decide.allowed_by(target) == (("allowed_by", "the mechanism that is claimed"),)
    assert decide.allowed_by(replace(target, claimed_mechanism=None)) == ()
    said = joined(target, [undecided(CONSISTENT, "so it went")], Context(1, Level.SMOKE, 1e-3)).statement
    assert said.startswith("(3.6, 1e-05)-DP by the mechanism PoissonSampled(0.25, Gaussian(1.25)); neighbours: ")
    gaussian = replace(target, claim=replace(target.claim, guarantee=GaussianDP(1.0)))
    assert decide.allowed_by(gaussian) == ()
    assert joined(gaussian, [undecided(CONSISTENT, "")], Context(1, Level.SMOKE, 1e-3)).statement[:7] == "1-GDP; "


@pytest.mark.parametrize("witness", [COUNTED, COUNTED[3:], (("log_capital", 0.2),)])
def test_a_game_that_refuted_nothing_did_not_decide(witness: Numbers) -> None:
    """Null controls: its witness stands beside the p-values that are not uniform."""
    verdict = refuted(witness, game=Outcome.CONSISTENT)
    assert deciding.point(verdict) == "the noise is half"
    assert "a/b  the noise is half; claimed epsilon 2: a sum" in summary(verdict)
    assert deciding.point(replace(verdict, evidence=verdict.evidence[:1])) == ""


def test_a_bound_above_the_claim_is_printed_as_it_is() -> None:
    assert "epsilon at least 2.5, claimed 2: a sum" in summary(refuted(COUNTED, lower=2.5))
    consistent = refuted(COUNTED, outcome=Outcome.CONSISTENT)
    assert "epsilon at least 1, claimed 2: a sum" in summary(consistent)


def test_a_bound_that_is_as_large_as_the_claim_says_nothing_against_it() -> None:
    nothing = replace(refuted(COUNTED[3:]), numbers=(("epsilon_lower_95", 0.0), ("epsilon_claimed", 0.0)))
    assert "a/b  scores on D that rank so high" in summary(nothing)
    assert "epsilon at least" not in summary(nothing)


def checks(*outcomes: Outcome) -> tuple[Evidence, ...]:
    return tuple(Evidence("structural", one, f"check {place}: so it went") for place, one in enumerate(outcomes))


@pytest.mark.parametrize(
    ("outcome", "found", "words"),
    [
        (
            CONSISTENT,
            checks(CONSISTENT, NOT_RUN, NOT_RUN),
            "by 1 check, no game; not run: check 1, check 2 (dpaudit explain CHECK)",
        ),
        (CONSISTENT, checks(CONSISTENT, CONSISTENT), "by 2 checks, no game; every check was run"),
        (
            CONSISTENT,
            (*checks(CONSISTENT, NOT_RUN, NOT_RUN, NOT_RUN, NOT_RUN, NOT_RUN), Evidence("game", CONSISTENT, "why")),
            "by 1 check and the game; not run: check 1, check 2, check 3 and 2 more (dpaudit explain CHECK)",
        ),
        (INCONCLUSIVE, checks(CONSISTENT, INCONCLUSIVE), "inconclusive by check 1; every check was run"),
        (
            INCONCLUSIVE,
            (Evidence("minimum", INCONCLUSIVE, "too little"), *checks(NOT_RUN, CONSISTENT)),
            "inconclusive by minimum; not run: check 0 (dpaudit explain check-0)",
        ),
        (
            REFUTED,
            checks(NOT_RUN, REFUTED),
            "check 1: so it went; refuted by check 1; not run: check 0 (dpaudit explain check-0)",
        ),
        (
            REFUTED,
            checks(*[REFUTED] * 5),
            "check 0: so it went; refuted by check 0, check 1, check 2 and 2 more; every check was run",
        ),
    ],
)
def test_what_decided_and_what_had_nothing_to_look_at_is_named(
    outcome: Outcome, found: tuple[Evidence, ...], words: str
) -> None:
    verdict = replace(refuted(()), outcome=outcome, evidence=found, numbers=())
    assert deciding.line(verdict) == words
    assert f"a/b  {words}: a sum" in summary(verdict)


def test_the_page_of_what_decided_is_named() -> None:
    scale = [Evidence("structural", one, "noise scale: so it went") for one in (REFUTED, INCONCLUSIVE, CONSISTENT)]
    order = Evidence("structural", CONSISTENT, "order of the records: the same")
    page = "docs/checks.md#noise-scale, or dpaudit explain noise-scale"
    for outcome, evidence in zip((REFUTED, INCONCLUSIVE, CONSISTENT), scale, strict=True):
        verdict = replace(refuted(()), outcome=outcome, evidence=(evidence, order))
        assert deciding.pages(verdict) == ([] if outcome is CONSISTENT else [page])


def test_structural_checks_say_which_noise_they_would_have_seen_beside_the_claim() -> None:
    scale = Evidence("structural", CONSISTENT, "noise scale: as declared", (("factor_caught_at_90", 0.8789),))
    verdict = replace(
        refuted(()), outcome=CONSISTENT, evidence=(scale,), numbers=(("epsilon_claimed", 2.0), ("delta", 1e-5))
    )
    words = "claimed epsilon 2; by 1 check, no game; 0.88 of the declared noise would be seen; every check was run"
    assert deciding.line(verdict) == words
    assert "would be seen" not in deciding.line(replace(verdict, outcome=REFUTED))


@pytest.mark.parametrize(
    ("separation", "words"),
    [
        (0.9, "; the game would catch 5.39 if the scores show all of it; "),
        (0.1, "; the game alone might miss that only 0.25 of the noise is there"),
    ],
)
def test_a_game_of_a_training_whose_scores_show_little_says_so(separation: float, words: str) -> None:
    numbers = (
        ("epsilon_lower_95", 0.5), ("epsilon_claimed", 3.09), ("smallest_violation_at_90", 5.39),
        ("mu_lower_95", separation), ("delta", 1e-5),
    )  # fmt: skip
    evidence = (*checks(CONSISTENT), Evidence("game", CONSISTENT, "why"))
    assert words in deciding.line(replace(refuted(()), outcome=CONSISTENT, evidence=evidence, numbers=numbers))
    alone = replace(refuted(()), outcome=CONSISTENT, evidence=evidence[1:], numbers=numbers)
    assert (
        deciding.line(alone) == "epsilon at least 0.5, claimed 3.09; 5.39 would be caught if the scores show all of it"
    )


def test_what_would_have_been_caught_is_said_of_what_is_not_refuted() -> None:
    numbers = (("epsilon_lower_95", 1.0), ("epsilon_claimed", 2.0), ("smallest_violation_at_90", 2.5))
    consistent = replace(refuted(()), outcome=CONSISTENT, numbers=numbers)
    said = "epsilon at least 1, claimed 2; 2.5 would be caught if the scores show all of it"
    assert deciding.line(consistent) == said
    assert "would be caught" not in deciding.line(replace(consistent, outcome=REFUTED))


def test_of_one_training_the_most_that_its_canaries_show_is_said() -> None:
    numbers = (
        ("epsilon_lower_95", 0.0),
        ("epsilon_claimed", 1.0),
        ("epsilon_lower_95_without_noise", 1.9),
        ("canaries", 500),
        ("limit_of_detection", 3.83),
        ("smallest_violation_at_90", 8.2),
    )
    consistent = replace(refuted(()), outcome=CONSISTENT, numbers=numbers)
    words = "epsilon at least 0, claimed 1; 500 canaries show 3.83 at most; 1.9 without noise"
    assert deciding.line(consistent) == words
    assert deciding.line(replace(consistent, outcome=Outcome.INCONCLUSIVE)) == words
    assert "canaries" not in deciding.line(replace(consistent, outcome=REFUTED))


@pytest.mark.parametrize("outcome", [NOT_RUN, Outcome.ERROR, Outcome.PROVED])
def test_what_no_audit_decided_has_no_such_line(outcome: Outcome) -> None:
    assert deciding.line(replace(refuted(COUNTED), outcome=outcome)) == ""
    assert deciding.line(replace(refuted(COUNTED), kind=Kind.CLAIM)) == ""


def test_a_title_that_is_the_name_is_not_said_twice() -> None:
    assert summary(replace(refuted(COUNTED, lower=2.5), title="a/b")).endswith("a/b  epsilon at least 2.5, claimed 2")


def test_the_names_are_those_of_a_game() -> None:
    """A curve is violated where its epsilon at the quoted delta is not."""
    target = make_target(ApproximateDP(5.0, 1e-5), claimed_mechanism=None)
    found = judged(replace(target, claim=replace(target.claim, guarantee=GaussianDP(1.0))), gaussian_scores(1.2))
    assert found.decision.refuted
    numbers = decide.as_numbers(target, gaussian_scores(1.2), found)
    verdict = replace(refuted(found.decision.witness), numbers=numbers)
    assert deciding.point(verdict).startswith(("true positive rate at least", "scores on D that rank"))
    assert np.isfinite(dict(numbers)["epsilon_lower_95"])
