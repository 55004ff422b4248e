"""What each number of a game's verdict promises: the first table of docs/validity.md, which benchmarks/validity.py
writes. tests/benchmarks/test_promises.py plays games and fails where a number has no row.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
    """names: as in the record; where: it is shown; promise, assumes: in words; stopped: does it hold where bets chose
    when to stop?
    """

    names: tuple[str, ...]
    where: str
    promise: str
    assumes: str
    stopped: str


RECORD = "record, report"
WITNESS = "witness"
FILE = "scores file, plots"
ACROSS = "all trials independent, within a side and across the sides, alike on each side"
WITHIN = "the trials of a side independent and alike"
COINS = "each canary is included by an independent fair coin"
ALIKE = "canaries independent and alike"
EVIDENCE = "evidence, witness"
NONE, YES, NO, ABSENT = "", "yes", "no", "not there"
EXACT = "a function of the claim and of the settings; no chance is involved"

GAME = (
    Promise(
        ("epsilon_lower_95",),
        RECORD,
        (
            "at most epsilon at the quoted delta with probability 0.95, for one audit on its own; not at once "
            "with `mu_lower_95`. Given the trials that chose the attack"
        ),
        ACROSS,
        YES,
    ),
    Promise(
        ("mu_lower_95",),
        RECORD,
        (
            "at most every mu for which mu-GDP holds, with probability 0.95, on its own. Given the trials that "
            "chose the attack"
        ),
        ACROSS,
        YES,
    ),
    Promise(
        (
            "epsilon_claimed",
            "delta",
        ),
        RECORD,
        EXACT,
        NONE,
        YES,
    ),
    Promise(
        ("epsilon_exact",),
        RECORD,
        "the upper end of an enclosure; no chance is involved",
        "the `truth` of the target",
        YES,
    ),
    Promise(
        ("tightness",), RECORD, "`epsilon_lower_95` over `epsilon_exact`: at most 1 with probability 0.95", ACROSS, YES
    ),
    Promise(("trials_per_side",), RECORD, "a count of what was played", NONE, YES),
    Promise(
        ("alpha_decision",),
        RECORD,
        ("a claim that holds is refuted with probability at most this; over a run these sum to the error budget"),
        ACROSS,
        YES,
    ),
    Promise(
        ("limit_of_detection",),
        RECORD,
        ("computed: the bound that counts of perfectly separated scores would give at their half of `alpha_decision`"),
        NONE,
        "computed as if the number of trials had been set; bets decide",
    ),
    Promise(
        ("smallest_violation_at_90",),
        RECORD,
        (
            "none: computed for a Gaussian mechanism (Laplace at delta 0) and the counts alone, at their half of "
            "`alpha_decision`; what finding the threshold costs is measured, not derived"
        ),
        NONE,
        "as above",
    ),
    Promise(
        ("threshold",), "record, witness", "none: where the counts were made", NONE, "not where the bets were made"
    ),
    Promise(
        (
            "false_positives",
            "negatives",
            "true_positives",
            "positives",
        ),
        WITNESS,
        "counts of trials that did not choose the threshold",
        NONE,
        ABSENT,
    ),
    Promise(
        (
            "false_positive_rate_upper",
            "true_positive_rate_lower",
        ),
        "witness, scores file, plots",
        "both at once with probability 1 - `alpha` of the witness",
        WITHIN + "; held-out trials tell nothing of the others",
        ABSENT,
    ),
    Promise(("allowed_by",), WITNESS, "what is violated, where it is not the claim as stated", NONE, YES),
    Promise(
        ("true_positive_rate_allowed",),
        WITNESS,
        (
            "what the claim allows at `false_positive_rate_upper`: a claim that holds is exceeded with "
            "probability at most `alpha`"
        ),
        WITHIN,
        ABSENT,
    ),
    Promise(
        (
            "alpha",
            "alpha_share_true_positive",
        ),
        WITNESS,
        (
            "the error probability of what stands beside it: half of `alpha_decision` for counts, all of it, but a"
            " thousandth, for bets, all of it for canaries; and the share of it that one rate has"
        ),
        NONE,
        YES,
    ),
    Promise(
        ("rank_p_value",),
        WITNESS,
        (
            "if the claim holds, at most u with probability at most u, for every u; refutes at half of"
            " `alpha_decision`, less the thousandth of shapes"
        ),
        ACROSS,
        ABSENT,
    ),
    Promise(
        (
            "log_capital",
            "pairs",
        ),
        WITNESS,
        "if the claim holds, the capital ever reaches 1/`alpha` with probability at most `alpha`",
        "given all pairs before it, the scores of a pair independent, each with the law of its side",
        YES,
    ),
    Promise(
        (
            "blocks",
            "alpha_of_blocks",
            "excess",
            "p_value",
        ),
        "evidence and witness of null controls",
        (
            "if the p-values of blocks are not too small, `p_value` is at most u with probability at most u; "
            "refutes at `alpha_of_blocks`"
        ),
        ACROSS,
        ABSENT,
    ),
    Promise(
        (
            "shape",
            "neighbour_shape",
        ),
        WITNESS,
        "the shapes of all trials that were played alone, as many as `positives` and `negatives` say. A claim that"
        " holds is refuted by shapes with probability at most `alpha`, a thousandth of `alpha_decision`",
        WITHIN,
        YES,
    ),
)

ONE_RUN = (
    Promise(
        ("epsilon_lower_95",),
        RECORD,
        "at most epsilon at the quoted delta with probability 0.95, on its own",
        COINS,
        ABSENT,
    ),
    Promise(("epsilon_lower_95_counts_alone",), RECORD, "the same, of the counts", COINS, ABSENT),
    Promise(
        ("mu_lower_95",),
        RECORD,
        "at most every mu for which mu-GDP holds, with probability 0.95, on its own",
        COINS,
        ABSENT,
    ),
    Promise(("epsilon_lower_95_without_noise",), RECORD, "the same, of the training without its noise", COINS, ABSENT),
    Promise(
        ("mu_if_canaries_are_independent_and_alike",),
        RECORD,
        "conditional: 0.95 under the assumption, which nobody tests",
        ALIKE,
        ABSENT,
    ),
    Promise(
        ("epsilon_if_canaries_are_independent_and_gaussian",),
        RECORD,
        "conditional, likewise; not there at delta 0",
        ALIKE + ", and a Gaussian curve",
        ABSENT,
    ),
    Promise(
        ("epsilon_if_canaries_are_alike_and_noise_alone_differs",),
        RECORD,
        "conditional, likewise; where the claim is a mechanism whose noise could be another",
        ALIKE + ", and the claimed mechanism but for its noise",
        ABSENT,
    ),
    Promise(
        ("rank_p_value_if_canaries_are_independent_and_alike",),
        RECORD,
        ("conditional: at most u with probability at most u; refutes nothing, and makes the outcome INCONCLUSIVE"),
        ALIKE,
        ABSENT,
    ),
    Promise(
        (
            "epsilon_claimed",
            "delta",
            "canaries",
            "canaries_outside",
        ),
        RECORD,
        EXACT,
        NONE,
        ABSENT,
    ),
    Promise(("alpha_decision",), RECORD, "a claim that holds is refuted with probability at most this", COINS, ABSENT),
    Promise(("limit_of_detection",), RECORD, "computed: the bound that perfect guesses would give", NONE, ABSENT),
    Promise(
        ("smallest_violation_at_90",),
        RECORD,
        "none: caught in 38 of 40 simulated audits",
        ALIKE + ", with Gaussian noise (Laplace at delta 0)",
        ABSENT,
    ),
    Promise(
        ("correct", "guesses", "alpha", "alpha_share_guesses"),
        WITNESS,
        "counts; if the claim holds and is refuted, so many right guesses of so many have probability at most `alpha` "
        "times the share of it that this number of guesses has",
        COINS,
        ABSENT,
    ),
)

SCORES_FILE = (
    Promise(
        (
            "false_positive_rate",
            "true_positive_rate",
        ),
        FILE,
        "none: observed",
        NONE,
        YES,
    ),
    Promise(
        (
            "claim_false_positive_rate",
            "claim_true_positive_rate",
            "exact_true_positive_rate",
        ),
        FILE,
        EXACT,
        NONE,
        YES,
    ),
    Promise(
        (
            "trials_per_side",
            "delta",
            "epsilon_lower",
            "epsilon_claimed",
            "epsilon_exact",
        ),
        FILE,
        "as in the record",
        NONE,
        YES,
    ),
    Promise(("point",), FILE, "the rates of the witness and their limits", WITHIN, ABSENT),
    Promise(
        ("band",),
        FILE,
        "all limits of both rates, at all its thresholds at once, with probability 0.95",
        WITHIN + "; held-out trials tell nothing of the others",
        ABSENT,
    ),
    Promise(
        ("ruled_out",),
        FILE,
        "no trade-off curve of the target passes below it, with probability 0.95: with the band",
        WITHIN,
        ABSENT,
    ),
    Promise(
        ("progress",),
        FILE,
        (
            "both ends, after every number of trials at once, with probability 0.95; the upper end bounds what "
            "this test can show"
        ),
        WITHIN,
        YES,
    ),
    Promise(("power",), FILE, "none: computed or simulated, as `smallest_violation_at_90`", NONE, "as above"),
    Promise(
        ("null_p_values",),
        FILE,
        "sorted; if the claim holds, that of each block of trials is at most u with probability at most u",
        ACROSS,
        ABSENT,
    ),
)

OTHERS = (
    Promise(
        ("checks_run", "accounts", "accounts_refuted", "audits", "laws", "false_alarms"), RECORD,
        "counts of what was examined or played", NONE, ABSENT,
    ),
    Promise(("planted_tier", "planted_check", "planted_cost"), RECORD, "what is planted in a control", NONE, ABSENT),
    Promise(
        ("rate_lower_95", "rate_upper_95"), EVIDENCE,
        "the probability that a bound of the auditor is too high lies between them with probability 0.95",
        "audits independent", ABSENT,
    ),
    Promise(("rate", "largest_bound"), EVIDENCE, "none: what was played", NONE, ABSENT),
    Promise(
        ("epsilon_stated", "epsilon_lower", "epsilon_upper"), EVIDENCE,
        "what an accountant states, and an enclosure of the truth; no chance is involved", NONE, ABSENT,
    ),
    Promise(
        ("p_value", "alpha"), EVIDENCE,
        "if what is checked holds, `p_value` is at most u with probability at most u; refutes at `alpha`",
        "what `dpaudit explain` says of the check", ABSENT,
    ),
    Promise(
        ("rate_factor_caught_at_90", "factor_caught_at_90", "correlation_caught_at_90", "distance_caught_at_90"),
        EVIDENCE, "none: computed, what would be caught with probability 0.9", NONE, ABSENT,
    ),
)  # fmt: skip
"""Of accounts, structural checks and auditors; other numbers of theirs say what was seen, and where."""

TABLES = (("two data sets", GAME), ("one training with canaries", ONE_RUN), ("the scores file", SCORES_FILE),
          ("accounts, checks of trainings, and auditors", OTHERS))  # fmt: skip


def markdown() -> str:
    """The tables, as the first section of the page."""
    lines = [HEAD]
    for title, rows in TABLES:
        lines += [f"\n### Numbers of {title}\n", "| number | where | promise | assumes | after early stopping |",
                  "| --- | --- | --- | --- | --- |"]  # fmt: skip
        for row in rows:
            names = ", ".join(f"`{name}`" for name in row.names)
            lines.append(f"| {names} | {row.where} | {row.promise} | {row.assumes or 'nothing'} | {row.stopped} |")
    return "\n".join(lines) + "\n"


HEAD = """## What each number promises

Every number of a verdict, and what it promises. A number without a promise says so. "On its own"
means: not at once with others. Where two such bounds fail with probability 0.05 each, one of them fails with
probability up to 0.1. "Given the trials that chose the attack" means that these trials are not counted, so that the
choice costs nothing. "After early stopping" means in a game whose bets chose when to stop (`early_stop=True`). All
promises there hold for the procedure as a whole. Given that a game stopped early, a bound may be wrong more often: a
game that stops early has seen scores that look bad. The section on composed bounds has the measured shares.

Which of two estimators bounds epsilon hangs on ties among held-out trials, up to 20 of each side. They are drawn
without looking, and neither estimator counts them. Given them, either bound fails with probability at most 0.05, and so
does the one that is printed. It would not be enough to look at something that is symmetric in the sides, as ties among
all trials are. With delta above 0 the mechanism may tell its secret in a share of runs, and ties may tell these runs
from others. Each bound fails rarely over all runs, and may fail always in those for which it is chosen. Both together
could then fail with probability 0.1."""
