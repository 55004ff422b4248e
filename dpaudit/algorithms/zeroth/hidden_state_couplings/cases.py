"""The instances on which the forms of the couplings are compared, and the runs of Noisy-ZOGD that they hold."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Pair, Reduction
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.zeroth import hidden_state_couplings, noisy_zogd
from dpaudit.algorithms.zeroth.hidden_state_couplings.params import Neighbouring, Params
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses
from dpaudit.problems.domains import EVERYTHING, ball
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

TOLERANCE = 1e-12
TRIALS = 3
SOURCE = "Chien, Chen, Li (2025), equations (5), (6), proofs of lemma 3.9 and theorem 3.2"


def _neighbours(seed: int) -> Neighbouring:
    """Two logistic problems that differ in one record."""
    rng = np.random.default_rng([seed, 0xC0])
    features, labels = rng.normal(size=(5, 4)), np.where(rng.random(5) < 0.5, -1.0, 1.0)
    changed = features.copy()
    changed[2] = -2 * features[2]
    return Neighbouring(losses.logistic(features, labels), losses.logistic(changed, labels))


def _made(coupling: str, **changes: Any) -> Params:
    every, small = Batches("all records", 5, 5), ball(0.6, (0.0,) * 4)
    base = Params((0.3, -0.2, 0.1, 0.4), 3, every, 2, 0.9, 0.25, 0.4, 0.5, 0.6, domain=small, coupling=coupling)
    return replace(base, **changes)


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every coupling, all records and subsets, with and without a ball."""
    some = Batches("without replacement", 5, 3)
    listed = (
        _made("independent", batches=some),
        _made("synchronous"),
        _made("shared isotropic noise", batches=some, domain=EVERYTHING),
        _made("mean as printed", variance_share=(0.0, 0.5, 1.0)),
    )
    both = _neighbours(seed)
    return stepwise.cases(hidden_state_couplings, seed, ((one.coupling, both, one) for one in listed), "couplings")


ROUNDED = f"(tolerance {TOLERANCE:g}: the mean of (6) is added in another order)"
FINDING = (
    "the vector psi'(W') - psi(W') as the mean of each of the K numbers G'_k is added K times: for K = 2 W' moves by "
    "twice the difference of D' and D, which is not the adjacent process; the component along u_k is right"
)


def reductions(seed: int) -> tuple[Reduction, ...]:
    """Both runs of every coupling are runs of Noisy-ZOGD on the draws that they have, on three trials."""

    def stated(name: str, title: str, statement: str, coupling: str, **changes: Any) -> Reduction:
        pairs = partial(_runs, seed, _made(coupling, **changes))
        return Reduction(f"zeroth/RED-{name}", title, statement, SOURCE, pairs)

    shared, printed, law = "shared isotropic noise", "mean as printed", "the vector mean gives the adjacent process"
    return (
        stated("9a", "independent adjacent process", "each run is Noisy-ZOGD on its own draws", "independent"),
        stated("9b", "synchronous coupling", "each run is Noisy-ZOGD on the shared draws", "synchronous"),
        stated("9c", shared, f"psi(W') + Y' + Z is the step of Noisy-ZOGD on D' {ROUNDED}", shared),
        stated("9c-one", "equation (6) to the letter, K = 1", f"{law} {ROUNDED}", printed, directions=1),
        replace(
            stated("9c-printed", "equation (6) to the letter, K = 2", f"{law} {ROUNDED}", printed),
            expects=Outcome.REFUTED,
            finding=FINDING,
        ),
    )


def _runs(seed: int, params: Params) -> tuple[Pair, ...]:
    both, d, sides = _neighbours(seed), len(params.start), []
    for trial in range(TRIALS):
        draws = hidden_state_couplings.draw_inputs(params, Stream(seed, "reduce/couplings"), trial)
        states = hidden_state_couplings.reference(params, both, draws).states
        for side, problem in enumerate(both):
            batches = tuple(pair[side] for pair in draws.batches)
            alone = noisy_zogd.Draws(draws.noise[:, side], draws.directions[:, side], batches)
            run = noisy_zogd.reference(params.single, problem, alone)
            sides.append((states[:, side * d : (side + 1) * d], run.states))
    left, right = (np.array([pair[i] for pair in sides]) for i in (0, 1))
    return (
        Pair("W", left[0::2], right[0::2], TOLERANCE),
        Pair("W'", left[1::2], right[1::2], TOLERANCE),
    )
