"""Work in processes: same answers as here, and a dead worker costs one item."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from joblib.externals.loky import process_executor
from local_items import Counted, fatal, patience, square, wait_for, wait_for_counted

from dpaudit.records.errors import ConfigurationError
from dpaudit.runs.executors import local
from dpaudit.runs.executors.local import WorkerDied, execute


def test_one_job_runs_here_and_in_order() -> None:
    here = os.getpid()
    answers = list(execute(lambda item: (item, os.getpid()), [3, 1, 2], 1))
    assert answers == [(0, (3, here)), (1, (1, here)), (2, (2, here))]


def test_two_jobs_run_elsewhere_and_give_the_same() -> None:
    answers = sorted(execute(square, list(range(6)), 2))
    assert [value for _, (value, _) in answers] == [i * i for i in range(6)]
    assert os.getpid() not in {process for _, (_, process) in answers}


def test_a_worker_that_dies_takes_only_its_own_item() -> None:
    answers = dict(execute(fatal, ["fine", "die", "well", "good"], 2))
    assert isinstance(answers.pop(1), WorkerDied)
    assert answers == {0: "FINE", 2: "WELL", 3: "GOOD"}


KILLED_BEFORE_THE_FIRST_ITEM = """
import os, signal, time
from dpaudit.runs.executors.local import execute

class Item:
    def __reduce__(self):
        time.sleep(2)  # by now the workers wait for an item
        os.kill(os.getpid(), signal.SIGKILL)

list(execute(abs, [Item(), Item()], 2))
"""


def test_workers_that_have_no_item_yet_end_with_their_parent() -> None:
    process = subprocess.Popen([sys.executable, "-c", KILLED_BEFORE_THE_FIRST_ITEM], stdout=subprocess.PIPE)
    process.communicate(timeout=60)  # its workers hold the pipe; idle ones would wait for five minutes
    assert process.returncode < 0


def test_nothing_to_do_is_no_work() -> None:
    assert list(execute(square, [], 2)) == []


def test_answers_arrive_before_the_last_one_is_done(tmp_path: Path) -> None:
    arrived = execute(wait_for, [tmp_path / "go", None], 2)
    position, _ = next(arrived)
    (tmp_path / "go").touch()
    assert position == 1
    assert [p for p, _ in arrived] == [0]


def test_items_are_handed_out_while_the_work_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counted, "pickled", 0)
    go = tmp_path / "go"
    arrived = execute(wait_for_counted, [Counted(path) for path in (go, None, go, go, go, go)], 2)
    first = next(arrived)
    handed_out = Counted.pickled
    go.touch()
    assert sorted([first, *arrived]) == [(position, True) for position in range(6)]
    assert handed_out <= 4, "one more than has a worker, since joblib's threads may both see that one is free"


@pytest.mark.parametrize("name", ["dask://", "dask://host", "dask://:1", "spark://host:1", "host:1", "local://a:1", ""])
def test_an_executor_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="must be local, dask://HOST:PORT or ray://HOST:PORT"):
        local.parse(name)


def test_the_kind_and_the_address_of_an_executor() -> None:
    assert local.parse("local") == ("local", "")
    assert local.parse("dask://10.0.0.1:8786") == ("dask", "10.0.0.1:8786")
    assert local.parse("ray://[::1]:10001") == ("ray", "[::1]:10001")


def test_processes_of_this_machine_need_no_comparison() -> None:
    with local.workers("local", 1, dict) as execute:
        assert list(execute(str, [1, 2])) == [(0, "1"), (1, "2")]


def test_threads_are_limited_unless_the_user_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MKL_NUM_THREADS", "4")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    local.limit_threads()
    assert (os.environ["OMP_NUM_THREADS"], os.environ["MKL_NUM_THREADS"]) == ("1", "4")


def test_the_default_is_at_least_one_job() -> None:
    assert 1 <= local.default_jobs() <= local.MOST_JOBS


def test_the_advice_of_loky_on_workers_that_have_grown_is_not_shown() -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        list(execute(square, [1, 2], 2))
        warnings.warn("A worker stopped while some jobs were given to the executor.", UserWarning, stacklevel=1)
    assert [str(one.message) for one in heard] == []


def test_a_worker_may_grow_by_what_torch_takes_and_seldom_looks() -> None:
    told = {answer for _, answer in execute(patience, [1, 2], 2)}
    assert told == {(local._GROWN, local._LOOKS_S)}
    before = local._GROWN, local._LOOKS_S
    assert before > (process_executor._MAX_MEMORY_LEAK_SIZE, process_executor._MEMORY_LEAK_CHECK_DELAY), "loky's own"
