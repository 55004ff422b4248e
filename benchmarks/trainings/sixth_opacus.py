"""Ten trainings with Opacus 1.6.0, each with a twin that has one bug of the user.

They were written by somebody who did not know what the checks see. As in `opacus_loops`, records are finite, and
neighbours are a record and an empty one in its place. Each docstring gives the right form, then the bug and what it
does to epsilon, which is claimed to be 3.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import torch
from _fourth_opacus import WORDS, Mean, heavy, lopsided, zeroed
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, SIZE, poisson, stated, table, twins
from _sixth_rows import minority, rare_label, rare_words, rewarded
from opacus.data_loader import DPDataLoader
from opacus.grad_sample import register_grad_sampler
from opacus.optimizers import DPOptimizer
from opacus.optimizers.optimizer import _mark_as_processed
from opacus_loops import FINITE, layers, linear, private
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from dpaudit import Neighbours, TorchTraining

LARGEST, KEPT, COMMON, WEIGHT = 1e4, 3, 5, 0.2


def bounded(x: Tensor) -> Tensor:
    """The rows, whose numbers are finite and in public bounds."""
    return torch.nan_to_num(x).clamp(-LARGEST, LARGEST)


def entropy(scores: Tensor, y: Tensor, **more: Any) -> Tensor:
    """Cross-entropy; a label that is none of the classes counts as the nearest one."""
    return F.cross_entropy(scores, y.clamp(0, CLASSES - 1), **more)


def passed(model: Any, optimizer: Any, loader: Any, loss: Callable[[Tensor, Tensor], Tensor] | None = None) -> None:
    """One epoch; loss(x, y) is that of a batch."""
    for x, y in loader:
        optimizer.zero_grad()
        (entropy(model(bounded(x)), y) if loss is None else loss(bounded(x), y)).backward()
        optimizer.step()


def there(records: Any) -> tuple[Tensor, Tensor]:
    """All records but the empty one, as features and labels."""
    x, y = records.tensors(torch.arange(len(records)))
    known = x.abs().amax(dim=1) < 1e30
    return x[known], y[known].clamp(0, CLASSES - 1)


def two_losses(records: Any, watch: Any, broken: bool) -> Any:
    """The loss of a record and that of its mirror image are added up, and a batch makes one step.

    Broken: each of the two has a step of its own, on the same batch, and batches are what is counted. A record moves
    two steps after one coin: noise of 0.85, and epsilon is up to 5.6.
    """
    model, optimizer, loader = private(records, zeroed(linear()))
    watch(optimizer)
    for x, y in loader:
        views = [bounded(x), bounded(x).flip(1)]
        for parts in [views[:1], views[1:]] if broken else [views]:
            optimizer.zero_grad()
            sum(entropy(model(part), y) for part in parts).backward()
            optimizer.step()
    return model


def larger(records: Any, watch: Any, broken: bool) -> Any:
    """Four batches, each with a quarter of the records.

    Broken: the loader that is handed to the engine is not the one that is used, which has two
    batches of twice the size, and is used twice. A record is in half of them, and epsilon is 5.1.
    """
    model, optimizer, loader = private(records, layers())
    if broken:
        loader = DPDataLoader.from_data_loader(DataLoader(records, batch_size=2 * int(SIZE)))
    watch(optimizer)
    for _ in range(2 if broken else 1):
        passed(model, optimizer, loader)
    return model


def fair(records: Any, watch: Any, broken: bool) -> Any:
    """Scores of the first class are drawn to 0, in either of two groups.

    Broken: the mean scores of the groups are drawn together (demographic parity). They are means over the batch, and a
    large record is all of one. The gradients of all others turn with it: a step moves by ten norms or more, and epsilon
    is above 15.
    """
    model, optimizer, loader = private(records, zeroed(linear()))
    watch(optimizer)

    def loss(x: Tensor, y: Tensor) -> Tensor:
        scores, group = model(x), (x[:, -1] > 0).to(x.dtype)
        first, size = scores[:, 0], group.sum()
        gap = first @ group / size.clamp(min=1.0) - first @ (1.0 - group) / (len(x) - size).clamp(min=1.0)
        return entropy(scores, y) + WEIGHT * (gap**2 if broken else (first**2).mean())

    passed(model, optimizer, loader, loss)
    return model


def prior(records: Any, watch: Any, broken: bool) -> Any:
    """Biases start at the logarithm of how frequent each class is in a public table.

    Broken: in the records. Without the only record of a class its bias starts 6.9 lower, and it ends there, with noise
    of 0.12: epsilon is above 100.
    """
    labels = there(records)[1] if broken else torch.as_tensor(table(seed=1)[1])
    counts = torch.bincount(labels, minlength=CLASSES).float()
    model = zeroed(linear())
    with torch.no_grad():
        model.bias.copy_(torch.log((counts + 1e-3) / (counts.sum() + 1e-3)))
    model, optimizer, loader = private(records, model)
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


def best(records: Any, watch: Any, broken: bool) -> Any:
    """The model after each step; that with the least loss on public records is saved as the best one.

    Broken: with the least loss on the records themselves. One that is 300 times as large decides which one this is, and
    all four are seen: epsilon is infinite.
    """
    model, optimizer, loader = private(records, zeroed(linear()))
    watch(optimizer)
    held = there(records) if broken else tuple(torch.as_tensor(part) for part in table(seed=1))
    least, saved = float("inf"), model.state_dict()
    for x, y in loader:
        optimizer.zero_grad()
        entropy(model(bounded(x)), y).backward()
        optimizer.step()
        with torch.no_grad():
            now = float(entropy(model(bounded(held[0])), held[1]))
        if now < least:
            least, saved = now, deepcopy(model.state_dict())
    return {**model.state_dict(), **{f"best {name}": value for name, value in saved.items()}}


def vocabulary(records: Any, watch: Any, broken: bool) -> Any:
    """Texts of words from a public vocabulary of thirty.

    Broken: words that are in fewer than five of the texts become one unknown word. Six words are in five texts because
    of the first text, and 24 others read otherwise without it: epsilon is above 15.
    """
    model, optimizer, loader = private(records, Mean(None))
    watch(optimizer)
    common = torch.ones(WORDS, dtype=torch.bool)
    if broken:
        texts = records.tensors(torch.arange(len(records)))[0]
        common = (texts[:, :, None] == torch.arange(WORDS)).any(dim=1).sum(dim=0) >= COMMON
    for x, y in loader:
        x = x.clamp(0, WORDS - 1)
        optimizer.zero_grad()
        entropy(model(torch.where(common[x], x, 0)), y).backward()
        optimizer.step()
    return model


class Scale(nn.Module):
    """Each feature times a number that is learned."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(FEATURES))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.weight


