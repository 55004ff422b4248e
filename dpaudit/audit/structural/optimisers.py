"""Record and replay of any torch optimiser, without a change to its code.

    def instrument(data, recorder):
        torch.manual_seed(recorder.seed)
        model, optimizer = ...
        with observe(optimizer, recorder, sensitivity=rate * clip_norm / size, noise_scale=rate * sigma / size):
            for members in batches:
                loss(model, data[recorder.batch(members)]).backward()
                optimizer.step()

Inside the context every call of `optimizer.step()` is made twice from the same parameters, gradients, optimiser state
and generator states: once with all normal draws set to their means, which gives the statistic, and once as it is, which
gives what is released; the difference is the noise. So it does not matter how noise and statistic are put together, as
long as the release is their sum. Every parameter is a release, without noise if it moves without any. One record moves
all of them together, which the check of the accountant adds up, or `joint`: one release over all.

A replay makes the step a third time with draws shifted so that the neighbour releases what was recorded: parameters,
momenta and other state follow the recorded path if they are functions of releases. State is recorded as an output.

What is seen: `torch.normal`, `torch.randn`, `torch.randn_like`, `Tensor.normal_` and what calls them from Python, such
as `torch.distributions.Normal` and Opacus, with any generator and on any device. Not seen, and so taken for a part of
the statistic: noise from NumPy or other libraries, from fused kernels and compiled graphs, drawn before `step()` (in a
hook, or kept from an earlier step: it shows as a release without noise), or by another law than the normal one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.draws import normal_draws, numbers, shifts_of
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.tensors import load_torch
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice

if TYPE_CHECKING:
    import torch

Array = NDArray[np.float64]
Declared = float | Callable[[], float | None] | None
RELEASES = ("update", "gradient")


@contextmanager
def observe(
    optimizer: Any,
    recorder: Recorder,
    *,
    sensitivity: Declared = None,
    noise_scale: Declared = None,
    release: str = "update",
    joint: bool = False,
    named_parameters: Iterable[tuple[str, torch.Tensor]] = (),
) -> Iterator[None]:
    """Record every step of `optimizer`, an object with `step`, `param_groups` and `state`; restores `step` at the end.

    release: "update", how the parameters move in the step, or "gradient", what `p.grad` holds after it, for wrappers
    of optimisers such as Adam whose update is not affine in the noisy gradient. sensitivity: how far one record may
    move all parameters together, l2; noise_scale: the standard deviation of each coordinate; both as declared, in the
    unit of the release, None where nothing is, or functions that are called before every step. joint: one release over
    all parameters with noise, whose move is held against `sensitivity`, instead of one for each, whose noises are
    compared with each other. named_parameters: as from the module, for readable names. A step that draws nothing and
    moves no parameter, as in gradient accumulation, releases nothing. Raises ConfigurationError for another `release`,
    and on a replay where state outlives a step and its noise cannot be led back to the draws.
    """
    check_choice("release", release, RELEASES)
    kept = vars(optimizer).get("step")
    watch = _Watch(optimizer, recorder, (sensitivity, noise_scale), release, joint, dict(named_parameters))
    optimizer.step = watch.step
    try:
        yield
    finally:
        if kept is None:
            del optimizer.step
        else:
            optimizer.step = kept


class _Watch:
    """The steps of one optimiser."""

    def __init__(
        self,
        optimizer: Any,
        recorder: Recorder,
        declared: tuple[Declared, Declared],
        release: str,
        joint: bool,
        names: dict[str, Any],
    ) -> None:
        self.optimizer, self.recorder, self.release, self.joint = optimizer, recorder, release, joint
        self.declared = declared
        self.sensitivity: float | None = None
        self.noise_scale: float | None = None
        known = {id(parameter): name for name, parameter in names.items()}
        self.parameters = [p for group in optimizer.param_groups for p in group["params"] if p.requires_grad]
        self.names = [known.get(id(p), f"parameter {i}") for i, p in enumerate(self.parameters)]
        self.precision = precision_of(self.parameters)
        self.run: Callable[..., Any] = optimizer.step

    def step(self, *args: Any, **kwargs: Any) -> Any:
        """The optimiser's own step, recorded."""
        before = _Snapshot(self.optimizer, self.parameters)
        self.sensitivity, self.noise_scale = (one() if callable(one) else one for one in self.declared)
        silent = self._pass(before, lambda number, drawn: drawn * 0, args, kwargs)[0]
        before.restore()
        loud, draws, returned = self._pass(before, _as_drawn, args, kwargs, forget=False)
        if not draws.seen and not any(before.moved(p, "update").any() for p in self.parameters):
            return returned
        wanted = self._release(silent, loud)
        if any(not np.array_equal(one, own, equal_nan=True) for one, own in zip(wanted, loud, strict=True)):
            missing = [there - here for there, here in zip(wanted, loud, strict=True)]
            shifts = shifts_of(draws.seen, missing, [own - calm for own, calm in zip(loud, silent, strict=True)])
            after = draws.states_after()
            before.restore()
            draws.set_states(draws.before)
            self._follow(before, shifts, wanted, args, kwargs)
            draws.set_states(after)
        output_state(self.optimizer, dict(zip(self.names, self.parameters, strict=True)), self.recorder)
        return returned

    def _pass(self, before: _Snapshot, deviate: Any, args: Any, kwargs: Any, forget: bool = True) -> Any:
        """(what was released, the draws, what step returned) of one step with the draws of `deviate`."""
        silenced = vars(self.optimizer).get("step_hook") if forget else None
        if silenced is not None:  # Opacus counts its steps there; a step that is taken back must not count
            self.optimizer.step_hook = None
        draws = normal_draws(deviate)
        try:
            with draws:
                returned = self.run(*args, **kwargs)
        finally:
            if silenced is not None:
                self.optimizer.step_hook = silenced
            if forget:
                draws.set_states(draws.before)
        return [before.moved(p, self.release) for p in self.parameters], draws, returned

    def _release(self, silent: list[Array], loud: list[Array]) -> list[Array]:
        """Hand the step to the recorder; what the training must go on with, by parameter."""
        noisy = [i for i, (own, calm) in enumerate(zip(loud, silent, strict=True)) if np.any(own != calm)]
        wanted = list(loud)
        if self.joint and noisy:
            self._noisy(self.release, noisy, silent, loud, wanted)
        for i, own in enumerate(loud):
            name = f"{self.release} of {self.names[i]}"
            if i in noisy and not self.joint:
                self._noisy(name, [i], silent, loud, wanted)
            elif i not in noisy and own.any():
                bare = self.recorder.release(name, self._joined([own]), None)
                wanted[i] = np.asarray(bare, dtype=np.float64).reshape(own.shape)
        return wanted

    def _noisy(self, name: str, chosen: list[int], silent: list[Array], loud: list[Array], wanted: list[Array]) -> None:
        """One release with noise; changes `wanted` where a replay gives back another value."""
        own = self._joined([loud[i] for i in chosen])
        value = self.recorder.release(
            name,
            self._joined([silent[i] for i in chosen]),
            self._joined([loud[i] - silent[i] for i in chosen]),
            sensitivity=self.sensitivity,
            noise_scale=self.noise_scale,
            value=own,
        )
        if not np.array_equal(value, own, equal_nan=True):
            parts = np.split(np.asarray(value, dtype=np.float64), np.cumsum([loud[i].size for i in chosen])[:-1])
            for i, part in zip(chosen, parts, strict=True):
                wanted[i] = part.reshape(loud[i].shape)

    def _joined(self, parts: list[Array]) -> NDArray[Any]:
        """One vector, in the precision of the parameters: the checks allow for its roundings."""
        return np.concatenate([part.reshape(-1) for part in parts]).astype(self.precision)

    def _follow(self, before: _Snapshot, shifts: Any, wanted: list[Array], args: Any, kwargs: Any) -> None:
        """The step that releases `wanted`."""
        if shifts is not None:

            def shifted(number: int, drawn: Any) -> Any:
                return drawn + drawn.new_tensor(shifts[number]) if number in shifts else drawn

            self._pass(before, shifted, args, kwargs)
        elif self.release == "gradient" or self.optimizer.state:
            raise ConfigurationError(
                "the noise of this optimiser cannot be led back to draws of the shapes of its parameters, and its "
                "state outlives a step, so it cannot be replayed; record only, or take one without momentum"
            )
        else:
            self._pass(before, _as_drawn, args, kwargs)
        if self.release == "update":
            before.place(wanted)


