"""1.6.0 regression: PrivacyEngineAdaptiveClipping no longer clips."""

import sys

import torch
from opacus.utils.adaptive_clipping.adaptive_clipping_utils import PrivacyEngineAdaptiveClipping
from torch.utils.data import DataLoader, TensorDataset

x, y, model = torch.zeros(20, 3), torch.zeros(20, dtype=torch.long), torch.nn.Linear(3, 2, bias=False)
x[0, 0] = 1e4  # the only record with a gradient
torch.nn.init.zeros_(model.weight)
private, optimizer, criterion, _ = PrivacyEngineAdaptiveClipping().make_private(
    module=model, optimizer=torch.optim.SGD(model.parameters(), lr=1.0), criterion=torch.nn.CrossEntropyLoss(),
    data_loader=DataLoader(TensorDataset(x, y), batch_size=20), noise_multiplier=1.0, max_grad_norm=1.0,
    grad_sample_mode="ghost")  # fmt: skip
loss = criterion(private(x), y)
loss.backward(), optimizer.step()
norm = model.weight.summed_grad.norm().item()
print(f"losses: expected (20,), actual {tuple(loss.loss_per_sample.shape)}")
print(f"norm of the clipped sum: expected at most 1.00, actual {norm:.2f}")
sys.exit(int(norm > 1.01))
