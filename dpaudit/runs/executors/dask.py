"""Work on the machines of a Dask cluster.

An item is bound to one worker, and a worker holds one item at a time. So a worker that dies says which item it held,
and none gets work before it was found to be like this process. Nothing is shared but the scheduler: items and answers
travel through it. An item may be done twice, when its worker was lost; its answer is taken once.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from dpaudit.records.errors import ConfigurationError, MissingPackageError

Facts = Callable[[], dict[str, str]]
"""What must be equal in every process that works, by name; a function that pickles, called with no argument."""

CONNECT = 10.0
"""Seconds to find the scheduler, and then a worker."""
PATIENCE = 60.0
"""Seconds without any worker until a run is given up."""
MOST_DEATHS = 3
"""Workers that may die over one item; machines are taken away for reasons of their own, so that one is no proof."""
_PERIOD = 0.25
"""Seconds between two looks at which workers are there, while no answer comes."""


class WorkerDied(Exception):
    """The process that held an item ended without an answer."""


In = TypeVar("In")
Out = TypeVar("Out")
Answers: TypeAlias = Iterator[tuple[int, Out | WorkerDied]]
"""(position, function(item)) as the answers arrive; WorkerDied where the worker died."""


class Execute(Protocol):
    """Calls a function, which must not raise, with each of the items, in whatever order."""

    def __call__(self, function: Callable[[In], Out], items: Sequence[In]) -> Answers[Out]: ...


class ClusterLost(ConfigurationError):
    """The cluster went away in the middle of the work."""


class _Held(NamedTuple):
    """The item that a worker has: its position, and the future of its answer."""

    position: int
    future: Any


@contextlib.contextmanager
def connected(address: str, facts: Facts) -> Iterator[Cluster]:
    """The cluster whose scheduler listens at `address`, HOST:PORT; the connection ends with the context.

    Raises MissingPackageError without Dask, and ConfigurationError if nothing answers there or no longer, no worker is
    there, or a worker differs from this process in any of `facts`.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingPackageError("dask.distributed", "dask") from error
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False, name="dpaudit")
    except (OSError, ValueError, RuntimeError, TypeError) as error:  # the last: TLS without certificates
        raise ConfigurationError(
            f"no Dask scheduler answers at {address} ({_line(error)}); start one with `dask scheduler`, or leave out "
            "--executor to work on this machine"
        ) from error
    try:
        cluster = Cluster(client, address, facts)
        cluster.wait_for_workers()
        yield cluster
    finally:
        client.close(timeout=CONNECT)


