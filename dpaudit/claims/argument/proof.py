"""Writes the certificate of an argument: every node is checked, by the checker, as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpaudit.claims.argument import attempts, automatic, instances
from dpaudit.claims.argument.induction import first_steps
from dpaudit.claims.argument.nodes import CLOSING, NODES, Node, Pending, Search, as_data
from dpaudit.claims.argument.story import plain, told
from dpaudit.claims.engines import semidefinite
from dpaudit.recheck import check
from dpaudit.recheck.goals import Goal, read_statement, refuse_without_value
from dpaudit.recheck.interval import METER, Exhausted
from dpaudit.recheck.proof import Proof
from dpaudit.recheck.rules.constants import for_every
from dpaudit.recheck.terms import Refused, show
from dpaudit.records.claim import Choose, Exhibit, ForEvery, Move, Nowhere, Open, Point, Statement
from dpaudit.records.errors import ContentError, UnknownNameError
from dpaudit.records.verdict import Evidence, Outcome

CONSTANTS = "a statement with constants, and no other, begins with Choose(), or is refuted by ForEvery()"
SETTLING = {"identical", "combine", "positive", "boxes", "enumerate", "solvers"}
"""Rules that settle a goal for itself, without a part and on no ground."""
DEPTH = 2
"""How many moves are looked for one inside of the other where none is given."""
MOST_OF_ONE = 3_000_000
"""Operations that one attempt may cost."""


@dataclass
class Trail:
    """What came of an argument. evidence: a row for each node; assuming: theorems and statements that it rests on;
    closed: every branch is settled; partial: some branch was left open; refuted: the opposite of the statement was
    shown (`Nowhere`); models: points that a solver proposes; data: the certificate, once it is whole."""

    evidence: list[Evidence] = field(default_factory=list)
    assuming: list[str] = field(default_factory=list)
    closed: bool = True
    partial: bool = False
    refuted: bool = False
    models: list[Point] = field(default_factory=list)
    data: Node | None = None

    def left_open(self, reason: str) -> None:
        """The argument shows nothing, and why."""
        self.closed = False
        self.evidence.append(Evidence("argument", Outcome.INCONCLUSIVE, reason))


class Told(Proof):
    """Goes through a proof and remembers each node with its goal, in order."""

    def __init__(self, grounds: dict[str, Goal], writing: bool = False) -> None:
        super().__init__(grounds, writing)
        self.seen: list[tuple[Goal, Node]] = []
        self.partial = False
        self.reason = ""

    def check(self, goal: Goal, node: Any) -> None:
        """As `Proof.check`; what `Open()` leaves is noted and shown by nothing."""
        self.seen.append((goal, node))
        place = len(self.seen)
        if self.writing and node.get("by") == "open":
            self.partial = True
            return
        try:
            super().check(goal, node)
        except Refused as error:
            if not self.reason:  # the innermost node that fails, and none behind it
                self.reason, self.seen = str(error), self.seen[:place]
            raise

    def evidence(self) -> list[Evidence]:
        """A row for each node; the last one says what failed, if something did."""
        rows = [told(goal, node) for goal, node in self.seen]
        if self.reason and rows:
            rows[-1] = Evidence(rows[-1].engine, Outcome.INCONCLUSIVE, self.reason)
        return rows


class Accepted(Told):
    """Goes through the proof of a certificate that the checker has accepted: what settles a goal without a part is not
    looked at again."""

    def check(self, goal: Goal, node: Any) -> None:
        """As `Told.check`."""
        if node["by"] in SETTLING:
            self.seen.append((goal, node))
        else:
            super().check(goal, node)


class Writer(Told):
    """Writes the nodes of pending moves where it comes to them, with the goal that is reached there."""

    def __init__(self, search: Search, depth: int = DEPTH) -> None:
        super().__init__(search.grounds, writing=True)
        self.search, self.depth = search, depth

    def part(self, goal: Goal, node: Node, key: str) -> None:
        """As `Proof.part`, once the moves of the part are a node."""
        if isinstance(node.get(key), Pending):
            node[key] = self.written(goal, node[key])
        super().part(goal, node, key)

    def written(self, goal: Goal, pending: Pending) -> Node:
        """The node of the first of the moves; those behind it stay pending in it."""
        if pending.step:
            node: Node | Pending = Pending(pending.moves)
            for step in reversed(first_steps(goal, pending.step)):
                node = {**step, "then": node}
            return self.written(goal, node) if isinstance(node, Pending) else node
        if not pending.moves:
            return self._found(goal)
        move, *rest = pending.moves
        _refuse_place(goal, move, rest)
        node = {"by": "open"} if isinstance(move, Open) else NODES[type(move)](self.search, goal, move, tuple(rest))
        reason = getattr(move, "because", "")
        return {**node, "because": reason} if reason else node

    def _found(self, goal: Goal) -> Node:
        """A proof of a goal that no move is given for."""
        if goal.exists:
            raise ContentError("a statement with `exists` is settled by Exhibit() or Nowhere() alone")
        if goal.constants:
            raise ContentError(CONSTANTS)
        found = automatic.proof(goal, instances.proposed(goal), most=1)
        if found is not None:
            return found
        if self.depth == DEPTH and semidefinite.available() and (point := semidefinite.worst(goal, ())):
            self.search.models.append(point)
            factor = automatic.least_factor(goal, instances.proposed(goal))
            better = f"; with {factor} times its right side it is proved" if factor else ""
            raise Refused(f"{plain(show(goal.relation))} fails at a point{better}")
        if self.search.quick:
            raise Refused(f"no simple combination shows {plain(show(goal.relation))}")
        tried = ["Identical", "Positive", "Combine"]
        for moves in attempts.of(goal, self.depth > 0):
            if self.search.tries >= attempts.MOST:
                break
            self.search.tries += 1
            node = self._tried(goal, moves)
            if node is not None:
                return node
            tried.append(type(moves[0]).__name__)
        found = automatic.proof(goal, instances.proposed(goal), most=2) if self.depth == DEPTH else None
        if found is not None:
            return found
        names = ", ".join(dict.fromkeys(tried))
        raise Refused(
            f"no move is given for {plain(show(goal.relation))}; tried by themselves: {names}; "
            "to settle it: name moves that close it, for example Have() or Cases()"
        )

    def _tried(self, goal: Goal, moves: tuple[Move, ...]) -> Node | None:
        """The node of moves that close the goal; None where they do not. What it costs counts for itself."""
        left = METER.left
        METER.left = min(left, MOST_OF_ONE)
        writer = Writer(self.search, self.depth - 1)
        try:
            node = writer.written(goal, Pending(moves))
            writer.check(goal, node)
        except (Refused, ContentError, Exhausted, ValueError):  # ValueError: SymPy compares only what it can evaluate
            return None
        finally:
            METER.left = left
        return node


def _refuse_place(goal: Goal, move: Move, rest: list[Move]) -> None:
    if goal.exists and not isinstance(move, Exhibit):
        raise ContentError("a statement with `exists` is settled by Exhibit() or Nowhere() alone")
    if bool(goal.constants) != isinstance(move, Choose):
        raise ContentError(CONSTANTS)
    if isinstance(move, CLOSING) and rest:
        raise ContentError(f"{type(move).__name__} closes the goal; the moves after it are never reached")
    if isinstance(move, Nowhere):
        raise ContentError("Nowhere() refutes a statement with `exists` and an inequality")
    if isinstance(move, ForEvery):
        raise ContentError("ForEvery() refutes a statement with constants, and stands alone")


def prove(statement: Statement, moves: tuple[Move, ...], search: Search, source: str = "") -> Trail:
    """What the argument shows of the statement; ContentError where it does not fit it."""
    goal = read_statement(as_data(statement))
    if goal.constants and moves and isinstance(moves[0], ForEvery):
        return _for_every(goal, statement, moves[0], search, source)
    refutes = bool(moves) and isinstance(moves[0], Nowhere)
    if refutes and goal.exists and goal.relation.sign != "==":
        goal, moves = check.opposite(goal), moves[0].argument  # type: ignore[union-attr]
    writer, trail = Writer(search), Trail(models=search.models)
    node: Node = {"proof": Pending(moves)}
    try:
        with check.limited():
            if not (refutes or goal.constants):
                refuse_without_value(goal)
            node["proof"] = writer.written(goal, node["proof"])
            writer.check(goal, node["proof"])
    except Refused as error:
        writer.reason = writer.reason or str(error)
        trail.closed = False
    trail.evidence, trail.partial, trail.assuming = writer.evidence(), writer.partial, list(writer.assuming)
    if not trail.evidence:
        trail.left_open(writer.reason)
    trail.refuted = refutes and trail.closed and not trail.partial
    trail.closed = trail.closed and not (refutes and trail.partial)  # a part of a proof of the opposite shows nothing
    if trail.closed and not trail.partial:
        outcome = Outcome.REFUTED if refutes else Outcome.PROVED
        trail.data = proof_object(search, statement, outcome.value, node["proof"], source, writer.assuming)
    return trail


def _for_every(goal: Goal, statement: Statement, move: ForEvery, search: Search, source: str) -> Trail:
    """What an argument shows that is to refute a statement with constants for each value of them."""
    arguments = move.conditions or ((),) * len(goal.context.given)
    node: Node = {
        "by": "for-every",
        "at": [list(pair) for pair in move.at],
        "conditions": [{"proof": Pending(one)} for one in arguments],
        "then": Pending(move.argument),
    }
    writer, trail = Writer(search), Trail(models=search.models)
    try:
        with check.limited():
            for_every(writer, goal, node)
    except Refused as error:
        trail.left_open(writer.reason or str(error))
        return trail
    if move.because:
        node["because"] = move.because
    trail.evidence = [*_point_of(node), *writer.evidence()]
    trail.assuming, trail.partial, trail.refuted = list(writer.assuming), writer.partial, not writer.partial
    trail.closed = trail.refuted
    if trail.refuted:
        trail.data = proof_object(search, statement, Outcome.REFUTED.value, node, source, writer.assuming)
    return trail


def _point_of(node: Node) -> list[Evidence]:
    """What the point of a refutation for every constant says; nothing of a node that proves."""
    if node["by"] != "for-every":
        return []
    point = ", ".join(f"{name} = {value}" for name, value in node["at"])
    reason = f": {node['because']}" if node.get("because") else ""
    return [Evidence("argument", Outcome.PROVED, f"whatever the constants are, it fails at {point}{reason}")]


def tried(statement: Statement, moves: tuple[Move, ...], quick: bool = False) -> Trail:
    """The trail of moves that need not fit the statement: where they do not, it is not closed. quick: what no move is
    given for is looked for at sight and by simple combinations alone."""
    try:
        trail = prove(statement, moves, Search(quick=quick))
    except (ContentError, UnknownNameError, Refused) as error:  # a variant cites nothing
        trail = Trail()
        trail.left_open(str(error))
    trail.closed = trail.closed and not trail.partial
    return trail


def read(data: Mapping[str, Any]) -> Trail:
    """What a certificate that the checker has accepted says, as the argument that it was made of would."""
    try:
        nodes = _gone_through(data, Accepted(check.grounds(data)))
    except Refused:  # the order of factors in a goal may hang on what was looked at before
        nodes = _gone_through(data, Told(check.grounds(data)))
    rows = [*_point_of(data["proof"]), *nodes.evidence()]
    return Trail(rows, list(nodes.assuming), refuted=data["outcome"] == "REFUTED", data=dict(data))


def _gone_through(data: Mapping[str, Any], nodes: Told) -> Told:
    with check.limited():
        check.run(data, nodes)
    return nodes


def proof_object(
    search: Search, statement: Statement, outcome: str, node: Node, source: str, assuming: list[str]
) -> dict[str, Any]:
    """A whole certificate, with its digest."""
    data = {
        "format": check.FORMAT,
        "claim": search.name,
        "source": source,
        "outcome": outcome,
        "statement": as_data(statement),
        "grounds": {name: as_data(search.statements[name]) for name in assuming if name in search.grounds},
        "assuming": sorted(assuming),
        "proof": node,
    }
    return data | {"digest": check.digest(data)}
