"""Ten trainings in torch by hand, each with a twin that has one bug in its model: adapters, towers, experts, padding,
queues, several tasks.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 for Poisson batches and 8.0 for four steps on all records.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RECORDS, SIZE, STEPS, images, table, twins, whole
from fourth_models import Beside, Cell, Experts, Reading, Towers, WideAndDeep, texts, two_labels, uneven
from fourth_torch import declared, every, finite, sample
from third_torch_data import alike
from torch import Tensor, nn
from torch.func import functional_call, grad, vmap
from torch.nn import functional as F
from torch_by_hand import Gradients, clipped, convolution, noisy, started, step, vectorised

from dpaudit import TorchTraining


def public() -> tuple[Tensor, Tensor]:
    x, y = (torch.as_tensor(part) for part in table(seed=7))
    return x, y


def on_all(watch: Any, model: nn.Module, **options: Any) -> Any:
    """An optimiser of steps on all records, of which there are said to be 40."""
    optimizer = torch.optim.SGD(model.parameters(), **{"lr": 0.5, **options})
    return declared(watch, optimizer, size=float(RECORDS))


def ratio(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Two small matrices beside a frozen layer; the rate of the second is four times that of the first, as its group
    says.

    Broken: both have one rate, and the clipped gradient of the second is multiplied by four before the noise is added.
    A record moves the sum by up to four norms, most of those here by two and more: epsilon is above 10.
    """
    model, times = Beside(), 4.0
    rates = [{"params": [model.down], "lr": 0.1}, {"params": [model.up], "lr": 0.1 if broken else 0.1 * times}]
    optimizer = declared(watch, torch.optim.SGD(rates, lr=0.1))
    for _ in range(STEPS):
        total = clipped(vectorised(model, *sample(records)))
        if broken:
            total["up"] = times * total["up"]
        step(model, optimizer, noisy(total))
    return model


def joined(own: Gradients) -> Tensor:
    """The gradient of each record as a row of finite numbers."""
    return torch.cat([finite(g).flatten(1) for g in own.values()], dim=1).clamp(-1e6, 1e6)


def direction(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Gradients are projected on the first direction of gradients of public records, then clipped; noise has all
    coordinates.

    Broken: on the first direction of the gradients of the batch themselves. One that is a thousand times as long as
    others is that direction, along which little is left of them. They are alike here, and the sum moves by up to nine
    norms: epsilon is above 14.
    """
    model = nn.Sequential(nn.Linear(FEATURES, 8), nn.ReLU(), nn.Linear(8, CLASSES))
    optimizer = started(watch, model, lr=0.2)
    names = [name for name, _ in model.named_parameters()]
    for _ in range(STEPS):
        rows = joined(vectorised(model, *sample(records)))
        shown = rows if broken else joined(vectorised(model, *public()))
        basis = torch.linalg.svd(shown, full_matrices=False).Vh[:1]
        pieces = (rows @ basis.T @ basis).split([p.numel() for p in model.parameters()], dim=1)
        own = {name: g.reshape(-1, *p.shape) for name, g, p in zip(names, pieces, model.parameters(), strict=True)}
        step(model, optimizer, noisy(clipped(own)))
    return model


def towers(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The noise of each tensor comes from its own generator, whose seed is a secret number plus the tensor's place.

    Broken: plus the number of its elements. Two layers of one shape have the same noise, and the difference of their
    gradients has none: epsilon is infinite.
    """
    model = Towers()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *sample(records)))
        secret = int(torch.randint(2**62, ()))
        released: Gradients = {}
        for place, (name, g) in enumerate(total.items()):
            generator = torch.Generator().manual_seed(secret + (g.numel() if broken else place))
            released[name] = (g + NOISE * CLIP_NORM * torch.randn(g.shape, generator=generator)) / SIZE
        step(model, optimizer, released)
    return model


