"""Work on a real Dask cluster of two workers: the records of a local run, whatever dies, or a clear error."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cluster_items import fatal, kill_named, lacking, only_here, process, stamped, wait_for
from command_line import dpaudit
from plans import silent
from small_content import NOISY_SUM, boxed_text, claim_text, target_text, write

from dpaudit.records.errors import ConfigurationError, MissingPackageError
from dpaudit.records.verdict import ExitCode, Outcome
from dpaudit.runs import provenance, resume, store
from dpaudit.runs.execute import run
from dpaudit.runs.executors import dask as cluster
from dpaudit.runs.executors import local
from dpaudit.runs.executors.dask import ClusterLost, WorkerDied
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings

distributed = pytest.importorskip("distributed", reason="needs the extra dask")

HERE = Path(__file__).parents[3]
HOLD = """import os, pathlib, time
    if not pathlib.Path("{flag}").exists():
        pathlib.Path("{flag}").write_text(str(os.getpid()))
        time.sleep(60)
    """
"""The first time that a target is played it waits for its end."""


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the command line has it before anything is computed."""
    for name in provenance.THREAD_VARIABLES:
        monkeypatch.setenv(name, "1")


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Any]:
    """A cluster for all tests that kill no more than its workers, which are started again."""
    with _cluster(2) as made:
        yield made


@pytest.fixture
def dask(two_workers: Any) -> str:
    """The name of an executor with two workers."""
    with distributed.Client(two_workers, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=180)
    return _name(two_workers)


def _cluster(workers: int) -> Any:
    environment = dict.fromkeys(provenance.THREAD_VARIABLES, "1")
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", env=environment,
    )  # fmt: skip


def _name(made: Any) -> str:
    return str(made.scheduler_address).replace("tcp", "dask", 1)


@pytest.fixture
def content(workdir: Path) -> Path:
    """A claim, one with a certificate, and two targets."""
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text("toy/LEM-2"))
    for name in "ab":
        write(workdir / "audits" / f"{name}.py", target_text(f"toy/{name}", trials=1000))
    return workdir


def settings(**more: Any) -> Settings:
    """A run of the claims and the targets in the processes of the workers themselves."""
    flags: dict[str, Any] = {"controls": False, "cache": False, "isolate": False}
    return Settings("run", (Part.VERIFY, Part.AUDIT), **flags | more)


def made(folder: str, **more: Any) -> dict[str, str]:
    """The files of a run."""
    run(make_plan(settings(**more)), Path(folder), silent)
    return files(Path(folder))


def files(folder: Path) -> dict[str, str]:
    """Every file of a run folder but run.json, the times of records left out."""
    found = {p.relative_to(folder).as_posix(): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}
    rows = [json.loads(row) | {"duration_s": 0, "digest": ""} for row in found[store.RECORDS].splitlines()]
    return {name: text for name, text in found.items() if name != store.RUN} | {store.RECORDS: json.dumps(rows)}


def outcomes(folder: Path) -> dict[str, str]:
    """The outcome of each record."""
    rows = map(json.loads, (folder / store.RECORDS).read_text().splitlines())
    return {row["id"]: row["outcome"] for row in rows}


def test_a_cluster_makes_the_records_and_the_files_of_this_machine(content: Path, dask: str) -> None:
    here, there = made("here"), made("there", executor=dask)
    assert here == there
    assert {"certificates/toy_LEM-2.json", "scores/toy_a.json"} <= set(there)
    header = json.loads((content / "there" / store.RUN).read_text())
    assert header["executor"] == "dask"
    assert "127.0.0.1" not in json.dumps(header), "a record names no machine"


def test_sandboxes_work_on_a_cluster(content: Path, dask: str) -> None:
    named: dict[str, Any] = {"names": ("toy/a",), "isolate": True}
    audit = Settings("audit", (Part.AUDIT,), controls=False, executor=dask, **named)
    run(make_plan(audit), Path("there"), silent)
    assert outcomes(content / "there") == {"toy/a": "CONSISTENT"}


def test_a_worker_that_is_killed_loses_nothing(content: Path, dask: str) -> None:
    write(content / "audits" / "b.py", target_text("toy/b", HOLD.format(flag="held") + NOISY_SUM.format(scale=1)))
    killer = threading.Thread(target=kill_named, args=(content / "held",))
    killer.start()
    there = made("there", executor=dask)
    killer.join()
    assert outcomes(content / "there")["toy/b"] == "CONSISTENT"
    assert there == made("here")


