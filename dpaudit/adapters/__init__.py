"""What a user writes to audit a function or a training: an object that carries all that a target file does."""

__all__ = [
    "base",
    "canaries",
    "command",
    "projections",
    "release",
    "torch_training",
    "training",
]
