"""Any torch module with a loss per example as a problem, for the torch forms of algorithms.

A point is the vector of all parameters, flattened one after the other in the order of `module.named_parameters()`.
Records are pairs of a feature and a target; f is the mean of their losses. Trials are a batch dimension: through
`torch.func` the module is called for every trial and every record, each alone, many at once. The methods are those
of `dpaudit.problems.loss_tensors.TorchProblem`, with the same shapes.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any

from dpaudit.noise.tensors import Module, Tensor, load_torch
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_count

MOST_PAIRS, MOST_NUMBERS = 4096, 1 << 23
"""Pairs of a trial and a record that are evaluated at once unless a caller says otherwise: so many, or fewer where
their gradients would have more than so many numbers."""


class ModuleProblem:
    """f(w) = (1/n) sum_i loss(module_w(features_i), targets_i).

    module: a torch.nn.Module on the device and of the dtype in which everything is computed; it is copied, its
    buffers are constants. loss(output, target): the loss of one example, a scalar, from the output and the target of
    that example, both without a batch axis. features, targets: tensors (n, ...) on the device of the module.
    chunk: pairs of a trial and a record that are evaluated at once; memory beyond the results grows with chunk times
    the activations of one example, and for gradients of records the parameters. Raises ConfigurationError for other
    shapes, devices and numbers that are not finite, and for layers that mix examples or draw random numbers.
    """

    def __init__(
        self,
        module: Module,
        loss: Callable[[Tensor, Tensor], Tensor],
        features: Tensor,
        targets: Tensor,
        chunk: int | None = None,
    ) -> None:
        self._torch = load_torch()
        named = list(module.named_parameters())
        if not named:
            raise ConfigurationError(f"{type(module).__name__} has no parameters, so there is nothing to train")
        _check_layers(self._torch, module)
        self._names, self._shapes = [name for name, _ in named], [tuple(one.shape) for _, one in named]
        self._sizes = [math.prod(shape) for shape in self._shapes]
        self.device, self.dtype = named[0][1].device, named[0][1].dtype
        if any(one.dtype != self.dtype or one.device != self.device for _, one in named):
            raise ConfigurationError("all parameters of the module must have one dtype and be on one device")
        usual = max(1, min(MOST_PAIRS, MOST_NUMBERS // self.dimension))
        self.chunk = check_count("chunk", usual if chunk is None else chunk)
        self._check_data(features, targets)
        self.features, self.targets = features, targets
        self._module, self._loss = copy.deepcopy(module), loss
        self._check_loss()

    @property
    def records(self) -> int:
        """n."""
        return len(self.features)

    @property
    def dimension(self) -> int:
        """d, the number of parameters."""
        return sum(self._sizes)

    def start(self) -> Tensor:
        """The parameters of the module as it was handed in, shape (d,)."""
        return self._torch.cat([one.detach().reshape(-1) for one in self._module.parameters()])

    def to(self, device: str, dtype: str) -> ModuleProblem:
        """The same problem on another device and in "float64" or "float32"; targets of integers stay integers."""
        kind = getattr(self._torch, dtype)
        features, targets = (
            one.to(device, kind) if one.is_floating_point() else one.to(device) for one in (self.features, self.targets)
        )
        return ModuleProblem(copy.deepcopy(self._module).to(device, kind), self._loss, features, targets, self.chunk)

    def value(self, point: Tensor) -> Tensor:
        """f at points of shape (trials, d); shape (trials,)."""
        return self.record_values(point).mean(1)

    def record_values(self, point: Tensor, batch: Tensor = None) -> Tensor:
        """The losses of the records in `batch`, int64 (trials, size), or of all n; shape (trials, size or n)."""
        values = point.new_empty(self._shape(point, batch))
        with self._torch.no_grad():
            for trials, records in self._tiles(*values.shape):
                values[trials, records] = self._over_trials(self._losses, point[trials], batch, trials, records)
        return values

    def record_gradients(self, point: Tensor, batch: Tensor = None) -> Tensor:
        """The gradients of the losses of the records in `batch`, or of all n; shape (trials, size or n, d)."""
        gradients = point.new_empty((*self._shape(point, batch), self.dimension))
        of_records = self._torch.func.vmap(self._torch.func.grad(self._one), in_dims=(None, 0, 0))
        for trials, records in self._tiles(*gradients.shape[:2]):
            gradients[trials, records] = self._over_trials(of_records, point[trials], batch, trials, records)
        return gradients

    def gradient(self, point: Tensor) -> Tensor:
        """The gradient of f at points of shape (trials, d); same shape."""
        return self.batch_gradient(point, None)

    def batch_gradient(self, point: Tensor, batch: Tensor) -> Tensor:
        """The mean gradient over a batch of record numbers per point, (trials, size); shape (trials, d)."""
        shape, total = self._shape(point, batch), self._torch.zeros_like(point)
        of_sums = self._torch.func.grad(lambda *given: self._losses(*given).sum())
        for trials, records in self._tiles(*shape):
            total[trials] += self._over_trials(of_sums, point[trials], batch, trials, records)
        return total / shape[1]

    def _one(self, flat: Tensor, feature: Tensor, target: Tensor) -> Tensor:
        """The loss of one record at one point."""
        parts = zip(self._names, flat.split(self._sizes), self._shapes, strict=True)
        named = {name: part.reshape(shape) for name, part, shape in parts}
        return self._loss(self._torch.func.functional_call(self._module, named, (feature[None],))[0], target)

    def _losses(self, flat: Tensor, features: Tensor, targets: Tensor) -> Tensor:
        """The losses of some records at one point."""
        return self._torch.func.vmap(self._one, in_dims=(None, 0, 0))(flat, features, targets)

    def _over_trials(self, function: Tensor, points: Tensor, batch: Tensor, trials: slice, records: slice) -> Tensor:
        """function(point, features, targets) for every trial, with its own records or the same for all."""
        if batch is None:
            mapped = self._torch.func.vmap(function, in_dims=(0, None, None))
            return mapped(points, self.features[records], self.targets[records])
        chosen = batch[trials, records]
        return self._torch.func.vmap(function)(points, self.features[chosen], self.targets[chosen])

    def _tiles(self, trials: int, size: int) -> Iterator[tuple[slice, slice]]:
        """The whole table of trials and records in pieces of at most `chunk` pairs."""
        width = min(size, self.chunk)
        height = max(1, self.chunk // width)
        for first in range(0, trials, height):
            for left in range(0, size, width):
                yield slice(first, min(first + height, trials)), slice(left, min(left + width, size))

    def _shape(self, point: Tensor, batch: Tensor) -> tuple[int, int]:
        if point.ndim != 2 or point.shape[1] != self.dimension:
            raise ConfigurationError(f"points must have shape (trials, {self.dimension}), got {tuple(point.shape)}")
        if point.dtype != self.dtype or point.device != self.device:
            raise ConfigurationError(
                f"points must be {self.dtype} on {self.device}, as the module is, got {point.dtype} on {point.device}"
            )
        if batch is None:
            return len(point), self.records
        if batch.ndim != 2 or len(batch) != len(point) or batch.shape[1] == 0:
            raise ConfigurationError(f"batch must have shape ({len(point)}, size), got {tuple(batch.shape)}")
        return len(point), batch.shape[1]

    def _check_data(self, features: Tensor, targets: Tensor) -> None:
        for name, tensor in (("features", features), ("targets", targets)):
            if not isinstance(tensor, self._torch.Tensor) or tensor.device != self.device:
                raise ConfigurationError(f"{name} must be a tensor on {self.device}, where the module is")
            if not bool(tensor.isfinite().all()):
                raise ConfigurationError(f"{name} must be finite numbers")
        if len(features) == 0 or len(features) != len(targets):
            raise ConfigurationError(
                f"features and targets must be as many, at least one, got {len(features)} and {len(targets)}"
            )

    def _check_loss(self) -> None:
        """One loss and one gradient: what cannot be evaluated is refused here, not in the middle of a run."""
        try:
            shape = tuple(self._one(self.start(), self.features[0], self.targets[0]).shape)
            if not shape:
                self.record_gradients(self.start()[None], self._torch.zeros((1, 1), dtype=self._torch.int64))
        except (RuntimeError, ValueError, TypeError, IndexError) as error:  # what torch raises for shapes, dtypes, vmap
            raise ConfigurationError(
                f"the loss of one example cannot be differentiated with torch.func: {str(error).splitlines()[0]}; "
                "the module must be a deterministic function of one example, without random or in-place operations"
            ) from error
        if shape:
            raise ConfigurationError(
                f"loss must return one number for one example, got a tensor of shape {shape}; "
                "it is handed the output and the target of one example, without a batch axis"
            )


def _check_layers(torch: Any, module: Any) -> None:
    """Refuse layers whose output for one example depends on others, or on random numbers."""
    drawing = (torch.nn.modules.dropout._DropoutNd, torch.nn.RReLU)
    for name, layer in module.named_modules():
        place = f"layer {name or '(the module itself)'!r} ({type(layer).__name__})"
        if isinstance(layer, torch.nn.modules.batchnorm._BatchNorm) and (layer.training or layer.running_mean is None):
            raise ConfigurationError(
                f"{place} computes statistics of the batch, so that the gradient of a record depends on other records; "
                "use GroupNorm or LayerNorm, or call module.eval() where it keeps running statistics of public data"
            )
        if isinstance(layer, drawing) and layer.training and getattr(layer, "p", 1.0) > 0:
            raise ConfigurationError(
                f"{place} draws random numbers in train mode, so that f is no function of the parameters; "
                "call module.eval() or remove the layer"
            )
