"""The model of a disk that loses its power: what is new is not taken for what was forced before."""

from __future__ import annotations

from pathlib import Path

import power_loss
import pytest


def test_a_file_keeps_its_number_as_long_as_the_disk_is_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next one could have it, and with it the bytes that were forced to the disk."""
    disk = power_loss.Disk(tmp_path)
    with disk.watched(monkeypatch):
        for number in range(20):
            path = tmp_path / f"file-{number}"
            path.write_bytes(b"x" * number)
            disk.note()
            path.unlink()
            disk.note()
    assert len({one for moment in disk.moments for one in moment.names.values()}) == 20
