"""What a claim comes from: the functions that its checks name, and the folder of its paper."""

from pathlib import Path
from types import ModuleType

import pytest
from small_content import claim_text, write

from dpaudit.claims.source import Source
from dpaudit.content.loading import load_claim_module
from dpaudit.records.errors import ContentError


def module(**content):
    made = ModuleType("claim")
    vars(made).update(content)
    return made


def test_a_claim_made_in_memory_has_no_file():
    made = Source.of(None)
    assert (made.modules, made.file, made.paper, made.function("draw")) == ((), None, None, None)
    assert Source.of(module()).file is None


def test_the_paper_of_a_file_is_its_folder(tmp_path):
    made = Source.of(module(__file__=str(tmp_path / "toy" / "lem_1.py")))
    assert (made.file, made.paper) == (tmp_path / "toy" / "lem_1.py", tmp_path / "toy")


def test_functions_of_parts_are_found_and_the_paper_is_one_folder_up(tmp_path):
    write(tmp_path / "toy" / "lem_1" / "draws.py", "def draw(stream, trials):\n    return trials\n")
    path = write(tmp_path / "toy" / "lem_1" / "claim.py", claim_text() + "\nfrom . import draws\n")
    made = Source.of(load_claim_module(path))
    assert made.function("draw")(None, 7) == 7
    assert made.function("other") is None
    assert (made.file, made.paper) == (path, Path(tmp_path / "toy"))


def test_one_function_in_two_parts_is_one_and_two_of_a_name_are_refused():
    first, again, other = module(draw=len), module(draw=len), module(draw=max)
    assert Source((first, again)).function("draw") is len
    with pytest.raises(ContentError, match="two parts of the claim define 'draw'"):
        Source((first, other)).function("draw")
