"""Arguments are data: nested moves survive JSON, and every move is one that the walk knows."""

import typing

from dpaudit.claims.argument import walk
from dpaudit.records import moves
from dpaudit.records.moves import Bound, Boxes, Cases, Combine, Induct, Nowhere, Open, Substitute
from dpaudit.records.serial import decode, encode
from dpaudit.records.statement import real


def test_nested_moves_survive_json():
    inner = (Combine((("1", "0 <= x"),)),)
    change = Substitute((real("q", "[0, 1]"),), (("p", "1/q"),), (("q", "1/p"),))
    nested = (change, Cases((("x <= 1", (Bound(left="1", argument=inner), Boxes())), ("otherwise", (Open("rest"),)))))
    assert decode(encode(nested)) == nested


def test_the_walk_knows_every_move():
    known = set(walk.CLOSE) | set(walk.TRANSFORM)
    assert set(typing.get_args(moves.Move)) == known
    # The dry walk to the box goals must look inside every move that has arguments of its own.
    assert set(walk.LEAVES) == set(walk.CLOSE) - {Boxes, Cases, Induct, Nowhere}
