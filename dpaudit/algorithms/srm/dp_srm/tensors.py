"""The torch form of DP-SRM: all trials at once, on any device."""

from __future__ import annotations

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import SomeProblem
from dpaudit.algorithms.srm.dp_srm.params import Params, State
from dpaudit.algorithms.stepwise import Tensor
from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems.domains import torch_clip
from dpaudit.sampling.batches import TorchBatches


class Machine(stepwise.Machine[Params]):
    """The constants of a run, and one step of all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        part = stream.part("batches")
        self.batches = [TorchBatches(params.batches_at(t), part, device) for t in (0, 1)]

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, torch = self.params, self.torch
        previous, theta, fed_back, drawn = stepwise.unpack(State, state)
        drawn = torch.where(self.picked(trials, 0, params.steps, "output") == step, theta, drawn)
        batch, _ = self.batches[min(step, 1)].draw(step, trials)
        ways: list[Tensor] = []
        if params.clips is None:
            v = self.estimate(previous, theta, fed_back, step, batch)
        else:
            v, ways = self.clipped_estimate(previous, theta, fed_back, step, batch, *params.clips)
        v_p = v + params.noise_at(step) * self.normals(trials, step, theta.shape[1])
        eta: Tensor = params.step_size
        if params.step_rule == "printed":
            length = v_p.square().sum(dim=1, keepdim=True).sqrt()
            eta = params.longest / length.clamp(min=2 * params.accuracy)
            ways = [length <= 2 * params.accuracy, *ways]
        branches = [way.to(torch.int64) for way in ways] or [self.no_branches(len(v_p))]
        return self.pack(State(theta, theta - eta * v_p, v_p, drawn)), v_p, torch.cat(branches, dim=1)

    def estimate(self, previous: Tensor, theta: Tensor, fed_back: Tensor, step: int, batch: Tensor) -> Tensor:
        """v^t as printed, (trials, d)."""
        whole = self.params.batches_at(step).kind == "all records"
        new = self.problem.gradient(theta) if whole else self.problem.batch_gradient(theta, batch)
        if not step:
            return new
        old = self.problem.gradient(previous) if whole else self.problem.batch_gradient(previous, batch)
        return new + (1 - self.params.momentum) * (fed_back - old)

    def clipped_estimate(
        self,
        previous: Tensor,
        theta: Tensor,
        fed_back: Tensor,
        step: int,
        batch: Tensor,
        gradient_clip: float,
        difference_clip: float,
    ) -> tuple[Tensor, list[Tensor]]:
        """v^t of the clipped version, (trials, d), and how many gradients and differences were clipped."""
        params, keep = self.params, 1 - self.params.momentum
        gradients = self.problem.record_gradients(theta, batch)
        longer, clipped = self.longer(gradients, gradient_clip), torch_clip(gradients, gradient_clip)
        if not step:
            return clipped.mean(dim=1), [longer, longer * 0]
        changes = gradients - self.problem.record_gradients(previous, batch)
        mixed = params.momentum * clipped + keep * torch_clip(changes, difference_clip)
        return keep * fed_back + mixed.mean(dim=1), [longer, self.longer(changes, difference_clip)]

    def longer(self, vectors: Tensor, bound: float) -> Tensor:
        """How many of the vectors of each trial are longer than `bound`, (trials, 1)."""
        return (vectors.square().sum(dim=2).sqrt() > bound).sum(dim=1, keepdim=True)
