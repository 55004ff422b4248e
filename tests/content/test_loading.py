"""Content is found by path; what is broken is named, never skipped and never fatal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from small_content import claim_text, target_text, write

from dpaudit.content import declarations, faults, loading, places
from dpaudit.content import items as content_items
from dpaudit.content import papers as content_papers
from dpaudit.content.items import Broken, Loaded
from dpaudit.records.claim import Claim
from dpaudit.records.errors import ConfigurationError, ContentError, UnknownNameError, install_line


def only(folder: Path, text: str) -> content_items.Item:
    """The one item of a claim file with this text."""
    (item,) = loading.load_claims([write(folder / "toy" / "lem_1.py", text)])
    return item


def test_claims_of_a_folder_are_found_in_order(tmp_path: Path) -> None:
    write(tmp_path / "toy" / "b.py", claim_text("toy/B"))
    write(tmp_path / "toy" / "a.py", claim_text("toy/A"))
    write(tmp_path / "toy" / "_template.py", "raise RuntimeError('never loaded')")
    write(tmp_path / ".hidden" / "c.py", "raise RuntimeError('never loaded')")
    write(tmp_path / places.THEOREMS / "tests.py", "raise RuntimeError('never loaded')")
    items = loading.load_claims([tmp_path])
    assert [item.name for item in items] == ["toy/A", "toy/B"]
    assert all(isinstance(item, Loaded) and isinstance(item.record, Claim) for item in items)


def test_a_file_may_hold_several_claims(tmp_path: Path) -> None:
    text = claim_text().replace("CLAIM = Claim(", "FIRST = Claim(")
    more = "\nimport dataclasses\nCLAIMS = (FIRST, dataclasses.replace(FIRST, id='toy/LEM-2'))\n"
    write(tmp_path / "a.py", text + more)
    assert [item.name for item in loading.load_claims([tmp_path])] == ["toy/LEM-1", "toy/LEM-2"]


def test_a_file_imports_what_lies_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", list(sys.path))
    write(tmp_path / "beside_the_claim.py", "TITLE = 'square of a sum'")
    (item,) = loading.load_claims([write(tmp_path / "a.py", "from beside_the_claim import TITLE\n" + claim_text())])
    assert isinstance(item, Loaded)
    assert item.carrier.TITLE == "square of a sum"


def test_a_path_named_twice_is_loaded_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", claim_text())
    assert len(loading.load_claims([tmp_path, path, path])) == 1


def test_the_same_bytes_are_executed_once_and_changed_ones_again(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "VALUE = object()")
    first = loading.load_module(path)
    assert loading.load_module(path) is first
    write(path, "VALUE = 7")
    assert loading.load_module(path).VALUE == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = = 1", "lem_1.py, line 1: SyntaxError: invalid syntax\n    x = = 1\n        ^"),
        ("if x:\n\tx = = 1 # a", "lem_1.py, line 2: SyntaxError: invalid syntax\n    x = = 1 # a\n        ^"),
        ("\n\nX = 1 / 0", "lem_1.py, line 3: ZeroDivisionError: division by zero"),
        (
            "import sys\nsys.exit(0)",
            "lem_1.py, line 2: a call at the margin does something while the file is loaded; a claim",
        ),
        (
            "import scipy.no_such_part",
            "line 1: ModuleNotFoundError: No module named 'scipy.no_such_part'",
        ),
        ("x = 1", "defines no CLAIM or CLAIMS; it must hold a Claim record"),
        ("colour = 1\nX = color", "line 2: NameError: name 'color' is not defined; did you mean 'colour'?"),
        ("CLAIM = 3", "CLAIM must be a Claim record, got int"),
        ("CLAIMS = ()", "CLAIM must be a Claim record, got an empty tuple"),
        ("\0", "lem_1.py"),
    ],
)
def test_a_broken_file_says_where_and_why(tmp_path: Path, text: str, message: str) -> None:
    item = only(tmp_path, text)
    assert isinstance(item, Broken)
    assert message in item.error
    assert item.name.endswith("toy/lem_1")
    assert not item.missing


def test_a_broken_file_is_named_once(tmp_path: Path) -> None:
    for text in ("x = 1", "CLAIM = 3", "CLAIM = CLAIMS = 1", "x = = 1"):
        item = only(tmp_path, text)
        assert isinstance(item, Broken)
        assert item.error.count("lem_1.py") == 1, item.error


def test_an_error_names_no_place_of_this_machine(workdir: Path) -> None:
    item = only(workdir, "from dpaudit.records.errors import no_such_thing")
    assert isinstance(item, Broken)
    assert "cannot import name 'no_such_thing'" in item.error
    assert str(workdir) not in item.error
    assert str(Path(loading.__file__).parents[2]) not in item.error


def test_a_record_that_refuses_its_values_is_broken(tmp_path: Path) -> None:
    item = only(tmp_path, "from dpaudit.records.claim import real\nCLAIM = real('p', 'nonsense')")
    assert isinstance(item, Broken)
    assert "line 2: the range of p must look like" in item.error


def test_an_absent_optional_package_is_missing_not_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(faults.EXTRAS, "no_such_package", "audits")
    monkeypatch.setattr(declarations, "IMPORTS", ("no_such_package",))
    item = only(tmp_path, "import no_such_package.part")
    assert isinstance(item, Broken)
    assert item.missing
    assert item.error.endswith(f"run: {install_line('audits')}")


def test_a_broken_file_leaves_no_module_behind(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "1 / 0")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            loading.load_module(path)


def test_two_records_of_one_name_are_refused_with_both_files(tmp_path: Path) -> None:
    write(tmp_path / "a.py", claim_text())
    write(tmp_path / "b.py", claim_text())
    with pytest.raises(ConfigurationError, match=r"two records are called 'toy/LEM-1': in .*a.py and .*b.py"):
        loading.load_claims([tmp_path])


def test_targets_hold_exactly_one_record(tmp_path: Path) -> None:
    (item,) = loading.load_targets([write(tmp_path / "t.py", target_text())])
    assert item.name == "toy/sum"
    (broken,) = loading.load_targets([write(tmp_path / "u.py", target_text() + "\nTARGET = (TARGET, TARGET)\n")])
    assert isinstance(broken, Broken)
    assert "TARGET must be a Target record, got tuple" in broken.error


def test_several_audits_are_a_tuple_or_a_list(tmp_path: Path) -> None:
    made = "(Release(name, max, pair=(1, 2), claim=claim(1.0)) for name in {!r})"
    text = f"from dpaudit import Release, claim\nAUDITS = {{}}{made}"
    for kind in ("tuple", "list"):
        items = loading.load_targets([write(tmp_path / f"{kind}.py", text.format(kind, [f"{kind}/a", f"{kind}/b"]))])
        assert [item.name for item in items] == [f"{kind}/a", f"{kind}/b"]


def test_a_path_that_is_not_there_is_a_wrong_argument(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no file or folder"):
        loading.load_claims([tmp_path / "absent"])


def test_an_empty_folder_gives_nothing(tmp_path: Path) -> None:
    assert loading.load_claims([tmp_path]) == ()


def names(items: tuple[content_items.Item, ...]) -> list[str]:
    """Names of the items."""
    return [item.name for item in items]


def test_selection_by_name_group_and_step(tmp_path: Path) -> None:
    for name in ("toy/LEM-1", "toy/LEM-1.1", "other/LEM-1"):
        write(tmp_path / f"{name.replace('/', '_')}.py", claim_text(name))
    items = loading.load_claims([tmp_path])
    assert names(content_items.select(items, ["toy/LEM-1"], "claim")) == ["toy/LEM-1"]
    assert names(content_items.select(items, ["toy"], "claim")) == ["toy/LEM-1.1", "toy/LEM-1"]
    assert names(content_items.select(items, ["other/LEM-1/s3"], "claim")) == ["other/LEM-1"]
    with pytest.raises(UnknownNameError, match=r"toy/LEM-1\.1~x"):  # another claim, not this one silently
        content_items.select(items, ["toy/LEM-1.1~x"], "claim")
    assert len(content_items.select(items, [], "claim")) == 3
    with pytest.raises(UnknownNameError, match="unknown claim 'toy/LEM-2'; did you mean 'toy/LEM-1'"):
        content_items.select(items, ["toy/LEM-2"], "claim")


def test_an_unknown_name_gives_near_names_of_its_paper_or_a_near_paper(tmp_path: Path) -> None:
    for name in ("toys/LEM-1", "toys/THM-1", "other/LEM-1"):
        write(tmp_path / f"{name.replace('/', '_')}.py", claim_text(name))
    items = loading.load_claims([tmp_path])
    with pytest.raises(
        UnknownNameError,
        match=r"mean 'toys/LEM-1'.*\(known: toys/LEM-1, toys/THM-1; all: ",
    ):
        content_items.select(items, ["toys/LEM1"], "claim")
    with pytest.raises(UnknownNameError, match=r"mean 'toys' \(every claim of it\)\? \(known: other, toys; all: "):
        content_items.select(items, ["tosy"], "claim")


def test_an_unknown_name_mentions_files_that_could_not_be_loaded(tmp_path: Path) -> None:
    write(tmp_path / "a.py", claim_text())
    write(tmp_path / "b.py", "1 / 0")
    items = loading.load_claims([tmp_path])
    with pytest.raises(ConfigurationError, match=r"^1 file could not be loaded: .*b.py, line 1: .*; unknown claim"):
        content_items.select(items, ["toy/LEM-9"], "claim")


def test_a_wrong_name_stands_before_files_that_lack_an_optional_package(tmp_path: Path) -> None:
    lacks = content_items.Broken("0", tmp_path / "0.py", "0.py: dask is not installed", missing=True)
    broken = content_items.Broken("b", tmp_path / "b.py", "b.py: division by zero")
    with pytest.raises(ConfigurationError, match=r"^unknown claim.*; 1 file could not be loaded: 0.py"):
        content_items.select([lacks], ["toy/LEM-9"], "claim")
    with pytest.raises(ConfigurationError, match=r"^2 files could not be loaded, the first: b.py.*; unknown claim"):
        content_items.select([lacks, broken], ["toy/LEM-9"], "claim")


def test_a_module_that_is_not_there_is_told_how_it_is_found(tmp_path: Path) -> None:
    file = write(tmp_path / "t.py", "import my_optimiser_that_is_not_there")
    (broken,) = loading.load_targets([file])
    assert isinstance(broken, content_items.Broken)
    assert broken.error.endswith("put the module beside this file, or add its folder to PYTHONPATH")


PAPER = 'title = "T"\nauthors = "A"\nyear = 2024\nidentifier = "arXiv:1"\nversion = "v1"\n'


def test_a_paper_is_read_and_wrong_ones_are_named(tmp_path: Path) -> None:
    assert content_papers.load_paper(tmp_path) is None
    file = write(tmp_path / "paper.toml", PAPER)
    paper = content_papers.load_paper(tmp_path)
    assert paper is not None
    assert (paper.title, paper.year, paper.key) == ("T", 2024, tmp_path.name)
    for wrong in (PAPER + "pages = 3\n", "title = 1 = 2", PAPER.replace("title", "titel")):
        write(file, wrong)
        with pytest.raises(ContentError, match="it needs title, authors, year, identifier and version"):
            content_papers.load_paper(tmp_path)


def test_a_paper_lists_what_may_not_be_missing(tmp_path: Path) -> None:
    file = write(tmp_path / "paper.toml", PAPER + 'claims = ["LEM-1", "LEM-1/s1"]\nalgorithms = ["ALG-1"]\n')
    paper, key = content_papers.load_paper(tmp_path), tmp_path.name
    assert paper is not None
    assert (paper.claims, paper.algorithms) == ((f"{key}/LEM-1", f"{key}/LEM-1/s1"), (f"{key}/ALG-1",))
    for wrong in ('claims = "LEM-1"', "algorithms = [1]"):
        write(file, PAPER + wrong)
        with pytest.raises(ContentError, match="claims and algorithms are lists of ids"):
            content_papers.load_paper(tmp_path)


def test_content_of_the_working_directory_comes_first(tmp_path: Path) -> None:
    shipped, origin = places.content_folder("proofs", tmp_path)
    assert origin == "package"
    assert (shipped / "resque" / "paper.toml").is_file()
    (tmp_path / "proofs").mkdir()
    assert places.content_folder("proofs", tmp_path) == (tmp_path / "proofs", "working directory")


def test_all_shipped_content_loads() -> None:
    items = (
        *loading.load_claims([places.shipped_folder("proofs")]),
        *loading.load_algorithms(),
        *loading.load_targets([places.shipped_folder("audits")]),
    )
    assert [item for item in items if isinstance(item, Broken)] == []
    assert len(items) > 12


def test_every_shipped_paper_says_what_it_is() -> None:
    folders = {places.paper_of(path) for path in places.files_of_claims([places.shipped_folder("proofs")])}
    papers = [content_papers.load_paper(folder) for folder in folders]
    assert all(paper is not None and paper.title and paper.identifier for paper in papers)


THEOREM = '[{name}]\nstatement = "{statement}"\nsource = "{source}"\n'


def theorems(folder: Path, *files: str) -> dict[str, dict[str, str]]:
    for i, text in enumerate(files):
        write(folder / places.THEOREMS / f"theme_{i}.toml", text)
    return content_papers.load_theorems(folder)


def test_theorems_are_collected_over_all_themes(tmp_path: Path) -> None:
    made = [THEOREM.format(name=name, statement="P(A or B) <= P(A) + P(B)", source="any book") for name in ("b", "a")]
    assert sorted(theorems(tmp_path, *made)) == ["a", "b"]
    assert content_papers.load_theorems(tmp_path / "elsewhere") == {}


def test_a_theorem_listed_twice_is_refused(tmp_path: Path) -> None:
    made = THEOREM.format(name="a", statement="x", source="y")
    with pytest.raises(ContentError, match="'a' is listed twice"):
        theorems(tmp_path, made, made)


@pytest.mark.parametrize(
    "text",
    [
        'title = "not a theorem"\n',
        '[a]\nstatement = "x"\n',
        '[a]\nsource = "y"\n',
        THEOREM.format(name="a", statement=" ", source="y"),
        THEOREM.format(name="a", statement="x", source=""),
    ],
)
def test_a_theorem_without_statement_or_source_is_no_ground(tmp_path: Path, text: str) -> None:
    with pytest.raises(ContentError, match="needs a statement and a source"):
        theorems(tmp_path, text)


def test_the_folder_of_theorems_holds_no_claims(tmp_path: Path) -> None:
    write(tmp_path / places.THEOREMS / "some.py", "def a():\n    return 1.0\n")
    write(tmp_path / "toy" / "lem_1.py", claim_text())
    assert names(loading.load_claims([tmp_path])) == ["toy/LEM-1"]
