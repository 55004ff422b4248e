"""The types of arrays, one name each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
"""Real numbers; a form that is run in float32 is handed float32 under the same name."""
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