@pytest.mark.deep
def test_a_target_that_kills_its_workers_is_an_error_and_the_others_are_done(content: Path, dask: str) -> None:
    write(content / "audits" / "fatal.py", target_text("toy/fatal", run="import os; os._exit(3)"))
    made("there", executor=dask)
    found = outcomes(content / "there")
    assert found.pop("toy/fatal") == "ERROR"
    assert "ERROR" not in found.values()
    assert len(found) >= 5
    [row] = [row for row in map(json.loads, (content / "there" / store.RECORDS).read_text().splitlines())
             if row["id"] == "toy/fatal"]  # fmt: skip
    assert "without an answer, 3 times" in row["evidence"][0]["detail"]


@pytest.mark.deep
def test_answers_come_as_they_are_ready_and_items_go_in_order(dask: str, workdir: Path) -> None:
    with local.workers(dask, 1, dict) as execute:
        found = list(execute(stamped, ["slow", *"abc"]))
    assert [position for position, _ in found][-1] == 0
    begun = [answer for _, answer in sorted(found)][1:]  # the first two begin together
    assert begun == sorted(begun)


def test_an_item_that_dies_for_good_is_not_tried_for_ever(
    dask: str, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "MOST_DEATHS", 1)
    with local.workers(dask, 1, dict) as execute:
        answers = dict(execute(fatal, ["fine", "die", "well"]))
    assert isinstance(answers.pop(1), WorkerDied)
    assert answers == {0: "FINE", 2: "WELL"}


