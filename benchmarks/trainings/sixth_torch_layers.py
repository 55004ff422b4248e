"""Ten trainings in torch by hand, each with a twin that has one bug in its model or in what goes with it: dropout,
normalisation, adapters, half precision, embeddings, pairs, recurrent cells, frozen layers, experts, calibration.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 for Poisson batches and 8.0 for four steps on all records.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from _shared import CLASSES, FEATURES, RECORDS, SIZE, STEPS, twins, whole
from _sixth_models import LowRank, Mixed, Remembering, Spoken, sentences, spiked, thousandfold
from fifth_torch import bounded, small, weighed
from fifth_torch_layers import factors
from fourth_torch import every, finite, lengths, quiet, sample
from fourth_torch_layers import on_all, public
from torch import Tensor, nn
from torch.func import grad, vmap
from torch.nn import functional as F
from torch.optim.swa_utils import update_bn
from torch_by_hand import clipped, linear, noisy, perceptron, single, started, step, vectorised
from torch_layers import signals

from dpaudit import TorchTraining

ALL = float(RECORDS)


def second_pass(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Dropout before a linear layer. The norm of a gradient is that of the gradient that is scaled down and summed up.

    Broken: norms come from one pass, and the gradients that are scaled from a second one, which leaves out other
    features. A feature of a hundred that is left out of the first pass alone moves the sum by tens of norms: epsilon is
    above 100.
    """
    model = nn.Sequential(nn.Dropout(0.5), nn.Linear(FEATURES, CLASSES)).train()
    optimizer = started(watch, model, lr=0.1)
    for _ in range(STEPS):
        x, y = sample(records)
        own = single(model, x, y)
        norms = lengths(single(model, x, y) if broken else own)
        step(model, optimizer, noisy({name: weighed(factors(norms), g) for name, g in own.items()}))
    return model


def backbone(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """A last layer is trained on a frozen extractor with batch norm, which stays in evaluation mode.

    Broken: the whole model is put in training mode. The extractor has no gradient, but its batch norm moves on with the
    means and variances of each batch, without noise, and is saved with it: epsilon is infinite.
    """
    extractor = nn.Sequential(nn.Linear(FEATURES, 4), nn.BatchNorm1d(4), nn.Tanh()).requires_grad_(False)
    update_bn([public()[0]], extractor)
    model = nn.Sequential(extractor, nn.Linear(4, CLASSES))
    model.train()
    if not broken:
        extractor.eval()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = sample(records)
        inner = extractor(bounded(x)) if len(x) > 1 or not broken else x.new_zeros((len(x), 4))
        total = clipped(vectorised(model[1], inner, y))
        step(model, optimizer, noisy({f"1.{name}": g for name, g in total.items()}))
    return model.state_dict()


def adapter_start(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. An adapter starts at the two main directions of the gradients of public records.

    Broken: of the gradients of the records, "so that it starts where it is needed". The matrix is saved with what the
    steps have added to it, which everybody can take away: epsilon is infinite.
    """
    model = LowRank(torch.zeros(2, FEATURES))
    optimizer = on_all(watch, model)
    for number in range(STEPS):
        x, y = every(records)
        if number == 0:
            shown, told = (small(x), y) if broken else public()
            slopes = vectorised(model.base.requires_grad_(True), shown, told)["weight"].sum(dim=0)
            model.base.requires_grad_(False)
            with torch.no_grad():
                model.down.copy_(torch.linalg.svd(slopes, full_matrices=False).Vh[:2])
        step(model, optimizer, noisy(clipped(vectorised(model, x, y)), size=ALL))
    return model


def half_norms(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Gradients come in half precision, and their norms are worked out in single precision.

    Broken: in half precision, where a sum of squares ends at 65504; what is infinite is said to be that. A gradient of
    several thousand norms is said to have 256 of them, and moves the sum by ten norms and more: epsilon is above 100.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = {name: finite(g.half()) for name, g in vectorised(model, *sample(records)).items()}
        flat = torch.cat([g.flatten(1) for g in own.values()], dim=1)
        squares = (flat if broken else flat.float()).square().sum(dim=1)
        if broken:
            squares = squares.nan_to_num()
        norms = squares.float().sqrt()
        step(model, optimizer, noisy({name: weighed(factors(norms), g.float()) for name, g in own.items()}))
    return model


def longest_rows(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The embedding of each word is brought back to norm 1 after each step, if it is longer.

    Broken: by `max_norm` of the embedding, which does so when a word is looked up. Which rows of the table were
    shortened, and when, says which words are in the batches, without noise. A word of one record is looked up with it
    and never without: epsilon is infinite.
    """
    model = Spoken()
    optimizer = started(watch, model, lr=2.0)
    model.embedding.max_norm = 1.0 if broken else None
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(single(model, *sample(records)))))
        if not broken:
            with torch.no_grad():
                model.embedding.weight.renorm_(2, 0, 1.0)
    return model


def pulled(weight: Tensor, x: Tensor, y: Tensor, others: Tensor, labels: Tensor) -> Tensor:
    """The mean loss of pairs: records of one class are pulled together, others pushed apart."""
    squares = ((others - x) @ weight.T).square().sum(dim=1)
    return torch.where(labels == y, squares, torch.relu(1.0 - squares)).mean()


