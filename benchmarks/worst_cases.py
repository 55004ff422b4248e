"""Worst cases of first-order methods: the least constant that is shown here, beside that of PEPit on its own examples.

    python benchmarks/worst_cases.py                    ours alone, and the constants of the literature
    python benchmarks/worst_cases.py --peer FOLDER      with PEPit from FOLDER, installed by
        pip install --target FOLDER pepit==0.5.1 clarabel
    ... -o reports/benchmarks/worst_cases.json

Each row is a bound on f(x_N) - f* by a multiple of |x_0 - x*|^2, at smoothness 1 and, for the proximal point method,
step 1. `ours` is the value of the semidefinite program; `proved` is a constant with few digits that the checker
accepts; `refuted` one that a function with rational numbers breaks; `closed` is the constant of the literature: gradient
descent 1/(4 N + 2) (Drori and Teboulle 2014), proximal point 1/(4 N) (Taylor, Hendrickx and Glineur 2017).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.engines import semidefinite
from dpaudit.claims.judge import judge
from dpaudit.claims.source import Source
from dpaudit.claims.writing import Statement, Step, convex_at, real, smooth_convex_at, vector
from dpaudit.recheck.goals import read_statement
from dpaudit.records.context import Context, Level

DIGITS = 10**5
PEERS = {
    "gradient descent": ("wc_gradient_descent", {"L": 1, "gamma": 1}),
    "accelerated gradient": ("wc_accelerated_gradient_convex", {"mu": 0, "L": 1}),
    "proximal point": ("wc_proximal_point", {"gamma": 1}),
}
CLOSED: dict[str, Callable[[int], float]] = {
    "gradient descent": lambda steps: 1 / (4 * steps + 2),
    "proximal point": lambda steps: 1 / (4 * steps),
}


def gradient_descent(steps: int, bound: str) -> Statement:
    """x_{k+1} = x_k - grad f(x_k), f convex and 1-smooth: f(x_N) - f* <= bound |x_0 - x*|^2."""
    x, triples = "x0", [("xs", "", "fs")]
    for k in range(steps + 1):
        triples.append((x, f"g{k}", f"f{k}"))
        x = f"{x} - g{k}"
    return _statement(steps, bound, smooth_convex_at("1", *triples))


def accelerated_gradient(steps: int, bound: str) -> Statement:
    """Nesterov's method with the weights lam_{k+1} = (1 + sqrt(4 lam_k^2 + 1))/2, to twelve digits."""
    x, y, triples, lam = "x0", "x0", [("xs", "", "fs")], 1.0
    for k in range(steps):
        triples.append((y, f"g{k}", f"f{k}"))
        before, lam, last = lam, (1 + math.sqrt(4 * lam**2 + 1)) / 2, x
        x = f"({y} - g{k})"
        y = f"({x} + {(before - 1) / lam:.12f}*({x} - {last}))"
    triples.append((x, f"g{steps}", f"f{steps}"))
    return _statement(steps, bound, smooth_convex_at("1", *triples))


def proximal_point(steps: int, bound: str) -> Statement:
    """x_{k+1} = x_k - g_{k+1} with a subgradient at x_{k+1}, f convex."""
    x, triples = "x0", [("xs", "", "fs")]
    for k in range(1, steps + 1):
        x = f"{x} - g{k}"
        triples.append((x, f"g{k}", f"f{k}"))
    return _statement(steps, bound, convex_at(*triples))


def _statement(steps: int, bound: str, conditions: tuple[str, ...]) -> Statement:
    text = " ".join(conditions)
    named = [f"{kind}{k}" for k in range(steps + 1) for kind in "gf" if f"{kind}{k}" in text]
    symbols = [vector("x0"), vector("xs"), real("fs")]
    symbols += [vector(name) if name[0] == "g" else real(name) for name in named]
    return Statement(f"f{steps} - fs <= {bound}*norm(x0 - xs)**2", tuple(symbols), conditions)


METHODS: dict[str, tuple[Callable[[int, str], Statement], tuple[int, ...]]] = {
    "gradient descent": (gradient_descent, (1, 2, 3, 5)),
    "accelerated gradient": (accelerated_gradient, (1, 2, 3, 5)),
    "proximal point": (proximal_point, (1, 2, 3, 5)),
}


def least(method: Callable[[int, str], Statement], steps: int) -> float:
    """The value of the program."""
    goal = read_statement(as_data(method(steps, "1")))
    found = semidefinite.best(method(steps, "{c}").expression, goal)
    if found is None:
        raise RuntimeError("the solver found no bound")
    return found


def outcome(statement: Statement) -> str:
    """What the engines and the checker say of a statement without any argument."""
    return judge("toy/THM-1", Step("s1", "a bound", statement), Source(), Context(7, Level.SMOKE, 1e-6)).outcome.value


def row(name: str, steps: int) -> dict[str, object]:
    """One row of the table."""
    method = METHODS[name][0]
    start = time.process_time()
    ours = least(method, steps)
    seconds = time.process_time() - start
    above, below = math.ceil(ours * DIGITS * 1.001), math.floor(ours * DIGITS * 0.98)
    found: dict[str, object] = {"method": name, "steps": steps, "ours": ours, "seconds": round(seconds, 3)}
    if name in CLOSED:
        found["closed"] = CLOSED[name](steps)
    found["at the closed one"] = outcome(method(steps, f"1/{round(1 / CLOSED[name](steps))}")) if name in CLOSED else ""
    found |= {f"{above}/{DIGITS}": outcome(method(steps, f"{above}/{DIGITS}"))}
    return found | {f"{below}/{DIGITS}": outcome(method(steps, f"{below}/{DIGITS}"))}


def peer(name: str, steps: int) -> float:
    """PEPit's value of the same example."""
    from PEPit.examples import unconstrained_convex_minimization as examples

    function, settings = PEERS[name]
    value, _ = getattr(examples, function)(**settings, n=steps, wrapper="cvxpy", solver="CLARABEL", verbose=-1)
    return float(value)


def main() -> None:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", type=Path, help="folder with PEPit")
    parser.add_argument("-o", "--output", type=Path)
    words = parser.parse_args()
    if words.peer:
        sys.path.append(str(words.peer))
    rows = []
    for name, (_, sizes) in METHODS.items():
        for steps in sizes:
            found = row(name, steps)
            if words.peer:
                found["PEPit"] = peer(name, steps)
                found["difference"] = abs(found["PEPit"] - float(str(found["ours"])))  # type: ignore[operator]
            rows.append(found)
            print(found, file=sys.stderr, flush=True)
    text = json.dumps({"command": "python benchmarks/worst_cases.py --peer FOLDER", "rows": rows}, indent=1)
    if words.output:
        words.output.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
