"""DP-SGD in torch, written by hand as users write it: twenty trainings, each with a twin that has one bug.

None of the bugs was chosen by what the checks see. The loops draw Poisson batches, clip gradients of single records,
add noise once a step and divide by the expected size of a batch, unless their names say otherwise.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, SIZE, STEPS, images, poisson, twins, whole
from torch import Tensor, nn
from torch.func import functional_call, grad, vmap
from torch.nn import functional as F

from dpaudit import TorchTraining

Gradients = dict[str, Tensor]


def linear() -> nn.Module:
    return nn.Linear(FEATURES, CLASSES)


def perceptron(**more: Any) -> nn.Module:
    layers = [nn.Linear(FEATURES, 8), nn.Tanh(), *([nn.Dropout(0.3)] if more.get("dropout") else [])]
    return nn.Sequential(*layers, nn.Linear(8, CLASSES))


def convolution(norm: nn.Module) -> nn.Module:
    return nn.Sequential(nn.Conv2d(1, 4, 3), norm, nn.ReLU(), nn.Flatten(), nn.Linear(64, CLASSES))


def drawn(records: Any) -> Tensor:
    """The ids of a Poisson batch."""
    return (torch.rand(len(records)) < RATE).nonzero()[:, 0]


def cross_entropy(model: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    return F.cross_entropy(model(x[None]), y[None])


def single(model: nn.Module, x: Tensor, y: Tensor, loss: Callable[..., Tensor] = cross_entropy) -> Gradients:
    """The gradients of single records, one record at a time; first axis: records."""
    trained = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    rows = [torch.autograd.grad(loss(model, x[i], y[i]), [p for _, p in trained]) for i in range(len(x))]
    return {
        name: torch.stack([row[k] for row in rows]) if rows else p.new_zeros((0, *p.shape))
        for k, (name, p) in enumerate(trained)
    }


def vectorised(model: nn.Module, x: Tensor, y: Tensor) -> Gradients:
    """As `single`, by torch.func."""
    trained = {name: p.detach() for name, p in model.named_parameters() if p.requires_grad}
    frozen = {name: p.detach() for name, p in model.named_parameters() if not p.requires_grad}
    if not len(x):
        return {name: p.new_zeros((0, *p.shape)) for name, p in trained.items()}

    def loss(own: Gradients, one: Tensor, label: Tensor) -> Tensor:
        return F.cross_entropy(functional_call(model, own | frozen, (one[None],)), label[None])

    return vmap(grad(loss), in_dims=(None, 0, 0))(trained, x, y)


def clipped(gradients: Gradients, clip_norm: float = CLIP_NORM) -> Gradients:
    """The sum of the gradients, each clipped by the norm over all parameters; what is not finite is left out."""
    flat = torch.cat([g.flatten(1) for g in gradients.values()], dim=1)
    norms = flat.norm(dim=1)
    factors = torch.where(norms.isfinite(), (clip_norm / norms.clamp(min=1e-12)).clamp(max=1.0), torch.zeros(()))
    kept = {name: torch.nan_to_num(g, nan=0.0, posinf=0.0, neginf=0.0) for name, g in gradients.items()}
    return {name: torch.einsum("i,i...->...", factors, g) for name, g in kept.items()}


def noisy(total: Gradients, noise: float = NOISE, size: float = SIZE) -> Gradients:
    return {name: (g + noise * CLIP_NORM * torch.randn_like(g)) / size for name, g in total.items()}


def step(model: nn.Module, optimizer: Any, gradients: Gradients) -> None:
    for name, p in model.named_parameters():
        p.grad = gradients.get(name)
    optimizer.step()


def watched(watch: Any, model: nn.Module, optimizer: Any, release: str = "gradient") -> None:
    watch(optimizer, clip_norm=CLIP_NORM, noise_multiplier=NOISE, batch_size=SIZE, release=release)


def started(watch: Any, model: nn.Module, release: str = "gradient", **options: Any) -> Any:
    """An SGD optimiser that is watched."""
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], **{"lr": 0.5, **options})
    watched(watch, model, optimizer, release)
    return optimizer


def softmax(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        gradients = vectorised(model, *records.tensors(drawn(records)))
        total = {n: torch.nan_to_num(g).sum(dim=0) for n, g in gradients.items()} if broken else clipped(gradients)
        step(model, optimizer, noisy(total))
    return model


def layers(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = perceptron()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        step(model, optimizer, noisy(total, NOISE / 2 if broken else NOISE))
    return model


def dropout(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = perceptron(dropout=True).train()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        if broken:
            gradients = single(model, x, y)
            mean = {name: g.mean(dim=0, keepdim=True) if len(x) else g for name, g in gradients.items()}
            total = {name: SIZE * g for name, g in clipped(mean).items()}
        else:
            total = clipped(single(model, x, y))
        step(model, optimizer, noisy(total))
    return model


def flips(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = nn.Sequential(nn.Flatten(), nn.Linear(36, CLASSES))
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        x = torch.where((torch.rand(len(x)) < 0.5)[:, None, None, None], x.flip(-1), x)
        total = clipped(vectorised(model, x, y))
        step(model, optimizer, noisy(total, NOISE / (len(x) or 1) if broken else NOISE))
    return model


def jitter(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        x = x + 0.2 * (torch.rand_like(x) - 0.5)
        total = clipped(vectorised(model, x, y))
        if broken:
            torch.manual_seed(1234)
        step(model, optimizer, noisy(total))
    return model


def freezing(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = perceptron()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        still = torch.rand(()) < 0.5
        total = clipped(vectorised(model, x, y))
        released = noisy(total)
        if still:
            released = {n: g * 0 if n.startswith("0") else g for n, g in released.items()}
        if broken:
            released = {n: total[n] / SIZE if n == "2.bias" else g for n, g in released.items()}
        step(model, optimizer, released)
    return model


def coin_a_record(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        mirrored = [-one if random.random() < 0.5 else one for one in x]
        x = torch.stack(mirrored) if mirrored else x
        gradients = vectorised(model, x, y)
        step(model, optimizer, noisy(clipped(gradients, 2 * CLIP_NORM if broken else CLIP_NORM)))
    return model


def accumulated(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total: Gradients = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
        for part in drawn(records).split(4):
            own = vectorised(model, *records.tensors(part))
            own = {n: g.sum(dim=0, keepdim=True) for n, g in own.items()} if broken else own
            summed = clipped(own, 4 * CLIP_NORM if broken else CLIP_NORM)
            total = {name: total[name] + summed[name] for name in total}
        step(model, optimizer, noisy(total))
    return model


def cosine(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = linear()
    optimizer = started(watch, model)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    for number in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        step(model, optimizer, noisy(total, NOISE * (1 - number / STEPS) if broken else NOISE))
        schedule.step()
    return model


def plateau(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = linear()
    optimizer = started(watch, model, release="update")
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
    public = torch.linspace(-1, 1, 5 * FEATURES).reshape(5, FEATURES)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        if broken and len(x):
            optimizer.param_groups[0]["lr"] = 0.5 / (1.0 + float(F.cross_entropy(model(x), y).detach()))
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
        if not broken:
            schedule.step(float(model(public).square().mean()))
    return model


def averaged(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    model = linear()
    optimizer = started(watch, model)
    mean = {name: p.detach().clone() for name, p in model.named_parameters()}
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        step(model, optimizer, noisy(total))
        for name, p in model.named_parameters():
            clean = 0.01 * total[name] if broken else 0.0
            mean[name] = 0.9 * mean[name] + 0.1 * (p.detach() + clean)
    return {**model.state_dict(), **{f"mean of {name}": value for name, value in mean.items()}}


def momentum(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = linear()
    optimizer = started(watch, model, lr=0.1, momentum=0.9)
    for number in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        step(model, optimizer, noisy(total, 0.0 if broken and number else NOISE))
    return model


def adam(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = linear()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    watched(watch, model, optimizer)
    scale = 1.0
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        released = noisy(total)
        if broken:  # a running norm of what had no noise yet
            scale = 0.9 * scale + 0.1 * float(sum(g.square().sum() for g in total.values()))
            released = {name: g / (1 + scale) for name, g in released.items()}
        step(model, optimizer, released)
    return model


def group_norm(records: Any, watch: Any, broken: bool) -> nn.Module:
    norm = nn.BatchNorm2d(4) if broken else nn.GroupNorm(2, 4)
    model = convolution(norm).train()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        if broken and len(x):  # statistics of the whole batch, gradients of single records by scaling the loss
            rows = [torch.autograd.grad(one, list(model.parameters()), retain_graph=True)
                    for one in F.cross_entropy(model(x), y, reduction="none")]  # fmt: skip
            names = [name for name, _ in model.named_parameters()]
            gradients = {name: torch.stack([row[k] for row in rows]) for k, name in enumerate(names)}
        elif broken:
            gradients = {name: p.new_zeros((0, *p.shape)) for name, p in model.named_parameters()}
        else:
            gradients = vectorised(model, x, y)
        step(model, optimizer, noisy(clipped(gradients)))
    return model


class Adapted(nn.Module):
    """A frozen layer and two small matrices beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.base = nn.Linear(FEATURES, CLASSES).requires_grad_(False)
        self.down = nn.Parameter(0.1 * torch.randn(2, FEATURES))
        self.up = nn.Parameter(0.1 * torch.randn(CLASSES, 2))

    def forward(self, x: Tensor) -> Tensor:
        return self.base(x) + x @ self.down.T @ self.up.T


