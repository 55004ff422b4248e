"""The bugs that DP-SGD code has had, and the check that must catch each.

From published reports: Tramer et al. 2022 (arXiv 2202.12219), Cebere, Erb, Desfontaines, Bellet, Fitzsimons 2026 (arXiv
2602.17454), Chua et al. 2024 (arXiv 2403.17673), and the issues of Opacus, TensorFlow Privacy, SmartNoise, diffprivlib
and JAX.
"""

from __future__ import annotations

from enum import StrEnum


class Bug(StrEnum):
    """What is planted, one at a time."""

    NONE = "nothing"
    HALF_NOISE = "half of the noise"
    FOUR_FIFTHS_NOISE = "0.8 of the noise"
    SQUARED_NOISE = "the noise scale squared"
    NOISE_OVER_BATCH = "the noise of a mean on a sum"
    NOISE_OVER_ROOT_BATCH = "the noise over the root of the batch size"
    ONE_SIDED_NOISE = "noise that is never negative"
    CLAMPED_NOISE = "noise cut off at its standard deviation"
    INTEGER_NOISE = "noise cast to integers"
    HALF_PRECISION_NOISE = "noise that underflows in half precision"
    NOISE_OF_LARGE_COORDINATES = "noise on the coordinates that a batch moves"
    NOISE_AVERAGED_OVER_WORKERS = "the whole noise averaged over workers"
    NO_NOISE = "noise forgotten"
    GROUP_WITHOUT_NOISE = "noise forgotten on one parameter group"
    NOISE_NOT_ADDED = "noise drawn and not added"
    REUSED_NOISE = "the same noise every step"
    SAME_KEY_EQUAL_SHAPES = "one key for two groups of one shape"
    SAME_KEY_OTHER_SHAPES = "one key for two groups of different shapes"
    NOISE_SHARED_BY_WORKERS = "the same noise on every worker"
    CONSTANT_SEED = "noise from a seed in the code"
    GLOBAL_GENERATOR = "noise from a global generator"
    NO_CLIPPING = "no clipping"
    CLIPPED_MEAN = "the mean is clipped, not the records"
    CLIPPED_COORDINATES = "coordinates are clipped, the norm is accounted for"
    CLIPPED_AFTER_NOISE = "clipping after the noise"
    CLIPPED_AT_QUANTILE = "clipping at the median norm of the batch"
    CLIPPED_SUMS = "sums of two records clipped"
    BATCH_NORMALISED = "gradients of batch-normalised features"
    CLIPPED_GROUPS = "every group clipped to the whole norm"
    CLIPPED_MICROBATCHES = "means of two records clipped"
    REPEATED_RECORD = "every record three times in the loss"
    ACTUAL_BATCH_SIZE = "the sum divided by the size that was drawn"
    NUMBER_OF_RECORDS = "the sum divided by the number of records"
    PUBLIC_NUMBER_OF_RECORDS = "the number of records taken for public"
    BOUNDS_FROM_DATA = "features scaled by the longest record"
    RAW_RELEASED = "clipped gradients computed, raw ones released"
    HALF_SENSITIVITY = "half of the sensitivity"
    REPLACE_AS_REMOVE = "replace one with the sensitivity of add or remove"
    NOT_FINITE = "non-finite gradients survive clipping"
    SHUFFLED = "shuffled batches"
    FIXED_ORDER = "the same batches every epoch"
    CONSTANT_SIZE = "batches of constant size"
    ALWAYS_DRAWN = "one record in every batch"
    DRAWN_BY_VALUE = "records drawn by what they hold"
    EARLY_STOP = "stops when all gradients are small"
    STEPS_FROM_DATA = "steps in proportion to the records"
    PUBLIC_STEP_SIZE_FROM_DATA = "a step size from the data taken for public"
    STEP_SIZE_FROM_DATA = "a step size from the data"
    MOMENTUM_OF_RAW = "momentum of raw gradients"
    PRECONDITIONER_OF_RAW = "a preconditioner of raw gradients"
    PULL_TO_THE_DATA = "a regulariser that pulls towards the mean of the data"
    START_FROM_DATA = "a start from private records taken for public"
    CHECKPOINT_BEFORE_NOISE = "a checkpoint written before the noise"
    LOSS_RETURNED = "the training loss returned"
    ORDER = "a record counts by its position"
    SPENT_TWICE = "every gradient released twice"
    UNPAID_QUERY = "a noisy mean of the features, not accounted for"
    HALF_MULTIPLIER = "half of the noise multiplier that is accounted for"
    FEWER_STEPS = "half of the steps accounted for"
    WRONG_CALIBRATION = "noise calibrated with a wrong sign"


