"""Lasting addresses of the documentation: none is gone, each is of one thing, its JSON is what it says."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import jsonschema
import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.errors import ExtensionError

from dpaudit.records.verdict import Outcome

ROOT = Path(__file__).parents[2]
EXTENSIONS = ROOT / "docs" / "extensions"


def extension() -> ModuleType:
    sys.path.insert(0, str(EXTENSIONS))
    try:
        return importlib.import_module("addresses")
    finally:
        sys.path.remove(str(EXTENSIONS))


addresses = extension()
ENTRIES = addresses.entries()
FILES = dict(addresses.files())


def test_no_address_is_gone_and_every_new_one_is_listed() -> None:
    assert sorted(addresses.listed() - addresses.given()) == [], "an address never changes; give it back"
    assert sorted(addresses.given() - addresses.listed()) == [], "run python docs/extensions/addresses.py"


def test_the_list_of_addresses_takes_none_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "LIST", tmp_path / "addresses.txt")
    addresses.LIST.write_text("gone.html#x data/gone.json\n", encoding="utf-8")
    addresses.renew()
    assert addresses.listed() == {"gone.html#x data/gone.json"} | addresses.given()


def test_each_address_is_of_one_thing_and_each_file_has_a_name_of_its_own_everywhere() -> None:
    places = [one.address for one in ENTRIES]
    assert len(places) == len({*places})
    assert len(FILES) == len({name.casefold() for name in FILES}), "some file systems know no capitals"
    assert all(".." not in name and name.isascii() for name in FILES)


def test_every_claim_erratum_check_and_finding_of_the_sample_has_one() -> None:
    kinds: dict[str, set[str]] = {}
    for one in ENTRIES:
        kinds.setdefault(one.kind, set()).add(one.id)
    of_papers = {v.id for v in addresses.paper_pages.records()}
    assert kinds["claim"] | kinds["step"] | kinds["reduction"] == of_papers
    refuted = {v.id for v in addresses.paper_pages.records() if v.outcome is Outcome.REFUTED}
    assert refuted <= kinds["erratum"]
    assert kinds["finding"] == {finding.id for finding in addresses.library_findings.findings()}
    assert kinds["check"] == {check.name for check in addresses.explanations()}


def test_the_index_lists_every_entry_with_a_file_that_is_there() -> None:
    rows = FILES["data/index.json"]
    assert [row["address"] for row in rows] == [one.address for one in ENTRIES]
    assert {row["file"] for row in rows} == {*FILES} - {"data/index.json"}


def test_the_record_of_a_claim_fits_the_published_schema_and_is_the_line_of_the_run() -> None:
    schema = json.loads((ROOT / "docs" / "schema" / "record.json").read_text(encoding="utf-8"))
    check = jsonschema.Draft202012Validator(schema)
    lines = (ROOT / "reports" / "sample" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    known = {row["id"]: row for row in map(json.loads, lines)}
    found = [data for name, data in FILES.items() if name.startswith("data/claims/")]
    for data in found:
        assert data["record"] == known[data["record"]["id"]]
    for data in found[::50]:
        check.validate(data["record"])


def test_a_claim_names_its_erratum_and_the_run() -> None:
    of_id = {one.id: one for one in ENTRIES if one.kind == "erratum"}
    for name, data in FILES.items():
        if name.startswith("data/claims/"):
            own = of_id.get(data["record"]["id"])
            assert (data["erratum"] or {}).get("address") == (own.address if own else None)
            assert data["erratum"] is None or data["erratum"]["severity"]
            assert data["run"]["seed"] == data["record"]["seed"]


def test_the_page_on_citing_names_the_rule_of_the_addresses() -> None:
    text = (ROOT / "docs" / "cite.md").read_text(encoding="utf-8")
    shown = next(one for one in ENTRIES if one.id == "rbcd/COR-D.5" and one.kind == "erratum")
    assert shown.address in text
    assert "`papers/rbcd.html#v-rbcd/LEM-2/s1`" in text
    assert addresses.claim_file("rbcd/LEM-2/s1") in text
    assert addresses.wording.anchor("rbcd/LEM-2/s1") == "v-rbcd/LEM-2/s1"


# On the pages. --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def marked() -> nodes.document:
    """The page of one paper, with its links."""
    page = new_document("rbcd")
    page += list(addresses.paper_pages.page("rbcd"))
    addresses.mark(SimpleNamespace(env=SimpleNamespace(docname="papers/rbcd")), page)
    return page


def test_every_entry_of_a_page_shows_its_two_links(marked: nodes.document) -> None:
    own = [one for one in ENTRIES if one.page == "papers/rbcd"]
    shown = [raw.astext() for raw in marked.findall(nodes.raw) if 'class="lasting"' in raw.astext()]
    assert sorted(shown) == sorted(addresses.links(one).astext() for one in own)
    for claim in marked.findall(nodes.section):
        assert f'href="#{claim["ids"][0]}"' in claim[1].astext(), "below the title"
    for term in marked.findall(nodes.term):
        assert f'href="#{term["ids"][0]}"' in term[-1].astext()


def test_the_file_is_named_from_the_page_that_shows_it() -> None:
    [claim] = [one for one in ENTRIES if one.id == "rbcd/COR-D.5" and one.kind == "claim"]
    [wrong] = [one for one in ENTRIES if one.id == "rbcd/COR-D.5" and one.kind == "erratum"]
    assert 'href="../data/claims/rbcd/COR-D.5.json"' in addresses.links(claim).astext()
    assert 'href="data/claims/rbcd/COR-D.5.json"' in addresses.links(wrong).astext()


def built(folder: Path, lost: str = "") -> SimpleNamespace:
    """A site whose pages have every anchor but `lost`."""
    for page in {one.page for one in ENTRIES}:
        ids = (one.anchor for one in ENTRIES if one.page == page and one.anchor != lost)
        (folder / f"{page}.html").parent.mkdir(exist_ok=True)
        (folder / f"{page}.html").write_text("".join(f'<p id="{name}">' for name in ids), encoding="utf-8")
    return SimpleNamespace(builder=SimpleNamespace(name="html"), outdir=str(folder))


@pytest.mark.deep
def test_the_build_writes_every_file(tmp_path: Path) -> None:
    addresses.write(built(tmp_path), None)
    written = {path.relative_to(tmp_path).as_posix() for path in (tmp_path / "data").rglob("*.json")}
    assert written == {*FILES}
    assert json.loads((tmp_path / "data" / "claims" / "rbcd" / "COR-D.5.json").read_text(encoding="utf-8"))["record"]


def test_the_build_fails_where_an_address_leads_nowhere(tmp_path: Path) -> None:
    with pytest.raises(ExtensionError, match=r"1 addresses lead nowhere, such as checks\.html#sensitivity"):
        addresses.write(built(tmp_path, lost="sensitivity"), None)
    assert not (tmp_path / "data").exists()


def test_a_build_that_failed_or_makes_no_pages_writes_nothing(tmp_path: Path) -> None:
    addresses.write(built(tmp_path), RuntimeError("no"))
    site = built(tmp_path)
    site.builder.name = "linkcheck"
    addresses.write(site, None)
    assert not (tmp_path / "data").exists()


def test_links_to_steps_lead_to_an_element_that_is_written(marked: nodes.document) -> None:
    assert all(not row["ids"] for row in marked.findall(nodes.definition_list_item)), "HTML has no such element"
