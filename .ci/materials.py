"""The bill of materials of a release: `materials.py ENVIRONMENT FILE` has CycloneDX written of what is installed.

The file has neither a time nor a number of its own: the same packages give the same bytes.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DYNAMIC = 'dynamic = ["version"]\n'


def with_version(project: str, module: str) -> str:
    """The text of pyproject.toml with the version that a build reads from the module, for readers that run no build."""
    found = re.search(r'^__version__ = "([^"]+)"$', module, re.MULTILINE)
    if found is None or DYNAMIC not in project:
        raise SystemExit(
            f'materials.py: the module has no line __version__ = "...", or pyproject.toml no {DYNAMIC.strip()}'
        )
    return project.replace(DYNAMIC, f'version = "{found[1]}"\n')


def main(environment: str, file: str) -> int:
    """Has cyclonedx-py write and validate the file; its exit code."""
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    texts = ((ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "dpaudit/__init__.py"))
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "pyproject.toml")
        project.write_text(with_version(*texts), encoding="utf-8")
        options = ("--output-reproducible", "--validate", "--pyproject", str(project), "-o", file)
        return subprocess.run(["cyclonedx-py", "environment", *options, environment], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