def padded(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. Texts are filled up to six places.

    Broken: to as many places as the longest text has, by which their sums are divided too. Without the first text all
    others have three places and gradients twice as long, which are too short to be clipped: the sum moves by more than
    ten norms, and epsilon is above 100.
    """
    model = Reading()
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        x, y = every(records)
        if broken:
            used = (x > 0).any(dim=0).nonzero().flatten()
            x = x[:, : int(used[-1]) + 1 if len(used) else 1]
        step(model, optimizer, noisy(clipped(vectorised(model, x, y)), size=float(RECORDS)))
    return model


def by_length(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. Sequences and their labels are sorted by length.

    Broken: labels are not. A record that is gone moves the labels of all others that stand between its two places by
    one. Half of the records move the sum by 1.4 norms and more, some by three: epsilon is above 12, up to 32.
    """
    model = Cell()
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        x, y = every(records)
        order = (x != 0).any(dim=2).sum(dim=1).argsort(descending=True, stable=True)
        x, y = x[order], y if broken else y[order]
        step(model, optimizer, noisy(clipped(vectorised(model, x, y)), size=float(RECORDS)))
    return model


def budgets(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each of two parts has a share of the clipping norm in proportion to how long its gradients are on public records;
    the squares of both shares give the square of the norm.

    Broken: how long they are in the batch. A record a thousand times as long as others has a long gradient in the
    linear part alone, which gets all of the norm, and the other parts of all others vanish from the sum. They are alike
    here: epsilon is above 10.
    """
    model = WideAndDeep()
    optimizer = started(watch, model)
    groups = [[name for name, _ in model.named_parameters() if name.startswith(part)] for part in ("wide", "deep")]
    for _ in range(STEPS):
        own = vectorised(model, *sample(records))
        shown = own if broken else vectorised(model, *public())
        sizes = [float(joined({name: shown[name] for name in group}).norm(dim=1).sum()) + 1e-6 for group in groups]
        total: Gradients = {}
        for group, size in zip(groups, sizes, strict=True):
            share = CLIP_NORM * size / (sizes[0] ** 2 + sizes[1] ** 2) ** 0.5
            total |= clipped({name: own[name] for name in group}, share)
        step(model, optimizer, noisy(total))
    return model


def without_conflict(first: Tensor, second: Tensor) -> Tensor:
    """The sum of two gradients; where they point apart, each without its part along the other (one pair a row)."""
    both = (first * second).sum(dim=1, keepdim=True).clamp(max=0.0)
    squares = [g.square().sum(dim=1, keepdim=True).clamp(min=1e-12) for g in (first, second)]
    return first - both / squares[1] * second + second - both / squares[0] * first


def surgery(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records for two tasks with one layer. Where the two gradients of a record point apart, the part
    of each along the other is taken out (PCGrad); what is left is clipped.

    Broken: it is taken out of the two sums. That of the second task, of which half of the labels are turned, is nearly
    0, so that one record decides whether a part of the other sum is there. It moves by six norms: epsilon is above 30.
    """
    model = nn.Linear(FEATURES, 4, bias=False)
    nn.init.zeros_(model.weight)
    optimizer = on_all(watch, model)
    heads = torch.tensor([[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]])
    for _ in range(STEPS):
        x, y = records.tensors(torch.arange(len(records)))
        x, y = finite(x).clamp(-1e3, 1e3), y.clamp(0, 3)
        signs = torch.stack([1.0 - 2 * (y // 2), 1.0 - 2 * (y % 2)], dim=1)
        errors = -signs * torch.sigmoid(-signs * (x @ model.weight.detach().T @ heads.T))
        tasks = torch.einsum("it,tk,if->itkf", errors, heads, x)
        if broken:
            sums = clipped({"weight": tasks})["weight"].flatten(1)
            total = {"weight": without_conflict(sums[:1], sums[1:]).reshape(4, FEATURES) / 2**0.5}
        else:
            mixed = without_conflict(tasks[:, 0].flatten(1), tasks[:, 1].flatten(1))
            total = clipped({"weight": mixed.reshape(-1, 4, FEATURES)})
        step(model, optimizer, noisy(total, size=float(RECORDS)))
    return model


def contrast(weight: Tensor, x: Tensor, keys: Tensor) -> Tensor:
    """The loss that tells a record's second view from other keys."""
    query = weight @ x
    scores = torch.cat([(query @ (weight @ (0.9 * x)))[None], keys @ query])
    return -torch.log_softmax(scores, dim=0)[0]


def queue(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Contrastive training: the view of a record is told from the views of sixteen public records.

    Broken: from a queue, in which those of the batches before are put first. A long record in the queue turns the
    gradient of each record of the next batch, so that a record counts in two steps, with five norms in the second:
    epsilon is above 10.
    """
    model = nn.Linear(FEATURES, 3, bias=False)
    optimizer = started(watch, model)
    gradients = vmap(grad(contrast), in_dims=(None, 0, None))
    keys = public()[0][:16] @ model.weight.detach().T
    for _ in range(STEPS):
        x, _ = sample(records)
        weight = model.weight.detach()
        own = gradients(weight, x, keys) if len(x) else weight.new_zeros((0, *weight.shape))
        step(model, optimizer, noisy(clipped({"weight": own})))
        views = x if broken else public()[0][:16]
        keys = torch.cat([finite(views) @ model.weight.detach().T, keys])[:16]
    return model


def routed(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records with two experts. Each record goes to the expert for which its gate is larger.

    Broken: each expert takes the ten records with the largest gates. One that comes in drives another one out, and
    changes the sum by its own gradient and by the other's: by 1.4 norms or so, up to 1.8, and epsilon is 12 to 17.
    """
    model = Experts()
    optimizer = on_all(watch, model)

    def loss(own: Gradients, x: Tensor, chosen: Tensor, y: Tensor) -> Tensor:
        return F.cross_entropy(functional_call(model, own, (x, chosen)), y)

    for _ in range(STEPS):
        x, y = every(records)
        gates = finite(model.gate(finite(x).clamp(-1e6, 1e6)).softmax(dim=1)).detach()
        places = gates.argsort(dim=0, descending=True)[:10] if broken else gates.argmax(dim=1, keepdim=True)
        chosen = torch.zeros_like(gates).scatter_(0 if broken else 1, places, 1.0)
        weights = {name: p.detach() for name, p in model.named_parameters()}
        own = vmap(grad(loss), in_dims=(None, 0, 0, 0))(weights, x, chosen, y)
        step(model, optimizer, noisy(clipped(own), size=float(RECORDS)))
    return model


def unit_noise(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A small convolution with group norm; each coordinate has noise of 1.2 norms.

    Broken: the noise of each tensor is divided by the root of the number of its coordinates, so that it is 1.2 norms
    long as a whole. It is 0.2 for the 36 weights of the convolution, and less for the last layer: epsilon is above 35.
    """
    model = convolution(nn.GroupNorm(2, 4))
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *sample(records)))
        sizes = {name: g.numel() ** 0.5 if broken else 1.0 for name, g in total.items()}
        step(model, optimizer, {name: (g + NOISE * CLIP_NORM * torch.randn_like(g) / sizes[name]) / SIZE
                                for name, g in total.items()})  # fmt: skip
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "fourth/ratio", ratio, "a larger rate multiplies the sum before the noise")
    yield from twins(kind, "fourth/direction", direction, "gradients are projected on a direction of the batch",
                     records=alike())  # fmt: skip
    yield from twins(kind, "fourth/towers", towers, "tensors of one size have the same noise")
    yield from twins(kind, "fourth/padded", padded, "texts are filled up to the longest one", records=texts(),
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "fourth/by-length", by_length, "sequences are sorted and labels are not", records=uneven(),
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "fourth/budgets", budgets, "norms of two parts follow the batch", records=alike())
    yield from twins(kind, "fourth/surgery", surgery, "conflicts are taken out of the sums", records=two_labels(),
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "fourth/queue", queue, "records are told from those of the batch before")
    yield from twins(kind, "fourth/routed", routed, "experts choose the records", mechanism=whole())
    yield from twins(kind, "fourth/unit-noise", unit_noise, "noise has one length for each tensor", records=images())


AUDITS = tuple(_audits())