class Cluster:
    """A cluster that is connected."""

    def __init__(self, client: Any, address: str, facts: Facts) -> None:  # Dask is optional: its type is not named
        self._client, self._address, self._facts = client, address, facts
        self._here = facts()
        self._sound: set[str] = set()
        self._refused: dict[str, str] = {}
        self._paused: set[str] = set()  # they end what they have, but begin nothing: short of memory, or about to leave

    def wait_for_workers(self) -> None:
        """Wait for the first worker; ConfigurationError if none comes, or one of those that are there is not alike, or
        the scheduler goes."""
        end = time.monotonic() + CONNECT
        while not self._watched() and not self._refused:
            if time.monotonic() > end:
                raise ConfigurationError(
                    f"the Dask scheduler at {self._address} has no worker; start one with "
                    f"`dask worker {self._address} --nthreads 1`"
                )
            time.sleep(_PERIOD)
        if self._refused:
            raise ConfigurationError("; ".join(self._refused.values()))

    def execute(self, function: Callable[[In], Out], items: Sequence[In]) -> Answers[Out]:
        """Yield (position, function(item)) as the answers arrive; WorkerDied as the answer of a fatal item.

        Items are handed out in order. `function` must not raise; it runs in a folder named like that of this process.
        ClusterLost if the scheduler goes, or no worker is there for PATIENCE seconds. What was handed out is cancelled
        when the caller stops asking; a worker ends what it has begun, and its answer is dropped.
        """
        waiting, held, deaths = deque(range(len(items))), dict[str, _Held](), Counter[int]()
        seen = time.monotonic()
        try:
            while waiting or held:
                workers = self._watched()
                for position in self._lost(held, workers):
                    deaths[position] += 1
                    if deaths[position] < MOST_DEATHS:
                        waiting.appendleft(position)
                    else:
                        yield position, WorkerDied(f"its worker ended without an answer, {MOST_DEATHS} times in a row")
                able = workers - self._paused
                seen = time.monotonic() if held or able else self._still_patient(seen)
                for worker in sorted(able - held.keys())[: len(waiting)]:
                    position = waiting.popleft()
                    held[worker] = _Held(position, self._sent(function, items[position], worker))
                yield from self._answers(held)
        finally:
            self._cancel(list(held.values()))

    def _sent(self, function: Callable[[In], Out], item: In, worker: str) -> Any:
        """The future of function(item) on `worker` and no other; ClusterLost if the scheduler has gone."""
        with self._lost_if_gone():
            return self._client.submit(
                call_in, os.getcwd(), function, item, workers=[worker], allow_other_workers=False, pure=False
            )

    def _watched(self) -> set[str]:
        """As `_workers`; ClusterLost if the scheduler does not say."""
        with self._lost_if_gone():
            return self._workers()

    @contextlib.contextmanager
    def _lost_if_gone(self) -> Iterator[None]:
        try:
            yield
        except _gone() as error:
            raise ClusterLost(f"the Dask scheduler at {self._address} is gone ({_line(error)})") from error

    def _still_patient(self, seen: float) -> float:
        """`seen`, when a worker was last able to work; ClusterLost if that is too long ago."""
        if time.monotonic() - seen > PATIENCE:
            why = "; ".join(self._refused.values()) or "all have gone, died or run out of memory"
            raise ClusterLost(f"no worker at {self._address} for {PATIENCE:.0f} s: {why}")
        return seen

    def _workers(self) -> set[str]:
        """The addresses of the workers that are like this process; others are refused, with the reason."""
        from distributed.comm import CommClosedError

        there = set(self._client.nthreads())
        known = self._client.scheduler_info(n_workers=-1).get("workers", {})  # perhaps of a moment ago
        self._paused = {worker for worker, one in known.items() if one["status"] != "running"}
        fresh = there - self._sound - self._refused.keys()
        found = self._client.run(self._facts, workers=sorted(fresh), on_error="return") if fresh else {}
        for worker, facts in found.items():
            if isinstance(facts, CommClosedError):  # it ended while it was asked; the scheduler may not know yet
                continue
            if isinstance(facts, OSError) and worker not in self._client.nthreads():  # it has gone again
                continue
            reason = difference(self._here, facts)
            if reason:
                self._refused[worker] = f"the worker {worker} is not like this process: {reason}"
            else:
                self._sound.add(worker)
        self._sound &= there
        return set(self._sound)

    def _lost(self, held: dict[str, _Held], workers: set[str]) -> list[int]:
        """Take back the items of workers that are gone; their positions."""
        from distributed import KilledWorker

        gone = [
            worker
            for worker, (_, future) in held.items()
            if worker not in workers or future.status in ("cancelled", "lost") or _failed(future, KilledWorker)
        ]
        taken = [held.pop(worker) for worker in gone]
        self._cancel(taken)
        return [one.position for one in taken]

    def _answers(self, held: dict[str, _Held]) -> Iterator[tuple[int, Any]]:
        """The answers that are there, after a short wait for the first."""
        from distributed import KilledWorker, wait

        if not held:
            time.sleep(_PERIOD)
            return
        with contextlib.suppress(TimeoutError, CancelledError), self._client.as_current():
            wait([one.future for one in held.values()], timeout=_PERIOD, return_when="FIRST_COMPLETED")
        for worker, one in list(held.items()):
            if not one.future.done() or _failed(one.future, KilledWorker):
                continue
            try:
                answer = one.future.result(timeout=CONNECT)
            except (TimeoutError, CancelledError):  # its worker died with the answer: the next look takes the item back
                continue
            del held[worker]
            yield one.position, answer

    def _cancel(self, held: list[_Held]) -> None:
        with contextlib.suppress(*_gone()):  # without a scheduler there is nothing to cancel
            if held:
                self._client.cancel([one.future for one in held], force=True)


def _gone() -> tuple[type[Exception], ...]:
    """What a client raises whose scheduler has gone; it closes itself when it has given up."""
    from distributed.client import ClosedClientError

    return OSError, RuntimeError, ClosedClientError


def call_in(folder: str, function: Callable[[In], Out], item: In) -> Out:
    """On a worker: function(item) in `folder`, since records name files from there."""
    with contextlib.chdir(folder):
        return function(item)


def _failed(future: Any, kind: type[Exception]) -> bool:
    """Did the scheduler give up `future` with such an error?"""
    return future.status == "error" and isinstance(future.exception(), kind)


def difference(here: dict[str, str], there: dict[str, str] | BaseException) -> str:
    """What is other in a worker than here, in words; empty if nothing is. there: facts, or the error they ended in."""
    if isinstance(there, BaseException):
        return f"it cannot say what it is ({_line(there)}); install the same dpaudit there"
    names = [name for name in here if here[name] != there.get(name)]
    more = f" (and {len(names) - 3} more)" if len(names) > 3 else ""
    return "; ".join(f"{name} is {there.get(name)} there and {here[name]} here" for name in names[:3]) + more


def _line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0][:200] or type(error).__name__
