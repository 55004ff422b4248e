"""Runs on a cluster to which anything may happen: each task counts once, and the files are those of a quiet run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import histories
import pytest
import warm_cluster
from resumed_runs import files

from dpaudit.runs import provenance

pytest.importorskip("distributed", reason="needs the extra dask")

PARTS = 10


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two workers, each started again when it is killed."""
    for name in provenance.THREAD_VARIABLES:
        monkeypatch.setenv(name, "1")
    for name in ("version", "source_digest"):  # half of what a run costs that is planned and hands out its tasks
        monkeypatch.setattr(provenance, name, cache(getattr(provenance, name)))
    with warm_cluster.cluster() as made:
        yield made


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("part", range(PARTS))
def test_random_histories_end_in_the_files_of_a_quiet_run(part: int, workdir: Path, cluster: Any) -> None:
    histories.fill(workdir)
    quiet = warm_cluster.copy(histories.play, "local", workdir / "quiet")
    quiet.join()
    whole = files(workdir / "quiet")
    found = Counter[str]()
    for seed in range(part, 200, PARTS):
        folder = workdir / f"history-{seed}"
        cluster.scale(2)  # one that is killed while it starts is not started again
        history = histories.drawn(seed)
        found += histories.happened(history, cluster, folder)
        assert histories.wrong(folder, whole) == "", history
    happens = histories.KILL, histories.PAUSE, histories.SCHEDULER, "the run is killed", "resumed"
    assert min(found[what] for what in happens) > 0, found
