"""Which random functions may draw noise: all but those that draw orders, places, samples, masks of layers and starts.

A noisy number is made with a continuous law, a discrete one, or coins. An order, a whole number that is as likely as
any other, a sample without weights, the mask of a dropout layer and the start of a parameter hide nothing of a record.
"""

from __future__ import annotations

from typing import Any

_NO_NOISE = frozenset((
    "randperm", "permutation", "permuted", "shuffle", "sample", "spawn", "bytes", "randbytes", "getrandbits", "bits",
    "randint", "randint_like", "random_", "integers", "random_integers", "randrange",
    "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_dropout", "feature_alpha_dropout",
    "rrelu",
))  # fmt: skip
_WITH_WEIGHTS = {"choice": ("p", 3), "choices": ("weights", 1)}
"""Functions that draw from a list, alike unless weights are given: their name, and their place."""
_STARTS = "torch.nn.init"


def may_be_noise(function: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> bool:
    """May what this call draws be noise?"""
    name = str(getattr(function, "__name__", ""))
    if name in _NO_NOISE or getattr(function, "__module__", "") == _STARTS:
        return False
    if name in _WITH_WEIGHTS:
        weights, place = _WITH_WEIGHTS[name]
        given = (kwargs or {}).get(weights, args[place] if len(args) > place else None)
        return given is not None
    return not (args and type(args[0]).__name__ == "Parameter" and name.endswith("_"))