def output_state(optimizer: Any, parameters: dict[str, Any], recorder: Recorder) -> None:
    """Record the tensors of floats that the optimiser keeps of its named parameters: later steps may show them."""
    precision = precision_of(parameters.values())
    for name, parameter in parameters.items():
        for key, value in optimizer.state.get(parameter, {}).items():
            if hasattr(value, "is_floating_point") and value.is_floating_point():
                recorder.output(f"{key} of {name}", numbers(value).astype(precision))


def precision_of(parameters: Iterable[Any]) -> type[np.floating[Any]]:
    """In which releases are kept, so that the checks allow for the roundings of the parameters."""
    return np.float64 if all("64" in str(p.dtype) for p in parameters) else np.float32


def _as_drawn(number: int, drawn: Any) -> Any:
    return drawn


class _Snapshot:
    """What a step may change: parameters, gradients, what hangs on parameters, optimiser state and settings."""

    def __init__(self, optimizer: Any, parameters: list[Any]) -> None:
        self.optimizer, self.parameters, self.torch = optimizer, parameters, load_torch()
        self.random = self.torch.get_rng_state()
        self.data = [p.detach().clone() for p in parameters]
        self.grads = [None if p.grad is None else p.grad.detach().clone() for p in parameters]
        self.attached = [_cloned(vars(p)) for p in parameters]
        self.state = {p: _cloned(kept) for p, kept in optimizer.state.items()}
        self.groups = [_cloned({k: v for k, v in g.items() if k != "params"}) for g in optimizer.param_groups]
        plain = {k: v for k, v in vars(optimizer).items() if isinstance(v, int | float | list | None) or _is_value(v)}
        self.plain = {k: _copied(v) for k, v in plain.items() if k != "param_groups"}

    def restore(self) -> None:
        """Put everything back, and torch's CPU generator; the snapshot stays good."""
        self.torch.set_rng_state(self.random)
        for p, data, grad, attached in zip(self.parameters, self.data, self.grads, self.attached, strict=True):
            p.data.copy_(data)
            p.grad = None if grad is None else grad.clone()
            vars(p).clear()
            vars(p).update(_cloned(attached))
        self.optimizer.state.clear()
        self.optimizer.state.update({p: _cloned(kept) for p, kept in self.state.items()})
        for group, kept in zip(self.optimizer.param_groups, self.groups, strict=True):
            group.update(_cloned(kept))
        vars(self.optimizer).update({k: _copied(v) for k, v in self.plain.items()})

    def moved(self, parameter: Any, release: str) -> Array:
        """What was released of a parameter since the snapshot, in float64."""
        if release == "gradient":
            empty = np.zeros(tuple(parameter.shape))
            return empty if parameter.grad is None else numbers(parameter.grad)
        return numbers(parameter) - numbers(self.data[self._place(parameter)])

    def place(self, updates: list[Array]) -> None:
        """Set every parameter to what it was, moved by its update."""
        for p, data, update in zip(self.parameters, self.data, updates, strict=True):
            p.data.copy_(data.new_tensor(numbers(data) + update))

    def _place(self, parameter: Any) -> int:
        return next(i for i, p in enumerate(self.parameters) if p is parameter)


def _is_value(value: Any) -> bool:
    """Is it a tensor that is no parameter, such as a clipping norm that adapts?"""
    return hasattr(value, "detach") and not value.requires_grad


def _copied(value: Any) -> Any:
    return value.clone() if _is_value(value) else copy.copy(value)


def _cloned(values: dict[str, Any]) -> dict[str, Any]:
    """A copy of a dict whose tensors are copies; lists are copied, other values are kept."""

    def one(value: Any) -> Any:
        if hasattr(value, "detach"):
            return value.detach().clone()
        return [one(part) for part in value] if isinstance(value, list) else value

    return {key: one(value) for key, value in values.items()}
