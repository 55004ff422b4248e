"""Cells of benchmarks/attack.py: games that bets end, and releases of several shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from attack_game import STEP, Cell, Floats, Found, Generator, decided, target_of
from composed import without_mu

from dpaudit.accounting.epsilon import epsilon_bounds, gaussian_epsilon
from dpaudit.adapters.release import Release
from dpaudit.audit import tiers
from dpaudit.audit.game import decide, play
from dpaudit.content.audits import Audit, audit_of
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome


def staged(
    law: Callable[[Trials, bool], Floats],
    guarantee: Guarantee,
    planned: int,
    alpha: float,
    delta: float,
    epsilon: float,
    mechanism: Mechanism | None = None,
    false: bool = False,
) -> Callable[[Generator], Found]:
    """Audits of a game that bets end; law: scores of trials, on D or on D'; false: the claim does not hold."""
    target = replace(target_of(guarantee, delta, mechanism, True), trials=TrialPlan(planned, planned, planned))
    subject = Audit(
        target,
        neighbours=lambda rng: (np.ones(2), np.zeros(2)),
        run=lambda data, trials: law(trials, bool(data[0]))[:, None],
        score=lambda outputs, data, neighbour: outputs[:, 0],
    )
    decided_on = decide.decided_guarantee(target)

    def audit(rng: Generator) -> Found:
        context = Context(int(rng.integers(2**62)), Level.SMOKE, alpha)
        played, bets = play.play_in_stages(subject, context, decided_on)
        found: Found = {} if false else decided(target, played.scores, decided_on, rng, bets)
        remembered, without = without_mu()
        with remembered, without:
            printed = decide.printed_bounds(played.scores, delta, rng, decide.PRINTED_ALPHA / played.looks)
        return found | {"printed epsilon": (0.05, printed[0] > epsilon + 1e-9)}

    return audit


def staged_kov(trials: Trials, on_data: bool, epsilon: float, delta: float, jitter: bool) -> Floats:
    """The worst law from the stream of a game."""
    u = trials.stream.uniforms(trials.numbers, 0, 3)
    told, sign = u[:, 0] < delta, 1 if on_data else -1
    said = np.where(u[:, 1] < 1 / (1 + math.exp(-epsilon)), sign, -sign)
    return np.where(told, 3.0 * sign, said + (u[:, 2] / 2 if jitter else 0.0))


def staged_laplace(trials: Trials, on_data: bool, epsilon: float) -> Floats:
    """Laplace noise from the stream of a game."""
    u = trials.stream.uniforms(trials.numbers, 0, 1)[:, 0] - 0.5
    return np.asarray(on_data - np.sign(u) * np.log1p(-2 * np.abs(u)) / epsilon)


def staged_normal(trials: Trials, on_data: bool, mu: float, rate: float = 1.0) -> Floats:
    """Gaussian noise, or a sampled step, from the stream of a game."""
    taken = trials.stream.part("batch").uniforms(trials.numbers, 0, 1)[:, 0] < rate
    return trials.stream.normals(trials.numbers, 0, 1)[:, 0] + mu * (taken & on_data)


def shape(epsilon: float, alpha: float, kind: str) -> Callable[[Generator], Found]:
    """A release whose number of values is private, exactly epsilon-DP. kind: "" as many as there are records, plus
    discrete Laplace noise; "two numbers" one of two, by randomised response; "padded" the noisy number itself, beside a
    fixed number of values: a control."""

    def release(data: Floats, seed: int) -> Floats:
        rng, share = np.random.default_rng(seed), -math.expm1(-epsilon)
        if kind == "two numbers":
            right = rng.random() < 1 / (1 + math.exp(-epsilon))
            return np.zeros(len(data) if right else 59 - len(data))
        count = len(data) + int(rng.geometric(share)) - int(rng.geometric(share))
        return np.append(np.zeros(59), count) if kind == "padded" else np.zeros(max(count, 1))

    trials = 40 if kind == "padded" else 100
    plan = TrialPlan(trials, trials, trials)
    pair = np.ones(30), np.ones(29)
    subject = audit_of(Release("a/rows", release, pair=pair, claim=claim(epsilon=epsilon), trials=plan))

    def audit(rng: Generator) -> Found:
        verdict = tiers.audit(subject, Context(int(rng.integers(2**62)), Level.SMOKE, alpha))
        return {f"refuted at {alpha:g}": (alpha, verdict.outcome is Outcome.REFUTED)}

    return audit


def _staged_cells() -> Iterator[Cell]:
    def cell(name: str, *given: Any, **more: Any) -> Cell:
        return Cell("game, staged", name, staged(*given, **more))

    dp = ApproximateDP
    for alpha in (0.05, 0.001):
        law = partial(staged_kov, epsilon=1.0, delta=0.01, jitter=True)
        yield cell(f"worst law (1, 0.01), no ties, level {alpha}", law, dp(1, 0.01), 900, alpha, 0.01, 1.0)
        law = partial(staged_kov, epsilon=0.0, delta=0.1, jitter=False)
        yield cell(f"worst law (0, 0.1), four values, level {alpha}", law, dp(0, 0.1), 900, alpha, 0.1, 0.0)
        law = partial(staged_laplace, epsilon=1.0)
        yield cell(f"Laplace, epsilon 1, level {alpha}", law, dp(1, 0), 900, alpha, 0.0, 1.0)
        law = partial(staged_normal, mu=1.0)
        yield cell(f"normal, mu 1, level {alpha}", law, GaussianDP(1), 900, alpha, 1e-5, gaussian_epsilon(1e-5, 1))
    law = partial(staged_normal, mu=2.0, rate=0.3)
    true = epsilon_bounds(STEP, 0.1, Neighbours.ADD_OR_REMOVE).upper
    yield cell("sampled Gaussian step", law, dp(true, 0.1), 900, 0.05, 0.1, true, STEP)
    # The claim is a little too small, so that bets end many games early: what is printed has to hold all the same.
    law = partial(staged_kov, epsilon=1.3, delta=0.0, jitter=False)
    yield cell("epsilon 1.3 claimed as 1: the bounds", law, dp(1, 0), 900, 0.05, 0.0, 1.3, false=True)


SHAPES = (
    (1.0, 0.001, ""),
    (2.0, 0.001, ""),
    (2.0, 0.001, "two numbers"),
    (3.0, 0.05, ""),
    (3.0, 0.05, "two numbers"),
    (4.0, 0.001, ""),
    (8.0, 0.001, ""),
    (4.0, 0.05, "padded"),
)
"""Epsilon, level and kind."""

CELLS = (
    *_staged_cells(),
    *(
        Cell("shape", f"epsilon {epsilon:g}, level {alpha}{f', {kind}' if kind else ''}", shape(epsilon, alpha, kind))
        for epsilon, alpha, kind in SHAPES
    ),
)
