"""The audit of one target: its tiers, cheapest first, joined into one verdict."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec

from dpaudit.accounting.epsilon import claimed_epsilon
from dpaudit.accounting.tradeoff import describe
from dpaudit.audit import accounts, contract, coverage, forecast, minimum
from dpaudit.audit.game import curves, decide, decide_one_run, play, play_canaries
from dpaudit.audit.game import null as null_p_values
from dpaudit.audit.structural import examine
from dpaudit.audit.structural.handed import of_another_batch
from dpaudit.audit.tier import Tier, decided, joined, told, undecided, witness
from dpaudit.audit.wording import probability
from dpaudit.content.audits import Audit
from dpaudit.estimators.held_out_threshold import split
from dpaudit.estimators.uniformity import Uniformity
from dpaudit.records.context import Context, slug
from dpaudit.records.errors import ContentError, MissingPackageError, of_the_machine
from dpaudit.records.privacy import Guarantee
from dpaudit.records.target import Control, Target
from dpaudit.records.verdict import Basis, Evidence, Outcome, Verdict


def audit(subject: Audit, context: Context) -> Verdict:
    """The verdict on a target.

    NOT_RUN without the packages that it needs; ERROR if it raises or breaks its contract
    (NaN, wrong shapes, trials that depend on each other): never a pass, and no exception but of the machine. What a
    tier found before another one failed is kept: a refutation stands.
    """
    started, target = time.perf_counter(), subject.target
    found: list[Tier] = []
    try:
        _require(target)
        for tier in _tiers(subject, context):
            found.append(tier)  # what came before an exception is kept
        found[:0] = minimum.lacking(found)
        verdict = joined(target, found, context, () if subject.notes is None else subject.notes())
    except MissingPackageError as error:
        refuted = [tier for tier in found if tier.outcome is Outcome.REFUTED]
        verdict = joined(target, [*refuted, undecided(Outcome.NOT_RUN, str(error))], context)
        verdict = replace(verdict, expected=Outcome.NOT_RUN) if target.optional and not refuted else verdict
    except (Exception, SystemExit) as error:  # whatever a target does is a finding about that target
        if of_the_machine(error) and all(tier.outcome is not Outcome.REFUTED for tier in found):
            raise
        verdict = joined(target, [*found, _failed(target, error, context)], context)
    return replace(_planted(verdict, target), duration_s=time.perf_counter() - started)


def _failed(target: Target, error: BaseException, context: Context) -> Tier:
    """That a tier ended in an exception, which is kept in the run folder. That a training was handed another batch than
    it drew gives up on it, and has a "to settle it: " of its own."""
    reason = str(error) if isinstance(error, ContentError) else f"{type(error).__name__}: {error}"
    kept = context.attach(f"errors/{slug(target.name)}.txt", "".join(traceback.format_exception(error)))
    outcome = Outcome.INCONCLUSIVE if of_another_batch(error) else Outcome.ERROR
    return replace(undecided(outcome, reason), attachments=(kept,) if kept else ())


def _planted(verdict: Verdict, target: Target) -> Verdict:
    """The verdict with what a planted bug says of itself, for the table of what caught it."""
    if target.bug is None:
        return verdict
    bug = target.bug
    named = (("planted_tier", bug.tier.name.lower()), ("planted_check", bug.check), ("planted_cost", bug.cost))
    return replace(verdict, numbers=(*verdict.numbers, *named))


def _require(target: Target) -> None:
    """The packages of the target, and the accountant that every claim is held against."""
    for module, extra in (*target.needs, ("dp_accounting", "accountants")):
        if find_spec(module.partition(".")[0]) is None:
            raise MissingPackageError(module, extra)


def planned_tests(subject: Audit) -> int:
    """How many statistical tests an audit makes at most: the game is one, structural checks have theirs."""
    target, checked = subject.target, 0
    played = (target.trials is not None or target.canaries > 0) + _calibrates(target)
    if subject.instrument is not None:
        checked = examine.planned_tests(target.claimed_mechanism, subject.assumptions)
    return int(played) + checked + (coverage.planned_tests() if subject.bounds is not None else 0)


def _tiers(subject: Audit, context: Context) -> Iterator[Tier]:
    """What every tier found that the target has, one after the other."""
    target = subject.target
    asked = (subject.accounts, subject.instrument, target.canaries or None, target.trials, subject.bounds)
    if all(one is None for one in asked):
        raise ContentError("a target needs trials, canaries, or one of the functions instrument, accounts, bounds")
    if context.stages is not None and (saved := forecast.of_a_name(target, context.alpha)):  # somebody waits for it
        context.known(saved)
    if subject.accounts is not None:
        yield _accounts(subject)
    if subject.instrument is not None:
        structural = _structural(subject, context)
        context.known(told(structural))
        yield structural
    if target.canaries:
        yield _one_run(subject, context)
    elif target.trials is not None:
        yield _game(subject, context)
    if subject.bounds is not None:
        yield _coverage(subject, context)


def _accounts(subject: Audit) -> Tier:
    """What an accountant states, held against enclosures of the truth."""
    assert subject.accounts is not None
    neighbours = subject.target.claim.neighbours
    found = accounts.examine(subject.accounts(), neighbours)
    return Tier(
        decided(finding.outcome for finding in found),
        accounts.evidence(found),
        Basis.SEARCH,
        witness(found),
        (("accounts", len(found)), ("accounts_refuted", sum(f.outcome is Outcome.REFUTED for f in found))),
        statement=f"every epsilon that is stated covers what it is stated of; neighbours: {neighbours}",
    )


def _coverage(subject: Audit, context: Context) -> Tier:
    """An auditor's lower bounds, played on laws whose epsilon is known."""
    assert subject.bounds is not None
    audits = subject.repetitions.at(context.level)
    seed = int(contract.generator(context.seed, subject.target.name, "laws").integers(2**31))
    found = coverage.examine(subject.bounds, audits, seed=seed, alpha=context.alpha, names=subject.laws)
    confidence, once = f"{1 - coverage.ALPHA:.0%}", f"{1 / coverage.ALPHA:g}"
    return Tier(
        decided(finding.outcome for finding in found),
        coverage.evidence(found),
        Basis.SAMPLING,
        witness(found),
        (("audits", audits), ("laws", len(found)), ("alpha_decision", context.alpha)),
        statement=f"a lower bound on epsilon at {confidence} confidence is too large once in {once} audits at most",
    )


