"""The bugs of `dp_sgd_bugs` as audit targets: names, sources, effects, and the correct twin of each."""

from __future__ import annotations

from dpaudit.audit.planted import dp_sgd
from dpaudit.audit.planted.dp_sgd_bugs import CAUGHT_BY, Bug
from dpaudit.content.audits import Audit
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier
from dpaudit.records.verdict import Outcome

TRAININGS = 22
"""Recordings and replays of one structural audit, at most."""

DEBUGGING = "Tramer et al. (2022), https://arxiv.org/abs/2202.12219"
RECORDER = "Cebere et al. (2026), https://arxiv.org/abs/2602.17454"
PITFALLS = (
    "https://github.com/google-deepmind/jax_privacy/blob/main/docs/sharp_edges_dp_training_pitfalls.md, pitfalls of"
)
SCALE = "https://github.com/opendp/smartnoise-core/issues/316"
KEYS = "https://github.com/jax-ml/jax/pull/3646"
SHUFFLE = "Chua et al. (2024), https://arxiv.org/abs/2403.17673"
CLIPPING = "Abadi et al. (2016), https://arxiv.org/abs/1607.00133, algorithm 1 without its line"

SOURCES: dict[Bug, tuple[str, str, str]] = {
    Bug.HALF_NOISE: ("half-noise", SCALE, "a record shows as at about twice the claimed noise level or worse"),
    Bug.FOUR_FIFTHS_NOISE: ("four-fifths-noise", SCALE, "the epsilon of the run is larger than the one reported"),
    Bug.SQUARED_NOISE: ("squared-noise", SCALE, "scales below 1 shrink: here half of the noise is left"),
    Bug.NOISE_OVER_BATCH: ("noise-over-batch", DEBUGGING, "a twentieth of the noise: single records show"),
    Bug.NOISE_OVER_ROOT_BATCH: ("noise-over-root-batch", DEBUGGING, "less than a quarter of the noise is there"),
    Bug.ONE_SIDED_NOISE: ("one-sided-noise", RECORDER, "a released sum below that of the neighbour is impossible"),
    Bug.CLAMPED_NOISE: (
        "clamped-noise",
        "Holohan et al. (2018), https://arxiv.org/abs/1808.10410, bounded noise without its calibration",
        "releases beyond one standard deviation exclude a data set with certainty",
    ),
    Bug.INTEGER_NOISE: (
        "integer-noise",
        "https://github.com/opendp/smartnoise-core/issues/242",
        "most noise is 0, and the fractional part of the release is exact",
    ),
    Bug.HALF_PRECISION_NOISE: (
        "half-precision-noise",
        "related: https://github.com/meta-pytorch/opacus/issues/616, noise in floating point",
        "the noise is a multiple of one number, and the rest of the release is exact",
    ),
    Bug.NOISE_OF_LARGE_COORDINATES: (
        "noise-of-large-coordinates",
        "Ghazi et al. (2024), https://arxiv.org/abs/2311.08357, on sparse gradients",
        "which coordinates carry no noise tells what the batch holds",
    ),
    Bug.NOISE_AVERAGED_OVER_WORKERS: (
        "noise-averaged-over-workers",
        "https://github.com/meta-pytorch/opacus/pull/196",
        "each worker adds its share of noise as if the others had no say: half of the noise is left",
    ),
    Bug.NO_NOISE: ("no-noise", RECORDER, "every step is released as it is"),
    Bug.GROUP_WITHOUT_NOISE: ("group-without-noise", DEBUGGING, "one parameter of the model is trained without noise"),
    Bug.NOISE_NOT_ADDED: ("noise-not-added", RECORDER, "every step is released as it is"),
    Bug.REUSED_NOISE: ("reused-noise", f"{KEYS}; Nasr et al. (2023), https://arxiv.org/abs/2302.07956",
                       "differences of noisy gradients show single records exactly"),
    Bug.SAME_KEY_EQUAL_SHAPES: ("one-key-equal-shapes", KEYS, "the difference of two parameters shows records exactly"),
    Bug.SAME_KEY_OTHER_SHAPES: ("one-key", KEYS, "a combination of two parameters shows single records exactly"),
    Bug.NOISE_SHARED_BY_WORKERS: ("noise-shared-by-workers", "https://github.com/meta-pytorch/opacus/pull/196",
                                  "the difference of two workers shows their records exactly"),
    Bug.CONSTANT_SEED: ("constant-seed", f"{PITFALLS} reused keys", "whoever reads the code can take the noise off"),
    Bug.GLOBAL_GENERATOR: (
        "global-generator",
        "https://github.com/meta-pytorch/opacus/issues/538",
        "whoever seeds the process knows the noise",
    ),
    Bug.NO_CLIPPING: ("no-clipping", CLIPPING + " on clipping", "one record moves the model as far as it likes"),
    Bug.CLIPPED_MEAN: (
        "clipped-mean",
        CLIPPING + " on the clipping of single gradients",
        "one record can turn the whole step around",
    ),
    Bug.CLIPPED_COORDINATES: ("clipped-coordinates", CLIPPING + " on the norm",
                              "a record moves a step by the root of the number of parameters times what is accounted"),
    Bug.CLIPPED_AFTER_NOISE: ("clipped-after-noise", CLIPPING + " on clipping before noise",
                              "one long record decides the direction of the step, whatever the noise"),
    Bug.CLIPPED_AT_QUANTILE: (
        "clipped-at-quantile",
        "Andrew et al. (2021), https://arxiv.org/abs/1905.03871, without the noise on the quantile",
        "the size of the noise tells the median of the gradients",
    ),
    Bug.CLIPPED_SUMS: ("clipped-sums", "https://github.com/tensorflow/privacy/issues/620",
                       "a record that turns the sum of two around moves it by up to twice the norm"),
    Bug.BATCH_NORMALISED: (
        "batch-normalised",
        "https://github.com/meta-pytorch/opacus/blob/main/opacus/validators/batch_norm.py",
        "one record changes the gradients of all others in the batch",
    ),
    Bug.CLIPPED_GROUPS: ("unshared-norm", "https://github.com/meta-pytorch/opacus/issues/202",
                         "the noise is up to half of what the accountant assumes"),
    Bug.CLIPPED_MICROBATCHES: (
        "clipped-microbatches",
        "https://github.com/tensorflow/privacy/issues/81, https://github.com/tensorflow/privacy/issues/620",
        "a record moves the mean of its microbatch by up to twice the norm that is accounted for",
    ),
    Bug.REPEATED_RECORD: ("repeated-record", "https://github.com/meta-pytorch/opacus/issues/461",
                          "a record moves each step by three times what is accounted for"),
    Bug.ACTUAL_BATCH_SIZE: (
        "actual-batch-size",
        "https://github.com/meta-pytorch/opacus/issues/571, https://github.com/meta-pytorch/opacus/issues/819",
        "in a small batch one record moves the mean much further than one in an expected batch",
    ),
    Bug.NUMBER_OF_RECORDS: ("number-of-records", RECORDER,
                            "the number of records, and with it one record, shows in every step"),
    Bug.PUBLIC_NUMBER_OF_RECORDS: ("public-number-of-records", RECORDER, "the number of records is released as it is"),
    Bug.BOUNDS_FROM_DATA: ("bounds-from-data", "https://github.com/IBM/differential-privacy-library/issues/20",
                           "the longest record is released as it is"),
    Bug.RAW_RELEASED: ("raw-released", "https://github.com/opendp/smartnoise-sdk/issues/622",
                       "one unusual record moves the model as far as it likes"),
    Bug.HALF_SENSITIVITY: ("half-sensitivity", DEBUGGING, "the noise is half of what one record needs"),
    Bug.REPLACE_AS_REMOVE: ("replace-as-remove", f"{PITFALLS} neighbouring relations; "
                            "https://github.com/ryan112358/mbi/issues/65",
                            "a replaced record moves each sum by twice what is accounted for"),
    Bug.NOT_FINITE: ("non-finite", "https://github.com/google/differential-privacy/pull/405",
                     "one broken record turns the model into NaN and so shows itself"),
    Bug.SHUFFLED: ("shuffled", f"{SHUFFLE}; https://github.com/meta-pytorch/opacus/issues/80",
                   "the epsilon of the run is several times the one reported"),
    Bug.FIXED_ORDER: ("fixed-order", SHUFFLE, "the epsilon of the run is several times the one reported"),
    Bug.CONSTANT_SIZE: ("constant-size", "https://github.com/meta-pytorch/opacus/issues/80",
                        "the size of a batch no longer hides whether a record is there, and a sum moves twice as far"),
    Bug.ALWAYS_DRAWN: ("always-drawn", SHUFFLE, "the first record has no benefit of sampling at all"),
    Bug.DRAWN_BY_VALUE: ("drawn-by-value", SHUFFLE, "records with large features are drawn more often than others"),
    Bug.EARLY_STOP: ("early-stop", RECORDER, "the length of the training tells whether one record was there"),
    Bug.STEPS_FROM_DATA: ("steps-from-data", RECORDER, "the length of the training tells the number of records"),
    Bug.PUBLIC_STEP_SIZE_FROM_DATA: ("public-step-size-from-data", f"{PITFALLS} auxiliary information",
                                     "the longest record is released as it is"),
    Bug.STEP_SIZE_FROM_DATA: ("step-size-from-data", f"{PITFALLS} auxiliary information",
                              "whoever sees gradients and weights learns the longest record"),
    Bug.MOMENTUM_OF_RAW: ("momentum-of-raw", CLIPPING + " on what a step may use",
                          "what is added to the weights between two releases carries no noise"),
    Bug.PRECONDITIONER_OF_RAW: ("preconditioner-of-raw", "Li et al. (2022), https://arxiv.org/abs/2202.05963, with"
                                " private data for the public ones",
                                "the step over the released gradient is an exact statistic of the batch"),
    Bug.PULL_TO_THE_DATA: ("pull-to-the-data", CLIPPING + " on what a step may use",
                           "the weights drift by an exact statistic of all records"),
    Bug.START_FROM_DATA: ("start-from-data", f"{PITFALLS} auxiliary information",
                          "the first weights are an exact statistic of ten private records"),
    Bug.CHECKPOINT_BEFORE_NOISE: ("checkpoint-before-noise", "https://github.com/meta-pytorch/opacus/issues/373",
                                  "the file on the disk holds a step without noise"),
    Bug.LOSS_RETURNED: ("returned-loss", f"{PITFALLS} auxiliary information",
                        "one number without noise tells whether a record was there"),
    Bug.ORDER: ("order", f"{PITFALLS} neighbouring relations", "records late in the file weigh twice as much"),
    Bug.SPENT_TWICE: ("spent-twice", RECORDER, "the run spends the budget about twice"),
    Bug.UNPAID_QUERY: ("unpaid-query", RECORDER, "a mean of the features is released that nobody accounts for"),
    Bug.HALF_MULTIPLIER: ("half-multiplier", DEBUGGING, "the epsilon reported is that of twice the noise"),
    Bug.FEWER_STEPS: ("fewer-steps", "https://github.com/opendp/smartnoise-sdk/pull/424",
                      "the epsilon reported is that of half of the training"),
}  # fmt: skip
"""Name of the target, source with link, effect. WRONG_CALIBRATION has no training of its own: see `accountants`."""

