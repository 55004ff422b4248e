"""Hooks mode: with a weighted mean loss one record rescales the clipped gradients of all others."""

import sys

import torch
from opacus import PrivacyEngine
from torch.utils.data import DataLoader, TensorDataset


def moved(n, rare, weight, clip, features):
    """By how many clipping norms the last record, one of `rare` in class 1, which counts `weight` times, moves the sum."""
    torch.manual_seed(0)
    x, y = torch.randn(n, features) / features**0.5, torch.zeros(n, dtype=torch.long)
    y[n - rare :], sums = 1, []
    for records in (n, n - 1):
        model = torch.nn.Linear(features, 2)
        torch.nn.init.zeros_(model.weight), torch.nn.init.zeros_(model.bias)
        private, optimizer, _ = PrivacyEngine().make_private(module=model, noise_multiplier=0.0, max_grad_norm=clip,
            optimizer=torch.optim.SGD(model.parameters(), lr=1.0), data_loader=DataLoader(TensorDataset(x, y), batch_size=n))  # fmt: skip
        loss = torch.nn.CrossEntropyLoss(weight=torch.tensor([1.0, weight]))
        loss(private(x[:records]), y[:records]).backward(), optimizer.step()
        sums.append(torch.cat([p.summed_grad.flatten() for p in model.parameters()]))
    return (sums[0] - sums[1]).norm().item() / clip


cases = [(64, 1, 1000.0, 1.0, 20), (64, 1, 20.0, 1.0, 20), (256, 13, 19.0, 1.0, 20), (256, 13, 19.0, 0.1, 20), (256, 13, 1.0, 1.0, 20)]
sizes = [moved(*case) for case in cases]
for (n, rare, weight, clip, _), size in zip(cases, sizes, strict=True):
    print(f"{n} records, {rare} of weight {weight:g}, clipping norm {clip:g}: moved by {size:.2f} clipping norms; expected at most 1.00")
sys.exit(int(max(sizes) > 1.01))
