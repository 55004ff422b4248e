"""Comment on pull request 309: clip_pytree exceeds its norm in float16 and bfloat16."""

import sys

import jax.numpy as jnp
from jax_privacy import clipping

one, _ = clipping.clip_pytree(jnp.full(65_536, 1.5e-4, jnp.float16), 0.005)
many, _ = clipping.clip_pytree([jnp.ones(1, jnp.bfloat16)] * 2_000, 1.0)
first = float(jnp.linalg.norm(one.astype(jnp.float32)))
second = float(jnp.linalg.norm(jnp.stack(many).astype(jnp.float32)))
print(f"float16, 65,536 small entries: norm {first:.4f}; expected at most 0.0050")
print(f"bfloat16, 2,000 arrays: norm {second:.3f}; expected at most 1.000 up to rounding")
sys.exit(int(first > 0.0051 or second > 1.1))
