"""histogram: the sensitivity ignores `weights`, and automatic bins show the records."""

import sys
import warnings

import numpy as np
from diffprivlib.tools import histogram

warnings.simplefilter("ignore")
high = [sum(histogram([0.5] * n, epsilon=1, bins=2, range=(0, 2), weights=[1, 100][:n])[0][0] > 50 for _ in range(200)) for n in (1, 2)]
print(f"weights (1, 100), first bin above 50: {high[0]} of 200 without the second record, {high[1]} with it; expected a ratio of at most 2.7")
bins = [len(histogram([*np.linspace(0, 0.1, 7), x], epsilon=1, bins="auto", range=(0, 1))[0]) for x in (0.1, 1.0)]
print(f"bins='auto', one record moved from 0.1 to 1: {bins[0]} and {bins[1]} bins in every call; expected the same number")
sys.exit(int(high[1] > 20 * max(high[0], 1) or bins[0] != bins[1]))
