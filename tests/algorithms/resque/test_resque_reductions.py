"""The special cases of the ReSQue algorithms hold, to the bit where they say so, and are not met by chance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.content.items import Loaded
from dpaudit.content.loading import forms_of, load_algorithms

FOUND = [item.carrier.code for item in load_algorithms() if isinstance(item, Loaded)]
MODULES = {
    m.__name__.rsplit(".", 1)[-1]: m
    for m in FOUND
    if m.ALGORITHM.name.startswith("resque/ALG") and (Path(m.__file__).parent / "reductions.py").is_file()
}
each = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)


@each
def test_another_run_is_something_else(module: Any) -> None:
    """The same arrays of another seed differ by far more than any tolerance."""
    for reduction, other in zip(forms_of(module).reductions(7), forms_of(module).reductions(8), strict=True):
        for pair, moved in zip(reduction.pairs(), other.pairs(), strict=True):
            if "T = 2" not in pair.name:  # returns the centre, whatever the seed
                assert np.abs(pair.left - moved.right).max() > 1e-4


def test_all_of_them() -> None:
    assert len(MODULES) == 9
    ids = [reduction.id for module in MODULES.values() for reduction in forms_of(module).reductions(7)]
    assert len(set(ids)) == len(ids) == 11
