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
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.draws import Deviate, Draws, normal_draws, numbers, shifts_of
from dpaudit.audit.structural.finding import ROUNDINGS
from dpaudit.audit.structural.hooks import Kept, hooks_of
from dpaudit.audit.structural.recording import Recorder
from dpaudit.audit.structural.torch_steps import (
    RELEASED,
    RELEASES,
    STATES,
    Optimizer,
    Step,
    TorchSteps,
    gradient_of,
)
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice

Array = NDArray[np.float64]
Declared = float | Callable[[], float | None] | None

_HALVED = 0.01
"""Share of the noise by which half of it may be off the middle."""


@contextmanager
def observe(
    optimizer: Optimizer,
    recorder: Recorder,
    *,
    sensitivity: Declared = None,
    noise_scale: Declared = None,
    release: str = "update",
    joint: bool = False,
    state: str = RELEASED,
    named_parameters: Iterable[tuple[str, Tensor]] = (),
    late: Collection[int] = (),
) -> Iterator[None]:
    """Record every step of `optimizer`, an object with `step`, `param_groups` and `state`; restores `step` at the end.

    release: "update", how the parameters move in the step, or "gradient", what `p.grad` holds after it, for wrappers
    of optimisers such as Adam whose update is not affine in the noisy gradient. sensitivity: how far one record may
    move all parameters together, l2; noise_scale: the standard deviation of each coordinate; both as declared, in the
    unit of the release, None where nothing is, or functions that are called before every step. joint: one release over
    all parameters with noise, whose move is held against `sensitivity`, instead of one for each, whose noises are
    compared with each other. state: "released", what the optimiser keeps leaves with a checkpoint and is an output, or
    "withheld", nobody sees it. named_parameters: as from the module, for readable names; late: as in `TorchSteps`. A
    step that draws nothing and moves no parameter, as in gradient accumulation, releases nothing. Raises
    ConfigurationError for another `release`, and on a replay where state outlives a step and its noise cannot be led
    back to the draws.
    """
    check_choice("release", release, RELEASES)
    check_choice("state", state, STATES)
    steps = TorchSteps(optimizer, late)
    watch = _Watch(steps, recorder, (sensitivity, noise_scale), release, joint, state, dict(named_parameters))
    watch.steps.watch(watch.step)
    try:
        yield
    finally:
        watch.steps.close()


class _Watch:
    """The steps of one optimiser, each made twice."""

    def __init__(
        self,
        steps: TorchSteps,
        recorder: Recorder,
        declared: tuple[Declared, Declared],
        release: str,
        joint: bool,
        state: str,
        names: dict[str, Tensor],
    ) -> None:
        self.steps, self.recorder, self.released, self.joint = steps, recorder, release, joint
        self.declared, self.state = declared, state
        self.now: tuple[float | None, float | None] = (None, None)
        known = {id(parameter): name for name, parameter in names.items()}
        self.names = [known.get(id(p), f"parameter {i}") for i, p in enumerate(self.steps.parameters)]

    def step(self, run: Step) -> object:
        """The optimiser's own step, recorded."""
        with self.recorder.draws.block():
            return self._step(run)

    def _step(self, run: Step) -> object:
        before = _Snapshot(self.steps)
        sensitivity, noise_scale = (one() if callable(one) else one for one in self.declared)
        self.now = sensitivity, noise_scale
        silent = self._pass(before, _silenced, run)[0]
        before.restore()
        half = None if self.recorder.replays else self._pass(before, _halved, run)[0]
        before.restore()
        loud, draws, returned = self._pass(before, _as_drawn, run, forget=False)
        if not draws.seen and not any(move.any() for move in before.moved("update")):
            return returned
        self.recorder.step()
        bent = set() if half is None else self._bent(before, silent, half, loud)
        wanted = self._release(silent, loud, self._processed(before, draws, bent, silent, loud, run) if bent else bent)
        if any(not np.array_equal(one, own, equal_nan=True) for one, own in zip(wanted, loud, strict=True)):
            missing = [there - here for there, here in zip(wanted, loud, strict=True)]
            shifts = shifts_of(draws.seen, missing, [own - calm for own, calm in zip(loud, silent, strict=True)])
            after = draws.states_after()
            before.restore()
            draws.set_states(draws.before)
            self._follow(before, shifts, wanted, run)
            draws.set_states(after)
        if self.state == RELEASED:
            self.steps.output_state(self.recorder, self.names)
        return returned

    def _bent(self, before: _Snapshot, silent: list[Array], half: list[Array], loud: list[Array]) -> set[int]:
        """The parameters that half of the noise does not move half as far, up to rounding."""
        found, eps = set(), float(np.finfo(self.steps.precision).eps)
        for i, (start, calm, between, own) in enumerate(zip(before.data, silent, half, loud, strict=True)):
            size = sum(float(np.max(np.abs(one), initial=0.0)) for one in (numbers(start), calm, own))
            rounding = ROUNDINGS * eps * size
            slack = _HALVED * np.sqrt(np.mean((own - calm) ** 2)) + rounding
            if np.max(np.abs(between - (calm + own) / 2), initial=0.0) > slack:
                found.add(i)
        return found

    def _processed(
        self, before: _Snapshot, draws: Draws, bent: set[int], silent: list[Array], loud: list[Array], run: Step
    ) -> set[int]:
        """Those of the `bent` parameters whose noise does something else to other gradients; noise that is added last
        does the same to all of them, whatever its law. Leaves the step as it was made, with these draws."""
        made, after, passes = _Snapshot(self.steps), draws.states_after(), []
        for deviate in (_silenced, _as_drawn):
            before.restore()
            draws.set_states(draws.before)
            for p in self.steps.parameters:
                if p.grad is not None:
                    p.grad.neg_()
            passes.append(self._pass(before, deviate, run)[0])
        made.restore()
        draws.set_states(after)
        there, noisy = passes
        return {
            i
            for i in bent
            if np.array_equal(there[i], silent[i]) or not _alike(noisy[i] - there[i], loud[i] - silent[i])
        }

    def _pass(
        self, before: _Snapshot, deviate: Deviate, run: Step, forget: bool = True
    ) -> tuple[list[Array], Draws, object]:
        """(what was released, the draws, what step returned) of one step with the draws of `deviate`."""
        draws = normal_draws(deviate)
        try:
            with draws:
                returned = run()
        finally:
            if forget:
                draws.set_states(draws.before)
        return before.moved(self.released), draws, returned

    def _release(self, silent: list[Array], loud: list[Array], processed: set[int]) -> list[Array]:
        """Hand the step to the recorder; what the training must go on with, by parameter."""
        noisy = [i for i, (own, calm) in enumerate(zip(loud, silent, strict=True)) if np.any(own != calm)]
        wanted = list(loud)
        if self.joint and noisy:
            self._noisy(self.released, noisy, silent, loud, wanted, processed)
        for i, own in enumerate(loud):
            name = f"{self.released} of {self.names[i]}"
            if i in noisy and not self.joint:
                self._noisy(name, [i], silent, loud, wanted, processed)
            elif i not in noisy and own.any():
                [wanted[i]] = self.steps.apart(self.recorder.release(name, self.steps.joined([own]), None), [i])
        return wanted

    def _noisy(
        self,
        name: str,
        chosen: list[int],
        silent: list[Array],
        loud: list[Array],
        wanted: list[Array],
        processed: set[int],
    ) -> None:
        """One release with noise; changes `wanted` where a replay gives back another value."""
        bent = bool(processed.intersection(chosen))
        value = self.steps.release(self.recorder, name, chosen, silent, loud, self.now, bent)
        if not np.array_equal(value, self.steps.joined(loud[i] for i in chosen), equal_nan=True):
            for i, part in zip(chosen, self.steps.apart(value, chosen), strict=True):
                wanted[i] = part

    def _follow(self, before: _Snapshot, shifts: dict[int, Array] | None, wanted: list[Array], run: Step) -> None:
        """The step that releases `wanted`."""
        if shifts is not None:

            def shifted(number: int, drawn: Tensor) -> Tensor:
                return drawn + drawn.new_tensor(shifts[number]) if number in shifts else drawn

            self._pass(before, shifted, run)
        elif self.released == "gradient" or any(self.steps.optimizer.state.values()):
            raise ConfigurationError(
                "the noise of this optimiser cannot be led back to draws of the shapes of its parameters, and its "
                "state outlives a step, so it cannot be replayed; record only, or take one without momentum"
            )
        else:
            self._pass(before, _as_drawn, run)
        if self.released == "update":
            before.place(wanted)