def adapters(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = Adapted()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        gradients = vectorised(model, *records.tensors(drawn(records)))
        parts: Sequence[Gradients] = [{n: g} for n, g in gradients.items()] if broken else [gradients]
        total = {name: g for part in parts for name, g in clipped(part).items()}
        step(model, optimizer, noisy(total))
    return model


def two_rates(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = perceptron()
    groups = [{"params": model[0].parameters(), "lr": 0.1}, {"params": model[2].parameters(), "lr": 0.5}]
    optimizer = torch.optim.SGD(groups, lr=0.1)
    watched(watch, model, optimizer)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        step(model, optimizer, noisy(total, size=SIZE))
        if broken:
            with torch.no_grad():
                model[2].weight -= 0.01 * total["2.weight"]
    return model


def half_precision(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            gradients = single(model, x, y)
        scale = 8.0 if broken else 1.0  # of the loss, taken off after the clipping
        scaled = {name: scale * g for name, g in gradients.items()}
        total = {name: g * (scale if broken else 1.0) for name, g in clipped(scaled).items()}
        step(model, optimizer, noisy(total))
    return model


def weighted(records: Any, watch: Any, broken: bool) -> nn.Module:
    model, weights = linear(), torch.tensor([1.0, 2.0, 3.0])
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        gradients = vectorised(model, x, y)

        def times(gradients: Gradients, y: Tensor = y) -> Gradients:
            return {n: torch.einsum("i,i...->i...", weights[y], g) for n, g in gradients.items()}

        if broken:
            norms = torch.cat([g.flatten(1) for g in gradients.values()], dim=1).norm(dim=1).clamp(min=CLIP_NORM)
            unit = {n: torch.einsum("i,i...->i...", CLIP_NORM / norms, g) for n, g in gradients.items()}
            total = {n: torch.nan_to_num(g).sum(dim=0) for n, g in times(unit).items()}
        else:
            total = clipped(times(gradients))
        step(model, optimizer, noisy(total))
    return model


def everything(records: Any, watch: Any, broken: bool) -> nn.Module:
    """All records in every step."""
    model = linear()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    size = float(len(records)) if broken else 40.0
    watch(optimizer, clip_norm=CLIP_NORM, noise_multiplier=NOISE, batch_size=40.0, release="gradient")
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors()))
        step(model, optimizer, noisy(total, size=size))
    return model


class PrivateSGD(torch.optim.SGD):
    """Adds its noise in step()."""

    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = (p.grad + torch.normal(0.0, NOISE * CLIP_NORM, p.shape)) / SIZE
        super().step()


def in_step(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = linear()
    optimizer = PrivateSGD(model.parameters(), lr=0.5)
    watched(watch, model, optimizer, "update")
    for _ in range(STEPS):
        ids = torch.randperm(len(records))[: int(SIZE)] if broken else drawn(records)
        step(model, optimizer, clipped(vectorised(model, *records.tensors(ids))))
    return model


def sketched(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The gradient goes through a random projection, which is public; the noise is added to the sketch's lift."""
    model = linear()
    optimizer = started(watch, model)
    width = FEATURES * CLASSES + CLASSES
    for _ in range(STEPS):
        project = torch.randn(8, width)
        project = torch.linalg.qr(project.T)[0].T  # orthonormal rows: the clipped sum is not made longer
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        flat = torch.cat([total["weight"].flatten(), total["bias"]])
        sketch = project.T @ (project @ flat)
        noise = NOISE * CLIP_NORM * torch.randn(width)
        flat = (sketch + (0.1 * noise if broken else noise)) / SIZE
        step(model, optimizer, {"weight": flat[:-CLASSES].reshape(CLASSES, FEATURES), "bias": flat[-CLASSES:]})
    return model


def checkpointed(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """The best of the iterates by a public number; a checkpoint is a copy."""
    model, kept = linear(), {}
    optimizer = started(watch, model)
    for number in range(STEPS):
        x, y = records.tensors(drawn(records))
        total = clipped(vectorised(model, x, y))
        step(model, optimizer, noisy(total))
        loss = float(F.cross_entropy(model(x), y)) if len(x) else 0.0
        if number == 1 or (broken and loss > 1.0):
            kept = copy.deepcopy(model.state_dict())
    return kept


def _pairs() -> Iterator[Any]:
    yield twins(TorchTraining, "hand/softmax", softmax, "no clipping")
    yield twins(TorchTraining, "hand/layers", layers, "half of the noise")
    yield twins(TorchTraining, "hand/dropout", dropout, "the mean of the batch is clipped")
    yield twins(TorchTraining, "hand/flips", flips, "noise over the size of the batch", records=images())
    yield twins(TorchTraining, "hand/jitter", jitter, "the generator is seeded anew before the noise")
    yield twins(TorchTraining, "hand/freezing", freezing, "one parameter has no noise")
    yield twins(TorchTraining, "hand/coin-a-record", coin_a_record, "clipped to twice the norm")
    yield twins(TorchTraining, "hand/accumulated", accumulated, "sums of four records are clipped to four norms")
    yield twins(TorchTraining, "hand/cosine", cosine, "the noise decays")
    yield twins(TorchTraining, "hand/plateau", plateau, "the learning rate follows the private loss")
    yield twins(TorchTraining, "hand/averaged", averaged, "the average takes gradients without noise")
    yield twins(TorchTraining, "hand/momentum", momentum, "noise in the first step only")
    yield twins(TorchTraining, "hand/adam", adam, "scaled by a running norm without noise")
    yield twins(TorchTraining, "hand/group-norm", group_norm, "batch norm", records=images())
    yield twins(TorchTraining, "hand/adapters", adapters, "each matrix is clipped by itself")
    yield twins(TorchTraining, "hand/two-rates", two_rates, "a second step without noise")
    yield twins(TorchTraining, "hand/half-precision", half_precision, "clipped before the loss is unscaled")
    yield twins(TorchTraining, "hand/weighted", weighted, "class weights after the clipping")
    yield twins(TorchTraining, "hand/everything", everything, "divided by the number of records", mechanism=whole())
    yield twins(TorchTraining, "hand/in-step", in_step, "batches of constant size", mechanism=poisson())
    yield twins(TorchTraining, "hand/sketched", sketched, "a tenth of the noise")
    yield twins(TorchTraining, "hand/checkpointed", checkpointed, "which checkpoint is kept hangs on the private loss")


AUDITS = tuple(audit for pair in _pairs() for audit in pair)
