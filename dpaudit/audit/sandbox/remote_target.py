"""A target whose functions are called in sandboxes: an Audit like any other, so that no tier knows the difference.

Sandbox for playing: neighbours, first_neighbours, run, without_noise, instrument, accounts, bounds. Sandbox for
scoring: score and ATTACKS of the file. Data sets that can travel come over as data; others stay where they were made,
and a `Handle` stands for them.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from dpaudit.attacks.replayed_seed import has_whole_numbers
from dpaudit.audit.contract import Scorer
from dpaudit.audit.randomness import Frozen
from dpaudit.audit.sandbox.recordings import plain, repeat
from dpaudit.audit.sandbox.server import FUNCTIONS, OWN_ATTACKS
from dpaudit.audit.sandbox.session import Session
from dpaudit.audit.sandbox.wire import Wire
from dpaudit.audit.structural.recording import Recorder
from dpaudit.confinement.limits import Limits
from dpaudit.content import places
from dpaudit.content.audits import Attack, Audit, Data, Outputs
from dpaudit.content.items import Broken, Loaded
from dpaudit.noise.stream import Trials
from dpaudit.records import serial
from dpaudit.records.assumptions import Assumptions, Sampling
from dpaudit.records.errors import ContentError, DpauditError, MachineFault, of_the_machine
from dpaudit.records.serial import Json
from dpaudit.records.target import Target, TrialPlan

if TYPE_CHECKING:
    from dpaudit.audit.accounts import Account

T = TypeVar("T")

MOST_TARGETS = 1_000
"""Of one file: each takes a share of the error budget from all others."""

_LONGEST_NAME = 120  # it becomes the name of files
_LONGEST_ERROR = 20_000
_LONGEST_NOTE, _MOST_NOTES = 1_000, 20  # they go into the verdict


@dataclass(frozen=True)
class Handle:
    """A data set that stays in the sandbox; kind: the name of its type."""

    kind: str


@dataclass(frozen=True)
class _Known:
    """A data set that the sandbox made: what stands for it here, its key there, the function that made it, and the
    state that it was made from."""

    data: Data
    key: str
    maker: str
    state: Mapping[str, object]


@dataclass(frozen=True)
class RemoteAttack:
    """An attack of the file that learns; fitted and scored in the sandbox for scoring. whole_numbers: it says nothing
    of outputs without a coordinate of whole numbers, so that no sandbox is started for them."""

    name: str
    target: RemoteTarget
    whole_numbers: bool = False

    def fit(
        self, on_data: Outputs, on_neighbour: Outputs, data: Data, neighbour: Data, rng: np.random.Generator
    ) -> Scorer:
        """The fitted score, (trials, ...) -> (trials,); `rng` moves on as it did in the sandbox."""
        if self.whole_numbers and not has_whole_numbers(on_data):
            return lambda outputs: np.zeros(len(outputs))
        session = self.target.scoring()
        pair = [self.target.argument(session, item) for item in (data, neighbour)]
        found = session.call("fit", target=self.target.name, attack=self.name, outputs=[on_data, on_neighbour],
                             data=pair, state=rng.bit_generator.state)  # fmt: skip
        _set_state(rng, _field(found, "state"))
        number = _field(found, "scorer")
        return lambda outputs: session.call("scorer", number=number, outputs=outputs)


class RemoteTarget:
    """The sandboxes of one target; `audit` is the record whose functions call into them."""

    def __init__(self, description: Json, path: Path, limits: Limits) -> None:
        """description: as `server.Server.describe` gives it; ContentError for one that is wrong."""
        record = _decoded(description.get("target"))
        if not isinstance(record, Target):
            raise ContentError(f"TARGET must be a Target record, got {type(record).__name__}")
        if not (record.name.isprintable() and 0 < len(record.name.encode()) <= _LONGEST_NAME):
            raise ContentError(
                f"a target needs a printable name of at most {_LONGEST_NAME} characters, or bytes of UTF-8"
            )
        self._path, self._limits, self._name = path, limits, record.name
        self._player: Session | None = None
        self._scorer: Session | None = None
        self.killed = False
        self._known: list[_Known] = []
        self.audit = self._as_audit(record, description)

    def _as_audit(self, record: Target, description: Json) -> Audit:
        functions, laws = _field(description, "functions"), _field(description, "laws")
        repetitions = _decoded(_field(description, "repetitions"))
        if not isinstance(repetitions, TrialPlan):
            raise ContentError(f"REPETITIONS must be a TrialPlan, got {type(repetitions).__name__}")
        return Audit(
            record,
            attacks={name: self._attack(name, attack) for name, attack in _field(description, "attacks").items()},
            laws=None if laws is None else tuple(str(law) for law in laws),
            repetitions=repetitions,
            chunk=_chunk(_field(description, "chunk")),
            error_share=_error_share(description.get("error_share")),
            assumptions=_assumptions(_field(description, "assumptions")),
            **{name: getattr(self, f"_{name}") for name in FUNCTIONS if name in functions},
        )

    def play_in(self, session: Session) -> None:
        """Use this sandbox for playing; whoever made it ends it."""
        self._player = session

    @property
    def name(self) -> str:
        """The name of the target."""
        return self._name

    def playing(self) -> Session:
        """The sandbox for playing."""
        self._player = self._player or Session(self._path, self._limits)
        return self._player

    def scoring(self) -> Session:
        """The sandbox for scoring: it never trains, so that outputs alone tell it on which data they were made."""
        self._scorer = self._scorer or self._another()
        return self._scorer

    def _another(self) -> Session:
        """A sandbox beside that for playing; ContentError where that one has taken what it needs to start."""
        try:
            return Session(self._path, self._limits)
        except MachineFault as error:
            if self._player is None:
                raise
            self._player.close()
            Session(self._path, self._limits).close()
            raise ContentError(f"while its sandbox is open no other one starts, which it needs: {error}") from error

    def close(self) -> None:
        """End the sandboxes; `killed` says then whether a signal had ended one that no limit of a sandbox sends."""
        for session in (self._player, self._scorer):
            if session is not None:
                session.close()
                self.killed |= session.killed
        self._player = self._scorer = None

    def argument(self, session: Session, data: Data) -> Json:
        """How `data` is sent: by its key where the sandbox has it or can make it, else as it is."""
        known = next((item for item in self._known if item.data is data), None)
        if known is None:
            return {"sent": data}
        if known.key in session.kept:
            return {"kept": known.key}
        if not isinstance(data, Handle):
            session.kept.add(known.key)
            return {"kept": known.key, "sent": data}
        self._make(session, known.maker, known.state, known.key.partition("/")[0])
        return {"kept": known.key}

    def _make(self, session: Session, maker: str, state: Mapping[str, object], key: str) -> Wire:
        session.kept |= {f"{key}/0", f"{key}/1"}
        return session.call(maker, target=self._name, state=state, key=key)

    def _neighbours(self, rng: np.random.Generator) -> tuple[Data, Data]:
        return self._made("neighbours", rng)

    def _first_neighbours(self, rng: np.random.Generator) -> tuple[Data, Data]:
        return self._made("first_neighbours", rng)

    def _made(self, maker: str, rng: np.random.Generator) -> tuple[Data, Data]:
        state, key = rng.bit_generator.state, str(len(self._known))
        found = self._make(self.playing(), maker, state, key)
        _set_state(rng, _field(found, "state"))
        sent = _field(found, "pair")
        if not (isinstance(sent, list) and len(sent) == 2 and all(isinstance(item, dict) for item in sent)):
            raise ContentError(f"{maker} must return a pair (data set, neighbour)")
        first, second = (item["sent"] if "sent" in item else Handle(str(item.get("type"))) for item in sent)
        self._known += [_Known(data, f"{key}/{side}", maker, state) for side, data in enumerate((first, second))]
        return first, second

    def _run(self, data: Data, trials: Trials) -> Wire:
        return self._played("run", data, trials)

    def _without_noise(self, included: Data, trials: Trials) -> Wire:
        return self._played("without_noise", included, trials)

    def _played(self, what: str, data: Data, trials: Trials) -> Wire:
        session, stream = self.playing(), trials.stream
        return session.call(what, target=self._name, data=self.argument(session, data), seed=stream.seed,
                            purpose=stream.purpose, numbers=trials.numbers)  # fmt: skip

    def _score(self, outputs: Outputs, data: Data, neighbour: Data) -> Wire:
        return self._scored("score", outputs, data, neighbour)

    def _scored(self, attack: str, outputs: Outputs, data: Data, neighbour: Data) -> Wire:
        session = self.scoring()
        sides = {"data": self.argument(session, data), "neighbour": self.argument(session, neighbour)}
        return session.call("score", target=self._name, attack=attack, outputs=outputs, **sides)

    def _attack(self, name: str, description: Json) -> Attack:
        if "module" in description:
            return _own_attack(description)
        if description.get("fits"):
            return RemoteAttack(name, self, description.get("whole_numbers") is True)
        return lambda outputs, data, neighbour: self._scored(name, outputs, data, neighbour)

    def _instrument(self, data: Data, recorder: Recorder) -> Frozen:
        """Fills `recorder` with what it would have seen, and returns the global generators of the sandbox."""
        session = self.playing()
        replayed, present, joined, seed = recorder.inputs()
        past = None if replayed is None else plain(replayed)
        salted = None if recorder.salted is None else sorted(recorder.salted)
        inputs = {"replayed": past, "present": present, "joined": joined, "seed": seed, "salted": salted,
                  "reseeded": recorder.reseeded}  # fmt: skip
        target = self._name
        found = session.call("instrument", target=target, data=self.argument(session, data), recorder=inputs)
        repeat(_field(found, "recording"), recorder)
        states = _field(found, "generators")
        return Frozen(*(_states(_field(states, when)) for when in ("seeded", "final")))

    def _notes(self) -> tuple[str, ...]:
        """What the target says about itself, each at most `_LONGEST_NOTE` characters."""
        found = self.playing().call("notes", target=self._name)
        if not (isinstance(found, list) and all(isinstance(note, str) for note in found)):
            raise ContentError("notes() must return sentences")
        return tuple(note[:_LONGEST_NOTE] for note in found[:_MOST_NOTES])

    def _accounts(self) -> list[Account]:
        from dpaudit.audit.accounts import Account

        return _made(Account, self.playing().call("accounts", target=self._name))

    def _bounds(self, scores_in: Outputs, scores_out: Outputs, delta: float, alpha: float) -> Wire:
        scores = {"scores_in": scores_in, "scores_out": scores_out}
        return self.playing().call("bounds", target=self._name, **scores, delta=delta, alpha=alpha)


@dataclass(frozen=True)
class Remote(Loaded[Target, Audit]):
    """A target that was described by a sandbox; remote: the sandboxes that it is played in."""

    remote: RemoteTarget


def described(session: Session, path: Path) -> tuple[Remote | Broken, ...]:
    """The items of the file that `session` loaded."""
    found = session.call("describe")
    if not (isinstance(found, list) and found and all(isinstance(item, dict) for item in found)):
        raise ContentError(f"{places.shown(path)}: the sandbox described no target")
    if len(found) > MOST_TARGETS:
        raise ContentError(f"a file may hold {MOST_TARGETS} targets, got {len(found)}: split it")
    return tuple(_item(item, session, path) for item in found)


def _item(description: Json, session: Session, path: Path) -> Remote | Broken:
    if "error" in description:
        text = session.here(str(description["error"])[:_LONGEST_ERROR], description.get("place"))
        return broken(path, text[:_LONGEST_ERROR], description.get("missing") is True)
    try:
        target = RemoteTarget(description, path, session.limits)
    except ContentError as error:
        return broken(path, f"{places.shown(path)}: {error}")
    except Exception as error:  # no description at all: whatever is wrong with it, the run goes on
        if of_the_machine(error):
            raise
        return broken(path, f"{places.shown(path)}: the sandbox described no target: {type(error).__name__}: {error}")
    return Remote(target.audit.target, target.audit, path, target)


def broken(path: Path, error: str, missing: bool = False) -> Broken:
    """The item of a file that could not be loaded."""
    return Broken(places.shown(path).removesuffix(".py"), path, error, missing)


def _own_attack(description: Json) -> Attack:
    """An attack of dpaudit, made here from its fields."""
    name, kind = description["module"], description.get("class")
    if not (isinstance(name, str) and name.startswith(OWN_ATTACKS)):
        raise ContentError(f"no attack of dpaudit lies in {name!r}")
    found = getattr(importlib.import_module(name), str(kind), None)
    if not (isinstance(found, type) and dataclasses.is_dataclass(found) and found.__module__ == name):
        raise ContentError(f"{name} has no attack {kind!r}")
    return _built(cast("Callable[..., Attack]", found), description.get("fields"))


def _chunk(number: object) -> int | None:
    if number is None or (isinstance(number, int) and not isinstance(number, bool)):
        return number
    raise ContentError(f"CHUNK must be a number of trials or None, got {type(number).__name__}")


def _error_share(number: object) -> float | None:
    if number is None or isinstance(number, float):
        return number
    raise ContentError(f"ERROR_SHARE must be a number above 0 and below 1, got {type(number).__name__}")


def _assumptions(fields: Wire) -> Assumptions:
    sampling = _field(fields, "sampling")
    found: Assumptions = _built(
        Assumptions, fields | {"sampling": None if sampling is None else _built(Sampling, sampling)}
    )
    return found


def _made(kind: Callable[..., T], listed: object) -> list[T]:
    rows = listed if isinstance(listed, list) else [None]
    return [_built(kind, {name: _decoded(value) for name, value in _items(row)}) for row in rows]


def _items(fields: object) -> list[tuple[str, Wire]]:
    if not isinstance(fields, dict):
        raise ContentError(f"the sandbox sent {type(fields).__name__} in the place of fields")
    return list(fields.items())


def _built(kind: Callable[..., T], fields: object) -> T:
    """`kind` made of what a sandbox sent; ContentError if it does not fit."""
    try:
        return kind(**dict(_items(fields)))
    except (TypeError, ValueError, OverflowError, DpauditError) as error:
        raise ContentError(
            f"{getattr(kind, '__name__', kind)} cannot be made of what the sandbox sent: {error}"
        ) from error


def _decoded(data: Wire) -> object:
    try:
        return serial.decode(data)
    except (TypeError, ValueError, DpauditError) as error:
        raise ContentError(f"the sandbox sent what is no record: {error}") from error


def _field(answer: object, name: str) -> Wire:
    if not (isinstance(answer, dict) and name in answer):
        raise ContentError(f"the sandbox answered without {name!r}")
    return answer[name]


def _states(digests: object) -> dict[str, bytes]:
    return {str(name): str(digest).encode() for name, digest in _items(digests)}


def _set_state(rng: np.random.Generator, state: Wire) -> None:
    try:
        rng.bit_generator.state = state
    except (TypeError, ValueError, LookupError, OverflowError, AttributeError) as error:
        raise ContentError(f"the sandbox sent what is no state of a generator: {error}") from error
