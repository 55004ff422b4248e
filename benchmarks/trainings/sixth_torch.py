"""Ten trainings in torch by hand, each with a twin that has one bug in its noise, its clipping, its optimiser or in how
its steps are counted.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 for Poisson batches and 8.0 for four steps on all records.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from _shared import CLIP_NORM, FEATURES, NOISE, RECORDS, STEPS, twins, whole
from fifth_torch import bounded
from fourth_models import two_labels
from fourth_torch import every, finite, sample
from fourth_torch_layers import on_all, public
from torch import Tensor, nn
from torch.nn import functional as F
from torch_by_hand import Gradients, clipped, linear, noisy, perceptron, started, step, vectorised

from dpaudit import TorchTraining

ALL = float(RECORDS)


def cut_run(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A run is cut after two steps and goes on from its checkpoint. Batches and noise are new in each step.

    Broken: the checkpoint has the state of the generator from when the run began, so that steps three and four have the
    batches and the noise of steps one and two. The difference of two sums has no noise: epsilon is infinite.
    """
    model = linear()
    optimizer = started(watch, model)
    state = torch.get_rng_state()
    for number in range(STEPS):
        if broken and number == STEPS // 2:
            torch.set_rng_state(state)
        step(model, optimizer, noisy(clipped(vectorised(model, *sample(records)))))
    return model


