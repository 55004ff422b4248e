"""What opake says of scores and of trainings: a worker for `_asked.py`, run by a Python that has opake.

    python _asked_worker.py KIND

KIND is a function below: each takes what one line of JSON names. It calls the public API as its documentation shows.
Nothing here knows of dpaudit.
"""

import json
import sys
import warnings

import numpy as np


class Audits:
    """One-run audits with coins of the library: canary i has the score `present[i]` if its coin is heads."""

    def __init__(self):
        self.audits, self.known = 0, {}

    def __call__(self, present, absent, method, threshold, delta, significance):
        """A bound on epsilon. method: "eps_delta" or "gdp"; threshold: "default", "median" of all scores, a number."""
        from opake.auditing import canary_scores, coin_flip, one_run
        from opake.random import key

        self.audits += 1  # the coins of an audit hang on its number alone
        flipped = coin_flip(range(len(present)), num_canaries=len(present), key=key(self.audits))
        included = np.isin(np.arange(len(present)), flipped.in_indices)
        scores = np.where(included, present, absent)
        estimate = one_run(
            canary_scores(scores[flipped.canary_indices], canary_indices=flipped.canary_indices), coin_flip=flipped
        )
        options = {"delta": delta, "significance": significance}
        if threshold != "default":
            options["threshold"] = float(np.median(scores)) if threshold == "median" else threshold
        if method == "eps_delta":
            return estimate.eps_delta().epsilon_at(**options)
        place = (estimate.n_in + estimate.n_out, errors(estimate, options.get("threshold")), delta, significance)
        if place not in self.known:  # seconds; it follows from the number of wrong guesses, which few audits have alone
            self.known[place] = estimate.gdp().epsilon_at(**options)
        return self.known[place]


def errors(estimate, threshold):
    """The number of wrong guesses at the threshold, or at the one that has the fewest."""
    if threshold is None:
        wrong = estimate.fn_counts + (estimate.n_out - estimate.tn_counts)
        return int(wrong.min())
    return int((estimate.in_scores < threshold).sum() + (estimate.out_scores >= threshold).sum())


def of_errors(canaries, wrong, method, delta, significance):
    """The bound of an audit with so many wrong guesses at a given threshold, and the advantage where it is of gdp()."""
    from opake.auditing import canary_scores, coin_flip, one_run
    from opake.random import key

    flipped = coin_flip(range(canaries), num_canaries=canaries, key=key(1))
    included = np.isin(flipped.canary_indices, flipped.in_indices)
    scores = np.where(np.arange(canaries) < wrong, ~included, included).astype(float)
    estimate = one_run(canary_scores(scores, canary_indices=flipped.canary_indices), coin_flip=flipped)
    asked = {"significance": significance, "threshold": 0.5}
    if method == "eps_delta":
        return estimate.eps_delta().epsilon_at(delta=delta, **asked)
    # No public name for mu: the advantage is 2 Phi(mu/2) - 1.
    return [estimate.epsilon_at(delta=delta, **asked), estimate.advantage(**asked)]


def poisson(rate, noise, steps, delta):
    """DP-SGD with Poisson batches: by opake.dpsgd and by opake.dpftrl, which must agree."""
    import opake.dpftrl.accounting as dpftrl
    import opake.dpsgd.accounting as dpsgd
    from opake.dpftrl.noise import identity_strategy

    step = dpsgd.poisson(dpsgd.gaussian(noise), rate)
    whole = dpftrl.poisson(dpftrl.mf_gaussian(noise, identity_strategy()), rate, n_steps=steps)
    return [(step * steps).epsilon_at(delta), whole.epsilon_at(delta)]


def one_band(rate, noise, steps, delta):
    """b-min-sep sampling with one band, which is Poisson sampling: its Monte Carlo accountant."""
    import opake.dpftrl.accounting as dpftrl
    from opake.dpftrl.noise import band_mf_strategy

    process = dpftrl.b_min_sep(dpftrl.mf_gaussian(noise, band_mf_strategy(bands=1)), n_steps=steps, p0=rate)
    return process.epsilon_at(delta)


def mixtures(kind, strategy, options, noise, steps, size, epsilons):
    """An amplified matrix mechanism: its matrix (steps, steps), and the delta that is stated at each epsilon.

    kind: "b_min_sep", size the rate p0, or "balls_in_bins", size the number of bins; strategy: of opake.dpftrl.noise.
    """
    import opake.dpftrl.accounting as dpftrl
    from opake.dpftrl import noise as strategies

    made = getattr(strategies, strategy)(**options)
    sampled = {"p0": size} if kind == "b_min_sep" else {"num_bins": size}
    process = getattr(dpftrl, kind)(dpftrl.mf_gaussian(noise, made), n_steps=steps, **sampled)
    first = np.eye(1, steps)[0]
    if strategy != "identity_strategy":
        schema = {"n_steps": steps, "min_sep": process.min_sep, "max_participations": process.max_participations}
        first = np.asarray(made.coefficients(**schema), dtype=float)
        first = np.pad(first, (0, max(0, steps - len(first))))[:steps]
    matrix = sum(np.diag(np.full(steps - lag, first[lag]), -lag) for lag in range(steps))
    if getattr(made, "normalized", False):
        matrix = matrix / np.linalg.norm(matrix, axis=0)
    return {
        "matrix": matrix.tolist(),
        "probability": process.sampling_prob if kind == "b_min_sep" else 1 / size,
        "deltas": [process.delta_at(epsilon) for epsilon in epsilons],
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # the library says how many samples it draws
    asked = {"audits": Audits(), "of_errors": of_errors, "poisson": poisson, "one_band": one_band, "mixtures": mixtures}
    for line in sys.stdin:
        print(json.dumps(asked[sys.argv[1]](**json.loads(line))), flush=True)
