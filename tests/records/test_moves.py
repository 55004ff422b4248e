"""Arguments are data: nested moves survive JSON, and every move is one that can be written into a certificate."""

import typing

from dpaudit.claims.argument import nodes
from dpaudit.records import moves
from dpaudit.records.moves import Bound, Boxes, Cases, Combine, ForEvery, Nowhere, Open, Substitute
from dpaudit.records.serial import decode, encode
from dpaudit.records.statement import real


def test_nested_moves_survive_json():
    inner = (Combine((("1", "0 <= x"),)),)
    change = Substitute((real("q", "[0, 1]"),), (("p", "1/q"),), (("q", "1/p"),))
    nested = (change, Cases((("x <= 1", (Bound(left="1", argument=inner), Boxes())), ("otherwise", (Open("rest"),)))))
    assert decode(encode(nested)) == nested


def test_every_move_can_be_written():
    """`Nowhere` and `ForEvery` stand at the beginning alone, and `Open` proves nothing."""
    assert set(typing.get_args(moves.Move)) == {*nodes.NODES, ForEvery, Nowhere, Open}
