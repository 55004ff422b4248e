"""Work on a Ray cluster through joblib, as best effort.

joblib's backend for Ray is kept by Ray and cannot give answers as they arrive, so that items go in portions, and an
answer is there when its portion is. Workers are compared with this process as far as joblib lets them be reached. Dask
is the way that is tested.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from dpaudit.records.errors import ConfigurationError, MissingPackageError
from dpaudit.runs.executors.dask import CONNECT, Answers, Execute, Facts, In, Out, WorkerDied, call_in, difference

_PORTION = 4
"""Items a processor that go together."""


@contextlib.contextmanager
def connected(address: str, facts: Facts) -> Iterator[Execute]:
    """What works on the Ray cluster whose client server listens at `address`, HOST:PORT.

    Raises MissingPackageError without Ray, ConfigurationError if nothing answers or a worker differs in `facts`.
    """
    try:
        import ray
        from ray.util.joblib import register_ray
    except ImportError as error:
        raise MissingPackageError("ray", "ray") from error
    os.environ.setdefault("RAY_CLIENT_RECONNECT_GRACE_PERIOD", str(int(CONNECT)))
    try:
        ray.init(address=f"ray://{address}", log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ConfigurationError(
            f"no Ray cluster answers at {address} ({error}); start one with `ray start --head`, or leave out --executor"
        ) from error
    try:
        register_ray()
        jobs = max(1, int(ray.cluster_resources().get("CPU", 1)))
        _compare(facts, jobs)
        yield partial(_execute, jobs=jobs)
    finally:
        ray.shutdown()


def _compare(facts: Facts, jobs: int) -> None:
    here = facts()
    found = (difference(here, there) for there in _together([partial(facts)] * jobs, jobs))
    reason = next(filter(None, found), "")
    if reason:
        raise ConfigurationError(f"a worker of the Ray cluster is not like this process: {reason}")


def _execute(function: Callable[[In], Out], items: Sequence[In], jobs: int) -> Answers[Out]:
    """As `dask.Cluster.execute`, portion by portion; a portion that loses a worker goes on one item at a time."""
    from ray.exceptions import RayError

    size = _PORTION * jobs
    for start in range(0, len(items), size):  # made one by one: an item may say not to begin
        portion = [partial(call_in, os.getcwd(), function, item) for item in items[start : start + size]]
        try:
            yield from enumerate(_together(portion, jobs), start)
        except RayError:
            for position, one in enumerate(portion, start):
                yield position, _alone(one)


def _alone(one: Callable[[], Out]) -> Out | WorkerDied:
    from ray.exceptions import RayError

    try:
        return _together([one], 1)[0]
    except RayError as error:
        return WorkerDied(f"its worker ended without an answer: {type(error).__name__}")


def _together(calls: Sequence[Callable[[], Out]], jobs: int) -> list[Out]:
    """The values of all calls, in order."""
    from joblib import Parallel, delayed

    return list(Parallel(n_jobs=max(jobs, 2), backend="ray", batch_size=1)(delayed(one)() for one in calls))