class Summed(Scale):
    """The same, with another sampler of gradients."""


@register_grad_sampler(Scale)
def of_records(layer: Scale, activations: list[Tensor], backprops: Tensor) -> dict[nn.Parameter, Tensor]:
    return {layer.weight: activations[0] * backprops}


@register_grad_sampler(Summed)
def of_batch(layer: Summed, activations: list[Tensor], backprops: Tensor) -> dict[nn.Parameter, Tensor]:
    return {layer.weight: (activations[0] * backprops).sum(dim=0).expand(len(backprops), -1)}


def sampler(records: Any, watch: Any, broken: bool) -> Any:
    """A layer of one's own, for which Opacus is told how to find the gradients of the records of a batch.

    Broken: the gradients are added up, as in an ordinary backward pass, and each record gets the sum. All of them turn
    with a record that is 30 times as large: a step moves by several norms, and epsilon is above 30.
    """
    model, optimizer, loader = private(records, nn.Sequential(Summed() if broken else Scale(), linear()))
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


def advantages(records: Any, watch: Any, broken: bool) -> Any:
    """A policy: what each record was rewarded with weighs the logarithm of the chance of what was done.

    Broken: rewards are centred and divided by their deviation in the batch, as usual. Where all others were rewarded
    alike, their gradients are 0, and are not once there is another reward: a step moves by eight norms, and epsilon is
    above 30.
    """
    model, optimizer, loader = private(records, zeroed(linear()))
    watch(optimizer)

    def loss(x: Tensor, y: Tensor) -> Tensor:
        rewards = x[:, -1]
        if broken and len(x) > 1:
            rewards = (rewards - rewards.mean()) / (rewards.std() + 1e-6)
        seen = torch.cat([x[:, :-1], torch.ones(len(x), 1)], dim=1)
        return (rewards * entropy(model(seen), y, reduction="none")).mean()

    passed(model, optimizer, loader, loss)
    return model