def _as_drawn(number: int, drawn: Tensor) -> Tensor:
    return drawn


def _halved(number: int, drawn: Tensor) -> Tensor:
    return drawn / 2


def _silenced(number: int, drawn: Tensor) -> Tensor:
    return drawn * 0


def _alike(one: Array, other: Array) -> bool:
    return bool(np.linalg.norm(one - other) <= _HALVED * np.linalg.norm(other))


class _Snapshot:
    """What a step may change: parameters, gradients, what hangs on parameters, optimiser state and settings, and what
    its hooks keep."""

    def __init__(self, steps: TorchSteps) -> None:
        self.optimizer, self.parameters, self.torch = steps.optimizer, steps.parameters, load_torch()
        optimizer, parameters = self.optimizer, self.parameters
        self.random = self.torch.get_rng_state()
        self.data = [p.detach().clone() for p in parameters]
        self.grads = [None if p.grad is None else p.grad.detach().clone() for p in parameters]
        self.attached = [_cloned(p.__dict__) for p in parameters]
        self.state = {p: _cloned(kept) for p, kept in optimizer.state.items()}
        self.groups = [_cloned({k: v for k, v in g.items() if k != "params"}) for g in optimizer.param_groups]
        plain = {k: v for k, v in vars(optimizer).items() if isinstance(v, int | float | list | None) or _is_value(v)}
        self.plain = {k: _copied(v) for k, v in plain.items() if k != "param_groups"}
        self.hooks = Kept(hooks_of(optimizer))

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
        self.optimizer.__dict__.update({k: _copied(v) for k, v in self.plain.items()})
        self.hooks.restore()

    def moved(self, release: str) -> list[Array]:
        """What was released of each parameter since the snapshot, in float64."""
        if release == "gradient":
            return [gradient_of(p) for p in self.parameters]
        return [numbers(p) - numbers(data) for p, data in zip(self.parameters, self.data, strict=True)]

    def place(self, updates: list[Array]) -> None:
        """Set every parameter to what it was, moved by its update."""
        for p, data, update in zip(self.parameters, self.data, updates, strict=True):
            p.data.copy_(data.new_tensor(numbers(data) + update))


def _is_value(value: object) -> bool:
    """Is it a tensor that is no parameter, such as a clipping norm that adapts?"""
    return hasattr(value, "detach") and not getattr(value, "requires_grad", False)


def _copied(value: Tensor) -> Tensor:
    return value.clone() if _is_value(value) else copy.copy(value)


def _cloned(values: dict[str, Tensor]) -> dict[str, Tensor]:
    """A copy of a dict whose tensors are copies; lists are copied, other values are kept."""

    def one(value: Tensor) -> Tensor:
        if hasattr(value, "detach"):
            return value.detach().clone()
        return [one(part) for part in value] if isinstance(value, list) else value

    return {key: one(value) for key, value in values.items()}
