"""Ghost norms lose precision on sequences and overflow at 1e20: such records are not clipped."""

import sys

import torch
from opacus import PrivacyEngine
from torch.utils.data import DataLoader, TensorDataset


def released(x, y, weight, mode):
    """The norm of the sum of all records, each clipped at 1, without noise."""
    model = torch.nn.Linear(2, 1, bias=False)
    torch.nn.init.constant_(model.weight, weight)
    private, optimizer, *loss, _ = PrivacyEngine().make_private(module=model, criterion=torch.nn.MSELoss(),
        optimizer=torch.optim.SGD(model.parameters(), lr=1.0), data_loader=DataLoader(TensorDataset(x, y), batch_size=len(x)),
        noise_multiplier=0.0, max_grad_norm=1.0, grad_sample_mode=mode)  # fmt: skip
    shape = {"shape": y.shape} if loss else {}
    (loss or [torch.nn.MSELoss()])[0](private(x).flatten(), y.flatten(), **shape).backward(), optimizer.step()
    return model.weight.summed_grad.norm().item()


wrong = False
for size, apart in ((1e3, 1.5), (1e4, 2.0), (3e4, 5.0), (1e5, 20.0), (1e6, 100.0)):  # one record: two tokens that nearly cancel
    x, y = torch.tensor([[[size, 0.0], [size, apart]]]), torch.tensor([[-1.0, 1.0]])
    hooks, ghost = (released(x, y, 0.0, mode) for mode in ("hooks", "ghost"))
    print(f"tokens of {size:g}, {apart:g} apart: hooks {hooks:.2f}, ghost {ghost:.2f}; expected at most 1.00")
    wrong |= not ghost < 1.01
x, y = torch.tensor([[[1e20, 0.0]], [[1.0, 0.0]]]), torch.tensor([[1e20], [0.0]])  # the far record has loss 0
hooks, ghost = (released(x, y, 1.0, mode) for mode in ("hooks", "ghost"))
print(f"a record of 1e20: hooks {hooks:.2f}, ghost {ghost:.2f}; expected at most 2.00")
sys.exit(int(wrong or not ghost < 2.01))
