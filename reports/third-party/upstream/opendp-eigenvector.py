"""The eigenvector sampler of PCA accepts with a quotient where Kent, Ganeiber and Mardia have a product."""

import sys

import numpy as np
import opendp.prelude as dp
from opendp.extras.numpy import _sscp_domain
from opendp.extras.sklearn._make_eigenvector import make_private_eigenvector
from scipy.optimize import brentq
from scipy.stats import beta

dp.enable_features("contrib", "idealized-numerics")
d, epsilon, draws = 5, 16.0, 400
domain = _sscp_domain(num_features=d, size=1, norm=1.0, p=2, T=float)
noisy = make_private_eigenvector(domain, dp.symmetric_distance(), unit_epsilon=epsilon)
first = np.diag([1.0] + [0.0] * (d - 1))
sampled = np.array([noisy(first)[0] ** 2 for _ in range(draws)])
t = (np.arange(100_000) + 0.5) / 100_000  # u_1^2, which is Beta distributed where u is uniform
a = epsilon / 4 * (1 - t)  # u'Au
b = brentq(lambda b: 1 / b + (d - 1) / (b + epsilon / 2) - 1, 0.9, d)
laws = {"Bingham": np.exp(-a), "the code": np.exp(-a) * (1 + 2 * a / b) ** -d}
means = {name: float(np.average(t, weights=law * beta.pdf(t, 0.5, (d - 1) / 2))) for name, law in laws.items()}
error = sampled.std() / draws**0.5
print(f"mean of u_1^2 in {draws} draws: {sampled.mean():.3f} +- {error:.3f}")
print(f"expected {means['Bingham']:.3f}, by the formula in the code {means['the code']:.3f}")
sys.exit(int(abs(sampled.mean() - means["Bingham"]) > 6 * error))