def _structural(subject: Audit, context: Context) -> Tier:
    """One training, recorded and replayed, at one share of the budget for each statistical check."""
    assert subject.instrument is not None
    target = subject.target
    rng = contract.generator(context.seed, target.name, "neighbours")
    data, neighbour = contract.first_neighbours(subject, rng)
    found = examine.examine(
        subject.instrument,
        data,
        [(target.claim.neighbours, neighbour)],
        target.claim,
        target.claimed_mechanism,
        seed=int(rng.integers(2**31)),
        alpha=context.alpha,
        assumptions=subject.assumptions,
        at_work=context.at_work,
        left_out=context.left_out,
    )
    numbers = (
        ("epsilon_claimed", claimed_epsilon(target.claim.guarantee, target.claim.delta)),
        ("delta", target.claim.delta),
        ("checks_run", sum(finding.outcome is not Outcome.NOT_RUN for finding in found)),
    )
    outcome = decided(finding.outcome for finding in found)
    unseen = minimum.of_one_training(found, subject.assumptions, context.left_out)
    return Tier(outcome, examine.evidence(found), Basis.SEARCH, witness(found), numbers, unseen=unseen)


def _game(subject: Audit, context: Context) -> Tier:
    """The game on two neighbouring data sets."""
    target = subject.target
    guarantee, bets = decide.decided_guarantee(target), None
    try:
        if target.early_stop:
            played, bets = play.play_in_stages(subject, context, guarantee)
        else:
            played = play.play(subject, context, guarantee)
    except play.OtherShapeError as error:
        return _told_by_shape(target, guarantee, error)
    coins = contract.generator(context.seed, target.name, "coins")
    found = decide.judge(target, played.scores, guarantee, context.alpha, coins, bets, played.looks)
    outcome, detail = decide.decide(found)
    if len(played.tried) > 1:
        detail += f"; the attack {played.attack!r} was chosen of {len(played.tried)} on trials that were not counted"
    if not target.deterministic:
        detail += "; its trials cannot be made again from the seed"
    file = curves.game_file(target, played.scores, found, played.progress, fixed=bets is None)
    evidence: tuple[Evidence, ...] = (Evidence("game", outcome, detail),)
    point = found.decision.witness + decide.allowed_by(target)
    if _calibrates(target):
        null = null_p_values.of_blocks(played.scores, guarantee, coins)
        file["null_p_values"] = [float(f"{value:.5g}") for value in null.values]
        evidence = (*evidence, _calibration(null, context.alpha))
        point += evidence[-1].numbers
    kept = _kept_scores(target, context, file)
    numbers = decide.as_numbers(target, played.scores, found)
    shown = found.smallest_violation, found.epsilon_claimed, target.claim.delta
    unseen = minimum.of_a_game(*shown) or minimum.of_scores(found.mu_lower, *shown)
    joint = decided(one.outcome for one in evidence)
    return Tier(joint, evidence, Basis.SAMPLING, point, numbers, kept, unseen=unseen)


