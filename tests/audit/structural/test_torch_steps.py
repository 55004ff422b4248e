"""What a watched optimiser shows, and that it is put back as it was."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from dpaudit.audit.structural.recording import Recorder
from dpaudit.audit.structural.torch_steps import TorchSteps, gradient_of
from dpaudit.records.errors import ContentError


def _optimizer(dtype: torch.dtype = torch.float32) -> torch.optim.SGD:
    shapes = ((2, 3), (4,))
    return torch.optim.SGD([torch.nn.Parameter(torch.ones(shape, dtype=dtype)) for shape in shapes], lr=0.5, momentum=1)


def test_vectors_fall_apart_as_they_were_joined() -> None:
    steps = TorchSteps(_optimizer())
    parts = [np.arange(6.0).reshape(2, 3), np.arange(4.0)]
    joined = steps.joined(parts)
    assert joined.dtype == np.float32
    for part, again in zip(parts, steps.apart(joined, [0, 1]), strict=True):
        np.testing.assert_array_equal(part, again)
    [second] = steps.apart(steps.joined(parts[1:]), [1])
    np.testing.assert_array_equal(second, parts[1])


@pytest.fixture
def double() -> Iterator[None]:
    """torch.set_default_dtype(torch.float64)."""
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def test_double_parameters_are_released_in_double_precision(double: None) -> None:
    assert TorchSteps(_optimizer(torch.float64)).joined([np.zeros(2)]).dtype == np.float64
    assert TorchSteps(_optimizer(torch.float32)).joined([np.zeros(2)]).dtype == np.float32


def test_noise_in_the_default_type_is_no_finer_than_that() -> None:
    assert TorchSteps(_optimizer(torch.float64)).joined([np.zeros(2)]).dtype == np.float32


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16])
def test_parameters_that_are_rounded_coarsely_are_refused(kind: torch.dtype) -> None:
    with pytest.raises(ContentError, match=rf"that are trained are {kind}, .* in float32, model\.float\(\)"):
        TorchSteps(_optimizer(kind))


def test_parameters_that_are_frozen_are_left_out_but_those_that_are_trained_later() -> None:
    optimizer = _optimizer()
    first, second = optimizer.param_groups[0]["params"]
    first.requires_grad_(False)
    steps = TorchSteps(optimizer)
    assert steps.parameters == [second]
    assert steps.thawed() == set()
    first.grad = torch.zeros(2, 3)
    assert steps.thawed() == set()
    first.grad[1, 2] = 0.5
    assert steps.thawed() == {0}
    again = TorchSteps(optimizer, steps.thawed())
    assert [id(p) for p in again.parameters] == [id(first), id(second)]
    assert again.thawed() == set()


def test_a_step_is_seen_and_put_back() -> None:
    optimizer, seen = _optimizer(), []
    steps, own = TorchSteps(optimizer), optimizer.step
    steps.watch(lambda run: (seen.append("step"), run()))
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)  # wraps the step that it finds
    for p in steps.parameters:
        p.grad = torch.full_like(p, 2.0)
    optimizer.step()
    schedule.step()
    assert seen == ["step"]
    assert all(bool((p == 0.0).all()) for p in steps.parameters)
    steps.close()
    assert optimizer.step == own


@pytest.mark.parametrize("noise", [0.0, 1.5])
def test_noise_that_is_none_is_not_declared(noise: float) -> None:
    steps, recorder = TorchSteps(_optimizer()), Recorder(seed=1)
    silent = [np.ones((2, 3)), np.ones(4)]
    steps.release(recorder, "gradient", [0, 1], silent, [one + noise for one in silent], (2.0, 3.0))
    [found] = recorder.recording().releases
    assert (found.noise is None) is (noise == 0.0)
    assert (found.sensitivity, found.noise_scale) == (2.0, 3.0 if noise else None)
    np.testing.assert_array_equal(found.value, np.full(10, 1.0 + noise))


def test_gradients_and_momenta_are_read() -> None:
    optimizer = _optimizer()
    steps, recorder = TorchSteps(optimizer), Recorder(seed=1)
    assert not gradient_of(steps.parameters[0]).any()
    for p in steps.parameters:
        p.grad = torch.full_like(p, 2.0)
    optimizer.step()
    np.testing.assert_array_equal(gradient_of(steps.parameters[1]), np.full(4, 2.0))
    steps.output_state(recorder, ["first", "second"])
    outputs = dict(recorder.recording().outputs)
    assert set(outputs) == {"optimiser state momentum_buffer of first", "optimiser state momentum_buffer of second"}
    np.testing.assert_array_equal(outputs["optimiser state momentum_buffer of second"], np.full(4, 2.0))
    optimizer.state[steps.parameters[0]] = {"norm": 0.5, "count": 3}
    steps.output_state(recorder := Recorder(), ["first", "second"])
    assert recorder.recording().outputs[0] == ("optimiser state norm of first", 0.5)
    assert len(recorder.recording().outputs) == 2
