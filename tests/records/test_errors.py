"""Messages say what was given, what is known, and what to do."""

from __future__ import annotations

from dpaudit.records.errors import ConfigurationError, MissingPackageError, UnknownNameError, install_line


def test_an_unknown_name_comes_with_the_nearest() -> None:
    message = str(UnknownNameError("claim", "rbcd/LEM-39", ["rbcd/LEM-3.9", "srm/THM-5.1"]))
    assert message == "unknown claim 'rbcd/LEM-39'; did you mean 'rbcd/LEM-3.9'? (known: rbcd/LEM-3.9, srm/THM-5.1)"


def test_nothing_near_gives_no_hint() -> None:
    assert str(UnknownNameError("target", "zzz", ["abc"])) == "unknown target 'zzz' (known: abc)"
    assert "known: none" in str(UnknownNameError("target", "zzz", []))


def test_capitals_make_no_difference_and_several_may_be_near() -> None:
    message = str(UnknownNameError("claim", "RBCD/lem-39", ["rbcd/LEM-3.9", "rbcd/LEM-3", "srm/X"]))
    assert "did you mean 'rbcd/LEM-3.9' or 'rbcd/LEM-3'?" in message


def test_groups_are_said_to_be_groups_and_a_place_stands_first() -> None:
    message = str(UnknownNameError("claim", "rbdc", ["rbcd/LEM-3.9"], groups=["rbcd"], place="a.toml, line 3"))
    assert message == "a.toml, line 3: unknown claim 'rbdc'; did you mean 'rbcd' (every claim of it)? (known: rbcd)"


def test_long_lists_are_cut() -> None:
    message = str(UnknownNameError("key", "q", [f"name{i}" for i in range(20)]))
    assert message.endswith("name15, ...)")


def test_a_missing_package_says_how_to_install_it() -> None:
    line = "pip install -c constraints.txt -e '.[audits]'  # in the checkout of dpaudit"
    assert str(MissingPackageError("opacus", "audits")) == f"opacus is not installed; run: {line}"
    assert str(MissingPackageError("opacus", "audits", "make opacus")).endswith("run: make opacus")
    assert install_line() == "pip install -c constraints.txt -e .  # in the checkout of dpaudit"


def test_an_unknown_name_is_a_wrong_argument() -> None:
    assert issubclass(UnknownNameError, ConfigurationError)
