"""The doctor names what is absent or broken, and the remedy."""

from __future__ import annotations

import pytest

from dpaudit.cli import doctor
from dpaudit.content import faults
from dpaudit.records.errors import install_line


def rows() -> dict[str, doctor.Row]:
    """The rows by name."""
    return {row.name: row for row in doctor.examine()}


def test_everything_required_works_here() -> None:
    found = rows()
    assert {"python", "numpy", "numba", "python-flint", "torch", "cuda"} <= set(found)
    assert [row.name for row in found.values() if row.required and not row.works] == []
    assert "compiles and runs" in found["numba"].detail
    assert found["noise"].works
    assert "same bits on cpu" in found["noise"].detail


def test_an_absent_package_comes_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(faults.EXTRAS, "surely_missing", "audits")
    row = rows()["surely_missing"]
    assert (row.works, row.required, row.detail) == (False, False, "not installed")
    assert row.remedy == install_line("audits")


def test_a_broken_package_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> str:
        raise OSError("no compiler\nat all")

    monkeypatch.setattr(doctor, "_compile", broken)
    row = rows()["numba"]
    assert (row.works, row.required, row.detail) == (False, True, "OSError: no compiler")
    assert row.remedy
