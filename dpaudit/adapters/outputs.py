"""What a release returned, as numbers: tensors, names to values, parts of several shapes, texts, exact numbers."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from dpaudit.content.audits import Outputs
from dpaudit.records.errors import ContentError

_DIGEST = 6
"""Bytes of a text's number: floats hold it exactly."""


def numbers(found: object) -> Outputs:
    """One array for what one trial released; what is no number stays as it is, and the game refuses it.

    A tensor leaves its graph, of a mapping the values are taken in the order of their names, and parts of several
    shapes are laid one behind the other. A text becomes a number that is the same wherever the text is the same, and
    integers beyond 64 bits, fractions and decimals become floats. ContentError for None.
    """
    if found is None:
        raise ContentError("release returned None; return the number or the array that it releases")
    if isinstance(found, Mapping):
        found = [found[name] for name in sorted(found, key=str)]
    if isinstance(found, tuple | list):
        return _joined(found)
    array = np.asarray(found.detach().cpu() if hasattr(found, "detach") else found)
    if array.dtype.kind in "SU":
        return _digests(array)
    return _floats(array) if array.dtype.kind == "O" else array


def _joined(parts: tuple[object, ...] | list[object]) -> Outputs:
    try:
        array = np.asarray(parts)
    except (ValueError, RuntimeError):  # parts of several shapes, tensors with a graph
        array = np.empty((), dtype=object)
    if array.dtype.kind in "biuf":
        return array
    found = [numbers(part) for part in parts]
    if len({part.shape for part in found}) == 1:
        return np.stack(found)
    return np.concatenate([part.ravel() for part in found])


def _digests(texts: NDArray[np.str_ | np.bytes_]) -> NDArray[np.float64]:
    words = [text.encode() if isinstance(text, str) else bytes(text) for text in texts.ravel()]
    codes = [int.from_bytes(blake2b(word, digest_size=_DIGEST).digest()) for word in words]
    return np.array(codes, dtype=np.float64).reshape(texts.shape)


def _floats(array: NDArray[np.object_]) -> Outputs:
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):  # no numbers
        return array
