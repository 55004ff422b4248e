"""Known vulnerabilities of pinned packages: `vulnerabilities.py REQUIREMENTS` asks pip-audit and says what follows.

Ends with 0 where none is known, and where the service of PyPI is not reached or does not know a package (then it says
NOT RUN); with 1 where one is known; with 2 where pip-audit failed in another way.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any, NamedTuple

UNREACHED = re.compile(
    r"^(?:ERROR:pip_audit\._cli:(?:Could not connect to|PyPI is not redirecting)"
    r"|requests\.exceptions\.(?:ConnectionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError):"
    r"|requests\.exceptions\.HTTPError: (?:403|407|429|5\d\d) ).*",
    re.MULTILINE,
)
"""What pip-audit writes, in a message or as the end of a traceback, where the service gave no answer."""


class Decision(NamedTuple):
    """What is printed, and the exit code."""

    text: str
    code: int


def decision(answer: str, errors: str) -> Decision:
    """What follows from the output of pip-audit, JSON, and from what it wrote on standard error."""
    if not answer.strip():
        unreached = UNREACHED.search(errors)
        return Decision(f"NOT RUN: {unreached[0]}", 0) if unreached else Decision(f"pip-audit failed:\n{errors}", 2)
    packages: list[dict[str, Any]] = json.loads(answer)["dependencies"]
    if not packages:
        return Decision("pip-audit saw no package; give a file that pins some", 2)
    found = [
        f"{one['name']} {one['version']}: {each['id']}, fixed in {', '.join(each['fix_versions']) or 'no version'}"
        for one in packages
        for each in one.get("vulns", ())
    ]
    unknown = [one["name"] for one in packages if "skip_reason" in one]
    asked = len(packages) - len(unknown)
    lines = [*found, f"known vulnerabilities: {len(found)}; packages: {asked}"] if asked else []
    if unknown:
        lines.append(f"NOT RUN: the service does not answer for {len(unknown)} packages: {', '.join(unknown)}")
    return Decision("\n".join(lines), 1 if found else 0)


def main(requirements: str) -> int:
    """Asks pip-audit about the requirements, which have hashes; prints the decision and returns its exit code."""
    options = ("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json")
    words = ["pip-audit", *options, "--requirement", requirements]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    text, code = decision(done.stdout, done.stderr)
    print(text)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
