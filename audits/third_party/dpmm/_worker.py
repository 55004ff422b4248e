"""Releases of dpmm, one a line: a worker for `dpaudit.adapters.command`, run by a Python that has dpmm.

    python _worker.py NAME

NAME is a function below. Each takes the columns of a data set, as codes from 0 on, -1 for a missing value, and a
generator that stands for `random_state`; it calls the public API of dpmm and returns what its user would publish. The
noise of dpmm is OpenDP's, from the operating system, and not seeded. Nothing here knows of dpaudit.
"""

import functools
import logging
import math
import struct
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from dpmm.models import aim as aim_module
from dpmm.models import mst as mst_module
from dpmm.models import priv_bayes as priv_bayes_module
from dpmm.models.base.mbi import FactoredInference
from dpmm.models.base.mechanisms import mechanism
from dpmm.pipelines import AIMPipeline

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "_shared"))
from _answers import answer

warnings.simplefilter("ignore")  # of pandas, about later versions


class Warned(logging.Handler):
    """What the library logs as a leak is no finding: an error of the worker."""

    def emit(self, record):
        raise RuntimeError(record.getMessage())


logging.getLogger("dpmm").addHandler(Warned())

# Conversions from epsilon and delta are pure functions that take most of a fit: each is computed once.
for module in (mechanism, mst_module, priv_bayes_module):
    module.cdp_rho = functools.lru_cache(mechanism.cdp_rho)

CATEGORIES = ["0", "1", "2"]
ROWS = 1_000
RECORD = 0.6180339887498949
"""A value of a record that no bin edge has."""


# Pipelines: epsilon 1, delta 1e-5, proc_epsilon at its default, 0.1. Every domain is given.


def _table(columns, dtype=object):
    """The records as a user has them: categories, or numbers where a column is of floats; None where missing."""
    frame = pd.DataFrame()
    for name, codes in columns.items():
        if codes.dtype.kind == "f":
            frame[name] = codes
        else:
            frame[name] = pd.Series([CATEGORIES[code] if code >= 0 else None for code in codes], dtype=dtype)
    return frame


def _fitted(frame, rng, zeros=None, **options):
    numbers = [name for name in frame if frame[name].dtype.kind == "f"]
    domain = {n: {"lower": 0.0, "upper": 1.0} if n in numbers else {"categories": CATEGORIES} for n in frame}
    pipeline = AIMPipeline(epsilon=1, delta=1e-5, n_jobs=1, gen_kwargs={"n_iters": 20, "rounds": 3}, **options)
    pipeline.fit(frame, domain=domain, structural_zeros=zeros, random_state=rng)
    return pipeline


def _codes(table):
    """A synthetic table as numbers: codes, -1 for what is missing."""
    code = {name: float(number) for number, name in enumerate(CATEGORIES)}
    columns = [c if c.dtype.kind == "f" else c.astype(object).map(code).fillna(-1) for _, c in table.items()]
    return np.stack([column.to_numpy(dtype=float) for column in columns], axis=1)


def _synthetic(frame, rng, **options):
    return _fitted(frame, rng, **options).generate(n_records=ROWS, random_state=rng)


def synthetic(rng, **columns):
    return _codes(_synthetic(_table(columns), rng))


def synthetic_whole(rng, **columns):
    return _codes(_synthetic(_table(columns), rng, compress=False))


def synthetic_zeros(rng, **columns):
    return _codes(_synthetic(_table(columns), rng, zeros={"flag": ["0"]}, compress=False))


def synthetic_auto_bins(rng, **columns):
    return _codes(_synthetic(_table(columns), rng, binner_type="uniform", n_bins="auto"))


def synthetic_ten_bins(rng, **columns):
    return _codes(_synthetic(_table(columns), rng, binner_type="uniform", n_bins=10))


def synthetic_trees(rng, **columns):
    return _codes(_synthetic(_table(columns), rng, n_bins=5))


