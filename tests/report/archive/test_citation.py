"""How dpaudit and a run are cited: the fields that the formats require, and no licence where none is known."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import pytest
import run_folder
import yaml

from dpaudit import __version__
from dpaudit.content import places
from dpaudit.records.errors import ConfigurationError
from dpaudit.report.archive import citation

HEADER = run_folder.header([]) | {"records": "ab" * 32}


def test_the_citation_is_valid_yaml_with_what_the_format_requires() -> None:
    cited = yaml.safe_load(citation.cff())
    assert {*cited} >= {"cff-version", "message", "title", "authors"}
    assert (str(cited["version"]), cited["license"]) == (__version__, citation.LICENCE)
    assert cited["authors"] == [{"name": citation.AUTHORS}]


def test_codemeta_says_the_same_as_the_citation() -> None:
    said, cited = json.loads(citation.codemeta()), yaml.safe_load(citation.cff())
    assert said["version"] == str(cited["version"])
    assert said["license"].endswith(f"/{cited['license']}")
    assert said["keywords"] == cited["keywords"]
    assert [one["name"] for one in said["author"]] == [one["name"] for one in cited["authors"]]


def test_the_deposit_of_a_run_says_which_run_it_is() -> None:
    said = json.loads(citation.zenodo(HEADER, ours=True))
    assert {*said} >= {"upload_type", "title", "creators", "description", "access_right"}
    assert (said["upload_type"], said["access_right"], said["license"]) == ("dataset", "open", "Apache-2.0")
    assert said["title"] == "Run of dpaudit 0.1.0: level smoke, seed 7, 2026-01-02"
    assert said["notes"].endswith("ab" * 32)


def test_content_of_others_has_no_licence_of_ours_and_its_words_are_no_markup() -> None:
    said = json.loads(citation.zenodo(HEADER | {"command": "dpaudit verify '<b>x'"}, ours=False))
    assert "license" not in said
    assert "&lt;b&gt;x" in said["description"]


def test_the_licence_is_found_beside_the_package_and_in_an_installed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parents[3] / "LICENSE").read_text(encoding="utf-8")
    assert citation.licence() == text
    monkeypatch.setattr(citation, "PACKAGE", tmp_path / "dpaudit")
    assert places.PACKAGE != citation.PACKAGE
    assert citation.licence() == text, "that of the metadata of the installed distribution"


def test_a_dpaudit_without_its_licence_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(citation, "PACKAGE", tmp_path / "dpaudit")
    monkeypatch.setattr(metadata, "distribution", absent)
    with pytest.raises(ConfigurationError, match="came without its LICENSE"):
        citation.licence()
