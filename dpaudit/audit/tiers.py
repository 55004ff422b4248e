"""The audit of one target: its tiers, cheapest first, joined into one verdict."""

from __future__ import annotations

import json
import time
import traceback
from dataclasses import replace
from functools import reduce
from importlib.util import find_spec
from typing import Any

from dpaudit.accounting.epsilon import claimed_epsilon
from dpaudit.accounting.tradeoff import describe
from dpaudit.audit import accounts, contract, coverage
from dpaudit.audit.game import curves, decide, decide_one_run, play
from dpaudit.audit.game import null as null_p_values
from dpaudit.audit.structural import examine
from dpaudit.estimators.held_out_threshold import split
from dpaudit.estimators.uniformity import Uniformity
from dpaudit.records.context import Context, slug
from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.target import Control, Target, TrialPlan
from dpaudit.records.verdict import Basis, Evidence, Kind, Numbers, Outcome, Verdict

AUDITS_OF_AUDITORS = TrialPlan(smoke=200, standard=1_000, deep=10_000)
"""Audits of each known law that an auditor's bounds are played on, unless its file says otherwise."""

_WORST = (Outcome.REFUTED, Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.CONSISTENT, Outcome.PROVED, Outcome.NOT_RUN)


def audit(target: Target, module: Any, context: Context) -> Verdict:
    """The verdict on `target`, whose functions `module` carries.

    NOT_RUN without the packages that it needs; ERROR if it raises or breaks its contract
    (NaN, wrong shapes, trials that depend on each other): never a pass, never an exception.
    """
    started = time.perf_counter()
    try:
        _require(target)
        verdict = _tiers(target, module, context)
    except MissingPackageError as error:
        verdict = _undecided(target, context, Outcome.NOT_RUN, str(error))
        verdict = replace(verdict, expected=Outcome.NOT_RUN) if target.optional else verdict
    except (Exception, SystemExit) as error:  # whatever a target does is a finding about that target
        reason = str(error) if isinstance(error, ContentError) else f"{type(error).__name__}: {error}"
        kept = context.attach(f"errors/{slug(target.name)}.txt", traceback.format_exc())
        verdict = replace(_undecided(target, context, Outcome.ERROR, reason), attachments=(kept,) if kept else ())
    return replace(_planted(verdict, target), duration_s=time.perf_counter() - started)


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


def planned_tests(target: Target, module: Any) -> int:
    """How many statistical tests an audit of `target` makes at most: the game is one, structural checks have theirs."""
    played = (target.trials is not None or target.canaries > 0) + _calibrates(target)
    checked = examine.planned_tests(target.claimed_mechanism, _assumptions(module)) if _instrumented(module) else 0
    return int(played) + checked + (coverage.planned_tests() if _bounds_epsilon(module) else 0)


def _tiers(target: Target, module: Any, context: Context) -> Verdict:
    """Every tier that the target has; the worst outcome is the verdict's, all are its evidence."""
    found = [_accounts(target, module, context)] if hasattr(module, "accounts") else []
    found += [_structural(target, module, context)] if _instrumented(module) else []
    if target.canaries:
        found.append(_one_run(target, module, context))
    elif target.trials is not None:
        found.append(_game(target, module, context))
    if _bounds_epsilon(module):
        found.append(_coverage(target, module, context))
    if not found:
        raise ContentError("a target needs trials, canaries, or one of the functions instrument, accounts, bounds")
    return _noted(reduce(_joined, found), module)


def _noted(verdict: Verdict, module: Any) -> Verdict:
    """The verdict with what the target says about itself: the record that it chose, what it could not see."""
    notes = module.notes() if hasattr(module, "notes") else ()
    return replace(verdict, statement="; ".join((verdict.statement, *notes)))


