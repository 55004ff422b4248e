"""CITATION.cff says of the project what pyproject.toml says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import yaml

import dpaudit
from dpaudit.report.archive import citation

ROOT = Path(__file__).parents[2]


def test_the_citation_is_of_this_version_and_licence() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*cited} >= {"cff-version", "message", "title", "authors"}, "what the format requires"
    assert (cited["version"], cited["license"]) == (dpaudit.__version__, project["license"])
    assert cited["title"].lower() == f"{project['name']}: {project['description']}".lower()
    assert cited["keywords"] == project["keywords"]


def test_the_citation_file_is_the_one_that_archives_of_runs_hold() -> None:
    assert (ROOT / "CITATION.cff").read_text(encoding="utf-8") == citation.cff()
