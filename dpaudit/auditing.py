"""The audit of one target: its tiers, cheapest first, joined into one verdict."""

from __future__ import annotations

import json
import time
import traceback
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from dpaudit import findings, game, trial_outputs
from dpaudit.context import Context, slug
from dpaudit.errors import ContentError, MissingPackageError
from dpaudit.target import Control, Target
from dpaudit.tradeoff import describe
from dpaudit.verdict import Basis, Evidence, Kind, Outcome, Verdict


def audit(target: Target, module: Any, context: Context) -> Verdict:
    """The verdict on `target`, whose functions `module` carries.

    NOT_RUN without the packages that it needs; ERROR if it raises or breaks its contract
    (NaN, wrong shapes, trials that depend on each other): never a pass, never an exception.
    """
    started = time.perf_counter()
    try:
        _require(target)
        verdict = _played(target, module, context)
    except MissingPackageError as error:
        verdict = _undecided(target, context, Outcome.NOT_RUN, str(error))
    except (Exception, SystemExit) as error:  # whatever a target does is a finding about that target
        reason = str(error) if isinstance(error, ContentError) else f"{type(error).__name__}: {error}"
        kept = context.attach(f"errors/{slug(target.name)}.txt", traceback.format_exc())
        verdict = replace(_undecided(target, context, Outcome.ERROR, reason), attachments=(kept,) if kept else ())
    return replace(verdict, duration_s=time.perf_counter() - started)


def _require(target: Target) -> None:
    """The packages of the target, and the accountant that every claim is held against."""
    for module, extra in (*target.needs, ("dp_accounting", "accountants")):
        if find_spec(module.partition(".")[0]) is None:
            raise MissingPackageError(module, extra)


def _played(target: Target, module: Any, context: Context) -> Verdict:
    """The game on two neighbouring data sets."""
    guarantee = findings.decided_guarantee(target)
    played = game.play(target, module, context, guarantee)
    coins = trial_outputs.generator(context.seed, target.name, "coins")
    found = findings.judge(target, played.scores, guarantee, context.alpha, coins)
    outcome, detail = findings.decide(found)
    if len(played.tried) > 1:
        detail += f"; the attack {played.attack!r} was chosen of {len(played.tried)} on trials that were not counted"
    file = json.dumps(findings.scores_file(target, played.scores, found))
    kept = context.attach(f"scores/{slug(target.name)}.json", file)
    return replace(
        _undecided(target, context, outcome, detail),
        basis=Basis.SAMPLING if outcome is Outcome.CONSISTENT else None,
        witness=findings.witness(found) if outcome is Outcome.REFUTED else (),
        effect=target.effect if outcome is Outcome.REFUTED else "",
        repair=target.repair if outcome is Outcome.REFUTED else "",
        numbers=findings.as_numbers(target, played.scores, found),
        attachments=(kept,) if kept else (),
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
