"""Batches whose rows are shared out to threads."""

from __future__ import annotations

import threading

import numba
import numpy as np
import pytest

from dpaudit.noise import threads
from dpaudit.noise.threads import LEAST, share_rows


@pytest.fixture(autouse=True)
def _four_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", 4)


@pytest.mark.parametrize("count", [0, 1, LEAST, 2 * LEAST + 1, 4 * LEAST - 1, 10 * LEAST + 7])
def test_every_row_is_handed_out_once(count: int) -> None:
    out, numbers = np.zeros((count, 2)), np.arange(count)

    def kernel(out: np.ndarray, numbers: np.ndarray, factor: int) -> None:
        out[:, 0] += factor * numbers
        out[:, 1] += 1

    share_rows(kernel, (out, numbers), 3)
    np.testing.assert_array_equal(out, np.stack([3 * np.arange(count), np.ones(count)], axis=1))


def test_as_many_threads_as_numba_may_use_and_no_more_than_rows_need() -> None:
    seen: dict[int, int] = {}
    together = threading.Barrier(4)

    def kernel(rows: np.ndarray) -> None:
        together.wait(timeout=20)  # all four run at once
        seen[threading.get_ident()] = len(rows)

    share_rows(kernel, (np.zeros(10 * LEAST),))
    assert sum(seen.values()) == 10 * LEAST
    assert len(seen) == 4
    calls = []
    share_rows(lambda rows: calls.append(threading.current_thread()), (np.zeros(2 * LEAST - 1),))
    assert calls == [threading.current_thread()]


def test_what_a_kernel_raises_is_raised() -> None:
    def kernel(rows: np.ndarray) -> None:
        if rows[-1] == 4 * LEAST - 1:
            raise ZeroDivisionError("in the last thread")

    with pytest.raises(ZeroDivisionError, match="in the last thread"):
        threads.share_rows(kernel, (np.arange(4 * LEAST),))
