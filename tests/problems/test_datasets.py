"""Data: LIBSVM files and every way in which they can be wrong, bundled sets, scaling, generated families.

Statistical tests have fixed seeds and are wrong with probability at most 1e-6 each.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import logging
import operator
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refused

from dpaudit.problems import datasets, families
from dpaudit.problems.constants import constants
from dpaudit.problems.datasets import Dataset, KnownFile, bundled, load_libsvm
from dpaudit.problems.losses import Loss, Problem
from dpaudit.records.errors import ConfigurationError, MissingPackageError, UnknownNameError, install_line

TEXT = "1 1:0.5 3:-2\n-1 2:1e-3 # a comment\n\n1 3:4\n"
ROWS = [[0.5, 0.0, -2.0], [0.0, 0.001, 0.0], [0.0, 0.0, 4.0]]


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> KnownFile:
    """A small file in place of a large one of the table."""
    entry = KnownFile(3, 4, "ijcnn1.bz2")
    monkeypatch.setitem(datasets.KNOWN, "ijcnn1", entry)
    return entry


def write(folder: Path, text: str, name: str = "data") -> Path:
    (folder / name).write_text(text, encoding="ascii")
    return folder / name


@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".bz2", bz2.compress), (".gz", gzip.compress)])
def test_a_file_is_read_as_it_is_written(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    file = tmp_path / f"data{suffix}"
    file.write_bytes(pack(TEXT.encode()))
    found = load_libsvm(file)
    assert found.features.tolist() == ROWS
    assert found.targets.tolist() == [1.0, -1.0, 1.0]
    assert (found.records, found.dimension, found.name) == (3, 3, f"data{suffix}")
    assert found.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_known_name_finds_the_file_in_a_folder_and_fixes_its_width(tmp_path: Path, known: KnownFile) -> None:
    (tmp_path / known.download).write_bytes(bz2.compress(TEXT.encode()))
    found = load_libsvm(tmp_path, "ijcnn1")
    assert found.features.tolist() == [[*row, 0.0] for row in ROWS]
    assert found.name == "ijcnn1"


def test_the_table_has_the_sizes_of_the_collection() -> None:
    sizes = {name: (one.records, one.features) for name, one in datasets.KNOWN.items()}
    assert sizes["ijcnn1"] == (49_990, 22)
    assert sizes["ijcnn1.t"] == (91_701, 22)
    assert sizes["ijcnn1.tr"][0] + sizes["ijcnn1.val"][0] == sizes["ijcnn1"][0]
    assert (sizes["a9a"], sizes["w8a"], sizes["covtype"]) == ((32_561, 123), (49_749, 300), (581_012, 54))


def test_a_checksum_is_verified(tmp_path: Path) -> None:
    file = write(tmp_path, TEXT)
    own = load_libsvm(file).sha256
    assert own is not None
    assert load_libsvm(file, sha256=own.upper()).records == 3
    file.write_text(TEXT.replace("0.5", "0.6"), encoding="ascii")
    with pytest.raises(ConfigurationError, match=rf"has the checksum [0-9a-f]{{64}}, expected {own}"):
        load_libsvm(file, sha256=own)


def test_a_known_checksum_is_verified_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(datasets.KNOWN, "a9a", KnownFile(3, 3, "a9a", sha256="0" * 64))
    write(tmp_path, TEXT, "a9a")
    with pytest.raises(ConfigurationError, match="expected 0000"):
        load_libsvm(tmp_path, "a9a")


def test_where_no_checksum_is_known_the_file_s_own_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = write(tmp_path, TEXT)
    with caplog.at_level(logging.WARNING):
        own = load_libsvm(file).sha256
    assert caplog.messages == [f"no checksum is known for {file}; to pin this file: sha256={own!r}"]
    caplog.clear()
    load_libsvm(file, sha256=own)
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1:2\nyes 1:3\n", r"line 2: 'yes' is not a finite label in 'yes 1:3'; expected '<label> <index>:<value>"),
        ("1 1:2\n-1 2:1:3\n", "line 2: '2:1:3' is not <index>:<finite value>"),
        ("1 1:2\n1 2\n", "line 2: '2' is not <index>:<finite value>"),
        ("1 3:2 2:1\n", "line 1: index 2 after 3: indices start at 1 and ascend"),
        ("1 1:1\n\n1 0:1\n", "line 3: index 0 after 0"),
        ("1 1:nan\n", "line 1: '1:nan' is not <index>:<finite value>"),
        ("inf 1:1\n", "line 1: 'inf' is not a finite label"),
        ("", "has no records"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        load_libsvm(write(tmp_path, text))


def test_wrong_sizes_are_refused(tmp_path: Path, known: KnownFile) -> None:
    with pytest.raises(ConfigurationError, match="has 2 records, but ijcnn1 has 3; download it again from https"):
        load_libsvm(write(tmp_path, "1 1:1\n1 1:1\n"), "ijcnn1")
    with pytest.raises(ConfigurationError, match="line 3: index 5, but there are 4 features"):
        load_libsvm(write(tmp_path, "1 1:1\n1 1:1\n1 5:1\n"), "ijcnn1")


def test_absent_files_say_what_was_tried_and_where_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"no data file at .*nowhere; get it from where you have it from"):
        load_libsvm(tmp_path / "nowhere")
    with pytest.raises(ConfigurationError) as caught:
        load_libsvm(tmp_path, "ijcnn1")
    for part in (f"{tmp_path}/ijcnn1.bz2", f"{tmp_path}/ijcnn1,", "datasets/binary/ijcnn1.bz2"):
        assert part in str(caught.value)
    with pytest.raises(ConfigurationError, match="is a folder; give the file, or name="):
        load_libsvm(tmp_path)
    with pytest.raises(UnknownNameError, match="unknown LIBSVM file 'ijcnn'; did you mean 'ijcnn1'"):
        load_libsvm(tmp_path, "ijcnn")


def test_damaged_archives_and_too_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for suffix, packed in ((".bz2", bz2.compress(TEXT.encode() * 99)), (".gz", gzip.compress(TEXT.encode() * 99))):
        file = tmp_path / f"data{suffix}"
        for damaged in (packed[: len(packed) // 2], packed[:20] + b"\xff\x00" + packed[22:], b"no archive"):
            file.write_bytes(damaged)
            with pytest.raises(ConfigurationError, match="cannot be read"):
                load_libsvm(file)
    monkeypatch.setattr(datasets, "MOST_NUMBERS", 8)
    with pytest.raises(ConfigurationError, match="has 3 x 3 numbers, more than 8"):
        load_libsvm(write(tmp_path, TEXT))


def test_without_scikit_learn_the_line_that_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(
        MissingPackageError, match=re.escape(f"scikit-learn is not installed; run: {install_line('mia')}")
    ):
        bundled("iris")
    with pytest.raises(MissingPackageError):
        load_libsvm(write(tmp_path, TEXT))


@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [
        ("breast_cancer", (569, 30), 2), ("digits", (1797, 64), 10), ("iris", (150, 4), 3), ("wine", (178, 13), 3),
        ("diabetes", (442, 10), None),
    ],
)  # fmt: skip
def test_bundled_sets_have_their_sizes(name: str, shape: tuple[int, int], classes: int | None) -> None:
    found = bundled(name)
    assert found.features.shape == shape
    assert found.targets.shape == shape[:1]
    assert (found.features.dtype, found.targets.dtype) == (np.float64, np.float64)
    assert classes is None or set(found.targets) == set(range(classes))


def test_unknown_bundled_sets_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'breast_cancer'"):
        bundled("breast_cancers")


def test_one_class_against_the_rest() -> None:
    found = bundled("wine").against_rest(2)
    assert ((found.targets == 1.0) == (bundled("wine").targets == 2)).all()
    assert set(found.targets) == {-1.0, 1.0}
    with pytest.raises(ConfigurationError, match=r"positive must be one of two or more classes \(0, 1, 2\), got 3"):
        bundled("wine").against_rest(3)


def test_standardised_columns() -> None:
    features = np.random.default_rng(0).normal(size=(50, 3)) * [1.0, 1e4, 1e-4] + [0.0, 3.0, 7.0]
    found = Dataset("x", np.hstack([features, np.full((50, 1), 0.1)]), np.zeros(50)).standardised().features
    assert found[:, :3].mean(axis=0) == pytest.approx([0.0] * 3, abs=1e-10)
    assert found[:, :3].std(axis=0) == pytest.approx([1.0] * 3)
    assert (found[:, 3] == 0.0).all()


@pytest.mark.parametrize("how", ["clip", "unit", "largest"])
@pytest.mark.parametrize("length", [1.0, 0.3])
def test_rows_are_never_too_long_in_exact_arithmetic(how: str, length: float) -> None:
    rng = np.random.default_rng(5)
    features = rng.normal(size=(300, 7)) * 10 ** rng.uniform(-3, 3, size=(300, 1))
    features[0], features[1], features[2] = 0.0, [length, 0, 0, 0, 0, 0, 0], [length / 2] * 4 + [0.0] * 3
    found = Dataset("x", features, np.zeros(300)).with_rows_within(length, how).features
    exact = [sum(Fraction(float(x)) ** 2 for x in row) for row in found]
    assert max(exact) <= Fraction(length) ** 2
    norms, before = np.linalg.norm(found, axis=1), np.linalg.norm(features, axis=1)
    expected = {
        "clip": np.minimum(before, length), "unit": np.where(before > 0, length, 0.0),
        "largest": before * length / before.max(),
    }[how]  # fmt: skip
    assert norms == pytest.approx(expected, rel=1e-14)
    if how == "clip":
        assert (found[before < 0.999 * length] == features[before < 0.999 * length]).all()


def test_wrong_scalings_are_refused() -> None:
    data = Dataset("x", np.ones((2, 2)), np.zeros(2))
    with pytest.raises(ConfigurationError, match="how must be one of 'clip', 'unit', 'largest', got 'max'"):
        data.with_rows_within(1.0, "max")
    with pytest.raises(ConfigurationError, match="length must be above 0"):
        data.with_rows_within(0.0)
    with pytest.raises(ConfigurationError, match="beyond the range of float64"):
        Dataset("x", np.full((1, 2), 1e200), np.zeros(1)).with_rows_within()


# Generated families. ----------------------------------------------------------------------------


def test_logistic_data_have_the_scales_and_the_share_that_are_asked_for() -> None:
    found = families.logistic_data(1, 20_000, 5, spread=1_000.0, positive=0.2)
    # A standard deviation from 20,000 normals misses by 5 % with probability under 1e-20.
    assert found.features.std(axis=0) == pytest.approx(np.geomspace(1, 1e-3, 5), rel=0.05)
    assert (found.targets == 1.0).mean() == pytest.approx(0.2, abs=1e-4)
    gaps = [found.features[found.targets == sign].mean(axis=0) for sign in (1.0, -1.0)]
    assert np.linalg.norm((gaps[0] - gaps[1]) / found.features.std(axis=0)) > 1, "the labels follow the features"


def test_data_like_ijcnn1() -> None:
    found = families.like_ijcnn1(2, 5_000)
    assert found.features.shape == (5_000, 22)
    assert np.linalg.norm(found.features, axis=1).max() <= 1.0
    assert (found.targets == 1.0).mean() == pytest.approx(0.0976, abs=1e-3)


def test_the_cosine_toy_has_constants_one() -> None:
    found = constants(families.cosine_toy(3, 50, 6))
    assert 1 - 1e-13 < found.lipschitz <= 1.0
    assert 1 - 1e-13 < found.record_smoothness <= 1.0


def test_block_smoothness() -> None:
    problem = families.block_smoothness(4, 9, (2, 1, 3), (5.0, 1.0, 0.25), (2.0, 0.5, 3.0))
    found = constants(problem, [(0, 1), (2,), (3, 4, 5)])
    assert found.component_smoothness == (5.0, 5.0, 1.0, 0.25, 0.25, 0.25)
    assert found.block_data_lipschitz == pytest.approx((2.0, 0.5, 3.0), rel=1e-13)
    assert all(a <= b for a, b in zip(found.block_data_lipschitz, (2.0, 0.5, 3.0), strict=True))


def smoothness_and_distance(made: tuple[Problem, Any]) -> tuple[Any, Any]:
    problem, start = made
    assert problem.gradient(np.zeros(problem.dimension)) == pytest.approx(np.zeros(problem.dimension))
    return np.diag(problem.curvature), start


def test_the_uneven_quadratics_reach_the_printed_speed_ups() -> None:
    """rbcd CMP-2 and CMP-4: both ratios tend to sqrt(d) and are below it."""
    d, root = 16, 4.0
    for ratio, least in ((10.0, 1.0), (1e6, 0.9999 * root)):
        m, w = smoothness_and_distance(families.one_flat_coordinate(d, ratio))
        assert (m * w)[1:].sum() <= (d - 1) / ratio * (1 + 1e-12) * m[0] * w[0], "what CMP-2 supposes"
        full_sampling = root * np.linalg.norm(w) / np.sqrt((1 / m).sum() * (m * w**2).sum())
        m, w = smoothness_and_distance(families.one_steep_coordinate(d, ratio))
        assert max((m * w)[1:].max() / (m[0] * w[0]), w[1:].max() / w[0], m[1:].max() / m[0]) <= 1 / ratio, "CMP-4"
        importance = root * np.sqrt((m * w**2).sum()) / (np.linalg.norm(w) * np.sqrt(m.sum()))
        assert least <= full_sampling <= root
        assert least <= importance <= root


@pytest.mark.parametrize("records", [4, 5])
def test_slopes_come_in_the_adversarial_order(records: int) -> None:
    problem = families.slopes_in_order(records, 0.7, 2)
    expected = [0.7] * ((records + 1) // 2) + [-0.7] * (records // 2)
    assert problem.record_gradients(np.array([5.0, 1.0])).tolist() == [[x, 0.0] for x in expected]
    curved = families.slopes_in_order(records, 0.7, curved=True)
    expected[records // 2] = 0.2
    for at, slope in ((0.2, 0.2), (69.0, 0.7), (-69.0, -0.7)):
        expected[records // 2] = slope
        assert curved.record_gradients(np.array([at]))[:, 0] == pytest.approx(expected, abs=1e-12)
    assert constants(curved).lipschitz == 0.7


def test_random_signs_have_their_mean() -> None:
    problem = families.random_signs(6, 40_000, 0.3)
    assert set(np.unique(problem.features)) == {-1.0, 1.0}
    # Hoeffding: a deviation of 0.03 from 40,000 signs has probability below 2 exp(-18) < 4e-8.
    assert problem.features.mean() == pytest.approx(0.3, abs=0.03)
    assert (families.random_signs(6, 10, 1.0).features == 1.0).all()


def test_the_noisy_quadratic() -> None:
    problem, centre = families.noisy_quadratic(7, 10, [1.0, -2.0, 0.5], 3.0, 0.4), np.array([1.0, -2.0, 0.5])
    assert problem.gradient(centre) == pytest.approx(np.zeros(3), abs=1e-15)
    point = np.array([0.3, 0.1, 7.0])
    deviations = problem.record_gradients(point) - problem.gradient(point)
    assert np.linalg.norm(deviations, axis=1) == pytest.approx([0.4] * 10)
    assert problem.gradient(point) == pytest.approx(3.0 * (point - centre))


def test_the_centred_quadratic_differs_from_the_printed_loss_by_a_constant() -> None:
    problem = families.centred_quadratic(8, 5, 4, 2.5)
    centres = problem.features / 2.5
    assert np.linalg.norm(centres, axis=1) == pytest.approx([1.0] * 5)
    first, second = np.random.default_rng(9).normal(size=(2, 4))
    printed = [2.5 / 2 * ((w - centres) ** 2).sum(axis=1) for w in (first, second)]
    assert problem.record_values(first) - problem.record_values(second) == pytest.approx(printed[0] - printed[1])


def test_a_canary_pair_differs_in_one_record() -> None:
    first, second = families.canary_pair(4, [3.0, 4.0], [-1.0, 0.0])
    assert (first.features[0].tolist(), second.features[0].tolist()) == ([3.0, 4.0], [-3.0, -4.0])
    assert (first.features[1:] == second.features[1:]).all()
    assert first.features[3].tolist() == [-1.0, 0.0]
    assert (families.canary_pair(3, [1.0])[0].features[1:] == 0.0).all()


def test_the_same_seed_gives_the_same_data() -> None:
    for make in (
        lambda rng: families.logistic_data(rng, 6, 3).features,
        lambda rng: families.cosine_toy(rng, 6, 3).features,
        lambda rng: families.block_smoothness(rng, 6, (2, 1), (1.0, 2.0), (1.0, 1.0)).features,
        lambda rng: families.noisy_quadratic(rng, 6, [0.0, 0.0], 1.0, 1.0).features,
    ):
        assert (make(5) == make(np.random.default_rng(5))).all()
        assert (make(5) != make(6)).any()


def test_families_have_the_losses_that_they_name() -> None:
    assert families.cosine_toy(0, 2, 2).loss is Loss.COSINE
    assert families.slopes_in_order(3, 1.0, curved=True).loss is Loss.HUBER


test_wrong_sizes_of_families_are_refused = refused(
    operator.call,
    (lambda: families.logistic_data(0, 0, 3), "records must be at least 1"),
    (lambda: families.logistic_data(0, 3, 3, spread=0.5), "spread must be at least 1"),
    (lambda: families.cosine_toy(0, 3, 0), "dimension must be at least 1"),
    (lambda: families.block_smoothness(0, 3, (1, 2), (1.0,), (1.0, 1.0)), "as many, at least one, got 2, 1 and 2"),
    (lambda: families.block_smoothness(0, 3, (1,), (0.0,), (1.0,)), r"smoothness\[0\] must be above 0"),
    (lambda: families.one_flat_coordinate(1, 2.0), "dimension must be at least 2"),
    (lambda: families.one_steep_coordinate(4, 0.5), "ratio must be at least 1"),
    (lambda: families.slopes_in_order(3, -1.0), "slope must be above 0"),
    (lambda: families.random_signs(0, 3, 1.5), "mean must be at most 1"),
    (lambda: families.canary_pair(3, [1.0, 2.0], [1.0]), r"vectors of one length, got shapes \(2,\) and \(1,\)"),
)
