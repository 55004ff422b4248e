"""How a pytest that is run inside a test gets the plugin of dpaudit."""

from __future__ import annotations

from importlib.metadata import entry_points

LOADED = [] if any(e.name == "dpaudit" for e in entry_points(group="pytest11")) else ["-p", "dpaudit.pytest_plugin"]
"""What makes pytest load the plugin: nothing where dpaudit is installed with its entry points."""
