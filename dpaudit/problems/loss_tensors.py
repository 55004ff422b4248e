"""The torch form of `dpaudit.problems.losses`: all trials at once, on any device."""

from __future__ import annotations

from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.problems.losses import LOG_TWO, Loss, Problem


class TorchProblem:
    """A problem as tensors of `dtype` ("float64" or "float32") on `device`.

    Points are tensors of shape (trials, d) of that dtype on that device; batches hold record numbers,
    int64 of shape (trials, size).
    """

    def __init__(self, problem: Problem, device: str, dtype: str) -> None:
        self._torch = load_torch()
        kind = getattr(self._torch, dtype)
        self.loss, self.threshold, self.records = problem.loss, problem.threshold, problem.records
        self.constant, self.penalty, self.is_curved = problem.constant, problem.penalty, problem.is_curved
        self.features, self.labels, self.curvature, self.mean_linear = (
            self._torch.tensor(values, dtype=kind, device=device)
            for values in (problem.features, problem.labels, problem.curvature, problem.mean_linear)
        )
        self.weights: Tensor = None
        if problem.weights is not None:
            self.weights = self._torch.tensor(problem.weights, dtype=kind, device=device)

    def value(self, point: Tensor) -> Tensor:
        """f at points of shape (trials, d); shape (trials,)."""
        return self._weighted(self._phi(point @ self.features.T, self.labels)).mean(-1) + self._common(point)

    def record_values(self, point: Tensor, batch: Tensor = None) -> Tensor:
        """The losses of the records in `batch`, or of all n; shape (trials, size or n)."""
        margins, labels, _ = self._margins(point, batch)
        return self._weighted(self._phi(margins, labels), batch) + self._common(point)[:, None]

    def gradient(self, point: Tensor) -> Tensor:
        """The gradient of f at points of shape (trials, d); same shape."""
        if self.loss is Loss.LINEAR:
            return self.mean_linear + self._common_gradient(point)
        slopes = self.slopes(point @ self.features.T)
        return slopes @ self.features / self.records + self._common_gradient(point)

    def batch_gradient(self, point: Tensor, batch: Tensor) -> Tensor:
        """The mean gradient over a batch of record numbers per point, shape (trials, size); shape (trials, d)."""
        margins, _, rows = self._margins(point, batch)
        slopes = self.slopes(margins, batch)
        return (slopes[:, None, :] @ rows)[:, 0] / batch.shape[1] + self._common_gradient(point)

    def record_gradients(self, point: Tensor, batch: Tensor = None) -> Tensor:
        """The gradients of the losses of the records in `batch`, or of all n; shape (trials, size or n, d)."""
        margins, _, rows = self._margins(point, batch)
        return self.slopes(margins, batch)[:, :, None] * rows + self._common_gradient(point)[:, None, :]

    def slopes(self, margins: Tensor, batch: Tensor = None) -> Tensor:
        """weight_i phi'(m; y_i) for margins (trials, size or n) of the records in `batch`, or of all."""
        return self._weighted(self._slope(margins, self.labels if batch is None else self.labels[batch]), batch)

    def _margins(self, point: Tensor, batch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        if batch is None:
            return point @ self.features.T, self.labels, self.features
        rows = self.features[batch]
        return (rows @ point[:, :, None])[:, :, 0], self.labels[batch], rows

    def _weighted(self, values: Tensor, batch: Tensor = None) -> Tensor:
        if self.weights is None:
            return values
        return (self.weights if batch is None else self.weights[batch]) * values

    def _common(self, point: Tensor) -> Tensor:
        total = self._torch.full_like(point[:, 0], self.constant)
        if self.is_curved:
            total = total + 0.5 * ((point @ self.curvature) * point).sum(-1)
        if self.penalty:
            total = total + self.penalty * (point**2 / (1.0 + point**2)).sum(-1)
        return total

    def _common_gradient(self, point: Tensor) -> Tensor:
        total = point @ self.curvature if self.is_curved else self._torch.zeros_like(point)
        if self.penalty:
            total = total + (2.0 * self.penalty) * point / (1.0 + point**2) ** 2
        return total

    def _phi(self, margins: Tensor, labels: Tensor) -> Tensor:
        if self.loss is Loss.LINEAR:
            return labels * margins
        if self.loss is Loss.LOGISTIC:
            signed = labels * margins
            return (-signed).clamp(min=0.0) + (-signed.abs()).exp().log1p()
        if self.loss is Loss.COSINE:
            return (margins + labels).cos()
        if self.loss is Loss.SQUARED:
            return 0.5 * (margins - labels) ** 2
        size = (margins - labels).abs()
        if self.loss is Loss.HUBER:
            bent = size.clamp(max=self.threshold)
            return bent * (size - 0.5 * bent)
        return size if self.loss is Loss.ABSOLUTE else size + ((-2.0 * size).exp().log1p() - LOG_TWO)

    def _slope(self, margins: Tensor, labels: Tensor) -> Tensor:
        if self.loss is Loss.LINEAR:
            return labels.expand_as(margins)
        if self.loss is Loss.LOGISTIC:
            return -labels / (1.0 + (labels * margins).exp())
        if self.loss is Loss.COSINE:
            return -(margins + labels).sin()
        residuals = margins - labels
        if self.loss is Loss.SQUARED:
            return residuals
        if self.loss is Loss.HUBER:
            return residuals.clamp(-self.threshold, self.threshold)
        return residuals.sign() if self.loss is Loss.ABSOLUTE else residuals.tanh()


def torch_form(problem: Tensor, device: str, dtype: str) -> Tensor:
    """What the torch form of an algorithm calls: a `TorchProblem` of a `Problem`; of anything else, say a
    `dpaudit.problems.modules.ModuleProblem`, its own `to(device, dtype)`."""
    return TorchProblem(problem, device, dtype) if isinstance(problem, Problem) else problem.to(device, dtype)
