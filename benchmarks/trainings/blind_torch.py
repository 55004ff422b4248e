"""Ten trainings in torch by hand, each with a twin that has one bug in its noise, its clipping or its batches.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, SIZE, STEPS, twins
from torch import Tensor, nn
from torch_by_hand import (
    Gradients,
    clipped,
    drawn,
    linear,
    noisy,
    perceptron,
    single,
    started,
    step,
    vectorised,
    watched,
)

from dpaudit import TorchTraining


def finite(rows: Tensor) -> Tensor:
    return torch.nan_to_num(rows, 0.0, 0.0, 0.0)


def flat_norms(own: Gradients) -> Tensor:
    """The norm of the gradient of each record; what is not finite counts as 0."""
    return torch.cat([finite(g).flatten(1) for g in own.values()], dim=1).norm(dim=1)


def shares(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """Two workers have half of the records each, and each adds noise of half the variance to its sum.

    Broken: what each worker sent is kept in the log. One of the two has the record, and its noise is 0.85: epsilon is
    5.6.
    """
    model = linear()
    optimizer = started(watch, model)
    log: list[Tensor] = []
    for _ in range(STEPS):
        ids = drawn(records)
        parts = [ids[ids % 2 == worker] for worker in range(2)]
        sent = [noisy(clipped(vectorised(model, *records.tensors(part))), NOISE / 2**0.5) for part in parts]
        log += [one["weight"].clone() for one in sent]
        step(model, optimizer, {name: sent[0][name] + sent[1][name] for name in sent[0]})
    return {**model.state_dict(), **({"log": torch.stack(log)} if broken else {})}


class Experts(nn.Module):
    """Four linear experts; the signs of two features say which one a record goes to."""

    def __init__(self) -> None:
        super().__init__()
        self.experts = nn.ModuleList([nn.Linear(FEATURES, CLASSES) for _ in range(4)])

    def forward(self, x: Tensor) -> Tensor:
        place = 2 * (x[:, 0] > 1).long() + (x[:, 1] > 1).long()
        gates = (place[:, None] == torch.arange(4)).to(x.dtype)
        return torch.stack([gates[:, [k]] * expert(x) for k, expert in enumerate(self.experts)]).sum(dim=0)


def experts(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A mixture of experts with Adam.

    Broken: an expert that no record of the batch goes to has no gradient and is not moved. The first record that goes
    there is seen for certain: epsilon is infinite.
    """
    model = Experts()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    watched(watch, model, optimizer)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        used = {name: g for name, g in total.items() if bool(g.any()) or not broken}
        step(model, optimizer, noisy(used))
    return model


def echoes(records: Any, watch: Any, broken: bool) -> nn.Module:
    """SGD with momentum and features that are dropped at random.

    Broken: each batch makes two steps before the next one is read (data echoing), and the batches are accounted. A
    record of a batch meets noise of 0.85 instead of 1.2: epsilon is 5.6.
    """
    model = linear()
    optimizer = started(watch, model, lr=0.1, momentum=0.9)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        for _ in range(2 if broken else 1):
            kept = torch.rand_like(x) < 0.8
            step(model, optimizer, noisy(clipped(vectorised(model, torch.where(kept, x, 0.0), y))))
    return model


def moved(model: nn.Module, move: Gradients, sign: float) -> None:
    with torch.no_grad():
        for name, p in model.named_parameters():
            p += sign * move[name]


