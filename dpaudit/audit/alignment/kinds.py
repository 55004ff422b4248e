"""Which random functions may draw noise: all but those that draw orders, places, samples, masks of layers and starts.

A noisy number is made with a continuous law, a discrete one, or coins. Whole numbers that are as likely as each other
are coins where they are drawn one at a time, as samplers of exact discrete noise do, or are one of two; otherwise they
are places. An order, a place, a sample without weights, the mask of a dropout layer and the start of a parameter hide
nothing of a record.
"""

from __future__ import annotations

import math
from typing import Any

_NO_NOISE = frozenset((
    "randperm", "permutation", "permuted", "shuffle", "sample", "spawn", "bytes", "randbytes", "bits",
    "random_",  # with which loaders of torch draw their seeds
    "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_dropout", "feature_alpha_dropout",
    "rrelu",
))  # fmt: skip
_WHOLE_NUMBERS = frozenset((
    "randint", "randint_like", "integers", "random_integers", "randrange", "getrandbits",
))  # fmt: skip
_WITH_WEIGHTS = {"choice": ("p", 3), "choices": ("weights", 1)}
"""Functions that draw from a list, alike unless weights are given: their name, and their place."""
_STARTS = "torch.nn.init"


def may_be_noise(
    function: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None, drawn: Any = None
) -> bool:
    """May what this call draws be noise? drawn: what it gave."""
    name = str(getattr(function, "__name__", ""))
    if name in _NO_NOISE or getattr(function, "__module__", "") == _STARTS:
        return False
    if name in _WHOLE_NUMBERS:
        return drawn is not None and _are_coins(drawn)
    if name in _WITH_WEIGHTS:
        weights, place = _WITH_WEIGHTS[name]
        given = (kwargs or {}).get(weights, args[place] if len(args) > place else None)
        return given is not None
    return not (args and type(args[0]).__name__ == "Parameter" and name.endswith("_"))


def _are_coins(drawn: Any) -> bool:
    """Is it one whole number, or are all of them one of two that stand beside each other?"""
    size = math.prod(getattr(drawn, "shape", ()))
    if size <= 1:
        return size == 1
    try:
        return int(drawn.max()) - int(drawn.min()) <= 1
    except RuntimeError:  # inside of torch.vmap no number can be read
        return False
