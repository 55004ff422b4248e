"""KMeans: inertia_ is computed from the records without noise."""

import sys
import warnings

from diffprivlib.models import KMeans

warnings.simplefilter("ignore")
exact = {0.0: 0, 1.0: 0}
for x in exact:
    for _ in range(20):
        model = KMeans(1, epsilon=1, bounds=(0, 1)).fit([[0.0], [x]])
        exact[x] += abs(model.inertia_ - 2 * model.cluster_centers_.item() ** 2) < 1e-9
print(f"inertia_ is 2 centre^2, as of two zeros: records (0, 0) {exact[0.0]} of 20 fits, (0, 1) {exact[1.0]}; expected the same up to noise")
sys.exit(int(exact[0.0] == 20 and exact[1.0] == 0))
