"""The normal draws that code makes through torch: seen, changed, and led back to the noise that they became.

Seen are `torch.normal`, `torch.randn`, `torch.randn_like` and `Tensor.normal_`, with any generator, on any device, and
whatever calls them from Python. The generators advance as they would unobserved.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpaudit.noise.tensors import Tensor, load_torch

Array = NDArray[np.float64]
Deviate = Callable[[int, Tensor], Tensor]
Generator: TypeAlias = Any
"""Of torch, which is optional, so that its types are not at hand."""


class Draws(AbstractContextManager["Draws"], Protocol):
    """Normal draws as they are made, while the context is open.

    seen: their deviations from the mean as drawn; before: the generators in use with their states before the first
    draw.
    """

    seen: list[Array]
    before: list[tuple[Generator, Tensor]]

    def states_after(self) -> list[tuple[Generator, Tensor]]:
        """Where the generators in use stand now."""

    def set_states(self, states: list[tuple[Generator, Tensor]]) -> None:
        """Put generators where they stood."""


def normal_draws(deviate: Deviate) -> Draws:
    """A context in which draw number i from a normal law deviates from its mean by deviate(i, what was drawn)."""
    torch = load_torch()
    mean_at = {torch.normal: 0, torch.Tensor.normal_: 1, torch.randn: None, torch.randn_like: None}

    class Seen(torch.overrides.TorchFunctionMode):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.seen: list[Array] = []
            self.before: list[tuple[Generator, Tensor]] = []

        def __torch_function__(
            self,
            func: Callable[..., Tensor],
            types: object,
            args: tuple[Tensor, ...] = (),
            kwargs: dict[str, Tensor] | None = None,
        ) -> Tensor:
            kwargs = kwargs or {}
            if func not in mean_at:
                return func(*args, **kwargs)
            place = mean_at[func]
            mean: Tensor = 0.0 if place is None else kwargs.get("mean", args[place] if len(args) > place else 0.0)
            mean = mean.clone() if hasattr(mean, "clone") else mean  # it may be the tensor that is drawn into
            self._keep(kwargs, args)
            drawn = func(*args, **kwargs)
            with torch.no_grad():
                deviation = drawn - mean
                changed = deviate(len(self.seen), deviation)
                self.seen.append(numbers(deviation))
                if changed is not deviation:
                    drawn.copy_(mean + changed)
            return drawn

        def _keep(self, kwargs: dict[str, Tensor], args: tuple[Tensor, ...]) -> None:
            """The state of the generator of this draw, if it is the first one."""
            given = kwargs.get("generator")
            tensors = [one for one in (*args, *kwargs.values()) if hasattr(one, "is_cuda")]
            on_cuda = str(kwargs.get("device", "")).startswith("cuda") or any(one.is_cuda for one in tensors)
            default = torch.cuda.default_generators[torch.cuda.current_device()] if on_cuda else torch.default_generator
            generator = default if given is None else given
            if all(generator is not known for known, _ in self.before):
                self.before.append((generator, generator.get_state()))

        def states_after(self) -> list[tuple[Generator, Tensor]]:
            """Where the generators in use stand now."""
            return [(generator, generator.get_state()) for generator, _ in self.before]

        def set_states(self, states: list[tuple[Generator, Tensor]]) -> None:
            """Put generators where they stood."""
            for generator, state in states:
                generator.set_state(state)

    return Seen()


def shifts_of(seen: list[Array], missing: list[Array], own: list[Array]) -> dict[int, Array] | None:
    """What to add to which draws so that the noise `own` of the parameters grows by `missing`; None if that is unclear.

    Draws of one shape are shared out evenly, in their order, among the noisy parameters of that shape; the first of
    each share is shifted.
    """
    shifts = {}
    for shape in {one.shape for one in own if one.any()}:
        parameters = [i for i, one in enumerate(own) if one.shape == shape and one.any()]
        draws = [number for number, one in enumerate(seen) if one.shape == shape]
        each, rest = divmod(len(draws), len(parameters))
        if rest or not each:
            return None
        for place, i in enumerate(parameters):
            share = draws[place * each : (place + 1) * each]
            factors = _coefficients(np.sum([seen[number] for number in share], axis=0), own[i])
            # No draw moves a coordinate that a mask has set to 0.
            shifts[share[0]] = np.divide(missing[i], factors, out=np.zeros_like(missing[i]), where=factors != 0)
    return shifts


def _coefficients(drawn: Array, noise: Array) -> Array:
    """noise/drawn: one number where one fits all coordinates, which rounding hurts less, else one a coordinate."""
    one = float(np.vdot(noise, drawn) / np.vdot(drawn, drawn))
    if np.linalg.norm(noise - one * drawn) <= 1e-3 * np.linalg.norm(noise):
        return np.full(noise.shape, one)
    return np.divide(noise, drawn, out=np.ones_like(noise), where=drawn != 0)


def numbers(tensor: Tensor) -> Array:
    """The values of a tensor as float64 on the CPU."""
    return np.array(tensor.detach().to("cpu").double().numpy(), dtype=np.float64)
