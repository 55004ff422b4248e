"""Ten trainings in torch by hand, each with a twin that has one bug around the steps: groups, vocabularies, samplers,
views, priors, users, early stopping, histograms, ranks, checkpoints.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 for Poisson batches, 8.0 for four steps on all records and 9.2
with one noisy table more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, RECORDS, STEPS, twins, whole
from _sixth_models import WORDS, Spoken, beats, clipped_rows, few_negatives, jargon, seldom_class, spiked
from fifth_torch_data import users
from fourth_torch import every, quiet, sample, some
from fourth_torch_layers import on_all, public
from torch import Tensor, nn
from torch.func import functional_call, grad, vmap
from torch.nn import functional as F
from torch_by_hand import Gradients, clipped, drawn, linear, noisy, perceptron, started, step, vectorised

from dpaudit import TorchTraining

ALL = float(RECORDS)
GROUPS = 10


def by_four(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. Each goes to one of ten groups by a throw of its own; the sums of the groups are
    clipped to a half, so that a record moves one of them by 1.

    Broken: each four that follow one another are a group. A record that is gone moves all after it by one place, and
    all groups are others: the sum moves by five norms, and epsilon is above 60.
    """
    model = nn.Linear(FEATURES, CLASSES, bias=False)
    nn.init.zeros_(model.weight)
    optimizer = on_all(watch, model, lr=0.1)
    for _ in range(STEPS):
        x, y = every(records)
        group = torch.randint(GROUPS, (len(x),))
        if broken:
            group = torch.arange(len(x)) // (RECORDS // GROUPS) % GROUPS
        own = clipped_rows(vectorised(model, x, y)["weight"])
        sums = torch.einsum("ig,i...->g...", F.one_hot(group, GROUPS).float(), own)
        step(model, optimizer, noisy(clipped({"weight": sums}, CLIP_NORM / 2), size=ALL))
    return model


