"""Which released values are exactly 0 with a record, and which without it.

Noise leaves no value at 0. Where a mechanism adds noise only to what occurs in a batch, such as the rows of an
embedding whose words are there, a value that is 0 without the record and another number with it tells the record,
whatever the noise elsewhere. Values that are masked or rounded to 0 after their noise do the same with both data sets,
or by chance; the game counts how often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.adapters.spreads import Key
from dpaudit.audit.structural.finding import matched
from dpaudit.audit.structural.recording import Recording

Signs = NDArray[np.int8]
"""Of a release, flat: 1 where a value that is not 0 speaks for the record, -1 where it speaks against it, else 0."""


def patterns(pairs: Sequence[tuple[Recording, Recording]]) -> dict[Key, Signs]:
    """By name and number of the release, from recordings with the record and on the same paths without it; only
    releases with a value that is 0 in one of the two."""
    found: dict[Key, Signs] = {}
    for recorded, replayed in pairs:
        for one, other in matched(recorded, replayed):
            here, there = (np.asarray(side.value).reshape(-1) != 0 for side in (one, other))
            if (here != there).any():
                own = here.astype(np.int8) - there.astype(np.int8)
                known = found.get((one.name, one.step))
                found[one.name, one.step] = own if known is None or known.size != own.size else np.sign(known + own)
    return found


def told(signs: Signs, value: ArrayLike) -> float:
    """The values of one release that are not 0 and speak for the record, less those that speak against it."""
    own = np.asarray(value).reshape(-1)
    return float(signs[own != 0].sum()) if own.size == signs.size else 0.0


def size(found: Mapping[Key, Signs]) -> float:
    """How far the record in every batch moves the sum of `told`."""
    return float(sum(int(np.abs(signs).sum()) for signs in found.values()))