_CHECKS = {bug: check for check, bugs in CAUGHT_BY.items() for bug in bugs}
_EPSILON = {Bug.FEWER_STEPS: 3.0215, Bug.REPLACE_AS_REMOVE: 4.0232}
"""Of what the accountant is told, rounded up, where it is not that of `dp_sgd.PLAN`."""
_TWINS = {1: "dp-sgd/structural", 2: "dp-sgd/two-workers"}


def audit(bug: Bug) -> Audit:
    """The audit of the training with one bug."""
    name, source, effect = SOURCES[bug]
    settings = dp_sgd.plan(bug)
    target = Target(
        name=f"known-bad/dp-sgd-{name}",
        title=f"DP-SGD, planted: {bug.value}",
        view=View.TRANSCRIPT,
        claim=dp_sgd.claim(_EPSILON.get(bug, dp_sgd.EPSILON), settings),
        trials=None,
        claimed_mechanism=dp_sgd.mechanism(bug, settings),
        control=Control.KNOWN_BAD,
        expects=Outcome.REFUTED,
        effect=effect,
        repair=repair(settings),
        companion=bug is Bug.HALF_NOISE,
        bug=PlantedBug(source, Tier.STRUCTURAL, TRAININGS, _CHECKS[bug]),
    )
    return _audit(target, bug, settings)


