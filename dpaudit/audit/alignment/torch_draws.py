"""The random functions of torch, handed to an alignment.

Seen are the functions below with any generator, on any device, and what calls them from Python, such as samplers,
`torch.distributions` and Opacus. Not seen: draws inside fused kernels and compiled graphs (dropout of recurrent layers
and of attention).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from dpaudit.audit.alignment.rows import Call, Value
from dpaudit.audit.alignment.sources import Source, TorchSource

Draw = Callable[[Source, Call], Value]

_FUNCTIONS = (
    "rand", "randn", "randint", "randperm", "normal", "bernoulli", "multinomial", "poisson", "binomial", "rand_like",
    "randn_like", "randint_like", "dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout", "rrelu",
    "_standard_gamma", "_sample_dirichlet",
)  # fmt: skip
_METHODS = (
    "normal_", "uniform_", "bernoulli", "bernoulli_", "exponential_", "random_", "cauchy_", "log_normal_", "geometric_",
    "multinomial",
)  # fmt: skip
_INITIAL = (
    "uniform_", "normal_", "trunc_normal_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_",
    "orthogonal_", "sparse_",
)  # fmt: skip
_LAYERS = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout", "rrelu")


@contextmanager
def seen(draw: Draw) -> Iterator[None]:
    """In this context the random functions of torch are `draw(generator, call)`; nothing where torch is not loaded."""
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "overrides"):
        yield
        return
    with _mode()(draw):
        yield


@cache
def _mode() -> Callable[[Draw], Any]:
    import torch

    random = {getattr(torch, name) for name in _FUNCTIONS} | {getattr(torch.Tensor, name) for name in _METHODS}
    random |= {getattr(torch.nn.init, name) for name in _INITIAL}
    layers = {getattr(torch.nn.functional, name) for name in _LAYERS}

    class Seen(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __init__(self, draw: Draw) -> None:
            super().__init__()
            self.draw = draw

        def __torch_function__(
            self, func: Callable[..., Value], types: object, args: tuple[Value, ...] = (), kwargs: Any = None
        ) -> Value:
            kwargs = kwargs or {}
            if func in random:
                return self.draw(_source(args, kwargs), Call(func, args, kwargs))
            if func in layers:
                return self._layer(func, args, kwargs)
            return func(*args, **kwargs)

        def _layer(self, func: Callable[..., Value], args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
            """A layer that draws while it is trained; never in place, so that it can be called again."""
            bound = _signature(func).bind(*args, **kwargs)
            bound.apply_defaults()
            given = dict(bound.arguments)
            if not given["training"]:
                return func(*args, **kwargs)
            first = given.pop("input")
            return self.draw(_source((first,), {}), Call(func, (first,), {**given, "inplace": False}))

    return Seen


@cache
def _signature(func: Callable[..., Value]) -> inspect.Signature:
    return inspect.signature(func)


def _source(args: tuple[Value, ...], kwargs: dict[str, Value]) -> Source:
    """The generator of a call."""
    import torch

    given = kwargs.get("generator")
    if given is not None:
        return TorchSource("a generator of torch", given)
    on_cuda = str(kwargs.get("device", "")).startswith("cuda")
    if on_cuda or any(getattr(one, "is_cuda", False) for one in (*args, *kwargs.values())):
        return TorchSource("torch on CUDA", torch.cuda.default_generators[torch.cuda.current_device()])
    return TorchSource("torch", torch.default_generator)
