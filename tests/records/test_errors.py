"""Messages say what was given, what is known, and what to do."""

from __future__ import annotations

from dpaudit.records.errors import ConfigurationError, MissingPackageError, UnknownNameError


def test_an_unknown_name_comes_with_the_nearest() -> None:
    message = str(UnknownNameError("claim", "rbcd/LEM-39", ["rbcd/LEM-3.9", "srm/THM-5.1"]))
    assert message == "unknown claim 'rbcd/LEM-39'; did you mean 'rbcd/LEM-3.9'? (known: rbcd/LEM-3.9, srm/THM-5.1)"


def test_nothing_near_gives_no_hint() -> None:
    assert str(UnknownNameError("target", "zzz", ["abc"])) == "unknown target 'zzz' (known: abc)"
    assert "known: none" in str(UnknownNameError("target", "zzz", []))


def test_long_lists_are_cut() -> None:
    message = str(UnknownNameError("key", "q", [f"name{i}" for i in range(20)]))
    assert message.endswith("name15, ...)")


def test_a_missing_package_says_how_to_install_it() -> None:
    assert str(MissingPackageError("opacus", "audits")).endswith("run: pip install 'dpaudit[audits]'")


def test_an_unknown_name_is_a_wrong_argument() -> None:
    assert issubclass(UnknownNameError, ConfigurationError)