def _joined(first: Verdict, second: Verdict) -> Verdict:
    """The verdict of the worse outcome, with the evidence and the numbers of both."""
    worse = min(second, first, key=lambda verdict: _WORST.index(verdict.outcome))
    return replace(
        worse,
        evidence=first.evidence + second.evidence,
        numbers=second.numbers,
        attachments=first.attachments + second.attachments,
    )


def _instrumented(module: Any) -> bool:
    return hasattr(module, "instrument")


def _bounds_epsilon(module: Any) -> bool:
    return hasattr(module, "bounds")


def _assumptions(module: Any) -> examine.Assumptions:
    return getattr(module, "ASSUMPTIONS", examine.Assumptions())


def _accounts(target: Target, module: Any, context: Context) -> Verdict:
    """What an accountant states, held against enclosures of the truth."""
    found = accounts.examine(module.accounts(), target.claim.neighbours)
    refuting = [finding for finding in found if finding.outcome is Outcome.REFUTED]
    verdict = _judged(
        target,
        context,
        accounts.evidence(found),
        examine.outcome(found),
        basis=Basis.SEARCH,
        witness=tuple((f"{f.check}: {name}", number) for f in refuting for name, number in f.numbers),
        numbers=(("accounts", len(found)), ("accounts_refuted", len(refuting))),
    )
    words = f"every epsilon that is stated covers what it is stated of; neighbours: {target.claim.neighbours}"
    return replace(verdict, statement=words)


def _coverage(target: Target, module: Any, context: Context) -> Verdict:
    """An auditor's lower bounds, played on laws whose epsilon is known."""
    audits = getattr(getattr(module, "REPETITIONS", AUDITS_OF_AUDITORS), context.level.value)
    seed = int(contract.generator(context.seed, target.name, "laws").integers(2**31))
    names = getattr(module, "LAWS", None)
    found = coverage.examine(module.bounds, audits, seed=seed, alpha=context.alpha, names=names)
    refuting = [finding for finding in found if finding.outcome is Outcome.REFUTED]
    verdict = _judged(
        target,
        context,
        coverage.evidence(found),
        min((finding.outcome for finding in found), key=_WORST.index),
        basis=Basis.SAMPLING,
        witness=tuple((f"{f.check}: {name}", number) for f in refuting for name, number in f.numbers),
        numbers=(("audits", audits), ("laws", len(found)), ("alpha_decision", context.alpha)),
    )
    words = (
        f"a lower bound on epsilon at {1 - coverage.ALPHA:.0%} confidence is too large once in {1 / coverage.ALPHA:g}"
    )
    return replace(verdict, statement=f"{words} audits at most")


def _structural(target: Target, module: Any, context: Context) -> Verdict:
    """One training, recorded and replayed, at one share of the budget for each statistical check."""
    rng = contract.generator(context.seed, target.name, "neighbours")
    data, neighbour = contract.neighbours(module, rng)
    found = examine.examine(
        module.instrument,
        data,
        [(target.claim.neighbours, neighbour)],
        target.claim,
        target.claimed_mechanism,
        seed=int(rng.integers(2**31)),
        alpha=context.alpha,
        assumptions=_assumptions(module),
    )
    refuting = [finding for finding in found if finding.outcome is Outcome.REFUTED]
    return _judged(
        target,
        context,
        examine.evidence(found),
        examine.outcome(found),
        basis=Basis.SEARCH,
        witness=tuple((f"{f.check}: {name}", number) for f in refuting for name, number in f.numbers),
        numbers=(
            ("epsilon_claimed", claimed_epsilon(target.claim.guarantee, target.claim.delta)),
            ("delta", target.claim.delta),
            ("checks_run", sum(finding.outcome is not Outcome.NOT_RUN for finding in found)),
        ),
    )