def sam(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Sharpness-aware minimisation: gradients are taken a short way up the last noisy gradient.

    Broken: up the mean gradient of the batch itself, which is neither clipped nor noisy. A large record turns it, and
    the gradient of every other record with it, by up to two norms each.
    """
    model = linear()
    optimizer = started(watch, model)
    last: Gradients = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        x = 3 * x
        if broken and len(x):
            last = {name: finite(g).mean(dim=0) for name, g in vectorised(model, x, y).items()}
        length = torch.cat([g.flatten() for g in last.values()]).norm() + 1e-6
        up = {name: g / length for name, g in last.items()}
        moved(model, up, 1.0)
        total = clipped(vectorised(model, x, y))
        moved(model, up, -1.0)
        last = noisy(total)
        step(model, optimizer, last)
    return model


def signs(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The signs of each record's gradient are summed, over the root of their number.

    Broken: the root is left out, since a sign is at most 1: of 21 signs the norm is 4.6, and epsilon is above 35.
    """
    model = linear()
    optimizer = started(watch, model)
    number = sum(p.numel() for p in model.parameters())
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        own = {name: finite(g).sign() for name, g in own.items()}
        scale = 1.0 if broken else number**-0.5
        step(model, optimizer, noisy({name: scale * g.sum(dim=0) for name, g in own.items()}))
    return model


def automatic(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Gradients are divided by their norm and a little more ("automatic clipping").

    Broken: by the mean of the norms in the batch. A record a thousand times as long as others adds as many norms as
    the batch has records, and makes all others vanish.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        norms = flat_norms(own)
        divisors = (norms.mean().expand_as(norms) if broken else norms) + 0.01
        total = {name: torch.einsum("i,i...->...", CLIP_NORM / divisors, finite(g)) for name, g in own.items()}
        step(model, optimizer, noisy(total))
    return model


def gradual(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The first layer is frozen for two steps and then trained too, with a rate that falls.

    Broken: the list of the parameters that get noise was made while it was frozen, so that it never has any: epsilon
    is infinite.
    """
    model = perceptron()
    optimizer = started(watch, model)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    model[0].requires_grad_(False)
    private = [name for name, p in model.named_parameters() if p.requires_grad]
    for number in range(STEPS):
        if number == 2:
            model[0].requires_grad_(True)
            private = private if broken else [name for name, _ in model.named_parameters()]
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        with_noise = noisy({name: g for name, g in total.items() if name in private})
        step(model, optimizer, {name: g / SIZE for name, g in total.items()} | with_noise)
        schedule.step()
    return model


def scaled_loss(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Mixed precision: the loss is four times as large, gradients are clipped to four norms, and unscaled in the end.

    Broken: the noise is added before that at its usual size, and unscaled too: it is 0.3, and epsilon is 35.
    """
    model, scale = linear(), 4.0
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            own = single(model, x, y)
        total = clipped({name: scale * g for name, g in own.items()}, scale * CLIP_NORM)
        released = noisy(total, NOISE if broken else scale * NOISE)
        step(model, optimizer, {name: g / scale for name, g in released.items()})
    return model


def restored(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """A job that is interrupted in the middle goes on from its checkpoint; an average of the weights is kept.

    Broken: the state of the generator is the one that was saved at the start. The second half has the batches and the
    noise of the first, and the difference of two steps has no noise: epsilon is infinite.
    """
    model = perceptron()
    optimizer = started(watch, model)
    saved = torch.get_rng_state()
    mean = {name: p.detach().clone() for name, p in model.named_parameters()}
    for number in range(STEPS):
        if number == STEPS // 2:
            torch.set_rng_state(saved if broken else torch.get_rng_state())
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
        mean = {name: 0.8 * mean[name] + 0.2 * p.detach() for name, p in model.named_parameters()}
    return {**model.state_dict(), **{f"mean of {name}": value for name, value in mean.items()}}


def mean_loss(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A perceptron with dropout; the loss of each record goes backward.

    Broken: the mean loss of the batch does, so that gradients of records are a tenth when they are clipped, and their
    sum is multiplied by the size of the batch: a record adds up to ten norms.
    """
    model = perceptron(dropout=True).train()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        size = max(len(x), 1) if broken else 1
        own = {name: g / size for name, g in single(model, x, y).items()}
        step(model, optimizer, noisy({name: size * g for name, g in clipped(own).items()}))
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "blind/shares", shares, "what each of two workers sent is logged")
    yield from twins(kind, "blind/experts", experts, "an expert without records has no noise")
    yield from twins(kind, "blind/echoes", echoes, "each batch makes two steps and is accounted once")
    yield from twins(kind, "blind/sam", sam, "gradients are taken up the mean gradient of the batch")
    yield from twins(kind, "blind/signs", signs, "a sum of signs has noise for one coordinate")
    yield from twins(kind, "blind/automatic", automatic, "gradients are divided by the mean norm of the batch")
    yield from twins(kind, "blind/gradual", gradual, "a layer that is trained later has no noise")
    yield from twins(kind, "blind/scaled-loss", scaled_loss, "noise is unscaled together with the loss")
    yield from twins(kind, "blind/restored", restored, "a restart brings the old generator back")
    yield from twins(kind, "blind/mean-loss", mean_loss, "gradients of the mean loss are clipped, then multiplied")


AUDITS = tuple(_audits())
