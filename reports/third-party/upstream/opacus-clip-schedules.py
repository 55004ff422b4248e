"""GradClip schedulers change the noise but not the clipping in the ghost and per-layer modes."""

import sys

import torch
from opacus import PrivacyEngine
from opacus.schedulers import ExponentialGradClip
from torch.utils.data import DataLoader, TensorDataset

x, y, wrong = torch.full((1, 3), 100.0), torch.zeros(1, dtype=torch.long), False
for mode, clipping, norm in (("hooks", "flat", 1.0), ("functorch", "flat", 1.0), ("ghost", "flat", 1.0), ("hooks", "per_layer", [1.0])):
    model = torch.nn.Linear(3, 2, bias=False)
    torch.nn.init.zeros_(model.weight)
    private, optimizer, *loss, _ = PrivacyEngine().make_private(module=model, clipping=clipping, max_grad_norm=norm,
        optimizer=torch.optim.SGD(model.parameters(), lr=1.0), data_loader=DataLoader(TensorDataset(x, y)),
        criterion=torch.nn.CrossEntropyLoss(), noise_multiplier=0.0, grad_sample_mode=mode)  # fmt: skip
    schedule = ExponentialGradClip(optimizer, gamma=0.5)
    schedule.step(), schedule.step(), schedule.step()
    (loss or [torch.nn.CrossEntropyLoss()])[0](private(x), y).backward(), optimizer.step()
    norm = model.weight.summed_grad.norm().item()
    print(f"{mode}, {clipping}: noise for {optimizer.max_grad_norm:.3f}, clipped at {norm:.3f}; expected the same")
    wrong |= norm > 1.01 * optimizer.max_grad_norm
sys.exit(int(wrong))
