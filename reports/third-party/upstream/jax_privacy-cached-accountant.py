"""CachedExperimentAccountant answers for the parameters that it was asked about first."""

import sys

from jax_privacy.accounting import accountants, analysis

exact = analysis.DpsgdTrainingAccountant(dp_accountant_config=accountants.PldAccountantConfig())
cached = analysis.CachedExperimentAccountant(exact, max_num_updates=100, num_cached_points=4)
wrong = False
for noise in (4.0, 1.0):
    training = analysis.DpParams(noise_multipliers=noise, num_samples=1000, batch_size=100, delta=1e-5)
    stated = cached.compute_epsilon(100, training, allow_approximate_cache=True)
    true = exact.compute_epsilon(100, training)
    print(f"noise multiplier {noise:g}: cached {stated:.2f}, uncached {true:.2f}; expected cached >= uncached")
    wrong |= stated < true - 1e-6
sys.exit(int(wrong))
