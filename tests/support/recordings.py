"""Small recordings for the tests of checks."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.audit.structural.recording import Recorder, Recording


def recording(*releases: dict[str, Any], public: Any = (), outputs: Any = (), batches: Any = ()) -> Recording:
    """A recording of these calls; each release is the arguments of `Recorder.release`."""
    recorder = Recorder()
    for arguments in releases:
        recorder.release(**{"name": "sum", "statistic": 0.0, "noise": 0.0, **arguments})
    for name, value in public:
        recorder.public(name, value)
    for name, value in outputs:
        recorder.output(name, value)
    for batch in batches:
        recorder.batch(batch)
    return recorder.recording()


def noisy(noises: Any, scale: float = 1.0, law: str = "gaussian", name: str = "sum") -> list[dict[str, Any]]:
    """One release of zeros with each noise."""
    return [{"name": name, "statistic": np.zeros_like(x), "noise": x, "noise_scale": scale, "law": law} for x in noises]
