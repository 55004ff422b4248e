"""Which records a step uses: five ways to draw a batch, the same on every backend.

    "all records"           every record, every step
    "without replacement"   a uniform subset of fixed size, drawn anew each step (Floyd; Bentley, Floyd 1987)
    "with replacement"      `size` independent uniform records
    "Poisson"               each record with probability `rate`, independently; the size varies and may be 0
    "in order"              records t size, ..., (t + 1) size - 1 at step t: one pass, each record in one step only

Every draw has an address in the stream that is handed in (its part "batches" by convention), so that NumPy, numba
(`batch_kernels`) and torch draw the same records.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.stream import Stream
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.records.assumptions import KINDS
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice, check_count


@dataclass(frozen=True)
class Batches:
    """kind: one of KINDS; records: n; size: of a batch, from 1 to n (n for "all records", the expected size for
    "Poisson", whose rate is size/n). Raises ConfigurationError."""

    kind: str
    records: int
    size: int

    def __post_init__(self) -> None:
        check_choice("batches", self.kind, KINDS)
        check_count("records", self.records)
        check_count("batch size", self.size, 1, None if self.kind == "with replacement" else self.records)
        if self.kind == "all records" and self.size != self.records:
            raise ConfigurationError(f"batches of all records have size {self.records}, got {self.size}")

    @property
    def rate(self) -> float:
        """size/n."""
        return self.size / self.records

    @property
    def width(self) -> int:
        """The largest number of records in a batch."""
        return self.records if self.kind == "Poisson" else self.size

    @property
    def code(self) -> int:
        """The number of the kind, for kernels."""
        return KINDS.index(self.kind)

    def check_steps(self, steps: int) -> None:
        """Refuse more steps than one pass over the records has."""
        if self.kind == "in order" and steps * self.size > self.records:
            raise ConfigurationError(
                f"{steps} batches of {self.size} in order need {steps * self.size} records, there are {self.records}; "
                f"at most {self.records // self.size} steps are possible"
            )

    def draw(self, stream: Stream, trial: int, step: int) -> Integers:
        """The record numbers of one batch, shape (its size,)."""
        n, size = self.records, self.size
        if self.kind == "all records":
            return np.arange(n)
        if self.kind == "in order":
            return np.arange(step * size, (step + 1) * size)
        count = n if self.kind == "Poisson" else size
        uniforms = stream.uniforms(np.array([trial]), step, count)[0]
        if self.kind == "Poisson":
            return np.flatnonzero(uniforms < self.rate)
        if self.kind == "with replacement":
            return np.asarray(uniforms * n).astype(np.int64)
        taken: list[int] = []
        for a, u in enumerate(uniforms):
            candidate = int(u * (n - size + a + 1))
            taken.append(n - size + a if candidate in taken else candidate)
        return np.array(taken)

    def draw_all(self, stream: Stream, trial: int, steps: int) -> tuple[Integers, ...]:
        """The batches of `steps` steps of one trial."""
        return tuple(self.draw(stream, trial, step) for step in range(steps))


class TorchBatches:
    """The batches of many trials as tensors: record numbers (trials, width) and which of them count, likewise."""

    def __init__(self, batches: Batches, stream: Stream, device: str) -> None:
        self._torch = load_torch()
        self.batches, self.stream, self.device = batches, stream, device

    def draw(self, step: int, trials: Integers) -> tuple[Tensor, Tensor]:
        """The batch of `step` for every trial; places that do not count hold some record's number."""
        torch, batches, count = self._torch, self.batches, len(trials)
        if batches.kind in ("all records", "in order"):
            start = 0 if batches.kind == "all records" else step * batches.size
            row = torch.arange(start, start + batches.width, device=self.device)
            return row.expand(count, -1), torch.ones((count, batches.width), dtype=torch.bool, device=self.device)
        uniforms = self.stream.torch_uniforms(trials, step, batches.width, self.device)
        if batches.kind == "Poisson":
            return torch.arange(batches.width, device=self.device).expand(count, -1), uniforms < batches.rate
        every = torch.ones(uniforms.shape, dtype=torch.bool, device=self.device)
        if batches.kind == "with replacement":
            return (uniforms * batches.records).to(torch.int64), every
        return self._without_replacement(uniforms), every

    def _without_replacement(self, uniforms: Tensor) -> Tensor:
        torch, n, size = self._torch, self.batches.records, self.batches.size
        taken = torch.zeros((len(uniforms), n), dtype=torch.bool, device=self.device)
        rows, listed = torch.arange(len(uniforms), device=self.device), []
        for a in range(size):
            candidate = (uniforms[:, a] * (n - size + a + 1)).to(torch.int64)
            record = torch.where(taken[rows, candidate], n - size + a, candidate)
            taken[rows, record] = True
            listed.append(record)
        return torch.stack(listed, dim=1)
