"""Comment on pull request 338: a dense noising matrix repeats its last noise once its rows are used up."""

import sys

import jax
import jax.numpy as jnp
from jax_privacy import noise_addition

privatizer = noise_addition.matrix_factorization_privatizer(jnp.eye(3), stddev=1.0, prng_key=jax.random.key(0))
gradients = jnp.zeros(2)
state, noises = privatizer.init(gradients), []
try:
    for step in range(5):
        noisy, state = privatizer.update(gradients, state)
        noises.append(tuple(noisy.tolist()))
except IndexError as refused:
    print(f"step {step} was refused: {refused}")
print(f"{len(noises)} steps, {len(set(noises))} different noises; expected as many as steps")
sys.exit(int(len(set(noises)) < len(noises)))
