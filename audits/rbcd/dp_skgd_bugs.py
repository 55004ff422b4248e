"""DP-SkGD with one bug at a time: planted bugs that the auditor must find.

What: the transcripts of rbcd/dp-skgd, on two blocks of two coordinates, and of full steps on all coordinates, with:
half-noise: each noise scale halved, the commonest bug of noisy optimisers, a factor in the noise scale.
noise-as-variance: eta ~ N(0, sigma I) in place of N(0, sigma^2 I), as line 6 of the algorithm prints the scale where
the covariance stands. With sigma = 4 the standard deviation is 2. For sigma below 1 the same bug wastes noise, which no
audit of privacy can see.
forgotten-epochs, forgotten-inner-steps: noise for one epoch, or one inner step, and a run of four. A training that is
continued spends its budget anew in every epoch, and an inner loop releases as much as an outer one.
half-sensitivity: L/n in place of 2 L/n, which is the change when a record is replaced by one without gradient; any
other moves the mean gradient twice as far. Realistic records do not show it: a flipped label of a logistic record moves
the gradient by L/n exactly (see rbcd/dp-skgd-logistic).
smallest-lipschitz: min_j L_j for a block in place of L_U; constants of coordinates do not bound a block's gradient.
With L_j = 3, 4 the block has L_U = 5. The largest of them, 4, would still be too small by 5/4.
noise-after-sketch: theta - Gamma (C grad f + I_S eta) in place of theta - Gamma C (grad f + eta). C multiplies the
gradient by 1/p_j and leaves the noise alone, which is noise p_j sigma in the units of the gradient, as it is run here.
With two blocks of p = 1/2, mu is too large by 1/p = 2; with single coordinates it is too large by d.
bare-coordinates: the whole gradient is released and only the drawn block has noise, the printed mechanism
f(D) + I_U N(0, sigma^2 I) of definition D.4 taken at its word in every step. One bare coordinate that depends on the
record gives it away: the guarantee is void, whatever the noise.
Why: the claim stays that of the full noise, 1-GDP, epsilon 4.4 at delta 1e-5. An auditor that is silent here proves
nothing elsewhere. The structural check "noise scale" finds half of the noise without trials, in one run of 80 steps.
Worst-case neighbours: a linear loss, one record turned into its opposite, its restriction to each block as long as the
block's Lipschitz constant allows.
The adversary sees every drawn block, its noisy gradient coordinates, and what is bare.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import Audit, with_record
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian, Mechanism, PureDP, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.coordinates import block_uniform, full

Params = dp_skgd.Params

SHORT, LONG, LONGEST = np.array([0.6, 0.8]), np.array([3.0, 4.0]), np.array([3.0, 4.0, 0.3, 0.4])
"""The worst records; the restrictions of the last one to the two blocks have the norms 5 and 1/2."""
OTHER_BLOCK = np.array([[2, 3], [0, 1]])
PAPER = "Maranjyan, Sadiev, Richtarik (2024), https://arxiv.org/abs/2412.17054"


def scales(lipschitz: tuple[float, ...], steps: int, records: int) -> tuple[float, ...]:
    """The noise that makes so many steps 1-GDP."""
    return tuple(2 * bound * math.sqrt(steps) / records for bound in lipschitz)


BLOCKS = Params(
    start=(0.0,) * 4,
    step_sizes=(0.1,) * 4,
    epochs=2,
    inner_steps=2,
    sampler=block_uniform(((0, 1), (2, 3))),
    noise_scales=scales((5.0, 0.5), 4, 8),
    lipschitz=(5.0, 0.5),
    records=8,
)
FEW_BLOCKS = replace(BLOCKS, epochs=1, noise_scales=scales((5.0, 0.5), 2, 5), records=5)
WHOLE = Params(
    start=(0.0,) * 2,
    step_sizes=(0.1,) * 2,
    epochs=1,
    inner_steps=2,
    sampler=full(2),
    noise_scales=scales((1.0,), 2, 5),
    lipschitz=(1.0,),
    records=5,
)
ONE_STEP = scales((1.0,), 1, 5)


def bug(
    name: str,
    title: str,
    effect: str,
    found_in: str,
    cost: int,
    truth: Mechanism = SelfComposed(Gaussian(1.0), 4),  # noqa: B008  # frozen
    repair: str = "rbcd/dp-skgd",
    check: str = "",
) -> Target:
    """The target of one bug. found_in: where it was reported; truth: what is left of 1-GDP, 2-GDP unless given; check:
    of the structural tier, if that is what finds it."""
    return Target(
        name=f"known-bad/{name}",
        title=f"DP-SkGD {title}",
        view=View.TRANSCRIPT,
        claim=claim(
            mu=1.0,
            neighbours=Neighbours.REPLACE_ONE,
            source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, before the bug",
        ),
        trials=TrialPlan(smoke=20_000, standard=1_000_000, deep=1_000_000),
        control=Control.KNOWN_BAD,
        expects=Outcome.REFUTED,
        truth=truth,
        effect=effect,
        repair=repair,
        bug=PlantedBug(found_in, Tier.STRUCTURAL if check else Tier.GAME, cost, check),
    )


def audit(target: Target, params: Params, worst: Array, believed: Params | None = None) -> Audit:
    """Transcripts (trials, steps, 1 + size): number of the set, its noisy gradient coordinates.

    believed: whose noise the adversary takes for that of the run, None for the true one. Records, shape (records,
    dimension), lie within the Lipschitz constants; the first is `worst`, and turned around in the neighbour.
    """
    deviations = (believed or params).deviations

    def score(outputs: Array, data: Array, neighbour: Array) -> Array:
        """The log-likelihood ratio of the transcript."""
        drawn = outputs[:, :, 0].astype(np.int64)
        coordinates = params.sampler.members[drawn]
        mean, other = (records.mean(axis=0)[coordinates] for records in (data, neighbour))
        return likelihood_ratio.gaussian(outputs[:, :, 1:], mean, other, deviations[drawn][:, :, None])

    return Audit(
        target,
        lambda rng: with_record(rng.uniform(-1, 1, size=(params.records, len(worst))) * worst, worst, -worst),
        lambda data, trials: dp_skgd.cpu(params, linear(data), trials),
        score,
    )


HALF_NOISE = bug(
    "dp-skgd-half-noise",
    "with half of the noise that it claims",
    "the record of one person shows in the transcript about as clearly as at epsilon 10, not 4.4",
    "https://github.com/opendp/smartnoise-core/issues/316",
    41,
    truth=SelfComposed(Gaussian(math.sqrt(2) / 2), 2),
    check="noise scale",
)
BEFORE_THE_BUG = replace(HALF_NOISE.claim, source="the noise scale before the bug")
HALVED = replace(WHOLE, noise_scales=(WHOLE.noise_scales[0] / 2,))


def record_half_noise(data: Array, recorder: Recorder) -> None:
    """One run of so many steps that the size of its noise shows, which declares the noise before the bug."""
    longer, declared = (replace(params, inner_steps=80) for params in (HALVED, WHOLE))
    stepwise.instrument(dp_skgd, longer, linear(data), recorder, declared=declared)


BARE = bug(
    "rbcd-bare-coordinates",
    "without noise outside of the drawn block",
    "one step tells with certainty which of the two records was used: no epsilon holds at all",
    f"{PAPER}, definition D.4 as printed",
    100,
    truth=PureDP(math.inf),
)


def run_bare(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 5): number of the block, its two noisy coordinates, the two bare ones (the bug)."""
    transcript = dp_skgd.cpu(FEW_BLOCKS, linear(data), trials)
    bare = data.mean(axis=0)[OTHER_BLOCK[transcript[:, :, 0].astype(np.int64)]]
    return np.concatenate([transcript, bare], axis=2)


