"""Configuration files: precedence, and errors that name file, key and remedy."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from command_line import dpaudit
from small_content import write

from dpaudit.cli import config, doctor, options
from dpaudit.cli.main import program
from dpaudit.records.errors import ConfigurationError, UnknownNameError


def test_no_file_means_no_settings(tmp_path: Path) -> None:
    assert config.load(tmp_path) == {}


def test_dpaudit_toml_outranks_pyproject(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.dpaudit]\nseed = 1\nlevel = "deep"\n[tool.other]\nseed = "x"\n')
    write(tmp_path / "dpaudit.toml", "seed = 2\n")
    assert config.load(tmp_path) == {"seed": 2, "level": "deep"}


def test_a_named_file_is_the_only_one(tmp_path: Path) -> None:
    write(tmp_path / "dpaudit.toml", "seed = 2\n")
    other = write(tmp_path / "other.toml", "jobs = 3\n")
    assert config.load(tmp_path, other) == {"jobs": 3}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('isolate = "no"', "isolate"),
        ('isolate = "yes"', "isolate"),
        ('isolate = "require"', "isolate"),
        ("allow-network = true", "allow-network"),
        ('executor = "dask://example.invalid:1"', "executor"),
        ('output = "Makefile"', "output"),
        ('run-dir = "../elsewhere"', "run-dir"),
        ('ledger = "fresh.json"', "ledger"),
        ('format = "junit=setup.py"', "format"),
        ('format = ["json", "junit=setup.py"]', "format"),
    ],
)
def test_what_is_for_the_user_to_say_is_refused_in_the_working_directory_alone(
    tmp_path: Path, text: str, key: str
) -> None:
    write(tmp_path / "dpaudit.toml", f"seed = 1\n{text}\n")
    with pytest.raises(ConfigurationError, match=rf"dpaudit\.toml, line 2: .*--{key}.*--config dpaudit\.toml"):
        config.load(tmp_path)
    assert key in config.load(tmp_path, tmp_path / "dpaudit.toml")
    write(tmp_path / "other" / "pyproject.toml", f"[tool.dpaudit]\n{text}\n")
    with pytest.raises(ConfigurationError, match=r"pyproject\.toml, line 2: "):
        config.load(tmp_path / "other")


def test_the_file_of_the_user_may_say_everything_and_is_outranked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = write(tmp_path / "user" / "dpaudit.toml", 'isolate = "no"\nrun-dir = "runs"\nseed = 1\nlevel = "deep"\n')
    monkeypatch.setattr(config, "user_file", lambda: own)
    write(tmp_path / "here" / "pyproject.toml", "[tool.dpaudit]\nseed = 2\n")
    found = config.load(tmp_path / "here")
    assert found == {"isolate": "no", "run-dir": str(own.parent / "runs"), "seed": 2, "level": "deep"}


@pytest.mark.parametrize(("key", "usual"), config.LIMITS.items())
def test_a_project_may_lower_a_limit_and_not_raise_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, usual: float
) -> None:
    own = write(tmp_path / "user" / "dpaudit.toml", f"{key} = {3 * usual}\n")
    project = tmp_path / "here" / "dpaudit.toml"
    for text in (f"{key} = {usual / 2}\n", f"{key} = {usual}\n"):
        write(project, text)
        assert config.load(project.parent) == {key: float(text.partition("= ")[2])}
    write(project, f"seed = 1\n{key} = {2 * usual}\n")
    with pytest.raises(ConfigurationError, match=rf"line 2: a larger {key} is not taken from the working directory"):
        config.load(project.parent)
    monkeypatch.setattr(config, "user_file", lambda: own)
    assert config.load(project.parent)[key] == 2 * usual  # the user has allowed more


def test_a_project_that_switches_the_sandbox_off_is_refused_before_its_code_runs(workdir: Path) -> None:
    write(workdir / "dpaudit.toml", 'isolate = "no"\n')
    write(workdir / "mine.py", "from pathlib import Path\nPath('ran').write_text('x')\n")
    done = dpaudit("audit", "mine.py")
    assert done.exit_code == 2
    assert "isolate is not taken from the working directory" in done.stderr
    assert not (workdir / "ran").exists()


def test_paths_are_relative_to_their_file(tmp_path: Path) -> None:
    file = write(tmp_path / "sub" / "dpaudit.toml", 'proofs = "claims"\n')
    assert config.load(tmp_path, file) == {"proofs": str(tmp_path / "sub" / "claims")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sead = 1", "dpaudit.toml, line 1: unknown key 'sead'; did you mean 'seed'"),
        ("allow_inconclusive = true", "did you mean 'allow-inconclusive'"),
        ('seed = "1"', "dpaudit.toml, line 1: seed must be an integer, got '1'"),
        ("isolate = false", "dpaudit.toml, line 1: isolate must be a string, got False"),
        ('isolate = "never"', "isolate must be one of yes, require, no, got 'never'"),
        ("seed = true", "dpaudit.toml, line 1: seed must be an integer, got True"),
        ('level = "fast"', "dpaudit.toml, line 1: level must be one of smoke, standard, deep, got 'fast'"),
        ('format = "yaml"', "format must be one of text, json, jsonl"),
        ("seed = ", "cannot read dpaudit.toml"),
        ("epsilon = 1.0", "epsilon must be a list of numbers, got 1.0"),
        ('epsilon = ["1"]', "epsilon must be a list of numbers"),
        ("alpha = 0.01\n\n'levle' = 1", "dpaudit.toml, line 3: unknown key 'levle'; did you mean 'level'"),
        ('format = ["junit", "yaml"]', "format must be one of text, json, jsonl, markdown, junit, sarif"),
        ("format = [1]", "format must be a string, got [1]"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path / "dpaudit.toml", text)
    with pytest.raises(ConfigurationError) as caught:
        config.load(tmp_path)
    assert message in str(caught.value)


def test_an_unknown_key_is_an_unknown_name(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.dpaudit]\nsedd = 1\n")
    with pytest.raises(UnknownNameError, match=r"pyproject\.toml, line 2: unknown key 'sedd'"):
        config.load(tmp_path)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "dpaudit.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match=r"dpaudit\.toml, line 1: not UTF-8 text"):
        config.load(tmp_path)


def test_an_integer_may_stand_for_a_float(tmp_path: Path) -> None:
    write(tmp_path / "dpaudit.toml", "alpha = 0\n")
    assert config.load(tmp_path) == {"alpha": 0}


def test_every_key_is_a_flag_and_every_flag_a_key() -> None:
    flags = {
        option[2:]
        for command in program.commands.values()
        for option in (o for p in command.params if isinstance(p, click.Option) for o in p.opts)
        if option.startswith("--")
    }
    assert flags == {*config.KEYS, *config.ONCE}
    assert not {*config.KEYS} & {*config.ONCE}


@pytest.mark.parametrize(
    ("text", "command", "name", "value"),
    [
        ("epsilon = [1.5, 2]", "power", "epsilons", [1.5, 2]),
        ('baseline = "known.toml"', "accept", "baseline", "known.toml"),
        ('baseline = "known.toml"', "verify", "baseline", "known.toml"),
        ("ignore-missing = true", "diff", "ignore_missing", True),
        ("exact = true", "replay", "exact", True),
    ],
)
def test_a_key_fills_the_parameter_of_its_flag(
    workdir: Path, text: str, command: str, name: str, value: object
) -> None:
    write(workdir / "dpaudit.toml", text)
    context = click.Context(program)
    options.use_config(context, None)
    assert context.default_map is not None
    assert name in {parameter.name for parameter in program.commands[command].params}
    found = context.default_map[command][name]
    assert found == (str(workdir / str(value)) if name == "baseline" else value)


def test_a_resumed_run_keeps_its_own_baseline(workdir: Path) -> None:
    write(workdir / "dpaudit.toml", 'baseline = "known.toml"')
    context = click.Context(program)
    options.use_config(context, None)
    assert context.default_map is not None
    filled = {parameter.name for parameter in program.commands["resume"].params} & {*context.default_map["resume"]}
    assert "baseline" not in filled
    assert "moved" not in filled


def test_the_files_of_formats_are_relative_to_their_file(tmp_path: Path) -> None:
    file = write(tmp_path / "sub" / "dpaudit.toml", 'format = ["text", "junit=x.xml"]\n')
    assert config.load(tmp_path, file) == {"format": ["text", f"junit={tmp_path / 'sub' / 'x.xml'}"]}


@pytest.mark.parametrize(
    ("text", "forms", "form"),
    [
        ('format = "json"', ["json"], "json"),
        ('format = "junit"', ["junit"], None),
        ('format = ["json", "text=a.txt"]', ["json", "text={}/a.txt"], None),
    ],
)
def test_a_run_takes_every_format_and_a_listing_the_one_that_it_knows(
    workdir: Path, text: str, forms: list[str], form: str | None
) -> None:
    named = write(workdir / "named.toml", text)
    context = click.Context(program)
    options.use_config(context, named)
    assert context.default_map is not None
    assert context.default_map["verify"]["forms"] == [one.format(workdir) for one in forms]
    assert context.default_map["list"].get("form") == form


def test_a_line_is_that_of_the_table_of_dpaudit(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.other]\nseed = 3\n[tool.dpaudit]\njobs = 1\nseed = "x"\n')
    with pytest.raises(ConfigurationError, match=r"pyproject\.toml, line 5: seed must be an integer"):
        config.load(tmp_path)


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("verify", "--help"), ("list", "-h")])
def test_a_typo_does_not_keep_help_and_version_away(workdir: Path, words: tuple[str, ...]) -> None:
    write(workdir / "dpaudit.toml", "sead = 5\n")
    done = dpaudit(*words)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "dpaudit" in done.stdout


def test_the_doctor_names_a_typo_and_goes_on(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(workdir / "dpaudit.toml", "sead = 5\n")
    monkeypatch.setattr(doctor, "examine", lambda: iter([doctor.Row("python", True, True, "there")]))
    done = dpaudit("doctor")
    assert done.exit_code == 3
    assert "works   python" in done.stdout
    assert "dpaudit.toml, line 1: unknown key 'sead'; did you mean 'seed'?" in done.stdout
    (workdir / "dpaudit.toml").unlink()
    assert "configuration" not in dpaudit("doctor").stdout
