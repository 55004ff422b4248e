"""Releases of diffprivlib, one a line: a worker for `dpaudit.adapters.command`, run by a Python that has diffprivlib.

    python _worker.py NAME

NAME is a function below. Each takes the arrays of a data set and a generator that stands for `random_state`, calls the
public API of diffprivlib and returns what a user of it would publish: the return value, or attributes that the
documentation lists. Nothing here knows of dpaudit.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
from diffprivlib import mechanisms, models, tools
from diffprivlib.utils import PrivacyLeakWarning

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "_shared"))
from _answers import answer

warnings.simplefilter("ignore")  # of scikit-learn and SciPy, about convergence
warnings.simplefilter("error", PrivacyLeakWarning)  # what the library says is a leak is not a finding


# Mechanisms. `value` is what is to be released, epsilon is 1 throughout.


def laplace(value, rng):
    return mechanisms.Laplace(epsilon=1, sensitivity=1, random_state=rng).randomise(value.item())


def laplace_delta(value, rng):
    return mechanisms.Laplace(epsilon=1, delta=0.1, sensitivity=1, random_state=rng).randomise(value.item())


def laplace_truncated(value, rng):
    mechanism = mechanisms.LaplaceTruncated(epsilon=1, sensitivity=1, lower=0, upper=1, random_state=rng)
    return mechanism.randomise(value.item())


def laplace_folded(value, rng):
    mechanism = mechanisms.LaplaceFolded(epsilon=1, sensitivity=1, lower=0, upper=1, random_state=rng)
    return mechanism.randomise(value.item())


def laplace_bounded_domain(value, rng):
    mechanism = mechanisms.LaplaceBoundedDomain(epsilon=1, sensitivity=1, lower=0, upper=2, random_state=rng)
    return mechanism.randomise(value.item())


def laplace_bounded_noise(value, rng):
    return mechanisms.LaplaceBoundedNoise(epsilon=1, delta=0.1, sensitivity=1, random_state=rng).randomise(value.item())


def gaussian(value, rng):
    return mechanisms.Gaussian(epsilon=1, delta=0.05, sensitivity=1, random_state=rng).randomise(value.item())


def gaussian_analytic(value, rng):
    return mechanisms.GaussianAnalytic(epsilon=1, delta=0.05, sensitivity=1, random_state=rng).randomise(value.item())


def gaussian_analytic_small_delta(value, rng):
    return mechanisms.GaussianAnalytic(epsilon=1, delta=1e-5, sensitivity=1, random_state=rng).randomise(value.item())


def gaussian_discrete(value, rng):
    return mechanisms.GaussianDiscrete(epsilon=1, delta=0.05, random_state=rng).randomise(int(value))


def geometric(value, rng):
    return mechanisms.Geometric(epsilon=1, random_state=rng).randomise(int(value))


def geometric_truncated(value, rng):
    return mechanisms.GeometricTruncated(epsilon=1, lower=0, upper=3, random_state=rng).randomise(int(value))


def geometric_folded(value, rng):
    return mechanisms.GeometricFolded(epsilon=1, lower=0, upper=3, random_state=rng).randomise(int(value))


def staircase(value, rng):
    return mechanisms.Staircase(epsilon=1, sensitivity=1, random_state=rng).randomise(value.item())


def uniform(value, rng):
    return mechanisms.Uniform(delta=0.1, sensitivity=1, random_state=rng).randomise(value.item())


def snapping(value, rng):
    mechanism = mechanisms.Snapping(epsilon=1, sensitivity=1, lower=-8, upper=8, random_state=rng)
    return mechanism.randomise(value.item())


def binary(value, rng):
    return int(mechanisms.Binary(epsilon=1, value0="0", value1="1", random_state=rng).randomise(str(int(value))))


def exponential(utility, rng):
    return mechanisms.Exponential(epsilon=1, sensitivity=1, utility=utility.tolist(), random_state=rng).randomise()


def permute_and_flip(utility, rng):
    return mechanisms.PermuteAndFlip(epsilon=1, sensitivity=1, utility=utility.tolist(), random_state=rng).randomise()


def exponential_categorical(value, rng):
    utilities = [["0", "1", 1], ["0", "2", 2], ["1", "2", 2], ["0", "3", 2], ["1", "3", 1], ["2", "3", 1]]
    mechanism = mechanisms.ExponentialCategorical(epsilon=1, utility_list=utilities, random_state=rng)
    return int(mechanism.randomise(str(int(value))))


def exponential_hierarchical(value, rng):
    hierarchy = [["0", "1"], ["2", "3"]]
    mechanism = mechanisms.ExponentialHierarchical(epsilon=1, hierarchy=hierarchy, random_state=rng)
    return int(mechanism.randomise(str(int(value))))


def bingham(matrix, rng):
    return (
        mechanisms.Bingham(epsilon=4, sensitivity=1, random_state=rng).randomise(matrix) ** 2
    )  # the sign means nothing


# Tools. epsilon is 1; `sample` is a column of records.


def mean(sample, rng):
    return tools.mean(sample, epsilon=1, bounds=(0, 1), random_state=rng)


def mean_with_nan(sample, rng):
    return np.isnan(tools.mean(sample, epsilon=1, bounds=(0, 1), random_state=rng))


def var(sample, rng):
    return tools.var(sample, epsilon=1, bounds=(0, 1), random_state=rng)


def total(sample, rng):
    return tools.sum(sample, epsilon=1, bounds=(0, 1), random_state=rng)


def total_int8(sample, rng):
    return tools.sum(sample, epsilon=1, bounds=(0, 1), dtype=np.int8, random_state=rng)


def total_int64(sample, rng):
    return tools.sum(sample, epsilon=1, bounds=(0, 1), dtype=np.int64, random_state=rng)


def count_nonzero(sample, rng):
    return tools.count_nonzero(sample, epsilon=1, random_state=rng)


def median(sample, rng):
    return tools.median(sample, epsilon=1, bounds=(0, 1), random_state=rng)


def nanmean(sample, rng):
    return tools.nanmean(sample, epsilon=1, bounds=(0, 1), random_state=rng)


def nanvar(sample, rng):
    return tools.nanvar(sample, epsilon=1, bounds=(0, 1), random_state=rng)


def nansum_far(sample, rng):
    return tools.nansum(sample, epsilon=1, bounds=(100, 101), random_state=rng)


def histogram(sample, rng):
    return tools.histogram(sample, epsilon=1, bins=4, range=(0, 4), random_state=rng)[0]


def histogram_weighted(sample, weights, rng):
    return tools.histogram(sample, epsilon=1, bins=2, range=(0, 2), weights=weights, random_state=rng)[0]


def histogram_auto(sample, rng):
    return len(tools.histogram(sample, epsilon=1, bins="auto", range=(0, 1), random_state=rng)[0])


# Models. epsilon is 1 unless the name says otherwise.


def _regression(inputs, targets, rng, bounds, **options):
    model = models.LinearRegression(epsilon=1, bounds_X=bounds, bounds_y=(-1, 1), random_state=rng, **options)
    model.fit(inputs, targets)
    return [*model.coef_, model.intercept_]


def linear_regression_symmetric(inputs, targets, rng):
    return _regression(inputs, targets, rng, (-1, 1), fit_intercept=False)


def linear_regression_positive(inputs, targets, rng):
    return _regression(inputs, targets, rng, (0, 100), fit_intercept=False)


def linear_regression_intercept(inputs, targets, rng):
    return _regression(inputs, targets, rng, (0, 100))


def _logistic(inputs, labels, rng, data_norm, **options):
    model = models.LogisticRegression(epsilon=1, data_norm=data_norm, random_state=rng, **options).fit(inputs, labels)
    return np.column_stack([model.coef_, model.intercept_]).ravel()


def logistic_regression_unit_norm(inputs, labels, rng):
    return _logistic(inputs, labels, rng, 1, fit_intercept=False)


def logistic_regression_norm_100(inputs, labels, rng):
    return _logistic(inputs, labels, rng, 100, fit_intercept=False)


def logistic_regression_one_job(inputs, labels, rng):
    return _logistic(inputs, labels, rng, 1, n_jobs=1, fit_intercept=False)


def logistic_regression_two_jobs(inputs, labels, rng):
    return _logistic(inputs, labels, rng, 1, n_jobs=2, fit_intercept=False)


def logistic_regression_classes(inputs, labels, rng):
    return len(models.LogisticRegression(epsilon=1, data_norm=1, random_state=rng).fit(inputs, labels).classes_)


def _naive_bayes(inputs, labels, rng, bounds):
    model = models.GaussianNB(epsilon=1, bounds=bounds, random_state=rng)
    model.partial_fit(inputs, labels, classes=[0, 1])
    return np.concatenate([model.class_count_, model.theta_.ravel(), model.var_.ravel()])


def gaussian_nb(inputs, labels, rng):
    return _naive_bayes(inputs, labels, rng, (-1, 1))


def gaussian_nb_far(inputs, labels, rng):
    return _naive_bayes(inputs, labels, rng, (100, 101))


def gaussian_nb_small_bounds(inputs, labels, rng):
    return _naive_bayes(inputs, labels, rng, ([0, 0], [1e-12, 1e-8])) * 1e12


def k_means(inputs, rng):
    return models.KMeans(n_clusters=1, epsilon=1, bounds=(0, 1), random_state=rng).fit(inputs).cluster_centers_.ravel()


def k_means_inertia(inputs, rng):
    model = models.KMeans(n_clusters=1, epsilon=1, bounds=(0, 1), random_state=rng).fit(inputs)
    return [*model.cluster_centers_.ravel(), model.inertia_]


def standard_scaler(inputs, rng):
    model = models.StandardScaler(epsilon=1, bounds=(0, 1), random_state=rng).fit(inputs)
    return [*model.mean_, *model.var_]


def pca(inputs, rng):
    model = models.PCA(epsilon=1, data_norm=1, centered=True, random_state=rng).fit(inputs)
    return [*model.components_[0] ** 2, *model.explained_variance_]


def decision_tree(inputs, labels, rng):
    model = models.DecisionTreeClassifier(max_depth=1, epsilon=1, bounds=(0, 1), classes=[0, 1], random_state=rng)
    tree = model.fit(inputs, labels).tree_
    return [tree.threshold[0], *tree.value[1:, 0, 0]]


if __name__ == "__main__":
    answer(globals()[sys.argv[1]])
