"""A command in any language: it gets a data set as a file, and a seed, and prints its release as JSON.

    from dpaudit.adapters.command import Command
    from dpaudit.records.privacy import claim

    AUDIT = Command("mine/sum", ("./my_sum", "{data}", "{seed}"), form="csv",
                    pair=(np.ones(10), np.ones(9)), claim=claim(epsilon=1.0))

One process a trial: `{data}` and `{seed}` in `argv` become the path of the data set and an integer from 0 to 2^63 - 1.
A worker (`worker=True`) is started once for a batch of trials and answers one line for each line that it reads, in
order: `{"trial": 7, "seed": 123, "data": "/path/data.csv"}` in, `[0.25, -1.5]` or `0.25` out; it ends when its input
does. Requests are written ahead, so that nobody waits for the other. There is no shell. `docs/any_language.md` has
workers in other languages.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import os
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from dpaudit.adapters._processes import Process
from dpaudit.adapters.base import Adapter, Options
from dpaudit.adapters.release import output_attacks
from dpaudit.content import loading
from dpaudit.content.audits import Data
from dpaudit.noise.stream import Trials
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import PrivacyClaim

FORMS = ("npz", "csv")


class Command(Adapter):
    """A program that is run on each of two neighbouring data sets, once a trial or as a worker for many."""

    def __init__(
        self,
        name: str,
        argv: Sequence[str] | Callable[[], Sequence[str]],
        *,
        pair: tuple[Data, Data],
        claim: PrivacyClaim,
        form: Literal["npz", "csv"] = "npz",
        worker: bool = False,
        seconds: float = 60.0,
        most_bytes: int = 1 << 20,
        float_bits: bool = False,
        **options: Unpack[Options],
    ) -> None:
        """argv: the program and its arguments, texts or paths, or a function that finds them when the audit starts; a
        relative path of a program, and the name of any file that lies beside the audit file, are taken from there.

        pair: the data set and its neighbour: an array, or names to arrays. form: "npz" (`numpy.load`; one array has the
        name `data`) or "csv" (one line a record, numbers to the last digit, texts quoted where they must be; names to
        columns make a first line).
        seconds: the longest that one answer may take; most_bytes: the longest answer. float_bits: look at the last
        digits too. A program that cannot be seeded needs deterministic=False. Raises ConfigurationError for arguments
        that cannot be.
        """
        super().__init__(name, claim, output_attacks(float_bits), **options)
        if form not in FORMS:
            raise ConfigurationError(f"{name}: form must be one of {', '.join(FORMS)}, got {form!r}")
        if not (0 < seconds < math.inf and most_bytes > 0):
            raise ConfigurationError(f"{name}: seconds and most_bytes must be above 0, got {seconds}, {most_bytes}")
        if not callable(argv):
            argv = _checked(name, argv, worker)
        self._pair = self._neighbours(pair)
        self._argv, self._worker, self._form, self._home = argv, worker, form, loading.home()
        self._seconds, self._most_bytes = seconds, most_bytes

    def neighbours(self, rng: np.random.Generator) -> tuple[Data, Data]:
        """The pair that the user gave."""
        return self._pair

    def run(self, data: Data, trials: Trials) -> NDArray[np.float64]:
        """One row a trial, shape (trials, ...). ContentError says what the command did wrong, and in which trial."""
        argv = self._argv
        if callable(argv):
            argv = _checked(self.TARGET.name, argv(), self._worker)
        argv = _beside(argv, self._home)
        asked = [(int(number), int(seed)) for number, seed in zip(trials.numbers, trials.seeds(), strict=True)]
        with tempfile.TemporaryDirectory(prefix="dpaudit-") as folder:
            path = write(data, Path(folder), self._form)
            play = self._from_worker if self._worker else self._one_by_one
            with closing(play(argv, path, asked)) as lines:  # an error must not leave the process to the collector
                rows = [_numbers(line, trial) for line, (trial, _) in zip(lines, asked, strict=True)]
        return _stacked(rows, asked)

    def _one_by_one(
        self, argv: Sequence[str], path: Path, asked: list[tuple[int, int]]
    ) -> Generator[bytes, None, None]:
        for trial, seed in asked:
            words = [word.replace("{data}", str(path)).replace("{seed}", str(seed)) for word in argv]
            with Process(words, self._seconds, self._most_bytes) as process:
                lines = list(itertools.islice(process.lines(b""), 2))
            if len(lines) != 1:
                number = "nothing" if not lines else "more than one line"
                raise ContentError(f"the command {argv[0]!r} printed {number} in trial {trial}; it must print one line")
            yield lines[0]

    def _from_worker(
        self, argv: Sequence[str], path: Path, asked: list[tuple[int, int]]
    ) -> Generator[bytes, None, None]:
        requests = (json.dumps({"trial": trial, "seed": seed, "data": str(path)}) for trial, seed in asked)
        answered = 0
        with Process(argv, self._seconds, self._most_bytes) as process:
            for line in process.lines("".join(f"{request}\n" for request in requests).encode()):
                answered += 1
                if answered > len(asked):
                    raise ContentError(
                        f"the worker {argv[0]!r} is out of step: it printed more than one line a request, {line[:80]!r}"
                    )
                yield line
        if answered < len(asked):
            raise ContentError(
                f"the worker {argv[0]!r} ended after {answered} of {len(asked)} answers; it must print one line for "
                "every line that it reads"
            )


def write(data: Data, folder: Path, form: str) -> Path:
    """Write a data set, an array or names to arrays, as `data.npz` or `data.csv` in `folder`; its path.

    ContentError for anything but real numbers and texts, and for a table that cannot be written line by line.
    """
    named = data if isinstance(data, Mapping) else {"data": data}
    try:
        parts = {str(name): np.asarray(part) for name, part in named.items()}
    except ValueError as error:  # features beside labels
        raise ContentError(f"a data set for a command must be an array, or names to arrays: {error}") from error
    wrong = [f"{name}: {part.dtype}" for name, part in parts.items() if part.dtype.kind not in "biufU"]
    if wrong:
        got = ", ".join(wrong)
        raise ContentError(f"a data set for a command must be arrays of real numbers or of texts, got {got}")
    path = folder / f"data.{form}"
    if form == "npz":
        np.savez(path, **parts)  # type: ignore[arg-type]  # the stubs take a name for allow_pickle
        return path
    columns = [np.atleast_1d(part) for part in parts.values()]
    if len({len(column) for column in columns}) != 1 or any(column.ndim > 2 for column in columns):
        raise ContentError('form="csv" takes one array of at most two axes, or columns of one length; use form="npz"')
    blocks = [column.reshape(len(column), math.prod(column.shape[1:])).tolist() for column in columns]
    table = zip(*blocks, strict=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([parts] if isinstance(data, Mapping) else [])
        writer.writerows([_cell(value) for cells in row for value in cells] for row in table)
    return path


def _cell(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def _checked(name: str, argv: Sequence[str], worker: bool) -> Sequence[str]:
    given = [argv] if isinstance(argv, str) else list(argv)
    words = [os.fspath(word) if isinstance(word, os.PathLike) else word for word in given]
    if isinstance(argv, str) or not words or not all(isinstance(word, str) and word for word in words):
        raise ConfigurationError(
            f"{name}: argv must be a list of words, the program first, got {argv!r}; no shell reads it"
        )
    lacking = [part for part in ("{data}", "{seed}") if not any(part in word for word in words)]
    if lacking and not worker:
        raise ConfigurationError(
            f"{name}: argv has no {' and no '.join(lacking)}, so every trial would be the same; a worker that reads "
            "requests from its standard input needs worker=True"
        )
    return words


def _beside(argv: Sequence[str], home: Path) -> Sequence[str]:
    """The words with those that name files of the folder `home` as absolute paths; a bare program is one of the system.

    The working directory may be that of a sandbox, which is empty.
    """
    program, *words = argv
    if os.sep in program:
        program = str(home / program)
    return [program, *(str(home / word) if os.path.isfile(home / word) else word for word in words)]  # of any length


def _numbers(line: bytes, trial: int) -> NDArray[np.float64]:
    """The release of one trial from one line of JSON."""
    try:
        value = json.loads(line)
        found = np.asarray(value)
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, a ragged list, too deep
        raise ContentError(f"the answer to trial {trial} is not a JSON array or number: {_start(line)}") from error
    if found.dtype.kind not in "biuf" and not (found.dtype.kind == "O" and _integers(value)):
        raise ContentError(
            f"the answer to trial {trial} must be numbers alone, got {_start(line)}; of a category print its number"
        )
    numbers = np.asarray(found, dtype=np.float64)
    if np.isnan(numbers).any():
        raise ContentError(f"the answer to trial {trial} has NaN: {_start(line)}")
    return numbers


def _integers(value: object) -> bool:
    """Integers beyond 64 bits, which NumPy keeps as objects."""
    return all(map(_integers, value)) if isinstance(value, list) else type(value) is int


def _start(line: bytes) -> str:
    return repr(line[:80].decode(errors="replace")) + ("..." if len(line) > 80 else "")


def _stacked(rows: list[NDArray[np.float64]], asked: list[tuple[int, int]]) -> NDArray[np.float64]:
    for row, (trial, _) in zip(rows, asked, strict=False):
        if row.shape != rows[0].shape:
            raise ContentError(
                f"trial {trial} released numbers of shape {row.shape}, trial {asked[0][0]} of shape {rows[0].shape}; "
                "every trial must release the same"
            )
    return np.stack(rows) if rows else np.empty(0)
