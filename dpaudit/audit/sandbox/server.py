"""The inside of a sandbox: loads one target file under limits and answers calls, over the socket that it was given.

    python -m dpaudit.audit.sandbox.server DESCRIPTOR

Started by `dpaudit.audit.sandbox.isolation`, which holds the other end and believes nothing that comes out of it.
"""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import os
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Integers
from dpaudit.audit import conduct, contract, side_by_side
from dpaudit.audit.contract import Scorer
from dpaudit.audit.randomness import Frozen, every_seed, frozen
from dpaudit.audit.sandbox import recordings, wire
from dpaudit.audit.structural.data_sets import size
from dpaudit.audit.structural.recording import Recorder
from dpaudit.confinement.limits import allow_processor_time, confine
from dpaudit.content import faults, loading, places
from dpaudit.content.audits import Audit, Data, Outputs
from dpaudit.content.items import Broken, Loaded
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records import serial
from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.serial import Json
from dpaudit.records.target import Target

FUNCTIONS = (
    "neighbours", "first_neighbours", "run", "score", "instrument", "notes", "accounts", "bounds", "without_noise",
)  # fmt: skip
"""The functions of an Audit beside its attacks."""
Maker = Callable[[Audit, np.random.Generator], tuple[Data, Data]]
"""Makes the neighbours of a target, see `dpaudit.audit.contract`."""
OWN_ATTACKS = "dpaudit.attacks."
"""Attacks of these modules are made again by the auditor itself."""

CUT_OFF = os.EX_TEMPFAIL if hasattr(os, "EX_TEMPFAIL") else 75
"""The exit code of a sandbox in which the machine failed beside the target: it may be started once more."""
_LONGEST_TEXT = 20_000
_LONGEST_CHAIN = 20  # of errors that came from each other
_ANY_SIZE = 1 << 62  # what the auditor sends was measured by the auditor


