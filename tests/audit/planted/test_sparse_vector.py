"""The sparse vector technique: what its codes mean, the law of its noise, and that every broken form is caught."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.audit.planted import sparse_vector
from dpaudit.audit.planted.sparse_vector import ABOVE, BELOW, NOT_ASKED, SparseVector
from dpaudit.content.loading import load_targets
from dpaudit.noise.stream import Stream, Trials

AUDITS = Path(__file__).parents[3] / "audits"
CORRECT, *BROKEN = (item.carrier for item in load_targets([AUDITS / "mechanisms" / "sparse_vector.py"]))


def trials(number: int = 2000) -> Trials:
    return Trials(Stream(3, "sparse vector"), np.arange(number))


def test_without_noise_it_compares_and_stops() -> None:
    exact = SparseVector(threshold=0.5, threshold_scale=1e-12, query_scale=0.0, most_positives=2)
    codes = exact.run([0.0, 1.0, 0.0, 1.0, 1.0, 0.0], trials(3))
    assert codes.tolist() == [[BELOW, ABOVE, BELOW, ABOVE, NOT_ASKED, NOT_ASKED]] * 3


def test_without_a_cap_every_query_is_answered() -> None:
    codes = sparse_vector.no_cap(1.0, 1, 0.0).run(np.full(6, 50.0), trials())
    assert (codes == ABOVE).all()


def test_revealed_answers_lie_above_the_threshold_and_stand_where_they_belong() -> None:
    mechanism = SparseVector(0.5, 1e-12, 1.0, 1, reveals=True)
    codes, released = np.split(mechanism.run([0.0, 0.5, 1.0], trials()), 2, axis=1)
    assert (released[codes == ABOVE] > 0.499).all()
    assert (released[codes != ABOVE] == 0).all()
    assert 0.2 < np.mean(codes[:, 0] == ABOVE) < 0.4  # exp(-1/2)/2 = 0.30; six standard errors are 0.06


@pytest.mark.parametrize(
    ("form", "threshold_scale", "query_scale"),
    [
        (sparse_vector.correct, 2.0, 12.0),
        (sparse_vector.no_query_noise, 2.0, 0.0),
        (sparse_vector.no_cap, 2.0, 2.0),
        (sparse_vector.noise_for_one_positive, 4.0, 4 / 3),
        (sparse_vector.reveals_answer, 2.0, 6.0),
    ],
)
def test_scales_at_epsilon_1_and_3_positives(
    form: sparse_vector.Form, threshold_scale: float, query_scale: float
) -> None:
    mechanism = form(1.0, 3, 0.5)
    assert (mechanism.threshold_scale, mechanism.query_scale) == (threshold_scale, query_scale)
    assert form(0.5, 3, 0.5).threshold_scale == 2 * threshold_scale


def test_the_law_of_one_comparison() -> None:
    """P(above) at threshold 1 with two unit Laplace draws: 1/2 exp(-1) (1 + 1/2); false alarm 1e-9."""
    codes = SparseVector(1.0, 1.0, 1.0, None).run([0.0], trials(20_000))
    number = int((codes == ABOVE).sum())
    law = binom(20_000, 0.75 * np.exp(-1))
    assert min(law.cdf(number), law.sf(number - 1)) > 5e-10


def test_there_is_a_target_for_every_broken_form() -> None:
    """That each is another form shows in what is said with the same noise."""
    said = {b.run(b.neighbours(np.random.default_rng(0))[0], trials(200)).tobytes() for b in BROKEN}
    assert len(said) == len(BROKEN) == len(sparse_vector.BROKEN)
