"""Does the noise hang on a generator that other code can seed, or on a seed of its own?

Two trainings with different seeds: noise that is the same in both is a constant of the code and hides nothing. Global
generators (Python `random`, NumPy's legacy functions, torch's default) that the training moved are shared: whoever
seeds them knows the noise. Sees: seeds in the code, noise from a generator that a caller may have seeded. Cannot see: a
seed that is taken from the time or from a short range.
"""

from __future__ import annotations

import numpy as np

from dpaudit.audit.randomness import Frozen
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recording
from dpaudit.records.verdict import Outcome

NAME = "global random state"
FALSE_ALARM = "0"
PLACE = 12
REPLAYS = False
SPLIT = False
EXCEPTION = (
    "`Assumptions(shared_generators=True)`, where no other code seeds the shared generators; adapters of "
    "trainings assume it."
)


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    (one, first), (two, second) = seen.first, seen.second
    return check((one, two), (first, second), seen.assumptions.shared_generators)


def check(
    recordings: tuple[Recording, Recording], generators: tuple[Frozen, Frozen], shared_allowed: bool = False
) -> Finding:
    """REFUTED if noise repeats over the two trainings, if they seed a global generator, or read one and may not.

    recordings: of the same data with different seeds; generators: what `frozen` saw of each; shared_allowed: the
    training may draw from generators that other code can seed.
    """
    for one, other in zip(*(r.releases for r in recordings), strict=False):
        drawn = one.noise is not None and other.noise is not None and bool(np.any(one.noise))
        if drawn and np.array_equal(one.noise, other.noise):
            detail = f"the noise of {one.name} at step {one.step} is the same in two trainings with different seeds"
            return Finding(NAME, Outcome.REFUTED, detail, (("release", one.name), ("step", one.step)))
    seeded = generators[0].reset_alike(generators[1])
    if seeded:
        detail = f"the training sets {', '.join(seeded)} to a seed of its own"
        return Finding(NAME, Outcome.REFUTED, detail, (("generators", ", ".join(seeded)),))
    moved = ", ".join(generators[0].moved())
    numbers = (("generators", moved),)
    if moved and not shared_allowed:
        return Finding(
            NAME, Outcome.REFUTED, f"the training draws from {moved}: whoever seeds it knows the noise", numbers
        )
    note = f"; it draws from {moved}, which must not be seeded" if moved else " and moves no global generator"
    return Finding(NAME, Outcome.CONSISTENT, f"the noise changes with the seed{note}", numbers)