def _game(target: Target, module: Any, context: Context) -> Verdict:
    """The game on two neighbouring data sets."""
    guarantee, bets = decide.decided_guarantee(target), None
    if target.early_stop:
        played, bets = play.play_in_stages(target, module, context, guarantee)
    else:
        played = play.play(target, module, context, guarantee)
    coins = contract.generator(context.seed, target.name, "coins")
    found = decide.judge(target, played.scores, guarantee, context.alpha, coins, bets)
    outcome, detail = decide.decide(found)
    if len(played.tried) > 1:
        detail += f"; the attack {played.attack!r} was chosen of {len(played.tried)} on trials that were not counted"
    if not target.deterministic:
        detail += "; its trials cannot be made again from the seed"
    file = curves.game_file(target, played.scores, found, played.progress, fixed=bets is None)
    evidence: tuple[Evidence, ...] = (Evidence("game", outcome, detail),)
    witness = found.decision.witness
    if _calibrates(target):
        null = null_p_values.of_blocks(played.scores, guarantee, coins)
        file["null_p_values"] = [float(f"{value:.5g}") for value in null.values]
        evidence = (*evidence, _calibration(null, context.alpha))
        witness += evidence[-1].numbers
        outcome = min(outcome, evidence[-1].outcome, key=_WORST.index)
    return _judged(
        target,
        context,
        evidence,
        outcome,
        basis=Basis.SAMPLING,
        witness=witness,
        numbers=decide.as_numbers(target, played.scores, found),
        attachments=_kept_scores(target, context, file),
    )


def _kept_scores(target: Target, context: Context, file: dict[str, Any]) -> tuple[str, ...]:
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
        f"{'smaller than' if small else 'no smaller than chance makes'} uniform ones (p = {null.p_value:.3g})",
        (("blocks", len(null.values)), ("excess", null.excess), ("p_value", null.p_value), ("alpha", alpha)),
    )


def _one_run(target: Target, module: Any, context: Context) -> Verdict:
    """One training with many canaries."""
    guarantee = decide.decided_guarantee(target)
    played = play.play_one_run(target, module, context)
    rng = contract.generator(context.seed, target.name, "ranks")
    found = decide_one_run.judge(target, played.scores, played.included, guarantee, context.alpha, rng)
    outcome, detail = decide_one_run.decide(found)
    canaries = split(played.scores[played.included], played.scores[~played.included], 0.0)
    kept = _kept_scores(target, context, curves.one_run_file(target, canaries, guarantee, context.alpha))
    return _judged(
        target,
        context,
        (Evidence("game", outcome, detail),),
        outcome,
        basis=Basis.SAMPLING,
        witness=found.decision.witness,
        numbers=decide_one_run.as_numbers(target, found),
        attachments=kept,
    )


def _judged(
    target: Target,
    context: Context,
    evidence: tuple[Evidence, ...],
    outcome: Outcome,
    *,
    basis: Basis,
    witness: Numbers,
    numbers: Numbers,
    attachments: tuple[str, ...] = (),
) -> Verdict:
    """The verdict of one tier; basis, witness, effect and repair where they belong to the outcome."""
    refuted = outcome is Outcome.REFUTED
    return replace(
        _undecided(target, context, outcome, ""),
        evidence=evidence,
        basis=basis if outcome is Outcome.CONSISTENT else None,
        witness=witness if refuted else (),
        effect=target.effect if refuted else "",
        repair=target.repair if refuted else "",
        numbers=numbers,
        attachments=attachments,
    )


def _undecided(target: Target, context: Context, outcome: Outcome, detail: str) -> Verdict:
    """A verdict without numbers; the run fills in the command that repeats it."""
    claim = target.claim
    return Verdict(
        id=target.name,
        kind=Kind.AUDIT if target.control is Control.NONE else Kind.CONTROL,
        outcome=outcome,
        expected=target.expects,
        title=target.title,
        evidence=(Evidence("game", outcome, detail),),
        source=claim.source,
        seed=context.seed,
        statement=f"{describe(claim.guarantee)}; neighbours: {claim.neighbours}; the adversary sees {target.view}",
    )
