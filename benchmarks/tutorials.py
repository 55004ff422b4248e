"""How long the tutorials take: installing the wheel in an empty environment, and the commands of each page.

    python benchmarks/tutorials.py                all pages, ten minutes or more; installing needs a package index
    python benchmarks/tutorials.py reviewer       one of them

Each page is played in an empty folder, by the programs of an environment that holds the wheel of this checkout with the
extras that the page names, at the versions of constraints.txt. What is printed is compared with the page, and the
program stops where it differs. Results go to `reports/benchmarks/tutorials.json`, page by page; the pages show them.
Reading is not in these times.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import played_pages  # noqa: E402  it lies with the tests

FILE = ROOT / "reports" / "benchmarks" / "tutorials.json"
EXTRAS = re.compile(r"(?m)^    pip install .*?(\[[\w,]+\])'$")
FIRST_OF_ALL = {"PYTHONPATH": "", "DPAUDIT_PROGRESS": "off"}
"""The checkout is not on the path, and no line comes because the machine is slow."""


class Typed(TypedDict):
    """A command and its seconds."""

    command: str
    seconds: float


class Played(TypedDict):
    """install_s: seconds of pip, with an empty cache; commands_s: of all commands of the page; `_cpu_s`: seconds in
    which processors worked for that, which other work on the machine hardly changes; load: processes that wanted a
    processor when it began, as the system counts them; torch: its version, empty without it."""

    install_s: float
    install_cpu_s: float
    commands_s: float
    commands_cpu_s: float
    commands: list[Typed]
    processors: int
    load: float
    torch: str


def worked() -> float:
    """Seconds in which processors worked for the processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def extras(page: str) -> str:
    """The extras that the text of a page installs, in brackets. ValueError where it has no such line, or two."""
    [found] = EXTRAS.findall(page)
    return str(found)


def wheel(folder: Path) -> Path:
    """The wheel of this checkout, made in `folder`."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    [made] = folder.glob("*.whl")
    return made


def installed(folder: Path, what: str) -> tuple[Path, float, float]:
    """The folder of programs of a new environment with `what` in it; the seconds that pip took, and worked."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    programs = folder / "bin"
    words = ["install", "-q", "--no-cache-dir", "-c", str(ROOT / "constraints.txt"), what]
    begun, before = time.monotonic(), worked()
    subprocess.run([programs / "python", "-m", "pip", *words], check=True, cwd=folder)
    return programs, time.monotonic() - begun, worked() - before


def commands(page: str, folder: Path, programs: Path) -> list[Typed]:
    """Plays the text of a page in `folder`. ValueError where something else is printed than is shown."""
    done: list[Typed] = []
    for step in played_pages.steps(page):
        begun = time.monotonic()
        if found := played_pages.wrong(step, folder, programs):
            raise ValueError(found)
        if not step.name:
            done.append({"command": step.text, "seconds": round(time.monotonic() - begun, 1)})
    return done


def version(programs: Path, package: str) -> str:
    """The version of a package of an environment; empty if it has none."""
    code = (
        f"from importlib import metadata as m; print(next((d.version for d in m.distributions(name={package!r})), ''))"
    )
    return subprocess.run([programs / "python", "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def played(page: Path, packed: Path, home: Path) -> Played:
    """What a page takes with the wheel `packed`, in new folders below `home`."""
    text, load = page.read_text(encoding="utf-8"), os.getloadavg()[0]
    work = home / page.stem
    work.mkdir()
    programs, seconds, busy = installed(home / f"{page.stem}-environment", f"{packed}{extras(text)}")
    os.environ["DPAUDIT_CACHE"] = str(home / f"{page.stem}-cache")
    before = worked()
    done = commands(text, work, programs)
    return {
        "install_s": round(seconds, 1),
        "install_cpu_s": round(busy, 1),
        "commands_s": round(sum(one["seconds"] for one in done), 1),
        "commands_cpu_s": round(worked() - before, 1),
        "commands": done,
        "processors": len(os.sched_getaffinity(0)),
        "load": round(load, 1),
        "torch": version(programs, "torch"),
    }


def main() -> None:
    pages = {page.stem: page for page in played_pages.TUTORIALS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", choices=[[], *pages], help="default: all")
    asked = parser.parse_args()
    os.environ.update(FIRST_OF_ALL)
    kept: dict[str, Played] = json.loads(FILE.read_text(encoding="utf-8"))["pages"] if FILE.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        packed = wheel(Path(folder))
        for name in asked.pages or pages:
            kept[name] = played(pages[name], packed, Path(folder))
            print(f"{name}: {kept[name]['install_s']} s, {kept[name]['commands_s']} s", flush=True)
            record = {"how": "python benchmarks/tutorials.py", "pages": dict(sorted(kept.items()))}
            FILE.write_text(f"{json.dumps(record, indent=1)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
