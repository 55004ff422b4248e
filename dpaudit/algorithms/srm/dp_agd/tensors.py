"""The torch form of DP-AGD: one step of all trials at once, whatever each of them has to do."""

from __future__ import annotations

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import SomeProblem
from dpaudit.algorithms.srm.dp_agd.params import GRAINS as _GRAINS
from dpaudit.algorithms.srm.dp_agd.params import LIMB as _LIMB
from dpaudit.algorithms.srm.dp_agd.params import Params, State
from dpaudit.algorithms.stepwise import Tensor
from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems.domains import torch_clip

_UNCHOSEN = 10
_FRESH, _REFINE, _STOPPED = 0, 1, 2


class Machine(stepwise.Machine[Params]):
    """The constants of a run, and one step of all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        self.costs = self.torch.tensor(params.costs, device=device)
        self.deviations, self.candidates = self.tensor(params.deviations), self.tensor(params.candidates)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, torch, d = self.params, self.torch, len(self.params.start)
        w, total, noisy, *counts = stepwise.unpack(State, state, numbers=4)
        mode, level, low, high = (one[:, 0].to(torch.int64) for one in counts)
        spent, kind = low + _LIMB * high, mode.clamp(max=_REFINE)
        goes_on = (mode != _STOPPED) & (spent + self.costs[kind, level] <= _GRAINS)
        spent = torch.where(goes_on, spent + self.costs[kind, level], spent)
        fresh, refined = goes_on & (mode == _FRESH), goes_on & (mode == _REFINE)
        gradients = self.problem.record_gradients(w)
        longer = (gradients.square().sum(dim=2).sqrt() > params.gradient_clip).sum(dim=1)
        total = torch.where(fresh[:, None], torch_clip(gradients, params.gradient_clip).sum(dim=1), total)
        copy = total + self.deviations[kind, level][:, None] * self.normals(trials, step, d)
        mixed = (noisy + params.growth * copy) / (1 + params.growth)
        noisy = torch.where(fresh[:, None], copy, torch.where(refined[:, None], mixed, noisy))
        level = level + refined.to(torch.int64)
        chooses = goes_on & (spent + params.choice_cost <= _GRAINS)
        spent = torch.where(chooses, spent + params.choice_cost, spent)
        direction = noisy / noisy.square().sum(dim=1, keepdim=True).sqrt()
        chosen = self.choose(w, direction, step, trials)
        rate = self.candidates[chosen]
        w = torch.where(chooses[:, None], w - rate[:, None] * direction, w)
        after = torch.where(chooses, torch.where(rate == 0, _REFINE, _FRESH), _STOPPED)
        chosen = torch.where(chooses, chosen, -1)
        numbers = torch.stack([after, level, spent % _LIMB, spent // _LIMB, chosen], dim=1).to(self.kind)
        done = torch.where(goes_on, mode, _STOPPED) + torch.where(chooses, 0, _UNCHOSEN)
        ways = torch.stack([done, torch.where(fresh, longer, 0), chosen], dim=1)
        released = torch.cat([torch.where(goes_on[:, None], copy, 0.0), numbers[:, 4:]], dim=1)
        return self.pack(State(w, total, noisy, *numbers[:, :4].split(1, dim=1))), released, ways

    def choose(self, w: Tensor, direction: Tensor, step: int, trials: Integers) -> Tensor:
        """The number of the candidate of the least noisy value, (trials,)."""
        params, torch = self.params, self.torch
        points = [w - phi * direction for phi in params.candidates]
        values = [self.problem.record_values(point).clamp(0.0, params.value_clip).sum(dim=1) for point in points]
        uniform = self.stream.part("choices").torch_uniforms(trials, step, len(points), self.device)
        laplace = torch.where(uniform < 0.5, (2 * uniform).log(), -(2 * (1 - uniform)).log()).to(self.kind)
        return (torch.stack(values, dim=1) + params.choice_scale * laplace).argmin(dim=1)
