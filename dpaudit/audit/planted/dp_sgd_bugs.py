"""The bugs that DP-SGD code has had, the check that must catch each, and the names of their targets.

From published reports: Tramer et al. 2022 (arXiv 2202.12219), Cebere, Erb, Desfontaines, Bellet, Fitzsimons 2026 (arXiv
2602.17454), Chua et al. 2024 (arXiv 2403.17673), and the issues of Opacus, TensorFlow Privacy, SmartNoise, diffprivlib
and JAX.
"""

from __future__ import annotations

from enum import StrEnum

DEBUGGING = "Tramer et al. (2022), https://arxiv.org/abs/2202.12219"
RECORDER = "Cebere et al. (2026), https://arxiv.org/abs/2602.17454"
PITFALLS = (
    "https://github.com/google-deepmind/jax_privacy/blob/main/docs/sharp_edges_dp_training_pitfalls.md, pitfalls of"
)
SCALE = "https://github.com/opendp/smartnoise-core/issues/316"
KEYS = "https://github.com/jax-ml/jax/pull/3646"
SHUFFLE = "Chua et al. (2024), https://arxiv.org/abs/2403.17673"
CLIPPING = "Abadi et al. (2016), https://arxiv.org/abs/1607.00133, algorithm 1 without its line"


class Bug(StrEnum):
    """What is planted, one at a time: words; the check that must catch it, where others may see it as well; and, of all
    but WRONG_CALIBRATION, which has no training of its own (see `accountants`), the end of its target's name, the
    source with a link, and the effect."""

    check: str
    slug: str
    source: str
    effect: str

    def __new__(cls, words: str, check: str = "", slug: str = "", source: str = "", effect: str = "") -> Bug:
        """The member whose value are the words."""
        member = str.__new__(cls, words)
        member._value_ = words
        member.check, member.slug, member.source, member.effect = check, slug, source, effect
        return member

    # fmt: off
    NONE = "nothing"
    HALF_NOISE = (
        "half of the noise", "noise scale", "half-noise", SCALE,
        "a record shows as at about twice the claimed noise level or worse",
    )
    FOUR_FIFTHS_NOISE = (
        "0.8 of the noise", "noise scale", "four-fifths-noise", SCALE,
        "the epsilon of the run is larger than the one reported",
    )
    SQUARED_NOISE = (
        "the noise scale squared", "noise scale", "squared-noise", SCALE,
        "scales below 1 shrink: here half of the noise is left",
    )
    NOISE_OVER_BATCH = (
        "the noise of a mean on a sum", "noise scale", "noise-over-batch", DEBUGGING,
        "a twentieth of the noise: single records show",
    )
    NOISE_OVER_ROOT_BATCH = (
        "the noise over the root of the batch size", "noise scale", "noise-over-root-batch", DEBUGGING,
        "less than a quarter of the noise is there",
    )
    ONE_SIDED_NOISE = (
        "noise that is never negative", "noise law", "one-sided-noise", RECORDER,
        "a released sum below that of the neighbour is impossible",
    )
    CLAMPED_NOISE = (
        "noise cut off at its standard deviation", "noise scale", "clamped-noise",
        "Holohan et al. (2018), https://arxiv.org/abs/1808.10410, bounded noise without its calibration",
        "releases beyond one standard deviation exclude a data set with certainty",
    )
    INTEGER_NOISE = (
        "noise cast to integers", "noise law", "integer-noise",
        "https://github.com/opendp/smartnoise-core/issues/242",
        "most noise is 0, and the fractional part of the release is exact",
    )
    HALF_PRECISION_NOISE = (
        "noise that underflows in half precision", "noise law", "half-precision-noise",
        "related: https://github.com/meta-pytorch/opacus/issues/616, noise in floating point",
        "the noise is a multiple of one number, and the rest of the release is exact",
    )
    NOISE_OF_LARGE_COORDINATES = (
        "noise on the coordinates that a batch moves", "noise law", "noise-of-large-coordinates",
        "Ghazi et al. (2024), https://arxiv.org/abs/2311.08357, on sparse gradients",
        "which coordinates carry no noise tells what the batch holds",
    )
    NOISE_AVERAGED_OVER_WORKERS = (
        "the whole noise averaged over workers", "noise scale", "noise-averaged-over-workers",
        "https://github.com/meta-pytorch/opacus/pull/196",
        "each worker adds its share of noise as if the others had no say: half of the noise is left",
    )
    NO_NOISE = (
        "noise forgotten", "un-noised outputs", "no-noise", RECORDER, "every step is released as it is",
    )
    GROUP_WITHOUT_NOISE = (
        "noise forgotten on one parameter group", "un-noised outputs", "group-without-noise", DEBUGGING,
        "one parameter of the model is trained without noise",
    )
    NOISE_NOT_ADDED = (
        "noise drawn and not added", "released values", "noise-not-added", RECORDER,
        "every step is released as it is",
    )
    REUSED_NOISE = (
        "the same noise every step", "fresh noise", "reused-noise",
        f"{KEYS}; Nasr et al. (2023), https://arxiv.org/abs/2302.07956",
        "differences of noisy gradients show single records exactly",
    )
    SAME_KEY_EQUAL_SHAPES = (
        "one key for two groups of one shape", "fresh noise", "one-key-equal-shapes", KEYS,
        "the difference of two parameters shows records exactly",
    )
    SAME_KEY_OTHER_SHAPES = (
        "one key for two groups of different shapes", "fresh noise", "one-key", KEYS,
        "a combination of two parameters shows single records exactly",
    )
    NOISE_SHARED_BY_WORKERS = (
        "the same noise on every worker", "fresh noise", "noise-shared-by-workers",
        "https://github.com/meta-pytorch/opacus/pull/196",
        "the difference of two workers shows their records exactly",
    )
    CONSTANT_SEED = (
        "noise from a seed in the code", "global random state", "constant-seed", f"{PITFALLS} reused keys",
        "whoever reads the code can take the noise off",
    )
    GLOBAL_GENERATOR = (
        "noise from a global generator", "global random state", "global-generator",
        "https://github.com/meta-pytorch/opacus/issues/538", "whoever seeds the process knows the noise",
    )
    NO_CLIPPING = (
        "no clipping", "sensitivity", "no-clipping", f"{CLIPPING} on clipping",
        "one record moves the model as far as it likes",
    )
    CLIPPED_MEAN = (
        "the mean is clipped, not the records", "sensitivity", "clipped-mean",
        f"{CLIPPING} on the clipping of single gradients", "one record can turn the whole step around",
    )
    CLIPPED_COORDINATES = (
        "coordinates are clipped, the norm is accounted for", "sensitivity", "clipped-coordinates",
        f"{CLIPPING} on the norm",
        "a record moves a step by the root of the number of parameters times what is accounted",
    )
    CLIPPED_AFTER_NOISE = (
        "clipping after the noise", "sensitivity", "clipped-after-noise", f"{CLIPPING} on clipping before noise",
        "one long record decides the direction of the step, whatever the noise",
    )
    CLIPPED_AT_QUANTILE = (
        "clipping at the median norm of the batch", "noisy calls", "clipped-at-quantile",
        "Andrew et al. (2021), https://arxiv.org/abs/1905.03871, without the noise on the quantile",
        "the size of the noise tells the median of the gradients",
    )
    CLIPPED_SUMS = (
        "sums of two records clipped", "accountant", "clipped-sums",
        "https://github.com/tensorflow/privacy/issues/620",
        "a record that turns the sum of two around moves it by up to twice the norm",
    )
    BATCH_NORMALISED = (
        "gradients of batch-normalised features", "sensitivity", "batch-normalised",
        "https://github.com/meta-pytorch/opacus/blob/main/opacus/validators/batch_norm.py",
        "one record changes the gradients of all others in the batch",
    )
    CLIPPED_GROUPS = (
        "every group clipped to the whole norm", "accountant", "unshared-norm",
        "https://github.com/meta-pytorch/opacus/issues/202", "the noise is up to half of what the accountant assumes",
    )
    CLIPPED_MICROBATCHES = (
        "means of two records clipped", "accountant", "clipped-microbatches",
        "https://github.com/tensorflow/privacy/issues/81, https://github.com/tensorflow/privacy/issues/620",
        "a record moves the mean of its microbatch by up to twice the norm that is accounted for",
    )
    REPEATED_RECORD = (
        "every record three times in the loss", "sensitivity", "repeated-record",
        "https://github.com/meta-pytorch/opacus/issues/461",
        "a record moves each step by three times what is accounted for",
    )
    ACTUAL_BATCH_SIZE = (
        "the sum divided by the size that was drawn", "sensitivity", "actual-batch-size",
        "https://github.com/meta-pytorch/opacus/issues/571, https://github.com/meta-pytorch/opacus/issues/819",
        "in a small batch one record moves the mean much further than one in an expected batch",
    )
    NUMBER_OF_RECORDS = (
        "the sum divided by the number of records", "records outside the batch", "number-of-records", RECORDER,
        "the number of records, and with it one record, shows in every step",
    )
    PUBLIC_NUMBER_OF_RECORDS = (
        "the number of records taken for public", "public values", "public-number-of-records", RECORDER,
        "the number of records is released as it is",
    )
    BOUNDS_FROM_DATA = (
        "features scaled by the longest record", "public values", "bounds-from-data",
        "https://github.com/IBM/differential-privacy-library/issues/20", "the longest record is released as it is",
    )
    RAW_RELEASED = (
        "clipped gradients computed, raw ones released", "released values", "raw-released",
        "https://github.com/opendp/smartnoise-sdk/issues/622",
        "one unusual record moves the model as far as it likes",
    )
    HALF_SENSITIVITY = (
        "half of the sensitivity", "sensitivity", "half-sensitivity", DEBUGGING,
        "the noise is half of what one record needs",
    )
    REPLACE_AS_REMOVE = (
        "replace one with the sensitivity of add or remove", "sensitivity", "replace-as-remove",
        f"{PITFALLS} neighbouring relations; https://github.com/ryan112358/mbi/issues/65",
        "a replaced record moves each sum by twice what is accounted for",
    )
    NOT_FINITE = (
        "non-finite gradients survive clipping", "bad records", "non-finite",
        "https://github.com/google/differential-privacy/pull/405",
        "one broken record turns the model into NaN and so shows itself",
    )
    SHUFFLED = (
        "shuffled batches", "sampler", "shuffled", f"{SHUFFLE}; https://github.com/meta-pytorch/opacus/issues/80",
        "the epsilon of the run is several times the one reported",
    )
    FIXED_ORDER = (
        "the same batches every epoch", "sampler", "fixed-order", SHUFFLE,
        "the epsilon of the run is several times the one reported",
    )
    CONSTANT_SIZE = (
        "batches of constant size", "sampler", "constant-size", "https://github.com/meta-pytorch/opacus/issues/80",
        "the size of a batch no longer hides whether a record is there, and a sum moves twice as far",
    )
    ALWAYS_DRAWN = (
        "one record in every batch", "sampler", "always-drawn", SHUFFLE,
        "the first record has no benefit of sampling at all",
    )
    DRAWN_BY_VALUE = (
        "records drawn by what they hold", "draws of the sampler", "drawn-by-value", SHUFFLE,
        "records with large features are drawn more often than others",
    )
    EARLY_STOP = (
        "stops when all gradients are small", "noisy calls", "early-stop", RECORDER,
        "the length of the training tells whether one record was there",
    )
    STEPS_FROM_DATA = (
        "steps in proportion to the records", "noisy calls", "steps-from-data", RECORDER,
        "the length of the training tells the number of records",
    )
    PUBLIC_STEP_SIZE_FROM_DATA = (
        "a step size from the data taken for public", "public values", "public-step-size-from-data",
        f"{PITFALLS} auxiliary information", "the longest record is released as it is",
    )
    STEP_SIZE_FROM_DATA = (
        "a step size from the data", "un-noised outputs", "step-size-from-data", f"{PITFALLS} auxiliary information",
        "whoever sees gradients and weights learns the longest record",
    )
    MOMENTUM_OF_RAW = (
        "momentum of raw gradients", "un-noised outputs", "momentum-of-raw", f"{CLIPPING} on what a step may use",
        "what is added to the weights between two releases carries no noise",
    )
    PRECONDITIONER_OF_RAW = (
        "a preconditioner of raw gradients", "un-noised outputs", "preconditioner-of-raw",
        "Li et al. (2022), https://arxiv.org/abs/2202.05963, with private data for the public ones",
        "the step over the released gradient is an exact statistic of the batch",
    )
    PULL_TO_THE_DATA = (
        "a regulariser that pulls towards the mean of the data", "un-noised outputs", "pull-to-the-data",
        f"{CLIPPING} on what a step may use", "the weights drift by an exact statistic of all records",
    )
    START_FROM_DATA = (
        "a start from private records taken for public", "public values", "start-from-data",
        f"{PITFALLS} auxiliary information", "the first weights are an exact statistic of ten private records",
    )
    CHECKPOINT_BEFORE_NOISE = (
        "a checkpoint written before the noise", "un-noised outputs", "checkpoint-before-noise",
        "https://github.com/meta-pytorch/opacus/issues/373", "the file on the disk holds a step without noise",
    )
    LOSS_RETURNED = (
        "the training loss returned", "un-noised outputs", "returned-loss", f"{PITFALLS} auxiliary information",
        "one number without noise tells whether a record was there",
    )
    ORDER = (
        "a record counts by its position", "order of the records", "order", f"{PITFALLS} neighbouring relations",
        "records late in the file weigh twice as much",
    )
    SPENT_TWICE = (
        "every gradient released twice", "accountant", "spent-twice", RECORDER,
        "the run spends the budget about twice",
    )
    UNPAID_QUERY = (
        "a noisy mean of the features, not accounted for", "accountant", "unpaid-query", RECORDER,
        "a mean of the features is released that nobody accounts for",
    )
    HALF_MULTIPLIER = (
        "half of the noise multiplier that is accounted for", "accountant", "half-multiplier", DEBUGGING,
        "the epsilon reported is that of twice the noise",
    )
    FEWER_STEPS = (
        "half of the steps accounted for", "accountant", "fewer-steps",
        "https://github.com/opendp/smartnoise-sdk/pull/424", "the epsilon reported is that of half of the training",
    )
    WRONG_CALIBRATION = "noise calibrated with a wrong sign", "declared epsilon"
    # fmt: on
