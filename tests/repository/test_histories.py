"""Runs on a cluster to which anything may happen: each task counts once, and the files are those of a quiet run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import histories
import pytest
from depth import repeats
from plans import silent
from resumed_runs import files

from dpaudit.runs import provenance
from dpaudit.runs.execute import run
from dpaudit.runs.plan import make_plan

distributed = pytest.importorskip("distributed", reason="needs the extra dask")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two workers, each started again when it is killed."""
    for name in provenance.THREAD_VARIABLES:
        monkeypatch.setenv(name, "1")
    environment = dict.fromkeys(provenance.THREAD_VARIABLES, "1")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, env=environment,
                                  dashboard_address="127.0.0.1:0") as made:  # fmt: skip
        yield made


@pytest.mark.deep
def test_random_histories_end_in_the_files_of_a_quiet_run(workdir: Path, cluster: Any) -> None:
    histories.fill(workdir)
    run(make_plan(histories.settings("local")), workdir / "quiet", silent)
    whole, executor = files(workdir / "quiet"), str(cluster.scheduler_address).replace("tcp", "dask", 1)
    found = Counter[str]()
    for seed in range(repeats(8, 200)):
        folder = workdir / f"history-{seed}"
        cluster.scale(2)  # one that is killed while it starts is not started again
        history = histories.drawn(seed)
        found += histories.happened(history, cluster, executor, folder)
        assert histories.wrong(folder, whole) == "", history
    assert min(found[what] for what in (histories.KILL, histories.PAUSE, "the run is killed", "resumed")) > 0, found
