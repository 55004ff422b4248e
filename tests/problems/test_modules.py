"""Torch modules as problems: against closed forms, a network by hand, finite differences; what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from dpaudit.problems import losses
from dpaudit.problems.loss_tensors import TorchProblem, torch_form
from dpaudit.problems.modules import ModuleProblem
from dpaudit.records.errors import ConfigurationError

N, WIDTH, HIDDEN = 7, 3, 4
RNG = np.random.default_rng(3)
FEATURES, TARGETS = torch.tensor(RNG.normal(size=(N, WIDTH))), torch.tensor(RNG.normal(size=N))
BATCHES = torch.tensor([[0, 3, 3], [6, 1, 2], [5, 5, 5], [2, 0, 4], [1, 6, 0]])


def half_square(output: Any, target: Any) -> Any:
    return (output.squeeze() - target) ** 2 / 2


def network(dtype: torch.dtype = torch.float64) -> torch.nn.Module:
    torch.manual_seed(5)
    return torch.nn.Sequential(torch.nn.Linear(WIDTH, HIDDEN), torch.nn.Tanh(), torch.nn.Linear(HIDDEN, 1)).to(dtype)


def made(chunk: int | None = None) -> ModuleProblem:
    return ModuleProblem(network(), half_square, FEATURES, TARGETS, chunk)


def points(problem: ModuleProblem, trials: int = 5) -> Any:
    return torch.tensor(np.random.default_rng(9).normal(size=(trials, problem.dimension)))


def by_hand(point: Any, feature: Any, target: float) -> tuple[float, Any]:
    """Loss and gradient of v . tanh(W x + b) + c for one record, in NumPy, without automatic differentiation."""
    w, rest = point[: HIDDEN * WIDTH].reshape(HIDDEN, WIDTH), point[HIDDEN * WIDTH :]
    b, v, c = rest[:HIDDEN], rest[HIDDEN : 2 * HIDDEN], rest[2 * HIDDEN]
    hidden = np.tanh(w @ feature + b)
    residual = v @ hidden + c - target
    inner = residual * v * (1 - hidden**2)
    return residual**2 / 2, np.concatenate([np.outer(inner, feature).ravel(), inner, residual * hidden, [residual]])


@pytest.mark.parametrize("chunk", [None, 1, 2, 5, 100])
def test_a_two_layer_network_agrees_with_its_derivatives_by_hand(chunk: int | None) -> None:
    problem = made(chunk)
    at = points(problem)
    hand = [[by_hand(w, x, y) for x, y in zip(FEATURES.numpy(), TARGETS.numpy(), strict=True)] for w in at.numpy()]
    values = np.array([[value for value, _ in row] for row in hand])
    gradients = np.array([[gradient for _, gradient in row] for row in hand])
    chosen = np.take_along_axis(gradients, BATCHES.numpy()[:, :, None], axis=1)
    expected = [
        (problem.record_values(at), values),
        (problem.value(at), values.mean(1)),
        (problem.record_values(at, BATCHES), np.take_along_axis(values, BATCHES.numpy(), axis=1)),
        (problem.record_gradients(at), gradients),
        (problem.gradient(at), gradients.mean(1)),
        (problem.record_gradients(at, BATCHES), chosen),
        (problem.batch_gradient(at, BATCHES), chosen.mean(1)),
    ]
    for found, wanted in expected:
        assert found.shape == wanted.shape
        assert found.numpy() == pytest.approx(wanted, rel=1e-12, abs=1e-13)


def test_gradients_are_the_differences_of_values() -> None:
    problem, step = made(), 1e-6
    at = points(problem, 2)
    for j in range(problem.dimension):
        shift = step * torch.eye(problem.dimension, dtype=torch.float64)[j]
        slopes = (problem.record_values(at + shift) - problem.record_values(at - shift)) / (2 * step)
        assert problem.record_gradients(at)[:, :, j].numpy() == pytest.approx(slopes.numpy(), abs=1e-7)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_linear_layer_is_a_closed_form(dtype: str) -> None:
    """log cosh of a layer without bias is the problem of that name."""
    kind, closed = getattr(torch, dtype), losses.log_cosh(FEATURES.numpy(), TARGETS.numpy())
    tensors, layer = TorchProblem(closed, "cpu", dtype), torch.nn.Linear(WIDTH, 1, bias=False)
    problem = ModuleProblem(
        layer.to(kind), lambda output, y: torch.log(torch.cosh(output[0] - y)), FEATURES.to(kind), TARGETS.to(kind)
    )
    at, tolerance = points(problem).to(kind), 1e-13 if dtype == "float64" else 1e-5
    for name in ("value", "gradient", "record_values", "record_gradients"):
        found, wanted = getattr(problem, name)(at), getattr(tensors, name)(at)
        assert (found.dtype, found.shape) == (kind, wanted.shape)
        assert found.numpy() == pytest.approx(wanted.numpy(), abs=tolerance)
    for name in ("record_values", "record_gradients", "batch_gradient"):
        found, wanted = getattr(problem, name)(at, BATCHES), getattr(tensors, name)(at, BATCHES)
        assert found.numpy() == pytest.approx(wanted.numpy(), abs=tolerance)


def test_torch_form_serves_modules_and_closed_forms_alike() -> None:
    """What an algorithm does: the same noisy steps on batches, from either kind of problem."""
    labels = np.where(TARGETS.numpy() > 0, 1.0, -1.0)
    module = ModuleProblem(
        torch.nn.Linear(WIDTH, 1, bias=False).double(),
        lambda output, y: torch.nn.functional.softplus(-y * output[0]),
        FEATURES,
        torch.tensor(labels),
    )
    finals = []
    for problem in (module, losses.logistic(FEATURES.numpy(), labels)):
        assert (problem.records, problem.dimension) == (N, WIDTH)
        form, noise = torch_form(problem, "cpu", "float64"), np.random.default_rng(4)
        theta = torch.full((5, WIDTH), 0.1, dtype=torch.float64)
        for _ in range(4):
            step = form.batch_gradient(theta, BATCHES) + form.gradient(theta)
            theta = theta - 0.3 * (step + torch.tensor(noise.normal(size=(5, WIDTH))))
        finals.append(theta.numpy())
    assert finals[1] == pytest.approx(finals[0], rel=1e-12)


def test_the_module_is_neither_changed_nor_followed() -> None:
    module = network()
    problem = ModuleProblem(module, half_square, FEATURES, TARGETS)
    start = problem.start()
    expected = ((module(FEATURES)[:, 0] - TARGETS) ** 2 / 2).mean().item()
    assert problem.value(start[None]).item() == pytest.approx(expected)
    problem.gradient(points(problem))
    assert all(one.grad is None for one in module.parameters())
    with torch.no_grad():
        module[0].weight.zero_()
    assert torch.equal(problem.start(), start)


def test_shared_weights_are_one_parameter() -> None:
    class Tied(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = torch.nn.Linear(3, 3, bias=False), torch.nn.Linear(3, 3, bias=False)
            self.second.weight = self.first.weight

        def forward(self, x: Any) -> Any:
            return self.second(self.first(x)).sum(-1)

    problem = ModuleProblem(Tied().double(), half_square, FEATURES, TARGETS)
    at, step = torch.ones((1, 9), dtype=torch.float64), 1e-6
    assert problem.dimension == 9
    for j in range(9):
        shift = step * torch.eye(9, dtype=torch.float64)[j]
        slope = (problem.value(at + shift) - problem.value(at - shift)) / (2 * step)
        assert problem.gradient(at)[0, j].item() == pytest.approx(slope.item(), rel=1e-6)


def test_convolutions_and_classes_work() -> None:
    layers = torch.nn.Sequential(
        torch.nn.Conv2d(1, 2, 3), torch.nn.GroupNorm(1, 2), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(8, 3)
    )
    images, classes = torch.tensor(RNG.normal(size=(4, 1, 4, 4))), torch.tensor([0, 2, 1, 1])
    problem = ModuleProblem(layers.double(), torch.nn.functional.cross_entropy, images, classes)
    at = problem.start()[None]
    expected = torch.autograd.grad(
        torch.nn.functional.cross_entropy(layers(images), classes), list(layers.parameters())
    )
    found = problem.gradient(at)[0].numpy()
    assert found == pytest.approx(torch.cat([one.reshape(-1) for one in expected]).numpy(), abs=1e-14)
    moved = problem.to("cpu", "float32")
    assert (moved.dtype, moved.targets.dtype) == (torch.float32, torch.int64)
    assert moved.gradient(at.float())[0].numpy() == pytest.approx(found, abs=1e-5)


def test_at_most_a_chunk_is_evaluated_at_once() -> None:
    problem, seen = made(6), []
    original = problem._over_trials

    def watched(function: Any, at: Any, batch: Any, trials: slice, records: slice) -> Any:
        seen.append((trials.stop - trials.start) * (records.stop - records.start))
        return original(function, at, batch, trials, records)

    problem._over_trials = watched  # type: ignore[method-assign]
    problem.gradient(points(problem))
    assert sum(seen) == 5 * N
    assert max(seen) == 6
    assert ModuleProblem(network(), half_square, FEATURES, TARGETS).chunk == 4096


class Noisy(torch.nn.Module):
    """A layer that draws without saying so."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(WIDTH, dtype=torch.float64))

    def forward(self, x: Any) -> Any:
        return torch.nn.functional.dropout(x, 0.5, training=True) @ self.weight