def repair(settings: dp_sgd.Plan) -> str:
    """The name of the correct training of this plan."""
    replaced = settings.relation is Neighbours.REPLACE_ONE
    return "dp-sgd/replace-one" if replaced else _TWINS[settings.workers]


def twin(settings: dp_sgd.Plan, title: str, epsilon: float = dp_sgd.EPSILON) -> Audit:
    """The correct training of a plan: every structural check must stay silent."""
    mechanism = dp_sgd.mechanism(Bug.NONE, settings)
    target = Target(
        name=repair(settings),
        title=title,
        view=View.TRANSCRIPT,
        claim=dp_sgd.claim(epsilon, settings),
        trials=None,
        claimed_mechanism=mechanism,
        truth=mechanism if settings.relation is Neighbours.ADD_OR_REMOVE else None,
        effect="a training that is right is called wrong: a check has a false alarm",
    )
    return _audit(target, Bug.NONE, settings)


def _audit(target: Target, bug: Bug, settings: dp_sgd.Plan) -> Audit:
    """Records belong to workers by their number, so that their order matters where there are several."""
    return Audit(
        target,
        neighbours=lambda rng: dp_sgd.neighbours(rng, settings),
        instrument=dp_sgd.instrument(bug, settings),
        assumptions=Assumptions(ordered=settings.workers > 1),
    )
