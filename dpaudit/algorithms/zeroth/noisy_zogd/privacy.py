"""What Noisy-ZOGD promises: all iterates and frames from its own composition, the last iterate from the accountants.

Public states, given a frame U and the past: replacing a record moves each of the K means by at most 2 Delta/b, so
h = (eta/K) U v with |v| <= 2 Delta sqrt(K)/b, and the noise has covariance C = eta^2 sigma^2 ((b_dir/K) U U' +
((1 - b_dir)/d) I). The noise multiplier of the step is the least 1/sqrt(h' C^-1 h). Orthonormal frames:
sigma b sqrt(b_dir + (1 - b_dir) K/d)/(2 Delta). Independent directions: an eigenvalue of U'U may come as near to K as
one likes, which leaves sigma b sqrt(b_dir + (1 - b_dir)/d)/(2 Delta); for K = 1 or b_dir = 1 both are the same.

Theorem 3.1 of the paper takes Delta in place of 2 Delta for its sensitivity: with replacement, its noise multiplier
is too large by 2. `dpaudit.algorithms.zeroth.accounting.public_states.public_states` gives both numbers.
"""

from __future__ import annotations

import math
from dataclasses import replace

from dpaudit.algorithms.zeroth.accounting.batches import sampled_promise
from dpaudit.algorithms.zeroth.accounting.hidden_state import last_iterate
from dpaudit.algorithms.zeroth.accounting.public_states import Setting
from dpaudit.algorithms.zeroth.noisy_zogd.params import Params
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Composed, FixedSizeSampled, Gaussian, Mechanism, Promise, SelfComposed
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.validation import check_noisy


def promise(params: Params) -> Promise:
    """What iterates and frames promise together when one record is replaced.

    Holds for any records, since it rests on clipping only. Raises ConfigurationError without noise.
    """
    _check_noise(params)
    steps = [_step(params, share) for share in params.b_dir]
    alike = len(set(params.b_dir)) == 1
    whole = SelfComposed(steps[0], params.steps) if alike else Composed(tuple(steps))
    source = "Chien, Chen, Li (2025), theorem 3.1, corrected: replacement moves a clipped slope by 2 Delta"
    return Promise(whole, Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)


def _step(params: Params, share: float) -> Mechanism:
    batches = params.batches
    gain = share + (1 - share) / len(params.start) * (params.directions if params.frame == "orthonormal" else 1)
    once = Gaussian(params.noise * batches.size * math.sqrt(gain) / (2 * params.clip_norm))
    return once if batches.size == batches.records else FixedSizeSampled(batches.size, batches.records, once)


def _check_noise(params: Params) -> None:
    check_noisy(params.noise)


def setting(params: Params, smoothness: float, convexity: float | None = None) -> Setting:
    """The run as the accountants of this paper read it; smoothness: M of every record, at least 0; convexity: m of
    m-strongly convex records, 0 if only convex, None if not. Raises ConfigurationError for independent directions,
    which those accountants do not cover, and without noise."""
    _check_noise(params)
    if params.frame != "orthonormal":
        raise ConfigurationError(
            f"frame must be 'orthonormal' for the hidden-state accountants, got {params.frame!r}; "
            "`promise` covers independent directions when all iterates are public"
        )
    constant = len(set(params.b_dir)) == 1
    return Setting(
        records=params.batches.records,
        dimension=len(params.start),
        directions=params.directions,
        steps=params.steps,
        step_size=params.step_size,
        noise=params.noise,
        clip_norm=params.clip_norm,
        b_dir=params.b_dir[0] if constant else params.b_dir,
        radius=params.domain.diameter / 2,
        smoothness=smoothness,
        convexity=convexity,
        perturbation=params.perturbation,
    )


def hidden_state_promise(params: Params, delta: float, smoothness: float, convexity: float | None = None) -> Promise:
    """What the last iterate alone promises: the best of composition, output perturbation and hidden states at `delta`.

    Assumes that every record is M-smooth and Delta-Lipschitz, with Delta the clip norm, on the domain widened by xi,
    and convex as stated; see `setting`. delta in (0, 1) chooses the window; the promise holds at every delta.
    """
    run, size = setting(params, smoothness, convexity), params.batches.size
    best = last_iterate(run, delta).promise if size == run.records else sampled_promise(run, size, delta)
    return replace(best, view=View.HIDDEN_STATE)  # a composition shows more than it is asked for