CAUGHT_BY = {
    "noise scale": (
        Bug.HALF_NOISE, Bug.FOUR_FIFTHS_NOISE, Bug.SQUARED_NOISE, Bug.NOISE_OVER_BATCH, Bug.NOISE_OVER_ROOT_BATCH,
        Bug.CLAMPED_NOISE, Bug.NOISE_AVERAGED_OVER_WORKERS,
    ),
    "noise law": (
        Bug.ONE_SIDED_NOISE, Bug.INTEGER_NOISE, Bug.HALF_PRECISION_NOISE, Bug.NOISE_OF_LARGE_COORDINATES,
    ),
    "fresh noise": (
        Bug.REUSED_NOISE, Bug.SAME_KEY_EQUAL_SHAPES, Bug.SAME_KEY_OTHER_SHAPES, Bug.NOISE_SHARED_BY_WORKERS,
    ),
    "global random state": (Bug.CONSTANT_SEED, Bug.GLOBAL_GENERATOR),
    "un-noised outputs": (
        Bug.NO_NOISE, Bug.GROUP_WITHOUT_NOISE, Bug.STEP_SIZE_FROM_DATA, Bug.LOSS_RETURNED, Bug.MOMENTUM_OF_RAW,
        Bug.PRECONDITIONER_OF_RAW, Bug.PULL_TO_THE_DATA, Bug.CHECKPOINT_BEFORE_NOISE,
    ),
    "released values": (Bug.NOISE_NOT_ADDED, Bug.RAW_RELEASED),
    "sensitivity": (
        Bug.NO_CLIPPING, Bug.CLIPPED_MEAN, Bug.REPEATED_RECORD, Bug.ACTUAL_BATCH_SIZE,
        Bug.HALF_SENSITIVITY, Bug.REPLACE_AS_REMOVE, Bug.CLIPPED_COORDINATES, Bug.CLIPPED_AFTER_NOISE,
        Bug.BATCH_NORMALISED,
    ),
    "records outside the batch": (Bug.NUMBER_OF_RECORDS,),
    "public values": (
        Bug.PUBLIC_NUMBER_OF_RECORDS, Bug.BOUNDS_FROM_DATA, Bug.PUBLIC_STEP_SIZE_FROM_DATA, Bug.START_FROM_DATA,
    ),
    "bad records": (Bug.NOT_FINITE,),
    "sampler": (Bug.SHUFFLED, Bug.FIXED_ORDER, Bug.CONSTANT_SIZE, Bug.ALWAYS_DRAWN),
    "draws of the sampler": (Bug.DRAWN_BY_VALUE,),
    "noisy calls": (Bug.EARLY_STOP, Bug.STEPS_FROM_DATA, Bug.CLIPPED_AT_QUANTILE),
    "order of the records": (Bug.ORDER,),
    "accountant": (
        Bug.CLIPPED_GROUPS, Bug.CLIPPED_MICROBATCHES, Bug.CLIPPED_SUMS, Bug.SPENT_TWICE, Bug.UNPAID_QUERY,
        Bug.HALF_MULTIPLIER, Bug.FEWER_STEPS,
    ),
    "declared epsilon": (Bug.WRONG_CALIBRATION,),
}  # fmt: skip
"""The bugs that each check must catch, by the name of the check; others may see them as well."""
