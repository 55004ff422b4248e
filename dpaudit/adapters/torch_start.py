"""Where the trials of a game on a torch training start: all at one place, since a guarantee that holds from every start
holds from each.

From its own random start each time a record would move every trial in another direction. So all begin where one
training began, or, in the worst case, where others without noise end, where the other records have little left to move
(Annamalai and De Cristofaro 2024).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from dpaudit.adapters.torch_watch import Watch, Watched
from dpaudit.audit.randomness import seeded
from dpaudit.audit.structural.draws import normal_draws
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.records.errors import ContentError

Play = Callable[[int, Watch, Sequence[Tensor] | None], object]
"""One training with a seed, a watch, and the parameters to start from, None for its own."""

PRETRAINED = "start: where {} trainings without noise end, one after the other; the claim must hold from every start"

FIXED = "start: random in each training, but one place in all trials of the game; the claim must hold from every start"

_ROUNDED = 0.01
"""Share of the noise of a move that the parameters may lose in rounding."""


class Silent(Watch):
    """A training whose normal draws after `watch` are all set to their means: where does it end without noise?"""

    def __init__(self) -> None:
        super().__init__()
        self._stack = ExitStack()

    def start(self, subject: Watched) -> None:
        self._stack.enter_context(normal_draws(lambda number, drawn: drawn * 0))

    def close(self) -> None:
        self._stack.close()
        super().close()

    @property
    def end(self) -> list[Tensor]:
        """The parameters as they are now."""
        return [p.detach().clone() for p in self.steps.parameters]


def random_start(begin: Callable[[int], Sequence[Tensor]], seed: int) -> Sequence[Tensor] | None:
    """Where the training with this seed begins; None where one with the next seed begins there too."""
    one = begin(seed)
    return None if alike(one, begin(seed + 1)) else one


def alike(one: Sequence[Tensor], other: Sequence[Tensor]) -> bool:
    """Are all parameters the same, in shape and value?"""
    return len(one) == len(other) and all(map(load_torch().equal, one, other))


def pretrained(play: Play, seeds: Sequence[int]) -> Sequence[Tensor]:
    """Where the last of the trainings without noise ends, one for each of the seeds, of which there is one at least."""
    begins: Sequence[Tensor] | None = None
    for seed in seeds:
        watch = Silent()
        with seeded(seed):
            play(seed, watch, begins)
        begins = watch.end
    assert begins is not None
    _hold_to_the_noise(begins, watch.require(), len(seeds))
    return begins


def _hold_to_the_noise(begins: Sequence[Tensor], subject: Watched, pretrain: int) -> None:
    """ContentError where trainings cannot start from there: rounded parameters would hide the noise of a move."""
    finite = all(bool(load_torch().isfinite(one).all()) for one in begins)
    rounding = max(float(load_torch().finfo(one.dtype).eps * one.abs().max()) for one in begins)
    noise_scale = subject.noise_scale() if subject.release == "update" else None
    if finite and not (noise_scale and rounding > _ROUNDED * noise_scale):
        return
    wrong = f"so large that their rounding, {rounding:.2g}, would hide noise of scale {noise_scale:.2g}"
    raise ContentError(
        f"{pretrain} trainings without noise, one after the other, end at parameters that are "
        f"{wrong if finite else 'not finite'}; give a smaller pretrain="
    )