def category_of_records(rng, **columns):
    """Which categories the synthetic column has; the table has the dtype that pandas makes of the records."""
    flag = _synthetic(_table(columns, "category"), rng)["flag"]
    return [name in flag.cat.categories for name in CATEGORIES]


def category_of_domain(rng, **columns):
    """The same, where the dtype has the categories of the domain, and how many records are of the last one."""
    flag = _synthetic(_table(columns, pd.CategoricalDtype(CATEGORIES)), rng)["flag"]
    return [*(name in flag.cat.categories for name in CATEGORIES), int((flag == CATEGORIES[-1]).sum())]


def _stored(pipeline):
    """Are the eight bytes of RECORD in the files of a stored pipeline?"""
    with tempfile.TemporaryDirectory() as folder:
        pipeline.store(folder)
        return any(struct.pack("<d", RECORD) in path.read_bytes() for path in Path(folder).rglob("*") if path.is_file())


def stored_trees(rng, **columns):
    return _stored(_fitted(_table(columns), rng, n_bins=5))


def stored_uniform(rng, **columns):
    """The same of uniform bins, and how many synthetic values lie in the upper half."""
    pipeline = _fitted(_table(columns), rng, n_bins=5, binner_type="uniform")
    table = pipeline.generate(n_records=ROWS, random_state=rng)
    return [_stored(pipeline), int((table["flag"] > 0.5).sum())]


# Models, with their domain. Epsilon 1; the records are all 0 or all 1 in each column.


def _model(kind, columns, rng, delta, **options):
    frame = pd.DataFrame(columns).astype(int)
    model = kind(epsilon=1, delta=delta, n_iters=1, compress=False, domain=dict.fromkeys(frame, 2), n_jobs=1, **options)
    model.set_random_state(rng)
    model.fit(frame)
    return model.generator


def _aim(columns, rng, rounds):
    """Of the noisy counts of zeros, one a measurement: the sum of count / sigma^2, and of 1 / sigma^2."""
    names = [f"{name}{copy}" for copy in range(8 if rounds else 1) for name in columns]
    frame = {name: columns[name[0]] for name in names}
    options = {"rounds": rounds, "degree": 1 if rounds else 2}
    measures = _model(aim_module.AIMGM, frame, rng, 1e-2, **options).measures
    return [sum(y[0] / sigma**2 for _, y, sigma, _ in measures), sum(1 / sigma**2 for _, _, sigma, _ in measures)]


def aim(rng, **columns):
    return _aim(columns, rng, None)


def aim_one_round(rng, **columns):
    """Eight times the columns, without pairs of them: the budget is gone before any would be chosen."""
    return _aim(columns, rng, 1)


def mst(rng, **columns):
    """The noisy counts of zeros: of every column, then of every pair that is chosen.

    dpmm has 2,500 iterations of the estimate between the two hard-coded; it sees noisy counts alone, so ten do.
    """
    mst_module.FactoredInference = lambda domain, iters: FactoredInference(domain, iters=10)
    return [y[0] for _, y, _, _ in _model(mst_module.MSTGM, columns, rng, 1e-2).measures]


def _network(columns, rng):
    """Which of the pairs ab, ac, bc are edges of the chosen network."""
    cliques = [set(clique) for clique in _model(priv_bayes_module.PrivBayesGM, columns, rng, 1e-5).cliques]
    return [set(pair) in cliques for pair in ("ab", "ac", "bc")]


def network(rng, **columns):
    return _network(columns, rng)


class Plain(priv_bayes_module.MI):
    """Mutual information, not divided by anything, in nats, as the sensitivity of PrivBayes is."""

    def __call__(self, parents, child):
        counts = self.data.project([*parents, child]).datavector(flatten=False)
        joint = counts / counts.sum()
        sides = self.entropy(joint.sum(axis=-1)), self.entropy(joint.sum(axis=tuple(range(joint.ndim - 1))))
        return math.log(2) * (sum(sides) - self.entropy(joint))


def network_plain(rng, **columns):
    priv_bayes_module.MI = Plain
    return _network(columns, rng)


if __name__ == "__main__":
    answer(globals()[sys.argv[1]])
