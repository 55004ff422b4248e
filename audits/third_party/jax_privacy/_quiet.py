"""What the audits of jax-privacy share: how its compiled functions are called."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any


def quiet(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """Without the warning that jax-privacy itself causes where it clips."""

    def call(*arguments: Any) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "optax.global_norm is deprecated", DeprecationWarning)
            return compiled(*arguments)

    return call