@pytest.mark.parametrize("short", [1, 2])
def test_workers_that_are_short_of_memory_get_no_new_item(
    short: int, dask: str, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = distributed.Client.scheduler_info

    def paused(self: Any, n_workers: int) -> Any:
        known = told(self, n_workers=n_workers)
        for worker in sorted(known["workers"])[:short]:
            known["workers"][worker]["status"] = "paused"
        return known

    monkeypatch.setattr(distributed.Client, "scheduler_info", paused)
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with local.workers(dask, 1, dict) as execute:
        if short == 1:
            assert len({pid for _, pid in execute(process, range(4))}) == 1
        else:
            with pytest.raises(ClusterLost, match="run out of memory"):
                list(execute(process, range(4)))


def test_a_scheduler_that_goes_before_the_work_is_said(
    content: Path, dask: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*_: Any, **__: Any) -> None:
        raise distributed.comm.CommClosedError("Stream is closed")

    monkeypatch.setattr(distributed.Client, "run", cut)
    with pytest.raises(
        ConfigurationError, match=r"the Dask scheduler at 127\.0\.0\.1:\d+ is gone \(Stream is closed\)"
    ):
        made("there", executor=dask)
    assert not (content / "there").exists()


@pytest.mark.parametrize("call", ["nthreads", "submit"])
def test_a_client_that_has_closed_itself_is_a_cluster_that_is_gone(
    call: str, dask: str, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: Any, **__: Any) -> None:
        raise distributed.client.ClosedClientError("Client is closed")

    with local.workers(dask, 1, dict) as execute:
        with monkeypatch.context() as patch:
            for name in (call, "cancel"):
                patch.setattr(distributed.Client, name, closed)
            with pytest.raises(ClusterLost, match=r"is gone \(Client is closed\)"):
                list(execute(fatal, ["fine"]))
        arrived = execute(fatal, ["fine", "well"])
        next(arrived)
        with monkeypatch.context() as patch:
            patch.setattr(distributed.Client, "cancel", closed)
            arrived.close()  # type: ignore[attr-defined]


def test_workers_of_another_version_are_refused_before_any_work(
    content: Path, dask: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = provenance.versions()
    monkeypatch.setattr(provenance, "versions", lambda: versions | {"numpy": "0.1"})
    with pytest.raises(ConfigurationError, match=rf"worker tcp://.*: numpy is {versions['numpy']} there and 0.1 here"):
        made("there", executor=dask)
    assert not (content / "there").exists()


def test_workers_without_the_content_are_refused(content: Path, dask: str) -> None:
    without = partial(lacking, os.getpid(), partial(provenance.facts, str(content), [str(content / "audits" / "a.py")]))
    with (
        pytest.raises(ConfigurationError, match=r"the file .*audits/a.py is absent there and \w{16} here"),
        local.workers(dask, 1, without),
    ):
        pytest.fail("work began")


def test_workers_that_cannot_say_what_they_are_are_refused(dask: str, workdir: Path) -> None:
    with (
        pytest.raises(ConfigurationError, match="cannot say what it is"),
        local.workers(dask, 1, partial(only_here, os.getpid())),
    ):
        pytest.fail("work began")


def test_a_worker_that_ends_while_it_is_asked_is_not_refused(
    dask: str, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, ended = distributed.Client.run, {"Stream is closed"}

    def at_first_ends(self: Any, facts: Any, workers: list[str], on_error: str) -> Any:
        if ended:
            return dict.fromkeys(workers, distributed.comm.CommClosedError(ended.pop()))
        return asked(self, facts, workers=workers, on_error=on_error)

    monkeypatch.setattr(distributed.Client, "run", at_first_ends)
    with local.workers(dask, 1, dict) as execute:
        assert sorted(execute(fatal, ["fine", "well"])) == [(0, "FINE"), (1, "WELL")]


def test_nothing_at_the_address_is_said_soon(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    with pytest.raises(ConfigurationError, match=r"no Dask scheduler answers at 127\.0\.0\.1:9 .*`dask scheduler`"):
        made("there", executor="dask://127.0.0.1:9")
    assert not (content / "there").exists()


def test_the_flag_and_the_configuration_name_an_executor(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    (content / "named.toml").write_text('executor = "dask://127.0.0.1:9"\n')
    command = ["--config", "named.toml", "audit", "audits/a.py", "--no-controls", "--no-isolate", "--run-dir", "out"]
    found = dpaudit(*command)
    assert (found.exit_code, (content / "out").exists()) == (ExitCode.USAGE, False)
    assert "no Dask scheduler answers at 127.0.0.1:9" in found.stderr
    found = dpaudit(*command, "--executor", "spark://host:1")
    assert found.exit_code == ExitCode.USAGE
    assert "must be local, dask://HOST:PORT or ray://HOST:PORT, got 'spark://host:1'" in found.stderr


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r"'\.\[dask\]'"), cluster.connected("127.0.0.1:9", dict):
        pytest.fail("connected")


@pytest.mark.deep
def test_a_cluster_that_loses_its_workers_ends_the_run_and_the_rest_can_be_done_here(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    flag = content / "held"
    write(content / "audits" / "b.py", target_text("toy/b", HOLD.format(flag="held") + NOISY_SUM.format(scale=1)))
    with _cluster(1) as one:
        plan = make_plan(settings(executor=_name(one)))
        closer = threading.Thread(target=lambda: (wait_for(flag), one.scale(0)))
        closer.start()
        with pytest.raises(ConfigurationError, match=r"no worker at .* kept; to go on: dpaudit resume there"):
            run(plan, Path("there"), silent)
        closer.join()
        with (
            pytest.raises(ConfigurationError, match="has no worker; start one with `dask worker"),
            local.workers(_name(one), 1, dict),
        ):
            pytest.fail("work began")
    with store.Folder(Path("there"), existing=True) as keep:
        resume.resume(resume.planned(resume.header(Path("there"))), keep, silent)
    assert files(content / "there") == made("here")


@pytest.mark.deep
def test_a_scheduler_that_goes_is_said(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 2.0)
    with _cluster(1) as one, local.workers(_name(one), 1, dict) as execute:
        arrived = execute(fatal, ["fine", "well"])
        assert next(arrived) == (0, "FINE")
        one.close()
        with pytest.raises(ClusterLost, match=r"is gone|no worker"):
            list(arrived)


@pytest.mark.deep
def test_an_interruption_cancels_the_rest_and_leaves_run_and_cluster_usable(content: Path, dask: str) -> None:
    held = HOLD.replace("time.sleep(60)", "time.sleep(10)").format(flag="held") + NOISY_SUM.format(scale=1)
    write(content / "audits" / "b.py", target_text("toy/b", held))
    command = [sys.executable, "-m", "dpaudit", "audit", "audits", "--no-controls", "--no-isolate", "--no-report",
               "--executor", dask, "--run-dir", "there"]  # fmt: skip
    paths = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    # A shell starts background jobs with SIGINT ignored, and Python leaves it so: the interruption needs the default.
    process = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": paths}, stderr=subprocess.PIPE, text=True,
                               preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL))  # fmt: skip
    wait_for(content / "held")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=240)
    assert process.returncode == ExitCode.INTERRUPTED, said
    assert "dpaudit resume there" in said
    with local.workers(dask, 1, dict) as execute:
        assert sorted(execute(fatal, ["fine", "well"])) == [(0, "FINE"), (1, "WELL")]
    with store.Folder(content / "there", existing=True) as keep:
        plan = resume.planned(resume.header(content / "there"), executor=dask)
        resume.resume(plan, keep, silent)
    rows = map(json.loads, (content / "there" / store.RECORDS).read_text().splitlines())
    assert [row["evidence"] for row in rows if row["outcome"] == Outcome.ERROR] == []
