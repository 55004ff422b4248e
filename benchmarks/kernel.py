"""What Coq says of the shipped certificates: how many it accepts, refuses, or does not get to see, and why.

`python benchmarks/kernel.py` writes reports/benchmarks/kernel.json; `--check` compares with it instead, and fails where
a certificate that was accepted no longer is. `--every 6` judges one certificate in six. Without coqc it says NOT_RUN.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from dpaudit.kernel.coqc import Absent, processor_seconds
from dpaudit.kernel.judge import ACCEPTED, NOT_TRANSLATED, REFUSED, Judged, judge

ROOT = Path(__file__).parents[1]
FILE = ROOT / "reports" / "benchmarks" / "kernel.json"
PROOFS = ROOT / "proofs"


def kind(data: dict[str, Any]) -> str:
    """What a certificate shows: a point refutes, or a proof that rests on something or on nothing."""
    if data["proof"]["by"] == "witness":
        return "refuted by a point"
    return "proved under assumptions" if data["assuming"] else "proved"


def measured(every: int = 1) -> dict[str, Any]:
    """The record: counts, by kind and by paper, the reasons, and every certificate that is not accepted."""
    paths = sorted(PROOFS.glob("*/certificates/*.json"))[::every]
    shipped = {path.relative_to(PROOFS).as_posix(): json.loads(path.read_text(encoding="utf-8")) for path in paths}
    before = processor_seconds()
    found = judge(shipped)
    return {
        "how": "python benchmarks/kernel.py on a shared machine with two cores: user and system time together",
        "certificates": len(found),
        **counted(found),
        "processor_seconds": round(processor_seconds() - before),
        "kinds": [
            {"kind": name, **counted({one: found[one] for one in found if kind(shipped[one]) == name})}
            for name in ("proved", "proved under assumptions", "refuted by a point")
        ],
        "papers": [
            {"paper": paper, **counted({one: found[one] for one in found if one.startswith(f"{paper}/")})}
            for paper in dict.fromkeys(name.partition("/")[0] for name in found)
        ],
        "reasons": [
            {"reason": reason, "count": count}
            for reason, count in Counter(map(reason_of, found.values())).most_common()
            if reason
        ],
        "not_accepted": {name: f"{one.result}: {one.reason}" for name, one in found.items() if one.result != ACCEPTED},
    }


def counted(found: dict[str, Judged]) -> dict[str, int]:
    """How many of each result."""
    results = Counter(one.result for one in found.values())
    return {name.replace(" ", "_"): results[name] for name in (ACCEPTED, REFUSED, NOT_TRANSLATED)}


def reason_of(judged: Judged) -> str:
    """The reason in short: what is missing in the translation, or that a proof did not go through."""
    if judged.result == ACCEPTED:
        return ""
    if judged.result == REFUSED:
        return "the checker" if judged.reason.startswith("the checker") else "a script does not go through"
    if judged.reason.startswith(("the sign of", "the power")) or judged.reason.endswith("other than 0"):
        return "a sign or a power of what may be 0"
    return judged.reason.partition(":")[0]


def main() -> int:
    """Measure, and write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the record instead of writing it")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="with --check: judge one certificate in N")
    asked = parser.parse_args()
    try:
        now = measured(asked.every if asked.check else 1)
    except Absent as absent:
        print(f"NOT_RUN  {absent}")
        return 0
    print(f"{now['accepted']} of {now['certificates']} accepted, {now['refused']} refused, "
          f"{now['not_translated']} not translated, {now['processor_seconds']} s of processor time")  # fmt: skip
    if not asked.check:
        FILE.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return 0
    known = json.loads(FILE.read_text(encoding="utf-8"))["not_accepted"]
    lost = {name: why for name, why in now["not_accepted"].items() if name not in known}
    for name, why in lost.items():
        print(f"no longer accepted: {name}: {why}")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
