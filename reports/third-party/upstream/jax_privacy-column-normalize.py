"""Comment on pull request 310: noise of a plan with column_normalize=True follows the norm of the strategy."""

import sys

import numpy as np
from jax_privacy.experimental.execution_plan import BandMFExecutionPlanConfig

scales = {}
for strategy in ((1.0, 0.5), (0.5, 0.25), (0.05,)):
    config = BandMFExecutionPlanConfig(iterations=8, strategy=np.array(strategy), column_normalize=True,
        epsilon=None, delta=None, noise_multiplier=1.0, noise_seed=0)  # fmt: skip
    noise, zeros = config.plan.noise_addition_transform, np.zeros(100_000, np.float32)
    first, _ = noise.update(zeros, noise.init(zeros))
    scales[strategy] = float(np.std(first))
    print(f"strategy {strategy}: noise {scales[strategy]:.3f}; expected 1.0 to 1.12 for all, and the same for (1, 0.5) and (0.5, 0.25)")
sys.exit(int(min(scales.values()) < 0.9))
