"""The first inputs of the boundaries: files of a small run, answers of a sandbox, statements, shipped certificates."""

from __future__ import annotations

import dataclasses
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import edited_files
import fuzz_files
import numpy as np
import pytest
import recordings as small_recordings
from small_content import target_text

from dpaudit.audit.accounts import Account
from dpaudit.audit.sandbox import recordings, server, wire
from dpaudit.recheck.check import check
from dpaudit.records import serial
from dpaudit.records.digests import digest_in, without_digest
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.runs import spending
from dpaudit.runs.spending import Spending, Spent

Put = Callable[[str, bytes], Path]
ROOT = Path(__file__).parents[2]
LONGEST = 2500
"""Letters of a certificate that is taken."""
MUTANT = "toy/LEM-1~auto-1"
"""A verdict without files."""


def write(put: Put) -> None:
    """Hand every first input to `put`, and make the files that stand beside them anew."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        fuzz_files.BASE.mkdir(parents=True, exist_ok=True)
        described = _described(Path(folder))
        (fuzz_files.BASE / "described_target.json").write_text(json.dumps(described, indent=1) + "\n")
        made = {"wire": _messages(), "session": _answers(), "plan": _plans(described), "expressions": _texts(),
                "recheck": _certificates(), "readers": _files(Path(folder) / "home", patch)}  # fmt: skip
        for name, inputs in made.items():
            for data in inputs:
                put(name, data)


DEEP = "[" * 1900 + "]" * 1900
"""Nested deeper than Python recurses."""
REFUSED_MESSAGES = (
    '{"value":1e999,"arrays":[]}', '{"value":NaN,"arrays":[]}', '{"value":{"array":0},"arrays":[["object",[1]]]}',
    '{"value":{"array":0},"arrays":[["int8",[65537]]]}', '{"value":{"scalar":0},"arrays":[["int8",[1]]]}',
    '{"value":{"array":0},"arrays":[["int8",[' + ",".join("1" * 40) + "]]]}", '{"value":' + "9" * 5000 + "}",
    '{"value":{"float":"1"},"arrays":[]}', DEEP,
)  # fmt: skip
REFUSED_JSON = (DEEP, '{"a": 1, "a": 2}', '{"a": ' + "9" * 301 + "}", '{"a": 1e999}', '{"a": NaN}', r'{"a": "\ud800"}')


def _sent(value: object) -> bytes:
    line, arrays = wire.encode(value)
    return line + b"".join(array.tobytes() for array in arrays)


def _messages() -> Iterator[bytes]:
    arrays = [np.array([True, False]), np.zeros((2, 0, 3), np.float16), np.arange(4, dtype=np.int64).reshape(2, 2)]
    for value in (None, True, -7, 1.5, "text", [1, [2, (3, "x")]], {"a": {"b": ()}}, float("nan"), float("-inf"),
                  arrays, np.float32(2.5), {"arrays": (arrays[0], arrays[0])}):  # fmt: skip
        yield _sent(value)
    yield _sent([1]) + _sent({"second": 2})
    for text in REFUSED_MESSAGES:
        yield text.encode() + b"\n\x02"


def _answers() -> Iterator[bytes]:
    """An answer to each call, and errors."""
    rng = np.random.default_rng(5)
    noisy = small_recordings.noisy([rng.normal(size=2), rng.normal(size=2)])
    seen = small_recordings.recording(*noisy, public=[("rate", 0.1)], outputs=[("w", rng.normal(size=2))],
                                      batches=[np.arange(2)])  # fmt: skip
    account = Account("1 step", SelfComposed(PoissonSampled(0.01, Gaussian(1.0)), 10), 1e-5, 0.5)
    states = {"numpy": "0" * 64}
    pair = [{"sent": np.ones((2, 2))}, {"type": "DataFrame"}]
    values: dict[bytes, tuple[Any, ...]] = {
        b"n": ({"pair": pair, "state": rng.bit_generator.state},),
        b"f": ({"pair": pair[::-1], "state": rng.bit_generator.state},),
        b"r": (np.arange(3.0),),
        b"w": (np.arange(3.0),),
        b"s": (np.arange(3.0),),
        b"l": ({"scorer": 0, "state": rng.bit_generator.state}, np.arange(3.0)),
        b"i": ({"recording": recordings.plain(seen), "generators": {"seeded": states, "final": states}},),
        b"o": (["a note", "another"],),
        b"a": ([{f.name: serial.encode(getattr(account, f.name)) for f in dataclasses.fields(account)}],),
        b"b": (0.5,),
    }
    for call, answers in values.items():
        yield call + b"".join(_sent({"number": n, "value": value}) for n, value in enumerate(answers, start=1))
    error = {"raised": "ValueError", "text": "a.py, line 1: mine", "place": "a.py", "trace": "...", "package": None,
             "memory": True, "file_size": True, "network": True, "read_only": True}  # fmt: skip
    yield b"o" + _sent({"number": 1, "error": error})
    fields = values[b"a"][0][0]
    yield b"a" + _sent({"number": 1, "value": [{**fields, "epsilon": 10**400}]})
    yield b"a" + _sent(
        {"number": 1, "value": [{**fields, "mechanism": {"type": "Gaussian", "noise_multiplier": 10**400}}]}
    )
    yield b"o" + _sent({"number": 1, "error": {**error, "package": ["torch", "torch", "pip install torch"]}})


def _described(folder: Path) -> dict[str, Any]:
    """What a sandbox says of a target that has every function and an attack that learns."""
    path = folder / "described.py"
    path.write_text(target_text(trials=200), encoding="utf-8")
    [found] = server.Server(path).describe()
    found["target"]["canaries"] = 10
    learns = {"fits": True, "whole_numbers": False}
    return {**found, "functions": list(server.FUNCTIONS), "attacks": {"learns": learns}}


def _plans(described: dict[str, Any]) -> Iterator[bytes]:
    yield _sent({"number": 1, "value": [described]})
    for name in ("srgd/dp_sgd.py", "mechanisms/laplace.py", "tools/accountants.py"):
        path = ROOT / "audits" / name
        if path.exists():
            yield _sent({"number": 1, "value": server.Server(path).describe()[:1]})
    own = {"module": "dpaudit.attacks.histogram", "class": "Histogram", "fields": {}}
    yield _sent({"number": 1, "value": [{**described, "attacks": {"h": own}, "chunk": 5, "error_share": 0.5}] * 2})
    yield _sent({"number": 1, "value": [{"error": "a.py, line 1: wrong", "missing": False, "place": "a.py"}]})


TEXTS = (
    "tx + 1/2", "t-2**-3*(x - y)/7", "tmin(x, y, 0.7) + max(1e-3, -x)", "tfloor(log2(k)) + ceil(sqrt(k))",
    "tsum(i, 1, k, i**2)", "tintegral(z, 0, 1, exp(-z))", "tbinomial(k, 2) + factorial(k) + Gamma(k)",
    "tbinomial_cdf(2, k, x)", "tbeta_tail(2, 3, x) + gamma_tail(2, 1) + Phi(x)", "texprel(0) + abs(-x)", "te[k + 1]",
    "tnorm(u - 2*v)**2 + dot(u, v) + E(z)", "rx**2 <= y", "rx + 1 == k", "r1 > x", "call(t, 0, k, e[t + 1] <= e[t])",
    "cx >= 0", "t" + "-" * 900 + "1", "t" + "-" * 3_500 + "1", "t" + "-" * 9_000 + "1", "t1" + "+1" * 500,
    "r" + "(" * 300, "t1e999999", "t1e-5000", "t" + "9" * 900,
    "tsum(1, 1, k, k)", "tsum(k, 1, k, sum(k, 1, 2, k))", "t0x10", "tx.y", "tlambda: 0", "t'a'",
    "t2**3**4/(-5)", "tx/0.7**2 - 0.5", "tx/0.7",
)  # fmt: skip


def _texts() -> Iterator[bytes]:
    yield from (text.encode() for text in TEXTS)


def _certificates() -> Iterator[bytes]:
    """Short ones that ship, such that every rule that they use is in one."""
    texts = [p.read_text(encoding="utf-8") for p in sorted(ROOT.glob("proofs/*/certificates/*.json"))]
    found = sorted((len(text), text) for text in texts if len(text) <= LONGEST)
    seen: set[str] = set()
    for _, text in found:
        data = json.loads(text)
        rules = set(_rules(data["proof"])) | {data["outcome"]}
        if rules - seen and not data["assuming"] and _quick(data):
            seen |= rules
            yield b"=" + json.dumps(data, separators=(",", ":")).encode()


def _quick(data: Any) -> bool:
    """Is it checked in less than a third of a second?"""
    started = time.perf_counter()
    check(data)
    return time.perf_counter() - started < 1 / 3


def _rules(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from [node["by"]] if isinstance(node.get("by"), str) else []
        for inner in node.values():
            yield from _rules(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _rules(inner)


def _files(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[bytes]:
    edited_files.home(folder, patch)

    def text(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    def bare(name: str) -> bytes:
        """Without its digest, on one line."""
        return json.dumps(json.loads(without_digest(text(name)) or text(name)), ensure_ascii=False).encode()

    whole, stopped = edited_files.WHOLE, edited_files.STOPPED
    (fuzz_files.BASE / "run.json").write_text(text(f"{stopped}/run.json"), encoding="utf-8")
    lines = text(f"{stopped}/records.jsonl").splitlines()
    first = {name: line for line in lines if (name := json.loads(line)["id"]) in ("toy/a", "toy/LEM-1", MUTANT)}
    (fuzz_files.BASE / "records.jsonl").write_text("\n".join([*first.values(), ""]), encoding="utf-8")
    yield b"R=" + bare(f"{stopped}/run.json")
    yield b"R=" + bare(f"{whole}/run.json")
    yield b"R " + text(f"{stopped}/run.json").encode()
    lines = text(f"{whole}/records.jsonl").splitlines()
    for line in (lines[0], lines[-1]):
        yield b"V=" + (without_digest(line) or "").encode() + b"\n"
    yield b"V " + lines[0].encode() + b"\n" + lines[1].encode() + b"\n"
    marks = text(f"{stopped}/tasks.jsonl").splitlines()
    yield b"T=" + (without_digest(marks[0]) or "").encode() + b"\n"
    yield b"T " + "\n".join(marks[:2]).encode() + b"\n"
    mark = {"task": 0, "name": "toy/LEM-1", "verdicts": {MUTANT: digest_in(first[MUTANT])}, "cached": False}
    yield b"T=" + json.dumps(mark).encode() + b"\n"
    yield b"K=" + bare(f"{whole}/kernel.json")
    yield b"L=" + json.dumps(serial.encode(_spent())).encode()
    entry = json.loads(next((folder / edited_files.CACHE).iterdir()).read_text(encoding="utf-8"))
    yield b"C=" + json.dumps(entry["content"]).encode()
    scores = json.loads(text(sorted(p.relative_to(folder).as_posix() for p in folder.glob(f"{whole}/scores/*"))[0]))
    yield b"F " + json.dumps(_short(scores)).encode()
    yield b"P " + text(edited_files.SHIPPED).encode()
    yield b"B " + edited_files.BASELINE.encode()
    for refused in REFUSED_JSON:
        yield b"P " + refused.encode()
    yield b"B a = " + DEEP.encode()
    yield b"B accepted = 1"
    yield b"B [[accepted]]\nid = 0x" + b"f" * 400
    yield b"S=seed = inf\nalpha = nan"
    yield b"S=isolate = false"
    yield b"S=" + edited_files.SETTINGS.encode()
    yield b"S " + f"[tool.dpaudit]\n{edited_files.SETTINGS}".encode()


def _spent() -> Spending:
    """A ledger of which one run has taken its share."""
    made = "2026-01-02T03:04:05+00:00"
    share = spending.share(0.05, spending.DEFAULT_HORIZON, 1)
    return Spending(made, 0.05, spending.DEFAULT_HORIZON, (Spent(1, made, 7, share, 2, "runs/a", "dpaudit run"),))


def _short(data: Any) -> Any:
    """Its lists cut to three items."""
    if isinstance(data, dict):
        return {key: _short(value) for key, value in data.items()}
    return [_short(value) for value in data[:3]] if isinstance(data, list) else data
