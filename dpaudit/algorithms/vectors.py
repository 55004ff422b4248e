"""The type of what an algorithm computes with."""

from __future__ import annotations

from typing import Any, TypeAlias

Vector: TypeAlias = Any
"""An array, a Tracked array or a tensor: a step is written once for the first two, and states are unpacked alike."""