def _told_by_shape(target: Target, guarantee: Guarantee, error: play.OtherShapeError) -> Tier:
    """The shape of a trial tells its data set; counts of shapes refute as those of scores do."""
    counted = error.point
    point = (
        ("shape", str(error.shapes[0])),
        ("neighbour_shape", str(error.shapes[1])),
        ("false_positives", counted.false_positives),
        ("negatives", counted.negatives),
        ("true_positives", counted.true_positives),
        ("positives", counted.positives),
        ("false_positive_rate_upper", counted.false_positive_rate_upper),
        ("true_positive_rate_lower", counted.true_positive_rate_lower),
        ("alpha", counted.alpha),
    )
    numbers = (
        ("epsilon_claimed", claimed_epsilon(target.claim.guarantee, target.claim.delta)),
        ("delta", target.claim.delta),
    )
    detail = (
        f"statistical, wrong with probability at most {counted.alpha:.3g}: {error}; {describe(guarantee)} is claimed"
    )
    evidence = (Evidence("game", Outcome.REFUTED, detail, point),)
    return Tier(Outcome.REFUTED, evidence, Basis.SAMPLING, witness=point, numbers=numbers)


def _kept_scores(target: Target, context: Context, file: dict[str, object]) -> tuple[str, ...]:
    """The scores file, attached: its path in the run folder; nothing without a folder."""
    kept = context.attach(f"scores/{slug(target.name)}.json", json.dumps(file, separators=(",", ":")))
    return (kept,) if kept else ()


def _calibrates(target: Target) -> bool:
    """Null controls say whether the auditor's own p-values are what they should be."""
    return target.control is Control.NULL and target.trials is not None and not target.early_stop


def _calibration(null: Uniformity, alpha: float) -> Evidence:
    small = null.p_value <= alpha
    return Evidence(
        "calibration",
        Outcome.REFUTED if small else Outcome.CONSISTENT,
        f"{'statistical: ' if small else ''}the p-values of {len(null.values)} blocks of trials are "
        f"{'smaller than' if small else 'no smaller than chance makes'} uniform ones (p {probability(null.p_value)})",
        (("blocks", len(null.values)), ("excess", null.excess), ("p_value", null.p_value), ("alpha_of_blocks", alpha)),
    )


def _prospect(target: Target, context: Context, guarantee: Guarantee) -> str:
    """What the canaries can show, for those who wait for their training."""
    delta, included = target.claim.delta, play_canaries.coins(target, context)
    limit = decide_one_run.limit_of_detection(guarantee, included, context.alpha, delta)
    caught = decide_one_run.smallest_violation(guarantee, target.canaries, context.alpha, delta)
    claimed = claimed_epsilon(target.claim.guarantee, delta)
    return decide_one_run.forecast(limit, caught, target.canaries, claimed, delta == 0)


def _one_run(subject: Audit, context: Context) -> Tier:
    """One training with many canaries."""
    target = subject.target
    guarantee = decide.decided_guarantee(target)
    context.known(_prospect(target, context, guarantee))
    played = play_canaries.play_one_run(subject, context)
    rng = contract.generator(context.seed, target.name, "ranks")
    alpha, outside = context.alpha, played.outside
    found = decide_one_run.judge(target, played.scores, played.included, guarantee, alpha, rng, outside)
    if found.is_open and subject.without_noise is not None:
        silenced = play_canaries.play_without_noise(subject, context)
        found = decide_one_run.controlled(found, silenced.scores, silenced.included, target.claim.delta)
    outcome, detail = decide_one_run.decide(found)
    canaries = split(played.scores[played.included], played.scores[~played.included], 0.0)
    kept = _kept_scores(target, context, curves.one_run_file(target, canaries, guarantee, alpha))
    evidence, numbers = (Evidence("game", outcome, detail),), decide_one_run.as_numbers(target, found)
    unseen = minimum.of_a_game(found.smallest_violation, found.epsilon_claimed, target.claim.delta)
    return Tier(outcome, evidence, Basis.SAMPLING, found.decision.witness, numbers, kept, unseen=unseen)
