"""What one run cannot see: three canonical failures, and scores that bear the names of other canaries.

What: one training with 1,000 canaries that tells of one canary whether it is in, of all of them once in a thousand
trainings, or of all together whether an odd number is in. Claimed is epsilon 1 at delta 1e-5; the true epsilon is
infinite, up to delta 1/1,000, 1/1,000 and 1. Beside them the same releases in a game of many runs, which refutes each.
And a Gaussian mechanism with a quarter of its noise whose scores come back in the order of their size.
Why: right guesses of coins are all that one run counts. It gives one right guess, most often none, and none that is
better than a coin; its bound on epsilon is 0 each time, and CONSISTENT would be wrong. The training without noise,
scored alike, is what shows it: it is not refuted either. Beside a release that does give its canaries away without
noise one run would say CONSISTENT: it cannot see these.
Worst-case neighbours: the game holds all records but the first fixed, as differential privacy does; the coins of one
run leave all of them unknown.
The adversary sees what is released.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.audit.planted import one_run_failures as failures
from dpaudit.content.audits import Audit
from dpaudit.content.named_scores import named_scores
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

CANARIES = 1_000
RUNS = TrialPlan(smoke=2, standard=2, deep=2)

Release = Callable[[Array, Trials, bool], Array]
Scores = Callable[[Array, int], Array]


def once(included: Flags, trials: Trials, release: Release, scores: Scores) -> Array:
    """The named scores of one run."""
    found = scores(release(included.astype(np.float64), trials, True), len(included))
    return named_scores(np.arange(len(included)), found[0])


def one_run(slug: str, title: str, effect: str, release: Release, scores: Scores) -> Audit:
    """One run of a release that none can be refuted of; it has no noise that a control could leave out."""
    run = partial(once, release=release, scores=scores)
    return Audit(
        Target(
            name=f"one-run/{slug}",
            title=f"{title}, in one run",
            view=View.TRANSCRIPT,
            claim=claim(mu=0.268, source="false: epsilon 1 at delta 1e-5, of a release that keeps no epsilon there"),
            trials=RUNS,
            canaries=CANARIES,
            expects=Outcome.INCONCLUSIVE,
            effect=effect,
        ),
        run=run,
        without_noise=run,
    )


def by_size(included: Flags, trials: Trials, noise_scale: float) -> Array:
    """The scores of a noisy sum, largest first, which are named in the order of the canaries."""
    scores = included + noise_scale * trials.stream.normals(trials.numbers, 0, len(included))[0]
    return named_scores(np.arange(len(included)), -np.sort(-scores))


SORTED = Audit(
    Target(
        name="one-run/joined-by-position",
        title="Gaussian mechanism with a quarter of its noise, scores sorted before they are named",
        view=View.GRADIENTS,
        claim=claim(mu=0.5, source="false: the noise scale before the bug"),
        trials=RUNS,
        canaries=CANARIES,
        expects=Outcome.INCONCLUSIVE,
        effect="an audit whose scores belong to other canaries sees nothing, whatever leaks",
    ),
    run=partial(by_size, noise_scale=0.5),
    without_noise=partial(by_size, noise_scale=0.0),
)

AUDITS = (
    one_run(
        "name-and-shame", "The truth about one canary drawn at random",
        "the record of one person is published", failures.name_and_shame, failures.scores_of_the_named,
    ),
    one_run(
        "all-or-nothing", "All canaries or none",
        "now and then the records of everybody are published", failures.all_or_nothing, failures.scores_of_all,
    ),
    one_run(
        "parity", "The parity of all canaries",
        "whoever knows the other records knows the last one", failures.parity, failures.scores_of_parity,
    ),
    SORTED,
    *(case.audit(broken) for broken in (False, True) for case in failures.CASES),
)  # fmt: skip