def score_bare(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much nearer the bare coordinates of the first step are to those of `data`."""
    others = OTHER_BLOCK[outputs[:, 0, 0].astype(np.int64)]
    near, far = (np.abs(outputs[:, 0, 3:] - records.mean(axis=0)[others]).sum(axis=1) for records in (data, neighbour))
    return np.asarray(far - near)


AUDITS = (
    replace(
        audit(replace(HALF_NOISE, claim=BEFORE_THE_BUG, companion=True), HALVED, SHORT, believed=WHOLE),
        instrument=record_half_noise,
        assumptions=Assumptions(checked_records=True),
    ),
    audit(
        bug(
            "rbcd-noise-as-variance",
            "with its noise scale read as a variance",
            "noise of standard deviation 2 where 4 was calibrated: epsilon 10.0 at delta 1e-5, not 4.4",
            f"{PAPER}, line 6 of algorithm 1 as printed",
            200,
        ),
        replace(WHOLE, epochs=2, noise_scales=scales((5.0,), 4, 5), lipschitz=(5.0,), noise_param="var"),
        LONG,
    ),
    audit(
        bug(
            "rbcd-forgotten-epochs",
            "calibrated without the number of epochs",
            "four epochs on the budget of one: epsilon 10.0 at delta 1e-5, not 4.4",
            "https://github.com/opendp/smartnoise-sdk/pull/424",
            200,
        ),
        replace(WHOLE, epochs=4, inner_steps=1, noise_scales=ONE_STEP),
        SHORT,
    ),
    audit(
        bug(
            "rbcd-forgotten-inner-steps",
            "calibrated without the number of inner steps",
            "four inner steps on the budget of one: epsilon 10.0 at delta 1e-5, not 4.4",
            "https://github.com/opendp/smartnoise-sdk/pull/424",
            200,
        ),
        replace(WHOLE, inner_steps=4, noise_scales=ONE_STEP),
        SHORT,
    ),
    audit(
        bug(
            "rbcd-half-sensitivity",
            "with the sensitivity of removing a record",
            "replacing a record shows at epsilon 10.0 at delta 1e-5, where 4.4 is promised",
            "https://github.com/google-deepmind/jax_privacy/blob/main/docs/sharp_edges_dp_training_pitfalls.md, "
            "neighbouring relations",
            200,
        ),
        replace(BLOCKS, noise_scales=tuple(scale / 2 for scale in BLOCKS.noise_scales)),
        LONGEST,
    ),
    audit(
        bug(
            "rbcd-smallest-lipschitz",
            "with the smallest coordinate constant for a block",
            "a record shows at epsilon 8.0 at delta 1e-5, where 4.4 is promised",
            "Tramer et al. (2022), https://arxiv.org/abs/2202.12219, a sensitivity that is too small",
            500,
            truth=SelfComposed(Gaussian(2 * 3 / 5), 4),
            repair="rbcd/theorem-4.1",
        ),
        replace(BLOCKS, noise_scales=scales((3.0, 0.3), 4, 8)),
        LONGEST,
    ),
    audit(
        bug(
            "rbcd-noise-after-sketch",
            "with its noise added after the sketch",
            "a record shows at epsilon 10.0 at delta 1e-5, where 4.4 is promised, and at far more with more blocks",
            f"{PAPER}, algorithm 1, read with the noise outside",
            200,
            repair="rbcd/dp-skgd-tau-nice",
        ),
        replace(BLOCKS, noise_scales=tuple(scale / 2 for scale in BLOCKS.noise_scales)),
        LONGEST,
    ),
    replace(
        audit(replace(BARE, trials=TrialPlan(smoke=20_000, standard=100_000, deep=100_000)), FEW_BLOCKS, LONGEST),
        run=run_bare,
        score=score_bare,
    ),
)