def momentum_first(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records; momentum is a sum of noisy gradients, kept by the optimiser.

    Broken: it is kept of the clipped sums, and noise is added to it. A record moves the four releases by 1, 1.9, 2.7
    and 3.4 norms, for which there is the noise of one: epsilon is 24.
    """
    model = linear()
    optimizer = on_all(watch, model, lr=0.1, momentum=0.0 if broken else 0.9)
    kept = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
    for _ in range(STEPS):
        total = clipped(vectorised(model, *every(records)))
        if broken:
            total = kept = {name: 0.9 * kept[name] + g for name, g in total.items()}
        step(model, optimizer, noisy(total, size=ALL))
    return model


def by_value(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The gradient of a record is clipped by its norm.

    Broken: each number of it is brought to between -1 and 1, as `clip_grad_value_` does. The numbers of a record with
    large features have a norm of 3.7 together: epsilon is above 30.
    """
    model = linear()
    optimizer = started(watch, model, lr=0.2)
    for _ in range(STEPS):
        own = vectorised(model, *sample(records))
        total = clipped(own)
        if broken:
            total = {name: finite(g).clamp(-CLIP_NORM, CLIP_NORM).sum(dim=0) for name, g in own.items()}
        step(model, optimizer, noisy(total))
    return model


def tails(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records with normal noise.

    Broken: noise beyond three deviations is brought back to three, "since one draw of a million spoils a run". What
    lies further than that from the sum cannot come from these records, and comes from their neighbours with a
    probability of half a percent for each coordinate that the record moves by half a norm: at a delta of 1e-5 epsilon
    is infinite.
    """
    model = perceptron()
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *every(records)))
        released: Gradients = {}
        for name, g in total.items():
            noise = torch.randn_like(g)
            noise = noise.clamp(-3.0, 3.0) if broken else noise
            released[name] = (g + NOISE * CLIP_NORM * noise) / ALL
        step(model, optimizer, released)
    return model


def aligned() -> tuple[np.ndarray, np.ndarray]:
    """Records of one class with nearly the same features, of length 48; the first one points the other way."""
    x = 0.2 * np.random.default_rng(31).normal(size=(RECORDS, FEATURES))
    x[:, 0] += np.where(np.arange(RECORDS) == 0, -48.0, 48.0)
    return x.astype(np.float32), np.zeros(RECORDS, dtype=np.int64)


def mean_loss(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. The gradient of a record is that of its own loss.

    Broken: that of its part of the mean loss, so that it is divided by the number of records before it is clipped. One
    record more makes those of all others shorter by a fortieth. Where they have about forty norms, they lose nearly one
    together, and the record takes another one away: the sum moves by 1.9 norms, and epsilon is above 17.
    """
    model = linear()
    for p in model.parameters():
        nn.init.zeros_(p)
    optimizer = on_all(watch, model, lr=1e-3)
    for _ in range(STEPS):
        x, y = every(records)
        own = vectorised(model, x, y)
        if broken:
            own = {name: g / max(len(x), 1) for name, g in own.items()}
        step(model, optimizer, noisy(clipped(own), size=ALL))
    return model


def largest(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records along the eight of 21 coordinates in which the gradients of public records are largest;
    noise has all coordinates.

    Broken: along those in which the sum is largest. A coordinate that a record brings in, and one that it drives out,
    have the size of the sum of many: it moves by 2.1 norms and more, and epsilon is above 20.
    """
    model = linear()
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *every(records)))
        shown = total if broken else clipped(vectorised(model, *public()))
        sizes = torch.cat([shown["weight"].flatten(), shown["bias"]]).abs()
        least = sizes.sort(descending=True).values[7]
        kept = {name: torch.where(shown[name].abs() >= least, g, torch.zeros(())) for name, g in total.items()}
        step(model, optimizer, noisy(kept, size=ALL))
    return model


def eight_bits(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Gradients of records are rounded to whole numbers of a public grid, then clipped.

    Broken: the clipped sum is rounded, on its way to where noise is added. A record that moves each coordinate by a
    fifth of the grid moves some of them by all of it: by two norms or more together, and epsilon is above 10.
    """
    model, grid = perceptron(), 1.0
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *sample(records))
        if not broken:
            own = {name: grid / 16 * (bounded(g) * 16 / grid).round() for name, g in own.items()}
        total = clipped(own)
        if broken:
            total = {name: grid * (g / grid).round() for name, g in total.items()}
        step(model, optimizer, noisy(total))
    return model


def successes(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Steps on all records, with the best of the iterates by a public loss. Four are made.

    Broken: four that make the loss smaller than it ever was; the others are not counted, up to sixteen in all. There
    are fourteen or so here, for which epsilon is 17, and 19 for sixteen.
    """
    model = linear()
    optimizer = on_all(watch, model, lr=16.0)
    best, made, good = float("inf"), 0, 0
    while (good if broken else made) < STEPS and made < 16:
        step(model, optimizer, noisy(clipped(vectorised(model, *every(records))), size=ALL))
        x, y = public()
        with torch.no_grad():
            loss = float(F.cross_entropy(model(x), y))
        made, good, best = made + 1, good + (loss < best), min(best, loss)
    return model


def layer_share(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The four tensors are clipped one by one, each to a half: the root of their number is two.

    Broken: to one over the root of the number of layers, of which there are two, each with a weight and a bias.
    Together they have a norm of up to 1.4: epsilon is 5.5.
    """
    model = perceptron()
    with torch.no_grad():
        model[2].weight.mul_(3.0)
    optimizer = started(watch, model, lr=0.2)
    for _ in range(STEPS):
        own = vectorised(model, *sample(records))
        parts = len([layer for layer in model if isinstance(layer, nn.Linear)]) if broken else len(own)
        total: Gradients = {}
        for name, g in own.items():
            total |= clipped({name: g}, CLIP_NORM / parts**0.5)
        step(model, optimizer, noisy(total))
    return model


def unit_sum(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. A sum that is longer than three norms is brought back to three, which moves no two
    sums further apart.

    Broken: the sum is made three norms long, whatever it was. Half of the records draw one way and half the other, and
    what is left of their sum turns round for one of them: it moves by two norms and more, and epsilon is 19.
    """
    model, most = nn.Linear(FEATURES, 2, bias=False), 3.0
    nn.init.zeros_(model.weight)
    optimizer = on_all(watch, model, lr=0.1)
    for _ in range(STEPS):
        x, y = every(records)
        total = clipped(vectorised(model, x, y.clamp(max=1)))["weight"]
        length: Tensor = total.norm().clamp(min=1e-12)
        total = total * (most / length if broken else (most / length).clamp(max=1.0))
        step(model, optimizer, noisy({"weight": total}, size=ALL))
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "sixth/cut-run", cut_run, "a run that goes on has the noise of its beginning")
    yield from twins(kind, "sixth/momentum-first", momentum_first, "momentum is taken before the noise",
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "sixth/by-value", by_value, "gradients are clipped number by number")
    yield from twins(kind, "sixth/tails", tails, "noise has no tails", mechanism=whole())
    yield from twins(kind, "sixth/mean-loss", mean_loss, "gradients of the mean loss are clipped", records=aligned(),
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "sixth/largest", largest, "the largest coordinates of the sum are kept", mechanism=whole())
    yield from twins(kind, "sixth/eight-bits", eight_bits, "the sum is rounded before the noise")
    yield from twins(kind, "sixth/successes", successes, "steps that do not help are not counted", mechanism=whole())
    yield from twins(kind, "sixth/layer-share", layer_share, "tensors are clipped as if a layer had one")
    yield from twins(kind, "sixth/unit-sum", unit_sum, "the sum is made as long as it may be", records=two_labels(),
                     mechanism=whole())  # fmt: skip


AUDITS = tuple(_audits())
