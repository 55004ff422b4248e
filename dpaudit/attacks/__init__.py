"""Attacks: from released values to one score a trial, larger where they look more like the data set."""

__all__ = [
    "best_feature",
    "canary_inner_product",
    "float_bits",
    "histogram",
    "learned_classifier",
    "likelihood_ratio",
    "linear_discriminant",
    "lira",
    "loss_threshold",
    "nearer_centre",
    "noise_free",
    "replayed_seed",
    "rmia",
    "running_time",
    "two_sided",
    "worst_case",
]