def seldom(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. A word that is in fewer than three of forty public texts counts as word 0.

    Broken: in fewer than three of the texts themselves. Without the first one there are eight texts more of which no
    word is known, and their gradients are those of another word: the sum moves by 7 norms, and epsilon is above 90.
    """
    model = Spoken()
    optimizer = on_all(watch, model)
    known = torch.as_tensor(jargon(54)[0])
    for _ in range(STEPS):
        x, y = every(records)
        x = x.clamp(0, WORDS - 1)
        texts = torch.stack([((x if broken else known) == word).any(dim=1).sum() for word in range(WORDS)])
        words = torch.where(texts >= 3, torch.arange(WORDS), 0)
        step(model, optimizer, noisy(clipped(vectorised(model, words[x], y)), size=ALL))
    return model


def one_draw(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each step has a batch of its own, with a probability of 1/4 for each record.

    Broken: `next(iter(loader))` of a loader that keeps its first draw gives one batch to all steps. A record is in all
    of them or in none: epsilon is 6.0.
    """
    model = perceptron()
    optimizer = started(watch, model)
    ids = drawn(records)
    for number in range(STEPS):
        if number and not broken:
            ids = drawn(records)
        step(model, optimizer, noisy(clipped(vectorised(model, *some(records, ids)))))
    return model


VIEWS = 3


def views(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Three views of each record, a little moved; the mean of its three gradients is clipped.

    Broken: the batch is repeated three times as a whole, and gradients are averaged by threes that follow one another.
    These are of three records, and each record is in three means. One whose gradient is longest turns all three: the
    sum moves by 1.7 norms and more, and epsilon is above 7.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = sample(records)
        moved = x[:, None] + 0.1 * (torch.rand(len(x), VIEWS, FEATURES) - 0.5)
        labels = y[:, None].expand(-1, VIEWS)
        if broken:
            moved, labels = moved.transpose(0, 1), labels.T
        own = vectorised(model, moved.reshape(-1, FEATURES), labels.reshape(-1))
        means = {name: clipped_rows(g).unflatten(0, (len(x), VIEWS)).mean(dim=1) for name, g in own.items()}
        step(model, optimizer, noisy(clipped(means)))
    return model


def prior(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. Scores are adjusted by half of the logarithm of how frequent a class is among public
    records.

    Broken: among the records. Without the only one of its class that is a hundredth of what it was, and so is what all
    others do about this class: the sum moves by three norms and more, and epsilon is above 30.
    """
    model = linear()
    for p in model.parameters():
        nn.init.zeros_(p)
    optimizer = on_all(watch, model, lr=0.1)

    def loss(own: Gradients, one: Tensor, label: Tensor, shift: Tensor) -> Tensor:
        return F.cross_entropy(functional_call(model, own, (one[None],)) + shift, label[None])

    for _ in range(STEPS):
        x, y = every(records)
        counts = F.one_hot(y if broken else public()[1], CLASSES).sum(dim=0) + 0.01
        weights = {name: p.detach() for name, p in model.named_parameters()}
        own = {name: p.new_zeros((0, *p.shape)) for name, p in weights.items()}
        if len(x):
            own = vmap(grad(loss), in_dims=(None, 0, 0, None))(weights, x, y, 0.5 * counts.log())
        step(model, optimizer, noisy(clipped(own), size=ALL))
    return model


def rows_of_users(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A user with three rows is in a batch with a probability of 1/4, and what is clipped is the gradient of a user.

    Broken: each row is drawn with a probability of 1/4. A user is in the batch with any of them, 0.58 of all times, for
    which the account has 0.25: epsilon is 5.6.
    """
    model = nn.Linear(FEATURES, CLASSES)
    optimizer = started(watch, model)

    def loss(own: Gradients, rows: Tensor, labels: Tensor, there: Tensor) -> Tensor:
        losses = F.cross_entropy(functional_call(model, own, (rows,)), labels, reduction="none")
        return (losses * there).sum() / there.sum()

    for _ in range(STEPS):
        there = (torch.rand(len(records), 3 if broken else 1) < RATE).expand(-1, 3)
        ids = there.any(dim=1).nonzero()[:, 0]
        x, y = some(records, ids)
        weights = {name: p.detach() for name, p in model.named_parameters()}
        own = {name: p.new_zeros((0, *p.shape)) for name, p in weights.items()}
        if len(x):
            own = vmap(grad(loss), in_dims=(None, 0, 0, 0))(weights, x, y, there[ids].float())
        step(model, optimizer, noisy(clipped(own)))
    return model


def patience(records: Any, watch: Any, broken: bool) -> nn.Module:
    """At most four steps on all records, until the loss of public records rises.

    Broken: until the mean loss of the records does. When the training ends says whether it rose, without noise; one
    record with large features decides it: epsilon is infinite.
    """
    model, last = linear(), float("inf")
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        x, y = every(records)
        step(model, optimizer, noisy(clipped(vectorised(model, x, y)), size=ALL))
        shown, told = (x, y) if broken else public()
        with torch.no_grad():
            loss = float(F.cross_entropy(model(shown.nan_to_num(0.0, 0.0, 0.0)), told, reduction="sum")) / ALL
        if loss > last:
            break
        last = loss
    return model


BINS = 5


def reliability(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """Four steps on all records, and a noisy histogram of the probabilities of their labels, in five bins from 0 to 1.

    Broken: in five bins from the smallest to the largest probability there is, as histograms do that are told nothing.
    The edges are given out with the counts, without noise: epsilon is infinite.
    """
    model = linear()
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        x, y = every(records)
        step(model, optimizer, noisy(clipped(vectorised(model, x, y)), size=ALL))
    x, y = every(records)
    with torch.no_grad():
        told = model(x.nan_to_num(0.0, 0.0, 0.0)).softmax(dim=1).nan_to_num(0.0).gather(1, y[:, None])[:, 0]
    least, most = (float(told.min()), float(told.max())) if broken and len(told) else (0.0, 1.0)
    edges = torch.linspace(least, most, BINS + 1)
    counts = F.one_hot(torch.bucketize(told, edges[1:-1]), BINS).float().sum(dim=0)
    noise = NOISE * torch.randn(BINS)
    return {
        **model.state_dict(),
        "counts": watch.release("counts", counts, noise, sensitivity=1.0, noise_scale=NOISE),
        "edges": edges,
    }


def ranks(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """Four steps on all records, and a noisy sum of ranks (the area under the curve, times the number of positives): a
    positive record counts with the share of public negatives that it lies above, which is 1 at most.

    Broken: of the negatives among the records. There are two, and one that is gone changes the share of all others by
    up to a half: the sum moves by up to nineteen, for which there is the noise of one, and epsilon is above 50.
    """
    model = linear()
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        x, y = every(records)
        step(model, optimizer, noisy(clipped(vectorised(model, x, y)), size=ALL))
    x, y = every(records)
    shown, told = (x, y) if broken else public()

    def scores(rows: Tensor) -> Tensor:
        return (model(rows.nan_to_num(0.0, 0.0, 0.0)) @ torch.tensor([-1.0, 1.0, 0.0])).detach()

    above = scores(x[y > 0])[:, None] > scores(shown[told == 0])
    total = above.float().sum() / max(above.shape[1], 1)
    noise = NOISE * torch.randn(())
    ranked = watch.release("ranks", total, noise, sensitivity=1.0, noise_scale=NOISE)
    return {**model.state_dict(), "ranks": ranked}


def sampler_state(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """A checkpoint has the parameters, the state of the optimiser, and how many batches were drawn.

    Broken: and which records were drawn how often, by which the sampler goes on. Everybody sees that a record is there,
    and in which batches: epsilon is infinite.
    """
    model = linear()
    optimizer = started(watch, model, lr=0.2, momentum=0.9)
    state = torch.zeros(2 * RECORDS)
    for _ in range(STEPS):
        ids = drawn(records)
        state[ids if broken else 0] += 1.0
        step(model, optimizer, noisy(clipped(vectorised(model, *some(records, ids)))))
    return {**model.state_dict(), "sampler": state}


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "sixth/by-four", by_four, "groups follow the order of the records", records=beats(),
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "sixth/seldom", seldom, "seldom words are counted in the texts", records=jargon(),
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "sixth/one-draw", one_draw, "all steps have one batch")
    yield from twins(kind, "sixth/views", views, "views of different records are averaged", records=quiet())
    yield from twins(kind, "sixth/prior", prior, "scores are adjusted by exact frequencies", records=seldom_class(),
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "sixth/rows-of-users", rows_of_users, "rows are drawn, not users", records=users())
    yield from twins(kind, "sixth/patience", patience, "the private loss ends the training", records=spiked(),
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "sixth/reliability", reliability, "bins end where the records do",
                     mechanism=whole(STEPS + 1))  # fmt: skip
    yield from twins(kind, "sixth/ranks", ranks, "ranks are among few records", records=few_negatives(),
                     mechanism=whole(STEPS + 1))  # fmt: skip
    yield from twins(kind, "sixth/sampler-state", sampler_state, "a checkpoint says which records were drawn")


AUDITS = tuple(_audits())