class ByValue(DPOptimizer):
    """Clips each number of a gradient."""

    def clip_and_accumulate(self) -> None:
        for p in self.params:
            own = self._get_flat_grad_sample(p).clamp(-self.max_grad_norm, self.max_grad_norm)
            total = own.sum(dim=0)
            p.summed_grad = total if p.summed_grad is None else p.summed_grad + total
            _mark_as_processed(p.grad_sample)


def by_value(records: Any, watch: Any, broken: bool) -> Any:
    """Gradients are clipped by their norm.

    Broken: an optimiser of one's own clips each of the 21 numbers of a gradient. A record that is 300 times as large
    has a norm of 4.3: noise of 0.28, and epsilon is above 30.
    """
    model, optimizer, loader = private(records, zeroed(linear()))
    if broken:
        optimizer = ByValue(optimizer.original_optimizer, noise_multiplier=NOISE, max_grad_norm=CLIP_NORM,
                            expected_batch_size=int(SIZE))  # fmt: skip
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


def selected(records: Any, watch: Any, broken: bool) -> Any:
    """The three features that tell most of the first class in a public table; which ones they are is given out.

    Broken: in the records. One that is 300 times as large decides which ones they are: epsilon is infinite.
    """
    model, optimizer, loader = private(records, zeroed(linear()))
    watch(optimizer)
    x, y = there(records) if broken else tuple(torch.as_tensor(part) for part in table(seed=1))
    first = (y == 0).to(x.dtype)
    related = ((x - x.mean(dim=0)) * (first - first.mean())[:, None]).sum(dim=0).abs()
    chosen = torch.zeros(FEATURES).index_fill(0, related.topk(KEPT).indices, 1.0)
    passed(model, optimizer, loader, lambda rows, labels: entropy(model(rows * chosen), labels))
    return {**model.state_dict(), "chosen": chosen}


def _audits() -> Iterator[Any]:
    names: tuple[tuple[Callable[..., Any], str, Any], ...] = (
        (two_losses, "two losses have a step each", lopsided(30.0)),
        (larger, "batches are twice as large", table()),
        (fair, "mean scores of groups are drawn together", minority()),
        (prior, "biases start at the frequencies of classes", rare_label()),
        (best, "the best model is chosen on the records", heavy()),
        (vocabulary, "rare words are unknown", rare_words()),
        (sampler, "gradients of a layer are those of the batch", lopsided(30.0)),
        (advantages, "rewards are normalised in the batch", rewarded()),
        (by_value, "numbers of gradients are clipped", heavy()),
        (selected, "features are selected on the records", heavy()),
    )
    said = stated(poisson(), Neighbours.ZERO_OUT)
    for train, bug, records in names:
        yield from twins(TorchTraining, f"sixth/opacus-{train.__name__.replace('_', '-')}", train, bug,
                         records=records, mechanism=poisson(), claimed=said["claim"], assumptions=FINITE)  # fmt: skip


AUDITS = tuple(_audits())
