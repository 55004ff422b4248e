"""Vector: the bound on the curvature should be c q^2 (follow-up to issue 10); it is c q."""

import sys
import warnings

from diffprivlib.models import LogisticRegression

warnings.simplefilter("ignore")
near = {}
for x in (100.0, 0.0):
    model = LogisticRegression(epsilon=1, data_norm=100, fit_intercept=False)
    near[x] = sum(abs(model.fit([[0.0], [x]], [0, 1]).coef_[0, 0]) < 0.03 for _ in range(2000))
    print(f"second record {x:g}: {near[x]} of 2000 coefficients within 0.03 of 0")
ratio = near[100.0] / max(near[0.0], 1)
print(f"ratio {ratio:.1f}; expected at most e = 2.7")
sys.exit(int(ratio > 5))