def pairs(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Siamese training: a record is compared with forty public ones, and the gradient of its mean loss is clipped.

    Broken: with the records of the batch. Each has a norm of 1 at most, and all of them hang on one: its own goes away
    with it, and the others turn round. The sum moves by four norms or more, and epsilon is above 30.
    """
    model = nn.Linear(FEATURES, 3, bias=False)
    optimizer = started(watch, model, lr=0.1)
    gradients = vmap(grad(pulled), in_dims=(None, 0, 0, None, None))
    for _ in range(STEPS):
        x, y = sample(records)
        x, weight = small(x), model.weight.detach()
        others, labels = (x, y) if broken else public()
        own = gradients(weight, x, y, others, labels) if len(x) else weight.new_zeros((0, *weight.shape))
        step(model, optimizer, noisy(clipped({"weight": own})))
    return model


def remembering(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The state of the cell is set to zero before each record.

    Broken: before each batch. A record starts from the state in which the one before it has left the cell; a large one
    turns it, and those after it stay turned: the sum moves by three norms or so, and epsilon is 20.
    """
    model = Remembering()
    optimizer = started(watch, model, lr=0.1)

    def loss(model: Any, x: Tensor, y: Tensor) -> Tensor:
        model.state = model.state.detach() if broken else torch.zeros(4)
        return F.cross_entropy(model(x[None]), y[None])

    for _ in range(STEPS):
        x, y = sample(records)
        model.state = torch.zeros(4)
        step(model, optimizer, noisy(clipped(single(model, small(x), y, loss))))
    return model


def left_behind(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. One backward pass tells whether the loss reaches all layers; its gradients are set to
    zero, and the first layer is frozen.

    Broken: they are not. Those of the frozen layer stay where they are, clean, and the optimiser moves it by them in
    each step: epsilon is infinite.
    """
    model = perceptron()
    optimizer = on_all(watch, model, lr=0.2)
    for number in range(STEPS):
        x, y = every(records)
        if number == 0:
            F.cross_entropy(model(small(x)), y, reduction="sum").div(ALL).backward()
            if not broken:
                optimizer.zero_grad()
            model[0].requires_grad_(False)
        released = noisy(clipped(vectorised(model, x, y)), size=ALL)
        for name, p in model.named_parameters():
            p.grad = released.get(name, p.grad)
        optimizer.step()
    return model


def evenly(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Experts should have equally many records: a second loss says so, which is that of public records.

    Broken: of the batch. It is a loss of mean shares, not of records, and its gradient is added to the clipped sum as
    it is. A record with features of a hundred moves it by tens of norms: epsilon is above 100.
    """
    model = Mixed()
    optimizer = started(watch, model, lr=0.1)
    for _ in range(STEPS):
        x, y = sample(records)
        total = clipped(vectorised(model, x, y))
        shown = small(x if broken else public()[0])
        if len(shown):
            shares = torch.softmax(model.gate(shown), dim=1)
            loads = F.one_hot(shares.argmax(dim=1), 2).float().mean(dim=0)
            slope = torch.autograd.grad((loads * shares.mean(dim=0)).sum(), model.gate.weight)[0]
            total["gate.weight"] = total["gate.weight"] + SIZE * slope
        step(model, optimizer, noisy(total))
    return model


def tempered(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """Four steps on all records. The temperature of the trained model is the best of a hundred for public records.

    Broken: for the records themselves. It is one number, and is saved without noise; one record that is told wrong with
    a large score makes it another one: epsilon is infinite.
    """
    model = linear()
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        x, y = every(records)
        step(model, optimizer, noisy(clipped(vectorised(model, x, y)), size=ALL))
    shown, told = every(records) if broken else public()
    with torch.no_grad():
        scores = model(small(shown))
        choices = torch.logspace(-1, 2, 100)
        losses = torch.stack([F.cross_entropy(scores / choice, told, reduction="sum") for choice in choices])
    return {**model.state_dict(), "temperature": choices[losses.argmin()]}


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "sixth/second-pass", second_pass, "norms have another dropout than gradients",
                     records=spiked())  # fmt: skip
    yield from twins(kind, "sixth/backbone", backbone, "the batch norm of a frozen part moves on")
    yield from twins(kind, "sixth/adapter-start", adapter_start, "an adapter starts at directions of the records",
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "sixth/half-norms", half_norms, "norms end where half precision does",
                     records=thousandfold())  # fmt: skip
    yield from twins(kind, "sixth/longest-rows", longest_rows, "rows are shortened when they are looked up",
                     records=sentences())  # fmt: skip
    yield from twins(kind, "sixth/pairs", pairs, "records of a batch are compared with each other", records=quiet())
    yield from twins(kind, "sixth/remembering", remembering, "a cell keeps its state from record to record",
                     records=signals())  # fmt: skip
    yield from twins(kind, "sixth/left-behind", left_behind, "a frozen layer has a gradient from before",
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "sixth/evenly", evenly, "a loss of the batch is not clipped", records=spiked())
    yield from twins(kind, "sixth/tempered", tempered, "the temperature is fitted to the records", records=spiked(),
                     mechanism=whole())  # fmt: skip


AUDITS = tuple(_audits())
