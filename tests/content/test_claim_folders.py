"""A claim may be a folder: one file is collected, its parts come by relative imports, two folders never clash."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from small_content import claim_text, write

from dpaudit.content import claim_folders, loading, places
from dpaudit.content.items import Broken, Item, Loaded


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two claims of a paper in folders of their own, both with a part of the same name."""
    for number in (1, 2):
        folder = tmp_path / "toy" / f"lem_{number}"
        write(folder / "printed.py", f"from .symbols import NUMBER\n\nPRINTED = 10 * NUMBER + {number}\n")
        write(folder / "symbols.py", f"NUMBER = {number}\n")
        write(folder / "claim.py", f"from .printed import PRINTED\n{claim_text(f'toy/LEM-{number}')}")
    return tmp_path


def claims(home: Path) -> list[Item]:
    return list(loading.load_claims([home]))


def test_only_the_claim_is_collected_and_parts_of_two_folders_do_not_clash(home: Path) -> None:
    first, second = claims(home)
    assert isinstance(first, Loaded)
    assert isinstance(second, Loaded)
    assert (first.name, first.carrier.PRINTED) == ("toy/LEM-1", 11)
    assert (second.name, second.carrier.PRINTED) == ("toy/LEM-2", 22)
    assert str(home / "toy" / "lem_1") not in sys.path


def test_nothing_is_written_beside_the_parts(home: Path) -> None:
    claims(home)
    assert list(home.rglob("__pycache__")) == []


def test_one_changed_byte_of_a_part_is_executed_and_the_same_bytes_once(home: Path) -> None:
    path = home / "toy" / "lem_1" / "claim.py"
    first = loading.load_claim_module(path)
    assert loading.load_claim_module(path) is first
    write(path.with_name("symbols.py"), "NUMBER = 5\n")
    assert loading.load_claim_module(path).PRINTED == 51


def test_the_parts_of_a_claim_are_those_that_it_imports(home: Path) -> None:
    write(home / "toy" / "lem_1" / "unused.py", "x = 1")
    module = loading.load_claim_module(home / "toy" / "lem_1" / "claim.py")
    names = [Path(str(one.__file__)).stem for one in claim_folders.modules_of(module)]
    assert (names[0], sorted(names)) == ("claim", ["claim", "printed", "symbols"])
    alone = loading.load_claim_module(write(home / "toy" / "lem_3.py", claim_text("toy/LEM-3")))
    assert claim_folders.modules_of(alone) == (alone,)


@pytest.mark.parametrize("text", ["x = 1\ny = = 2", "x = 1\n1 / 0"])
def test_an_error_in_a_part_names_the_part_and_leaves_nothing_behind(home: Path, text: str) -> None:
    write(home / "toy" / "lem_1" / "symbols.py", text)
    before = set(sys.modules)
    broken, sound = claims(home)
    assert isinstance(broken, Broken)
    assert "toy/lem_1/symbols.py, line 2: " in broken.error.replace("lem_1/symbols", "toy/lem_1/symbols", 1)
    assert sound.name == "toy/LEM-2"
    assert {name for name in set(sys.modules) - before if "lem_1" in name} == set()


def test_a_claim_in_a_part_is_refused_rather_than_never_run(home: Path) -> None:
    write(home / "toy" / "lem_1" / "more.py", claim_text("toy/LEM-9"))
    broken, _ = claims(home)
    assert isinstance(broken, Broken)
    assert "more.py defines a claim; of a folder with claim.py only that file's count" in broken.error


def test_a_part_that_is_not_there_is_named(home: Path) -> None:
    (home / "toy" / "lem_1" / "symbols.py").unlink()
    broken, _ = claims(home)
    assert isinstance(broken, Broken)
    assert "printed.py, line 1: ModuleNotFoundError" in broken.error


def test_a_part_stands_for_its_claim_and_a_folder_for_its_own(home: Path) -> None:
    claim = (home / "toy" / "lem_1" / "claim.py").resolve()
    for path in (claim, claim.with_name("printed.py"), claim.parent):
        assert places.files_of_claims([path]) == (claim,)


def test_the_files_and_the_paper_of_a_claim(home: Path) -> None:
    folder = home / "toy" / "lem_1"
    assert places.claim_files(folder / "claim.py") == tuple(folder / f"{n}.py" for n in ("claim", "printed", "symbols"))
    assert places.paper_of(folder / "claim.py") == home / "toy"
    alone = write(home / "toy" / "lem_3.py", claim_text("toy/LEM-3"))
    assert (places.claim_files(alone), places.paper_of(alone)) == ((alone,), home / "toy")


def test_a_paper_may_have_a_file_called_claim(home: Path) -> None:
    """The folder with `paper.toml` is that of the paper: every file in it is a claim."""
    write(home / "toy" / "claim.py", claim_text("toy/LEM-3"))
    write(home / "toy" / "other.py", claim_text("toy/LEM-4"))
    write(home / "toy" / places.PAPER_FILE, 'title = "A"\n')
    assert [item.name for item in claims(home)] == ["toy/LEM-3", "toy/LEM-1", "toy/LEM-2", "toy/LEM-4"]
    assert places.paper_of(home / "toy" / "claim.py") == home / "toy"


def test_the_notation_of_a_paper_is_a_part_of_each_of_its_claims_and_no_claim(home: Path) -> None:
    write(home / "toy" / "paper.toml", "title = 'Toy'")
    write(home / "toy" / "notation.py", "TEN = 10\n")
    for number in (1, 2):
        write(home / "toy" / f"lem_{number}" / "printed.py", f"from .notation import TEN\n\nPRINTED = TEN + {number}\n")
    assert [item.carrier.PRINTED for item in claims(home) if isinstance(item, Loaded)] == [11, 12]
    assert [item.path.name for item in claims(home)] == ["claim.py", "claim.py"], "the notation is not collected"
    write(home / "toy" / "notation.py", "TEN = 20\n")
    assert [item.carrier.PRINTED for item in claims(home) if isinstance(item, Loaded)] == [21, 22]
    write(home / "toy" / "lem_2" / "notation.py", "TEN = 30\n")
    assert [item.carrier.PRINTED for item in claims(home) if isinstance(item, Loaded)] == [21, 32]


def test_the_notation_of_a_paper_may_only_declare(home: Path) -> None:
    write(home / "toy" / "paper.toml", "title = 'Toy'")
    write(home / "toy" / "notation.py", "open('/dev/null')\n")
    write(home / "toy" / "lem_1" / "printed.py", "from .notation import *\n\nPRINTED = 1\n")
    first = claims(home)[0]
    assert isinstance(first, Broken)
    assert "notation.py, line 1" in first.error
