"""Data for experiments: LIBSVM files from disk and the sets bundled with scikit-learn; nothing is downloaded.

Generated data are in `dpaudit.problems.families`. Scaling is never done unasked: `Dataset.standardised` and
`Dataset.with_rows_within` say what they do. What they compute from the data (means, deviations, the largest norm) is
released with the model unless it is accounted for.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import logging
import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ConfigurationError, MissingPackageError, UnknownNameError
from dpaudit.records.validation import check_choice, check_number

LOG = logging.getLogger(__name__)
SITE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"
BUNDLED = ("breast_cancer", "diabetes", "digits", "iris", "wine")
MOST_NUMBERS = 1 << 28
"""Features are dense: at most so many numbers (2 GB) are loaded."""


@dataclass(frozen=True)
class KnownFile:
    """What a file of the LIBSVM collection must hold; sha256 of the file as it is downloaded, None where unknown."""

    records: int
    features: int
    download: str
    sha256: str | None = None


KNOWN = {
    "a9a": KnownFile(32_561, 123, "a9a"),
    "a9a.t": KnownFile(16_281, 123, "a9a.t"),
    "covtype": KnownFile(581_012, 54, "covtype.libsvm.binary.bz2"),
    "ijcnn1": KnownFile(49_990, 22, "ijcnn1.bz2"),
    "ijcnn1.t": KnownFile(91_701, 22, "ijcnn1.t.bz2"),
    "ijcnn1.tr": KnownFile(35_000, 22, "ijcnn1.tr.bz2"),
    "ijcnn1.val": KnownFile(14_990, 22, "ijcnn1.val.bz2"),
    "mushrooms": KnownFile(8_124, 112, "mushrooms"),
    "phishing": KnownFile(11_055, 68, "phishing"),
    "w8a": KnownFile(49_749, 300, "w8a"),
    "w8a.t": KnownFile(14_951, 300, "w8a.t"),
}
"""Sizes as the collection states them. It publishes no checksums, and none is invented here: pin your own file."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """features: (n, d), finite; targets: (n,), labels, class numbers or real targets; sha256: of the file, if any."""

    name: str
    features: Array
    targets: Array
    sha256: str | None = None

    @property
    def records(self) -> int:
        """n."""
        return len(self.features)

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.features.shape[1])

    def against_rest(self, positive: float) -> Dataset:
        """Targets 1 for the class `positive`, -1 for every other; ConfigurationError if no record or all have it."""
        signs = np.where(self.targets == positive, 1.0, -1.0)
        if abs(signs.sum()) == self.records:
            classes = ", ".join(f"{x:g}" for x in np.unique(self.targets)[:10])
            raise ConfigurationError(f"positive must be one of two or more classes ({classes}), got {positive}")
        return replace(self, targets=signs)

    def standardised(self) -> Dataset:
        """Columns with mean 0 and variance 1 over these records; a constant column becomes 0."""
        centred = self.features - self.features.mean(axis=0)
        # The mean of equal numbers may miss them by roundings: such a column is constant, not one of tiny variance.
        constant = np.ptp(self.features, axis=0) == 0
        deviations = np.where(constant, 1.0, centred.std(axis=0))
        return replace(self, features=np.where(constant, 0.0, centred / deviations))

    def with_rows_within(self, length: float = 1.0, how: str = "clip") -> Dataset:
        """Rows of norm at most `length`, also in exact arithmetic.

        how: "clip" shortens the longer rows, "unit" gives all rows but zeros that length (less some roundings),
        "largest" divides all rows by the same number, so that the longest has it.
        """
        check_number("length", length, above=0.0)
        check_choice("how", how, ("clip", "unit", "largest"))
        with np.errstate(over="ignore"):
            norms = np.linalg.norm(self.features, axis=1)
        if not np.isfinite(norms).all():
            raise ConfigurationError("a row has a norm beyond the range of float64; use `standardised` first")
        if how == "largest":
            norms = np.full(self.records, norms.max())
        # Twice the roundings of a norm, a quotient and a product: the result may be short by them, never long.
        safe = length * (1 - (2 * self.dimension + 8) * 2.0**-53)
        factors = np.divide(safe, norms, out=np.ones(self.records), where=norms > (safe if how == "clip" else 0.0))
        return replace(self, features=self.features * factors[:, None])


def bundled(name: str) -> Dataset:
    """A set that scikit-learn carries: breast_cancer (569, 30) and digits (1797, 64), iris (150, 4), wine (178, 13)
    with class numbers as targets, diabetes (442, 10) with real ones. UnknownNameError, MissingPackageError."""
    if name not in BUNDLED:
        raise UnknownNameError("bundled data set", name, BUNDLED)
    features, targets = getattr(_sklearn_datasets(), f"load_{name}")(return_X_y=True)
    return Dataset(name, np.asarray(features, dtype=float), np.asarray(targets, dtype=float))


def load_libsvm(path: str | Path, name: str | None = None, sha256: str | None = None) -> Dataset:
    """A file in LIBSVM format, plain, .gz or .bz2.

    path: the file, or with `name` the folder that holds it. name: one of `KNOWN`, whose numbers of records and
    features are then required; None for any file. sha256: checksum that the file on disk must have; where neither this
    nor the table has one, the log says so with the file's own. Targets are the labels as written; see
    `Dataset.against_rest`. Raises ConfigurationError (absent, wrong checksum, malformed line, wrong size),
    UnknownNameError, MissingPackageError.
    """
    if name is not None and name not in KNOWN:
        raise UnknownNameError("LIBSVM file", name, KNOWN)
    known = None if name is None else KNOWN[name]
    file = _find(Path(path), name, known)
    digest = _check_sum(file, sha256 or (known.sha256 if known else None))
    features, targets = _parse(file, known.features if known else None)
    if known and len(targets) != known.records:
        raise ConfigurationError(
            f"{file} has {len(targets)} records, but {name} has {known.records}; download it again from "
            f"{SITE}{known.download}, or leave out name=... for a part of it"
        )
    return Dataset(name or file.name, features, targets, digest)


def _find(path: Path, name: str | None, known: KnownFile | None) -> Path:
    tried = [path]
    if path.is_dir():
        if name is None or known is None:
            raise ConfigurationError(f"{path} is a folder; give the file, or name= one of {', '.join(sorted(KNOWN))}")
        tried = [path / one for one in dict.fromkeys((known.download, name, f"{name}.bz2", f"{name}.gz"))]
    for candidate in tried:
        if candidate.is_file():
            return candidate
    source = f"{SITE}{known.download}" if known else "where you have it from; nothing is downloaded here"
    raise ConfigurationError(f"no data file at {', '.join(str(one) for one in tried)}; get it from {source}")


def _check_sum(file: Path, expected: str | None) -> str:
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if expected is None:
        LOG.warning("no checksum is known for %s; to pin this file: sha256=%r", file, digest)
    elif digest != expected.lower():
        raise ConfigurationError(
            f"{file} has the checksum {digest}, expected {expected}: it is another file or damaged"
        )
    return digest


def _parse(file: Path, features: int | None) -> tuple[Array, Array]:
    try:
        rows, targets = _sklearn_datasets().load_svmlight_file(str(file), n_features=features, zero_based=False)
    except (ValueError, OSError, EOFError, zlib.error) as error:  # of the parser and of the decompressors
        raise ConfigurationError(f"{file}{_first_bad_line(file, features) or f' cannot be read: {error}'}") from error
    if not len(targets):
        raise ConfigurationError(f"{file} has no records")
    if math.prod(rows.shape) > MOST_NUMBERS:
        raise ConfigurationError(f"{file} has {rows.shape[0]} x {rows.shape[1]} numbers, more than {MOST_NUMBERS}")
    if not (np.isfinite(rows.data).all() and np.isfinite(targets).all()):
        raise ConfigurationError(f"{file}{_first_bad_line(file, features) or ' has numbers that are not finite'}")
    return rows.toarray(), targets


def _first_bad_line(file: Path, features: int | None) -> str:
    """Where and why the first malformed line is; "" if there is none."""
    try:
        for number, line in enumerate(_lines(file), start=1):
            reason = _why_malformed(line.partition("#")[0].split(), features)
            if reason:
                return f", line {number}: {reason} in {line.strip()[:60]!r}; expected '<label> <index>:<value> ...'"
    except (OSError, EOFError, UnicodeDecodeError, zlib.error):
        return ""  # not a text file; the parser's own message says more
    return ""


def _lines(file: Path) -> Iterator[str]:
    openers: dict[str, Any] = {".bz2": bz2.open, ".gz": gzip.open}
    stream: IO[str]
    with openers.get(file.suffix, open)(file, "rt", encoding="ascii") as stream:
        yield from stream


def _why_malformed(words: list[str], features: int | None) -> str:
    if words and not _is_finite(words[0]):
        return f"{words[0]!r} is not a finite label"
    last = 0
    for word in words[1:]:
        index, colon, value = word.partition(":")
        if not colon or not index.isdecimal() or not _is_finite(value):
            return f"{word!r} is not <index>:<finite value>"
        if int(index) <= last:
            return f"index {index} after {last}: indices start at 1 and ascend"
        last = int(index)
        if features is not None and last > features:
            return f"index {last}, but there are {features} features"
    return ""


def _is_finite(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def _sklearn_datasets() -> Any:
    try:
        import sklearn.datasets
    except ModuleNotFoundError as error:
        raise MissingPackageError("scikit-learn", "mia") from error
    return sklearn.datasets