class Server:
    """The targets of one file, and what they were asked for before."""

    def __init__(self, path: Path) -> None:
        """path: the file, loaded here."""
        self.path = path
        self._items = loading.load_targets([path])
        self._audits = {item.name: item.carrier for item in self._items if isinstance(item, Loaded)}
        self._kept: dict[str, Data] = {}
        self._scorers: list[Scorer] = []
        self.calls: dict[str, Callable[..., object]] = {
            "describe": self.describe,
            "neighbours": self.neighbours,
            "first_neighbours": self.first_neighbours,
            "run": self.run,
            "score": self.score,
            "fit": self.fit,
            "scorer": self.scorer,
            "instrument": self.instrument,
            "notes": self.notes,
            "accounts": self.accounts,
            "bounds": self.bounds,
            "without_noise": self.without_noise,
        }

    def describe(self) -> list[Json]:
        """One description a target, or one of why the file could not be loaded."""
        return [
            {"error": item.error, "missing": item.missing, "place": places.shown(self.path)}
            if isinstance(item, Broken)
            else _described(item)
            for item in self._items
        ]

    def neighbours(self, target: str, state: Json, key: str) -> Json:
        """Two neighbours, kept under `key`; what can travel is sent, of the rest the name of its type."""
        return self._made(contract.neighbours, target, state, key)

    def first_neighbours(self, target: str, state: Json, key: str) -> Json:
        """As `neighbours`, with those that are known sooner."""
        return self._made(contract.first_neighbours, target, state, key)

    def _made(self, maker: Maker, target: str, state: Json, key: str) -> Json:
        rng = _generator(state)
        pair = maker(self._audits[target], rng)
        self._kept.update({f"{key}/{side}": data for side, data in enumerate(pair)})
        sent = [{"sent": data} if wire.travels(data) else {"type": type(data).__name__} for data in pair]
        return {"pair": sent, "state": rng.bit_generator.state}

    def run(self, target: str, data: Json, seed: int, purpose: str, numbers: Integers) -> Outputs:
        """The outputs of these trials."""
        return self._played("run", target, data, Trials(Stream(seed, purpose), numbers))

    def without_noise(self, target: str, data: Json, seed: int, purpose: str, numbers: Integers) -> Outputs:
        """The scores of the canaries `data` in a training without its noise."""
        return self._played("without_noise", target, data, Trials(Stream(seed, purpose), numbers))

    def score(self, target: str, attack: str, outputs: Outputs, data: Json, neighbour: Json) -> Outputs:
        """The scores of an attack that learns nothing."""
        function = self._audits[target].all_attacks[attack]
        if not callable(function):
            raise ContentError(f"the attack {attack!r} learns: it scores only after it was fitted")
        return np.asarray(function(outputs, self._data(data), self._data(neighbour)))

    def fit(self, target: str, attack: str, outputs: list[Outputs], data: list[Json], state: Json) -> Json:
        """Fit an attack that learns; the number by which `scorer` knows it, and the generator's state."""
        rng, learner = _generator(state), self._audits[target].all_attacks[attack]
        if callable(learner):
            raise ContentError(f"the attack {attack!r} has nothing to fit")
        (on_data, on_neighbour), pair = outputs, [self._data(side) for side in data]
        self._scorers.append(learner.fit(on_data, on_neighbour, pair[0], pair[1], rng))
        return {"scorer": len(self._scorers) - 1, "state": rng.bit_generator.state}

    def scorer(self, number: int, outputs: Outputs) -> Outputs:
        """The scores of a fitted attack."""
        return np.asarray(self._scorers[number](outputs))

    def instrument(self, target: str, data: Json, recorder: Json) -> Json:
        """A recorded or replayed training, with the global generators of this process frozen."""
        past = recorder["replayed"]
        replayed = None if past is None else recordings.repeat(past, Recorder()).recording()
        salted = None if recorder["salted"] is None else frozenset(recorder["salted"])
        made = Recorder(replayed, recorder["present"], joined=recorder["joined"], seed=recorder["seed"], salted=salted,
                        reseeded=recorder["reseeded"])  # fmt: skip
        records = self._data(data)
        with frozen(recorder["seed"]) as generators, made.draws.open(size(records)), every_seed(made.reseeded):
            self._function(target, "instrument")(records, made)
        return {"recording": recordings.plain(made.recording()), "generators": _digests(generators)}

    def notes(self, target: str) -> list[str]:
        """Sentences that belong to the verdict."""
        return [str(note) for note in self._function(target, "notes")()]

    def accounts(self, target: str) -> list[Json]:
        """What the accountant states, as fields."""
        stated = list(self._function(target, "accounts")())
        if not all(dataclasses.is_dataclass(account) for account in stated):
            raise ContentError("accounts() must yield dpaudit.audit.accounts.Account records")
        return [{f.name: serial.encode(getattr(a, f.name)) for f in dataclasses.fields(a)} for a in stated]

    def bounds(self, target: str, scores_in: Outputs, scores_out: Outputs, delta: float, alpha: float) -> object:
        """One lower bound of an auditor."""
        return self._function(target, "bounds")(scores_in, scores_out, delta, alpha)

    def _played(self, name: str, target: str, data: Json, trials: Trials) -> Outputs:
        function = contract.run_of(self._audits[target]) if name == "run" else self._function(target, name)
        found = np.asarray(conduct.undisturbed(function, self._data(data), trials, what=name))
        if not wire.travels(found):
            raise ContentError(f"{name} must return real numbers of at most 64 bits, got dtype {found.dtype}")
        return found

    def _function(self, target: str, name: str) -> Callable[..., Any]:
        """A function of a target that was described as having it."""
        found: Callable[..., Any] = getattr(self._audits[target], name)
        return found

    def _data(self, argument: Json) -> Data:
        """A data set that was kept here, or that was sent and may be kept under a name."""
        if "sent" not in argument:
            return self._kept[argument["kept"]]
        if "kept" in argument:
            self._kept[argument["kept"]] = argument["sent"]
        return argument["sent"]


def _described(item: Loaded[Target, Audit]) -> Json:
    audit = item.carrier
    return {
        "target": serial.encode(item.record),
        "functions": [name for name in FUNCTIONS if getattr(audit, name) is not None],
        "attacks": {str(name): _attack(attack) for name, attack in audit.attacks.items()},
        "laws": None if audit.laws is None else list(audit.laws),
        "repetitions": serial.encode(audit.repetitions),
        "chunk": audit.chunk,
        "error_share": audit.error_share,
        "assumptions": dataclasses.asdict(audit.assumptions),
    }


