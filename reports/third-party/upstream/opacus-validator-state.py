"""The validator lets modules through that release batches without noise: frozen BatchNorm, Embedding(max_norm)."""

import sys

import torch
from opacus import PrivacyEngine
from torch.utils.data import DataLoader, TensorDataset


def trained(model, x):
    """The model after one step with noise multiplier 1e6."""
    y, trainable = torch.zeros(len(x), dtype=torch.long), [p for p in model.parameters() if p.requires_grad]
    private, optimizer, _ = PrivacyEngine().make_private(module=model, noise_multiplier=1e6, max_grad_norm=1.0,
        optimizer=torch.optim.SGD(trainable, lr=0.0), data_loader=DataLoader(TensorDataset(x, y), batch_size=len(x)))  # fmt: skip
    torch.nn.functional.cross_entropy(private(x), y).backward(), optimizer.step()
    return model


torch.manual_seed(0)
x = 100 + torch.randn(8, 4)
norm = trained(torch.nn.Sequential(torch.nn.BatchNorm1d(4).requires_grad_(False), torch.nn.Linear(4, 2)), x)[0]
error = (norm.running_mean * 10 - x.mean(0)).abs().max().item()
print(f"frozen BatchNorm: the batch mean of 100 is read off running_mean with error {error:.1e}; expected: refused")
words = torch.nn.Sequential(torch.nn.Embedding(5, 3, max_norm=1.0), torch.nn.Flatten(), torch.nn.Linear(3, 2))
torch.nn.init.constant_(words[0].weight, 10.0)
short = (trained(words, torch.tensor([[0], [1], [0], [1]]))[0].weight.norm(dim=1) < 8).tolist()
print(f"Embedding(max_norm=1): words 0 and 1 occurred, rows that were shortened: {short}; expected: refused")
sys.exit(int(error < 1e-3 or any(short)))