def with_layer(layer: torch.nn.Module) -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(WIDTH, HIDDEN), layer, torch.nn.Linear(HIDDEN, 1)).double()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ModuleProblem(with_layer(torch.nn.BatchNorm1d(HIDDEN)), half_square, FEATURES, TARGETS),
            r"layer '1' \(BatchNorm1d\) computes statistics of the batch.*use GroupNorm or LayerNorm",
        ),
        (
            lambda: ModuleProblem(
                with_layer(torch.nn.BatchNorm1d(HIDDEN, track_running_stats=False)).eval(),
                half_square, FEATURES, TARGETS,
            ),
            r"layer '1' \(BatchNorm1d\) computes statistics of the batch",
        ),
        (
            lambda: ModuleProblem(with_layer(torch.nn.Dropout(0.5)), half_square, FEATURES, TARGETS),
            r"layer '1' \(Dropout\) draws random numbers in train mode.*call module.eval\(\)",
        ),
        (
            lambda: ModuleProblem(with_layer(torch.nn.AlphaDropout(0.5)), half_square, FEATURES, TARGETS),
            r"layer '1' \(AlphaDropout\) draws",
        ),
        (lambda: ModuleProblem(Noisy(), half_square, FEATURES, TARGETS), "deterministic function of one example"),
        (lambda: ModuleProblem(torch.nn.Tanh(), half_square, FEATURES, TARGETS), "Tanh has no parameters"),
        (lambda: ModuleProblem(network(), lambda o, y: o - y, FEATURES, TARGETS), r"one number .* shape \(1,\)"),
        (lambda: ModuleProblem(network(), half_square, FEATURES[:, :2], TARGETS), "cannot be differentiated"),
        (lambda: ModuleProblem(network(), half_square, FEATURES, TARGETS[:3]), "as many, at least one, got 7 and 3"),
        (lambda: ModuleProblem(network(), half_square, FEATURES * np.nan, TARGETS), "features must be finite"),
        (lambda: ModuleProblem(network(), half_square, FEATURES.numpy(), TARGETS), "features must be a tensor on cpu"),
        (lambda: made(-1), "chunk must be at least 1"),
        (lambda: made().gradient(torch.zeros(3, 2)), r"points must have shape \(trials, 21\), got \(3, 2\)"),
        (lambda: made().gradient(torch.zeros(3, 21)), "points must be torch.float64 on cpu.*got torch.float32"),
        (lambda: made().batch_gradient(points(made()), BATCHES[:2]), r"batch must have shape \(5, size\)"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_problem_is_refused_with_a_remedy(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        make()


@pytest.mark.parametrize("layer", [torch.nn.BatchNorm1d(HIDDEN), torch.nn.Dropout(0.5)])
def test_the_remedy_helps(layer: torch.nn.Module) -> None:
    problem = ModuleProblem(with_layer(layer).eval(), half_square, FEATURES, TARGETS)
    at = points(problem)
    alone = ModuleProblem(with_layer(layer).eval(), half_square, FEATURES[:1], TARGETS[:1])
    assert problem.record_gradients(at)[:, 0].numpy() == pytest.approx(alone.gradient(at).numpy(), abs=1e-14)
