"""What kernels are handed: flat tuples of one type a precision, so that numba compiles them once."""

from __future__ import annotations

from typing import Any, TypeAlias

Keys: TypeAlias = tuple[int, ...]
"""Key words of parts of a stream, two each."""

Packed: TypeAlias = tuple[Any, ...]
"""Numbers and arrays in the dtype of the run; their order is said by the kernels that read them, and numba compiles
for their types."""
