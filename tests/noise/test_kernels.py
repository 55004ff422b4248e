"""How dpaudit compiles, and where it keeps machine code; `test_stream` tries the noise that the kernels make."""

from __future__ import annotations

from pathlib import Path

import numba
import pytest

import dpaudit
from dpaudit.noise import kernels
from dpaudit.noise.kernels import Locator, cache_folder

PACKAGE = Path(dpaudit.__file__).parent


def test_machine_code_is_kept_by_the_place_in_the_package() -> None:
    cached = kernels.words._cache  # type: ignore[attr-defined]
    assert cached.cache_path == str(Path(cache_folder()) / "noise")
    assert numba.config.CACHE_LOCATOR_CLASSES == "", "other packages keep the setting of numba"


def test_copies_of_the_package_share_it_and_other_files_have_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def function() -> None: ...

    here = Locator.from_function(function, str(PACKAGE / "algorithms" / "srm" / "kernels.py"))
    outside = str(tmp_path / "algorithms" / "srm" / "kernels.py")
    assert Locator.from_function(function, outside) is None
    monkeypatch.setattr(kernels, "_PACKAGE", tmp_path.resolve())
    folder = cache_folder()  # of the same sources: asked for before
    copy = Locator.from_function(function, outside)
    assert here is not None
    assert copy is not None
    assert copy.get_cache_path() == here.get_cache_path() == str(Path(folder) / "algorithms" / "srm")
    assert copy.get_source_stamp() == here.get_source_stamp()


def test_kernels_are_compiled_in_strict_arithmetic() -> None:
    options = kernels.words.targetoptions  # type: ignore[attr-defined]
    assert not options.get("fastmath")
    assert options["nogil"]
