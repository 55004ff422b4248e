"""What runs on GitHub: the action, the workflow of this project, the recipe; pinned, with few rights, no injection."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from small_content import claim_text, write

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "action.yml"
WORKFLOWS = [
    *sorted((ROOT / ".github" / "workflows").glob("*.yml")),
    *sorted((ROOT / "docs" / "recipes").glob("*.yml")),
]
FILES = [ACTION, *WORKFLOWS]
MAY_WRITE = {"security-events"}
PINNED = re.compile(r"^[\w-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
each_workflow = pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)


def read(file: Path) -> dict[Any, Any]:
    """The content of a YAML file."""
    made = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert isinstance(made, dict)
    return made


def steps(file: Path) -> list[dict[str, Any]]:
    """The steps of an action, or of all jobs of a workflow."""
    made = read(file)
    jobs = [made["runs"]] if "runs" in made else made["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


def used(file: Path) -> list[str]:
    """What the steps use, with the comment of the line."""
    return re.findall(r"(?m)^\s*(?:- )?uses: (.+)$", file.read_text(encoding="utf-8"))


def scripts(file: Path) -> Iterator[str]:
    """The scripts of the steps."""
    return (step["run"] for step in steps(file) if "run" in step)


def rights(file: Path) -> Iterator[dict[str, str]]:
    """The permissions of a workflow and those of its jobs."""
    made = read(file)
    yield made["permissions"]
    yield from (job["permissions"] for job in made["jobs"].values() if "permissions" in job)


def test_there_is_an_action_a_workflow_and_a_recipe() -> None:
    assert [file.name for file in FILES] == ["action.yml", "ci.yml", "dpaudit.yml"]


@each_file
def test_what_is_used_is_a_commit_and_says_which_version(file: Path) -> None:
    assert len(used(file)) == sum("uses" in step for step in steps(file)) > 0
    assert [one for one in used(file) if one != "./dpaudit" and not PINNED.match(one)] == []


def test_an_action_is_used_in_one_version() -> None:
    versions = {one for file in FILES for one in used(file)}
    assert len({one.partition("@")[0] for one in versions}) == len(versions)


@each_file
def test_no_expression_is_pasted_into_a_script(file: Path) -> None:
    assert [script for script in scripts(file) if "${{" in script] == []


@each_file
def test_scripts_are_those_of_bash(file: Path) -> None:
    for script in scripts(file):
        assert subprocess.run(["bash", "-n", "-c", script], capture_output=True, check=False).returncode == 0, script


@each_workflow
def test_a_workflow_has_the_least_rights(file: Path) -> None:
    assert read(file)["permissions"] == {"contents": "read"}
    for each in rights(file):
        assert {name for name, right in each.items() if right != "read"} <= MAY_WRITE
    assert "pull_request_target" not in read(file)[True], "YAML 1.1 reads the key `on` as true"
    checkouts = [step for step in steps(file) if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


@each_workflow
def test_code_scanning_is_written_to_only_where_it_is_asked_for(file: Path) -> None:
    asked = any(step.get("with", {}).get("upload-sarif") == "true" for step in steps(file))
    assert any("security-events" in each for each in rights(file)) == asked


def test_the_workflow_of_the_project_runs_what_contributors_run() -> None:
    [script] = scripts(WORKFLOWS[0])
    assert script == "bash .ci/run"
    assert (ROOT / ".ci" / "run").is_file()


# The action. ----------------------------------------------------------------------------------------


def test_the_action_reads_each_of_its_inputs_and_no_other() -> None:
    inputs = read(ACTION)["inputs"]
    assert set(re.findall(r"\binputs\.([a-z-]+)", ACTION.read_text(encoding="utf-8"))) == set(inputs)
    assert all(isinstance(one["default"], str) and one["description"] for one in inputs.values())


def test_the_recipe_gives_inputs_that_there_are() -> None:
    [given] = [step["with"] for file in WORKFLOWS for step in steps(file) if step.get("uses") == "./dpaudit"]
    assert set(given) <= set(read(ACTION)["inputs"])


def test_the_recipe_checks_out_the_folder_of_the_action_at_a_commit_that_is_named() -> None:
    used = [(step["uses"].partition("@")[0], step.get("with", {})) for step in steps(WORKFLOWS[-1])]
    before = used[: [name for name, _ in used].index("./dpaudit")]
    [found] = [given for name, given in before if name == "actions/checkout" and given.get("path") == "dpaudit"]
    assert (found["repository"], found["ref"]) == ("<owner>/dpaudit", "<commit>")
    page = (ROOT / "docs" / "continuous_integration.md").read_text(encoding="utf-8")
    assert "in the place of `<owner>` and `<commit>`" in page


def test_the_page_has_a_row_for_every_input_with_its_default() -> None:
    page = (ROOT / "docs" / "continuous_integration.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"(?m)^\| `([a-z-]+)` \| (?:`([^`]*)`|none) \|", page))
    assert rows == {name: one["default"] for name, one in read(ACTION)["inputs"].items()}


def test_every_script_of_the_action_names_its_shell_and_what_follows_the_run_is_done_after_a_failure() -> None:
    made = steps(ACTION)
    assert all(step["shell"] == "bash" for step in made if "run" in step)
    place = [step.get("id") for step in made].index("run")
    assert len(made) > place + 1
    assert all(step["if"].startswith("always() && ") for step in made[place + 1 :])


@pytest.fixture
def step(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, dict[str, str]]]:
    """Runs the step `run` of the action with these inputs, as a runner does; its exit code and its outputs."""
    [run] = [step for step in steps(ACTION) if step.get("id") == "run"]
    defaults = {name: one["default"] for name, one in read(ACTION)["inputs"].items()}
    given = {name: defaults[re.findall(r"inputs\.([a-z-]+)", value)[0]] for name, value in run["env"].items()}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    temporary, output = workdir / "temporary", workdir / "output"
    temporary.mkdir()
    runner = {"PATH": path, "RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(output),
              "GITHUB_STEP_SUMMARY": str(workdir / "summary.md")}  # fmt: skip

    def called(**inputs: str) -> tuple[int, dict[str, str]]:
        assert set(inputs) <= set(given)
        output.write_text("", encoding="utf-8")
        bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", run["run"]]
        environment = {**os.environ, **given, **runner, **inputs}
        done = subprocess.run(bash, env=environment, capture_output=True, check=False)
        lines = output.read_text(encoding="utf-8").splitlines()
        return done.returncode, dict(line.split("=", 1) for line in lines)

    return called


Step = Callable[..., tuple[int, dict[str, str]]]


def test_a_run_leaves_summary_sarif_and_junit_and_passes(step: Step, workdir: Path) -> None:
    write(workdir / "my proofs" / "lem_1.py", claim_text())
    code, outputs = step(COMMAND="verify", PATHS="my proofs\n", SEED="7", ARGUMENTS="--no-report\n--jobs=1\n")
    assert (code, outputs["exit-code"]) == (0, "0")
    folder = Path(outputs["folder"])
    assert {one["value"] for one in read(ACTION)["outputs"].values()} == {
        f"${{{{ steps.run.outputs.{name} }}}}" for name in outputs
    }
    assert Path(outputs["sarif"]) == folder / "dpaudit.sarif"
    assert Path(outputs["junit"]).read_text(encoding="utf-8").startswith("<?xml")
    assert '"seed": 7' in (folder / "run" / "run.json").read_text(encoding="utf-8")
    assert "everything is as expected" in (workdir / "summary.md").read_text(encoding="utf-8")


def test_a_refutation_fails_the_step_after_its_outputs(step: Step, workdir: Path) -> None:
    write(workdir / "proofs" / "lem_1.py", claim_text(right="a**2 + b**2"))
    code, outputs = step(COMMAND="verify", PATHS="proofs", ARGUMENTS="--no-report\n--jobs=1")
    assert (code, outputs["exit-code"]) == (1, "1")
    assert Path(outputs["sarif"]).is_file()


def test_a_wrong_argument_leaves_no_file_to_upload(step: Step) -> None:
    code, outputs = step(COMMAND="verify", PATHS="nothing.py")
    assert (code, outputs["exit-code"]) == (2, "2")
    assert {"sarif", "junit"} & set(outputs) == set()
    assert step(COMMAND="doctor") == (2, {})


@pytest.mark.deep
def test_no_input_is_read_as_code(step: Step, workdir: Path) -> None:
    bad = '$(touch made)`touch made`"; touch made; "\n; touch made'
    for name in ("COMMAND", "PATHS", "LEVEL", "SEED", "BASELINE", "ARGUMENTS"):
        assert step(**{"COMMAND": "verify", "PATHS": "nothing.py", name: bad})[0] == 2, name
    assert step(COMMAND="verify", PATHS="--help")[0] == 2, "a path is no option"
    assert not (workdir / "made").exists()


def test_the_action_installs_its_own_checkout_with_what_is_asked_for(workdir: Path) -> None:
    [install] = [step for step in steps(ACTION) if step["name"] == "Install dpaudit"]
    stand_in = write(workdir / "bin" / "python", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    stand_in.chmod(0o755)
    path = os.pathsep.join((str(stand_in.parent), os.environ["PATH"]))
    environment = {"PATH": path, "GITHUB_ACTION_PATH": "/a b", "EXTRAS": "report,torch", "PACKAGES": ".\n\n$(exit 1)\n"}
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", install["run"]]
    printed = subprocess.run(bash, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    assert printed[:3] == ["-m", "pip", "install"]
    assert printed[-5:] == ["-c", "/a b/constraints.txt", "/a b[report,torch]", ".", "$(exit 1)"]
