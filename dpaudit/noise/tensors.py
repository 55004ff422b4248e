"""The noise of `dpaudit.noise.stream` for torch, any device, same float64 bits in eager mode.

Only + - * / and integer operations are used: `torch.sqrt` and `torch.log` are not correctly
rounded on every build, and `torch.add(alpha=...)` or `addcmul` may fuse two roundings into one.
torch has no full set of unsigned operations, so words travel as int64 and are masked after
each shift; products wrap, which leaves their 64 bits right.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from dpaudit.noise import constants
from dpaudit.records.errors import ConfigurationError, MissingPackageError

Tensor: TypeAlias = Any  # torch is optional, so its type is not named
Torch: TypeAlias = Any  # the module itself, for the same reason
Dtype: TypeAlias = Any  # one of torch, or None, likewise
Module: TypeAlias = Any  # a torch.nn.Module, likewise

PIECE = 1 << 18
"""Draws made at once on a CPU: larger pieces fall out of its caches and run ten times slower."""

PIECE_ELSEWHERE = 1 << 24


def load_torch() -> Tensor:
    """The torch module; MissingPackageError with the line that installs it."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise MissingPackageError("torch", "torch") from error
    return torch


def why_unavailable(device: str) -> str:
    """Why torch cannot compute on `device`, in words; "" if it can."""
    try:
        torch = load_torch()
        torch.zeros(1, device=device).add(1).item()
    except MissingPackageError as error:
        return str(error)
    except (RuntimeError, AssertionError, NotImplementedError) as error:  # what torch raises without the hardware
        return f"torch cannot use the device {device!r}: {str(error).splitlines()[0]}"
    return ""


def normals(key: tuple[int, int], trials: Tensor, step: int, count: int, device: str) -> Tensor:
    """Standard normals, float64, shape (len(trials), count)."""
    torch = load_torch()
    return _in_pieces(torch, key, trials, step, count, device, lambda values: inverse_normal(torch, values))


def uniforms(key: tuple[int, int], trials: Tensor, step: int, count: int, device: str) -> Tensor:
    """Uniforms in (0, 1), float64, shape (len(trials), count)."""
    return _in_pieces(load_torch(), key, trials, step, count, device, lambda values: values)


def _in_pieces(
    torch: Torch, key: tuple[int, int], trials: Tensor, step: int, count: int, device: str, transform: Tensor
) -> Tensor:
    _require(device)
    numbers = torch.as_tensor(trials, dtype=torch.int64, device=device)
    piece = PIECE if numbers.device.type == "cpu" else PIECE_ELSEWHERE
    rows = max(1, piece // max(count, 1))
    made = [transform(_uniforms(torch, key, part, step, count)) for part in torch.split(numbers, rows)]
    return torch.cat(made)


def _require(device: str) -> None:
    # The CPU is always there; the probe of another device costs microseconds beside the draw itself.
    reason = "" if device == "cpu" else why_unavailable(device)
    if reason:
        raise ConfigurationError(f"{reason}; use device='cpu'")


def _uniforms(torch: Torch, key: tuple[int, int], trials: Tensor, step: int, count: int) -> Tensor:
    blocks = torch.arange((count + 1) // 2, dtype=torch.int64, device=trials.device)[None, :]
    numbers = trials[:, None]
    counter = (blocks, torch.full_like(blocks, step), numbers & constants.LOW_WORD, numbers >> 32)
    w0, w1, w2, w3 = philox(counter, key)
    upper = [((low >> 12) | (high << 20)) & constants.MANTISSA for low, high in ((w0, w1), (w2, w3))]
    pairs = torch.stack(torch.broadcast_tensors(*upper), dim=-1)
    bits = pairs.reshape(len(trials), 2 * blocks.numel())[:, :count]
    return (bits.to(torch.float64) + 0.5) * 2.0**-52


def philox(counter: Tensor, key: tuple[int, int]) -> Tensor:
    """Philox4x32-10 on int64 tensors that hold 32-bit words."""
    c0, c1, c2, c3 = counter
    for number in range(constants.ROUNDS):
        k0, k1 = ((k + number * s) & constants.LOW_WORD for k, s in zip(key, constants.KEY_STEPS, strict=True))
        first, second = c0 * constants.MULTIPLIERS[0], c2 * constants.MULTIPLIERS[1]
        high_first, high_second = (first >> 32) & constants.LOW_WORD, (second >> 32) & constants.LOW_WORD
        c0, c1 = high_second ^ c1 ^ k0, second & constants.LOW_WORD
        c2, c3 = high_first ^ c3 ^ k1, first & constants.LOW_WORD
    return c0, c1, c2, c3


def inverse_normal(torch: Torch, uniform: Tensor) -> Tensor:
    """The normal quantile of each number in (0, 1); every branch is evaluated, which suits a device."""
    offset = uniform - 0.5
    inner = offset * _ratio(0.180625 - offset * offset, constants.CENTRE)
    tail = torch.where(offset < 0, uniform, 1.0 - uniform)
    root = _square_root(torch, -_logarithm(torch, tail))
    size = torch.where(root <= 5.0, _ratio(root - 1.6, constants.MIDDLE), _ratio(root - 5.0, constants.FAR))
    return torch.where(offset.abs() <= 0.425, inner, torch.where(offset < 0, -size, size))


def _ratio(x: Tensor, polynomials: tuple[tuple[float, ...], tuple[float, ...]]) -> Tensor:
    above, below = (_polynomial(x, coefficients) for coefficients in polynomials)
    return above / below


def _polynomial(x: Tensor, coefficients: tuple[float, ...]) -> Tensor:
    value = x * coefficients[-1] + coefficients[-2]
    for coefficient in coefficients[-3::-1]:
        value = value * x + coefficient
    return value


def _logarithm(torch: Torch, x: Tensor) -> Tensor:
    bits = x.view(torch.int64)
    mantissa = bits & constants.MANTISSA
    upper = (mantissa > constants.SQRT_TWO_MANTISSA).to(torch.int64)
    exponent = ((bits >> 52) - constants.EXPONENT_OF_ONE + upper).to(torch.float64)
    f = (mantissa | ((constants.EXPONENT_OF_ONE - upper) << 52)).view(torch.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    series = z * _polynomial(z, constants.LOG_SERIES)
    half = 0.5 * f * f
    return exponent * constants.LOG_TWO_HIGH - ((half - (s * (half + series) + exponent * constants.LOG_TWO_LOW)) - f)


def _square_root(torch: Torch, x: Tensor) -> Tensor:
    root = ((x.view(torch.int64) >> 1) + constants.SQRT_SEED).view(torch.float64)
    for _ in range(4):
        root = 0.5 * (root + x / root)
    return root
