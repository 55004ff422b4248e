"""A certificate is accepted only for what it shows: changed heads, changed nodes and malformed input are refused."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from depth import repeats
from domains import certificate, stated, why_not, written

from dpaudit.claims.certificates.certificate import statement_of
from dpaudit.claims.engines.rigorous.boxes import prove
from dpaudit.claims.judge import find_witness
from dpaudit.content import places
from dpaudit.recheck import check as checking
from dpaudit.recheck.__main__ import examine
from dpaudit.recheck.check import Checked, check, digest
from dpaudit.recheck.interval import METER
from dpaudit.recheck.terms import Refused

RIDGED = stated("x*(1 - x) <= 0.2501", "x real [0, 1]")
HALVED = {"by": "boxes", "splits": " ".join(prove(statement_of(RIDGED), 500).splits), "panels": 1}
DEEP = {"by": "scale", "factor": "2", "then": {"by": "rewrite", "right": "5002/10000", "then": HALVED}}


def signed(data: dict[str, Any]) -> dict[str, Any]:
    """With a digest that fits: what somebody does who knows the format."""
    return data | {"digest": digest(data)}


def test_what_a_node_needs_and_proves_is_counted() -> None:
    found = check(written(RIDGED, DEEP))
    assert (found.steps, found.boxes, found.solvers, found.assuming) == (3, len(HALVED["splits"].split()), 0, ())
    assert found.boxes > 3


def test_it_runs_with_the_standard_library_alone(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps(written(RIDGED, copy.deepcopy(DEEP))))
    heavy = "sys.modules.keys() & {'numpy', 'sympy', 'flint', 'mpmath', 'scipy', 'numba', 'torch'}"
    own = "[m for m in sys.modules if m.startswith('dpaudit.') and not m.startswith('dpaudit.recheck')]"
    code = f"import sys; from dpaudit.recheck.__main__ import main; c = main([{str(file)!r}])"
    code += f"; print({heavy}, {own}); sys.exit(c)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    row = json.loads(done.stdout.splitlines()[0])
    assert (row["accepted"], row["claim"], row["outcome"], row["steps"]) == (True, "toy/LEM-1", "PROVED", 3)
    assert done.stdout.splitlines()[1] == "set() []"


@pytest.mark.parametrize(
    "change",
    [
        {"claim": "toy/LEM-2"},
        {"source": "1"},
        {"format": 2},
        {"format": True},
        {"more": 1},
        {"outcome": "REFUTED"},
        {"assuming": ["a"]},
        {"grounds": []},
        {"claim": ""},
        {"proof": None},
        {"statement": None},
    ],
    ids=str,
)
def test_a_changed_head_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        check(written(RIDGED, copy.deepcopy(DEEP)) | change)


@pytest.mark.parametrize("change", [{"outcome": "REFUTED"}, {"assuming": ["a"]}, {"outcome": "CONSISTENT"}], ids=str)
def test_a_changed_head_is_refused_whatever_its_digest(change: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        check(signed(written(RIDGED, copy.deepcopy(DEEP)) | change))


@pytest.mark.parametrize("data", [None, [], 3, "text", {}, {"format": 3}], ids=str)
def test_what_is_no_certificate_is_refused(data: object) -> None:
    with pytest.raises(Refused):
        check(data)


@pytest.mark.parametrize("text", ["", "{", "[1, 2", "\x00", '{"format": 3}', "9" * 5000, "[" * 100_000])
def test_malformed_files_are_refused_without_an_exception(tmp_path: Path, text: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(text)
    assert not examine(str(file))["accepted"]
    assert examine(str(file))["reason"]
    assert not examine(str(tmp_path / "absent.json"))["accepted"]


def test_what_is_assumed_is_what_the_file_says() -> None:
    node = {"by": "theorem", "theorem": "lyapunov"}
    made = written(stated("x <= 1", "x real (-oo, oo)"), node)
    assert made["assuming"] == ["lyapunov"]
    assert check(made).assuming == ("lyapunov",)
    with pytest.raises(Refused, match="assumes"):
        check(signed(made | {"assuming": []}))


LEMMA = {"toy/LEM-2": stated("y*(1 - y) <= 1/4", "y real [0, 1]", conditions=("y <= 1/2",))}
INSTANCE = {"by": "instance", "of": "toy/LEM-2", "at": [["y", "x/2"]]}


def test_a_statement_with_an_id_is_an_instance_of_a_ground_and_never_assumed() -> None:
    halved = stated("x/2*(1 - x/2) <= 1/4", "x real [0, 1]")
    made = written(halved, copy.deepcopy(INSTANCE), grounds=LEMMA)
    assert check(made).assuming == ("toy/LEM-2",)
    node = {"by": "theorem", "theorem": "toy/LEM-2", "because": "it stands in another claim"}
    for grounds in ({}, LEMMA):
        with pytest.raises(Refused, match="and no named theorem"):
            check(signed(made | {"proof": node, "grounds": grounds}))
    with pytest.raises(Refused, match="not among the grounds"):
        check(signed(made | {"grounds": {}}))


@pytest.mark.parametrize(
    "change",
    [{"conditions": ["y <= 1/4"]}, {"symbols": [["y", "real", "[0, 1/4]"]]}, {"goal": "y*(1 - y) <= 1/3"},
     {"symbols": [["y", "real", "[1/4, 1]"]]}, {"exists": True}],
    ids=str,
)  # fmt: skip
def test_a_ground_that_says_less_than_is_needed_is_refused(change: dict[str, Any]) -> None:
    made = written(stated("x/2*(1 - x/2) <= 1/4", "x real [0, 1]"), copy.deepcopy(INSTANCE), grounds=LEMMA)
    with pytest.raises(Refused):
        check(signed(made | {"grounds": {"toy/LEM-2": LEMMA["toy/LEM-2"] | change}}))
    with pytest.raises(Refused, match="digest"):
        check(made | {"grounds": {"toy/LEM-2": LEMMA["toy/LEM-2"] | change}})


def test_the_word_of_solvers_is_counted() -> None:
    assert check(written(stated("x <= x", "x real (-oo, oo)"), {"by": "solvers"})) == Checked(1, 0, 1, ())


def test_a_point_refutes_and_its_opposite_does_not() -> None:
    false = stated("x**2 <= x", "x real [0, oo)", conditions=("1 < x",))
    refuted = {"outcome": "REFUTED"}
    assert why_not(false, {"by": "witness", "point": [["x", "2"]]}, **refuted) == ""
    for value, reason in (("1", "condition"), ("-1", "range"), ("1/2", "condition")):
        assert reason in why_not(false, {"by": "witness", "point": [["x", value]]}, **refuted)
    true = stated("x**2 <= x", "x real [0, 1]")
    assert "does not fail" in why_not(true, {"by": "witness", "point": [["x", "1"]]}, **refuted)
    assert "witness" in why_not(true, {"by": "identical"}, **refuted)


def test_a_statement_that_there_is_a_point_is_refuted_by_its_opposite() -> None:
    none = stated("x**2 <= -1", "x real (-oo, oo)", exists=True)
    assert why_not(none, {"by": "positive"}, outcome="REFUTED") == ""
    some = stated("x**2 <= 1", "x real (-oo, oo)", exists=True)
    assert "sign" in why_not(some, {"by": "positive"}, outcome="REFUTED")
    assert why_not(some, {"by": "exhibit", "point": [["x", "1"]]}) == ""


def nodes(node: dict[str, Any]) -> list[dict[str, Any]]:
    """A node and all nodes below it."""
    inner = [node[key] for key in ("then", "inner", "base", "step", "proof") if isinstance(node.get(key), dict)]
    inner += node.get("parts", []) if node.get("by") == "cases" else []
    return [node, *(one for part in inner for one in nodes(part))]


def mutated(data: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """A certificate with one place changed: a side goal dropped, a number moved, a rule swapped, a range widened."""
    data = copy.deepcopy(data)
    every = [one for one in nodes(data["proof"]) if "by" in one]
    node = every[int(rng.integers(len(every)))]
    kind = int(rng.integers(6))
    if kind == 0 and node.get("needs"):
        node["needs"].pop(int(rng.integers(len(node["needs"]))))
    elif kind == 1 and "goal" in node:
        node["goal"] = moved(node["goal"], rng)
    elif kind == 2:
        node["by"] = str(rng.choice(["identical", "positive", "combine", "rewrite", "scale", "boxes"]))
    elif kind == 3:
        data["statement"]["goal"] = moved(data["statement"]["goal"], rng)
    elif kind == 4 and data["statement"]["conditions"]:
        data["statement"]["conditions"].pop(int(rng.integers(len(data["statement"]["conditions"]))))
    else:
        key = str(rng.choice([key for key in node if key not in ("by", "goal", "needs")] or ["by"]))
        node[key] = moved(node[key], rng) if isinstance(node[key], str) else node.get("goal", "")
    return data


def moved(text: str, rng: np.random.Generator) -> str:
    """The text with one digit or sign changed."""
    places = [i for i, letter in enumerate(text) if letter in "0123456789+-*/<"]
    if not places:
        return text + "1"
    place = places[int(rng.integers(len(places)))]
    swap = {"+": "-", "-": "+", "*": "/", "/": "*", "<": ">"}
    new = swap.get(text[place]) or str((int(text[place]) + int(rng.integers(1, 9))) % 10)
    return text[:place] + new + text[place + 1 :]


SHIPPED = sorted(places.content_folder("proofs")[0].glob("*/certificates/*.json"))


def test_a_mutation_with_a_fitting_digest_is_refused_or_says_the_same() -> None:
    """Random changes of shipped certificates. What is still accepted proves the statement that it now has, which the
    search for a witness does not refute; few are."""
    rng = np.random.default_rng(20261124)
    proofs = [data for path in SHIPPED if (data := json.loads(path.read_text()))["outcome"] == "PROVED"]
    tried, accepted = repeats(200, 5_000), 0
    for _ in range(tried):
        data = signed(mutated(proofs[int(rng.integers(len(proofs)))], rng))
        try:
            found = check(data)
        except Refused:
            continue
        except (ArithmeticError, LookupError, TypeError, AttributeError, ValueError):
            continue  # `examine` turns these into a refusal
        accepted += 1
        if found.assuming or found.solvers:  # the statement may hang on a theorem that says something else
            continue
        assert find_witness(statement_of(data["statement"]), (), 7) is None, data
    assert accepted < tried / 10


def test_every_shipped_certificate_loses_its_digest_by_any_change() -> None:
    rng = np.random.default_rng(7)
    for path in SHIPPED[:: len(SHIPPED) // 40]:
        data = json.loads(path.read_text())
        if data["outcome"] == "PROVED" and (changed := mutated(data, rng)) != data:
            with pytest.raises(Refused, match="digest"):
                check(changed)


SHORT_BUT_LONG = {
    "sums of sums": "2 <= x + sum(a, 1, 5000, sum(b, 1, 5000, sum(c, 1, 5000, 1)))",
    "sums of series": "2 <= sum(k, 1, 5000, gamma_tail(10**4 + k, 10**4 - x))",
    "a product of sums": f"2 <= x + 0*({'*'.join([f'(x + {i})' for i in range(60)])})",
    "a power of sums": "2*x <= (x - 1)**60*(x - 2)**60*(x - 3)**60",
    "a tower": "10**10**10 <= x",
    "a large factorial": "factorial((10**10000)**10000) <= x",
    "a long list": f"2 <= max({', '.join(['x'] * 20_000)})",
}


@pytest.mark.parametrize("name", SHORT_BUT_LONG)
@pytest.mark.parametrize("by", ["boxes", "positive", "identical"])
def test_a_short_text_cannot_run_for_long(name: str, by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_WORK", 200_000)
    node = {"by": by, "splits": ".", "panels": 10_000} if by == "boxes" else {"by": by}
    data = certificate(stated(SHORT_BUT_LONG[name], "x real [0, 1]"), node)
    with pytest.raises((Refused, ArithmeticError, RecursionError)):
        check(data)
    assert METER.left == float("inf")


@pytest.mark.parametrize(
    ("goal", "symbol"),
    [
        ("x/x == 1", "[-1, 1]"),
        ("0 <= sqrt(x)", "[-1, 1]"),
        ("x <= x + 0*log(x)", "[0, 1]"),
        ("sum(k, 1, x, 1) <= x", "[1, 2]"),
    ],
)
def test_a_statement_has_a_value_on_its_whole_domain(goal: str, symbol: str) -> None:
    """Each holds wherever both sides have a value, and says nothing of the other points."""
    with pytest.raises(Refused, match="not shown to have a value on its whole domain"):
        check(signed(certificate(stated(goal, f"x real {symbol}"), {"by": "identical"})))


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    text = json.dumps(written(stated("x <= 1", "x real [0, 1]"), {"by": "positive"}))
    file = tmp_path / "twice.json"
    file.write_text(text)
    assert examine(str(file))["accepted"] is True
    file.write_text(text.replace('"goal": "x <= 1"', '"goal": "x <= 0", "goal": "x <= 1"'))
    assert "stands twice" in str(examine(str(file))["reason"])
