"""Each rule in a small true proof that Coq accepts."""

from __future__ import annotations

import copy
from typing import Any

from coq import POSITIVE, SAME, certified, needs_coq, opinions

from dpaudit.kernel.lemmas import RULES
from dpaudit.kernel.rules import closing, rewriting, statements, variables
from dpaudit.recheck.proof import RULES as CHECKED

ROWS = ("x real (-oo, oo)", "y real (0, oo)", "c real [0, 1]", "n integer [1, oo)", "u vector", "v vector")
NOT_SAID = {"choose", "enumerate", "exhibit", "solvers", "antiderivative", "taylor", "at-index"}
"""Rules that have no script yet; a refutation by a point is no rule."""


def then(by: str, node: dict[str, Any] = POSITIVE, **fields: Any) -> dict[str, Any]:
    return {"by": by, **fields, "then": copy.deepcopy(node)}


PROOFS: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "identical": ("(x + 1)**2 == x**2 + 2*x + 1", SAME, ()),
    "identical roots": ("sqrt(y)*y**(1/2) == exp(log(y))", SAME, ()),
    "identical vectors": ("dot(u + v, u - v) == dot(u, u) - dot(v, v)", SAME, ()),
    "positive": ("0 <= x**2 + y", POSITIVE, ()),
    "combine": ("dot(u, v) <= norm(u)*norm(v) + c",
                {"by": "combine", "terms": [["1", "dot(u, v) <= norm(u)*norm(v)"]]}, ()),
    "boxes": ("c*(1 - c) <= 0.26", {"by": "boxes", "splits": "0 0 . . 0 . .", "panels": 8}, ()),
    "theorem": ("x <= y", {"by": "theorem", "theorem": "t"}, ()),
    "cases": ("x <= abs(x)", {"by": "cases", "parts": [
        {"case": "x <= 0", "proof": POSITIVE},
        {"case": "otherwise", "proof": {"by": "combine", "terms": [["1", "x <= abs(x)"]]}},
    ]}, ()),
    "rewrite": ("(x + 1)**2 - 2*x - 1 <= x**2 + c", then("rewrite", left="x**2"), ()),
    "bound": ("x <= 2*abs(x)", {"by": "bound", "left": "abs(x)", "then": POSITIVE,
                                "inner": {"by": "combine", "terms": [["1", "x <= abs(x)"]]}}, ()),
    "scale": ("c*y <= y", then("scale", factor="1/y"), ()),
    "shift": ("x - 1 <= x - c", then("shift", term="-x"), ()),
    "power": ("y <= y + 1", then("power", exponent="2"), ()),
    "logarithm": ("exp(-y) <= 1", then("logarithm", then("rewrite", left="-y", right="0")), ()),
    "subtract": ("x <= 3", then("subtract", fact="x <= 2"), ("x <= 2",)),
    "have": ("x <= 1", then("have", fact="x <= c", inner={"by": "theorem", "theorem": "t"}), ()),
    "narrow": ("x*(1 - x) <= 1", then("narrow"), ("0 <= x", "x <= 1")),
    "name": ("y + exp(x) <= y + exp(x) + c", then("name", symbol=["h", "real", "(-oo, oo)"], term="exp(x)"), ()),
    "substitute": ("log(y) <= log(y) + c", then("substitute", symbols=[["l", "real", "(-oo, oo)"]],
                   values=[["y", "exp(l)"]], inverse=[["l", "log(y)"]]), ()),
    "tangent": ("1 + x <= exp(x)", {"by": "tangent", "variable": "x", "point": "0", "curvature": "exp(x)"}, ()),
    "monotone": ("c*y <= c*y + c**2", then("monotone", variable="c", at="low", slope="2*c", inner=POSITIVE), ()),
    "termwise": ("sum(k, 1, n, 1/k) <= sum(k, 1, n, 1/k + c)", {"by": "termwise", "inner": POSITIVE}, ()),
    "induct": ("sum(k, 1, n, 2**(-k)) == 1 - 2**(-n)", {"by": "induct", "variable": "n", "base": SAME, "step": then(
        "rewrite", then("subtract", then("name", SAME, symbol=["s", "real", "(-oo, oo)"], term="sum(k, 1, n, 2**(-k))"),
                        fact="sum(k, 1, n, 2**(-k)) == 1 - 2**(-n)"),
        left="sum(k, 1, n, 2**(-k)) + 2**(-(n + 1))")}, ()),
}  # fmt: skip


def test_every_rule_has_a_script_or_is_named_here() -> None:
    assert {closing, rewriting, statements, variables}
    assert set(CHECKED) - set(RULES) == NOT_SAID
    assert set(RULES) <= set(CHECKED)
    assert {name.split(" ")[0] for name in PROOFS} == set(RULES) - {"instance"}


@needs_coq
def test_true_uses_are_accepted() -> None:
    data = [certified(text, copy.deepcopy(node), *ROWS, conditions=given) for text, node, given in PROOFS.values()]
    found = dict(zip(PROOFS, opinions(*data), strict=True))
    assert {name: (one.result, one.reason) for name, one in found.items()} == dict.fromkeys(PROOFS, ("accepted", ""))
    assert {name for name, one in found.items() if one.assuming} == {"theorem", "have"}
