"""The command `plot`: it lists what there is to draw, writes what is asked for, and names what it does not know."""

from __future__ import annotations

from pathlib import Path

import run_folder
from command_line import dpaudit

from dpaudit.records.verdict import ExitCode, Kind, Outcome


def test_without_a_name_every_figure_is_listed_and_nothing_written(workdir: Path) -> None:
    run_folder.write(workdir / "run")
    before = sorted(workdir.rglob("*"))
    result = dpaudit("plot", "run")
    names = [line.split("  ")[0] for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert "audits" in names
    assert len(names) > 2
    assert sorted(workdir.rglob("*")) == before


def test_figures_are_written_once_where_they_are_wanted(workdir: Path) -> None:
    run_folder.write(workdir / "run")
    listed = [line.split("  ")[0] for line in dpaudit("plot", "run").stdout.splitlines()]
    result = dpaudit("plot", "run", *listed, listed[0], "-o", "figures/of/it")
    written = sorted((workdir / "figures" / "of" / "it").iterdir())
    assert sorted(result.stdout.splitlines()) == [str(path.relative_to(workdir)) for path in written]
    assert len(written) == len(listed)
    assert all(path.suffix == ".svg" and path.read_text(encoding="utf-8").startswith("<svg ") for path in written)
    assert dpaudit("plot", "run", "audits", "--png").stdout == "audits.png\n"
    assert (workdir / "audits.png").read_bytes().startswith(b"\x89PNG")


def test_the_file_of_a_format_in_the_configuration_is_no_folder_of_figures(workdir: Path) -> None:
    run_folder.write(workdir / "run")
    (workdir / "named.toml").write_text('format = "junit"\noutput = "dpaudit.xml"\n', encoding="utf-8")
    assert dpaudit("--config", "named.toml", "plot", "run", "audits").stdout == "audits.svg\n"
    assert not (workdir / "dpaudit.xml").exists()


def test_an_unknown_name_is_refused_before_anything_is_written(workdir: Path) -> None:
    run_folder.write(workdir / "run")
    result = dpaudit("plot", "run", "audits", "audit", "-o", "figures")
    assert result.exit_code == ExitCode.USAGE
    assert "unknown figure 'audit'; did you mean 'audits'" in result.stderr
    assert "dpaudit plot run" in result.stderr
    assert not (workdir / "figures").exists()


def test_a_run_without_figures_says_so(workdir: Path) -> None:
    run_folder.write(workdir / "run", [run_folder.verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED)])
    result = dpaudit("plot", "run")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "the run has no figure" in result.stderr
