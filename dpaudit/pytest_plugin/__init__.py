"""The pytest plugin: `pytest --dpaudit audits proofs`, and the fixture `dp_audit` for tests written by hand.

pytest loads this file in every session of an environment that has dpaudit. It therefore imports nothing but pytest and
the standard library; all else is loaded by the flag `--dpaudit` or by a test that asks for the fixture.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from dpaudit.pytest_plugin.fixture import Auditor

LEVELS = ("smoke", "standard", "deep")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The flags of the plugin; None stands for the default of dpaudit, which is not loaded here."""
    group = parser.getgroup("dpaudit", "dpaudit: audits of differential privacy")
    group.addoption("--dpaudit", action="store_true", help="Collect audit targets and claims; each verdict is an item.")
    group.addoption("--dpaudit-seed", type=int, metavar="N", help="Seed of every random choice of dpaudit.")
    group.addoption("--dpaudit-level", choices=LEVELS, default=LEVELS[0], help="How much work an audit does.")
    group.addoption("--dpaudit-alpha", type=float, metavar="A",
                    help="Error budget: the probability that any statistical refutation is false.")  # fmt: skip
    group.addoption("--dpaudit-ledger", metavar="FILE",
                    help="Take the error budget of the session from this file, which `dpaudit ledger` made: all "
                         "sessions and runs that do share one total.")  # fmt: skip
    group.addoption("--dpaudit-run-dir", metavar="DIR", help="Run folder, new or empty. Default: runs/TIME-pytest-SEED")
    group.addoption("--dpaudit-allow-inconclusive", action="store_true",
                    help="Skip instead of fail if required checks are inconclusive or were not run.")  # fmt: skip
    group.addoption("--dpaudit-no-isolate", action="store_true",
                    help="Run targets that did not come with dpaudit in this process, not in sandboxes.")  # fmt: skip
    group.addoption("--dpaudit-allow-network", action="store_true",
                    help="Let sandboxes use the network of this machine.")  # fmt: skip


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads --dist in its own pytest_configure
def pytest_configure(config: pytest.Config) -> None:
    """Load the rest, if it is wanted."""
    if not config.getoption("dpaudit"):
        return
    from dpaudit.pytest_plugin.items import register

    register(config)


@pytest.fixture
def dp_audit(request: pytest.FixtureRequest, tmp_path: Path) -> Auditor:
    """`dpaudit.testing.assert_private` for this test: named after it, at --dpaudit-seed and --dpaudit-level.

    What an audit writes lies below `tmp_path`. The outcome and the numbers become properties of the test in JUnit XML.
    """
    from dpaudit.pytest_plugin.fixture import Auditor

    return Auditor(request.node, tmp_path)
