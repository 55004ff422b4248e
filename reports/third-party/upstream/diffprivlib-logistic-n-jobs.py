"""LogisticRegression(n_jobs > 1) uses the same noise for all classes and in every fit."""

import sys
import warnings

import numpy as np
from diffprivlib.models import LogisticRegression

warnings.simplefilter("ignore")
X, y = np.array([[0.1, 0.2], [0.3, -0.4], [-0.5, 0.1]]), [0, 1, 2]
different = {}
for n_jobs in (1, 2):
    fits = [LogisticRegression(epsilon=1, data_norm=1, n_jobs=n_jobs).fit(X, y).coef_[0, 0] for _ in range(4)]
    different[n_jobs] = len(set(fits))
    print(f"n_jobs={n_jobs}: {different[n_jobs]} different coefficients in 4 fits; expected 4")
sys.exit(int(different[2] < 4))
