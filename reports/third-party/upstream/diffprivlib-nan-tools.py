"""nanmean and nanvar divide the noise by the size with missing values; nansum takes a missing value for upper - lower."""

import sys
import warnings

import numpy as np
from diffprivlib.tools import nanmean, nansum

warnings.simplefilter("ignore")
few = [np.mean([float(nanmean([0, x] + [np.nan] * 98, epsilon=1, bounds=(0, 1))) > 0.25 for _ in range(200)]) for x in (0, 1)]
print(f"nanmean of (0, x) and 98 missing values above 1/4: {few[0]:.2f} for x = 0, {few[1]:.2f} for x = 1; expected a ratio of at most 2.7")
gone = [np.mean([float(nansum([100.5] * 9 + [x], epsilon=1, bounds=(100, 101))) > 950 for _ in range(200)]) for x in (np.nan, 100.5)]
print(f"nansum with bounds (100, 101) above 950: {gone[0]:.2f} with nine values, {gone[1]:.2f} with ten")
sums = [np.median([float(nansum([100.5] * 9 + [x], epsilon=1, bounds=(100, 101))) for _ in range(200)]) for x in (np.nan, 100.5)]
print(f"medians of nansum: {sums[0]:.0f} and {sums[1]:.0f}, noise of scale 1; expected noise of scale 101")
sys.exit(int(few[1] > 20 * max(few[0], 0.005) or sums[1] - sums[0] > 20))