def _attack(attack: object) -> Json:
    """How the auditor makes an attack: again from dpaudit.attacks, or by calls into this process."""
    kind = type(attack)
    if dataclasses.is_dataclass(attack) and kind.__module__.startswith(OWN_ATTACKS):
        fields = {field.name: getattr(attack, field.name) for field in dataclasses.fields(attack)}
        if wire.travels(fields):
            return {"module": kind.__module__, "class": kind.__name__, "fields": fields}
    return {"fits": not callable(attack), "whole_numbers": getattr(attack, "whole_numbers", False) is True}


def _generator(state: Json) -> np.random.Generator:
    bits = getattr(np.random, state["bit_generator"])()
    bits.state = state
    return np.random.Generator(bits)


def _digests(generators: Frozen) -> dict[str, dict[str, str]]:
    """States of the global generators, shortened: they are only compared."""
    return {
        when: {name: hashlib.sha256(state).hexdigest() for name, state in states.items()}
        for when, states in (("seeded", generators.seeded), ("final", generators.final))
    }


def serve(connection: wire.Connection, server: Server, seconds: float) -> None:
    """Answer calls until the other end closes; whatever a call raises is an answer, but an OSError of the machine that
    no code of the target has met, and what comes in the middle of a message: no other one can be sent then."""
    while True:
        try:
            call = connection.receive(_ANY_SIZE)
        except EOFError:
            return
        allow_processor_time(seconds)
        try:
            connection.send({"number": call["number"], "value": server.calls[call["name"]](**call["arguments"])})
        except EOFError:
            return
        except BaseException as error:  # SystemExit and KeyboardInterrupt of a target end its call, not the sandbox
            if (connection.torn or isinstance(error, OSError)) and faults.beside(error, server.path):
                raise
            connection.send({"number": call["number"], "error": told(error, server.path)})


def told(error: BaseException, path: Path) -> Json:
    """What is said of an error: class, words, how this process calls the file in them, and the traceback."""
    own = isinstance(error, (ContentError, MissingPackageError))
    trace = "".join(traceback.format_exception(error))
    _stand_somewhere()
    return {
        "raised": type(error).__name__,
        "text": (str(error) if own else faults.describe(error, path))[:_LONGEST_TEXT],
        "place": places.shown(path),
        "trace": trace[-_LONGEST_TEXT:].encode(errors="backslashreplace").decode(),
        "package": [error.package, error.extra, error.install] if isinstance(error, MissingPackageError) else None,
        "memory": isinstance(error, MemoryError),
        "beside": faults.beside(error, path),
        "file_size": isinstance(error, OSError) and error.errno == errno.EFBIG,
        "read_only": isinstance(error, OSError) and error.errno == errno.EROFS,
        "network": any(_of_network(one) for one in _causes(error)),
    }


def _of_network(error: BaseException) -> bool:
    unreachable = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)
    return isinstance(error, socket.gaierror) or (isinstance(error, OSError) and error.errno in unreachable)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and what it came from; at most a few, since a target may tie them to a circle."""
    found: BaseException | None = error
    for _ in range(_LONGEST_CHAIN):
        if found is not None:
            yield found
            found = found.__cause__ or found.__context__


def _stand_somewhere() -> None:
    """Names of files are relative to the working directory, which a target may have removed."""
    try:
        os.getcwd()
    except FileNotFoundError:
        os.chdir("/")


def main(descriptor: int) -> None:
    """Take the order of what to load under which limits, then serve; the exit code is CUT_OFF where the machine fails
    beside the target."""
    os.set_inheritable(descriptor, False)
    connection = wire.Connection(socket.socket(fileno=descriptor))
    order = connection.receive(_ANY_SIZE)
    connection.send({"begun": True})
    path = Path(order["path"])
    try:
        confine(order["memory"], order["output"])
        allow_processor_time(order["seconds"])
        side_by_side.allow()
        serve(connection, Server(path), order["seconds"])
    except (OSError, MemoryError) as error:
        if not faults.beside(error, path):
            raise
        traceback.print_exc()
        sys.exit(CUT_OFF)


if __name__ == "__main__":
    main(int(sys.argv[1]))
