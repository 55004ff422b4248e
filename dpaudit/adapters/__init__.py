"""What a user writes to audit a function or a training: an object that carries all that a target file does."""

__all__ = [
    "base",
    "canaries",
    "command",
    "one_run",
    "projections",
    "release",
    "torch_training",
    "training",
]
