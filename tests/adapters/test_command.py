"""Commands in other languages: both modes, both forms of data, every way to break the protocol, no process left."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.adapters import _processes, command
from dpaudit.adapters.command import Command
from dpaudit.audit import tiers
from dpaudit.audit.sandbox import isolation
from dpaudit.confinement.limits import Limits
from dpaudit.content import items, loading
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import Neighbours, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PAIR = (np.ones(10), np.ones(9))

ALPHA = 1e-6
"""False-alarm probability of each audit below; all seeds are fixed."""

PLAIN = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    {body}
    print(json.dumps(answer), flush=True)
{after}
"""


def trials(count: int, first: int = 0) -> Trials:
    return Trials(Stream(1, "command"), np.arange(first, first + count))


def python_worker(body: str = "answer = request['seed'] % 1000", after: str = "", **options: Any) -> Command:
    """A worker in Python that runs `body` for every request."""
    argv = (sys.executable, "-c", PLAIN.format(body=body, after=after))
    return Command("x/worker", argv, pair=PAIR, claim=claim(1.0), worker=True, **options)


def once(code: str, **options: Any) -> Command:
    """A Python program that is run for every trial with the data set and the seed."""
    argv = (sys.executable, "-c", code, "{data}", "{seed}")
    return Command("x/once", argv, pair=PAIR, claim=claim(1.0), **options)


def gone(group: int) -> bool:
    """Is there no process of this group, but for those that wait to be reaped?"""
    with_group = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    return not any(
        line.split()[0] == str(group) and not line.split()[1].startswith("Z") for line in with_group.splitlines()
    )


def test_a_worker_answers_every_trial_in_order_with_the_seed_of_that_trial() -> None:
    found = python_worker("answer = [request['trial'], request['seed'] % 1000]").run(PAIR[0], trials(500, 20))
    assert found.shape == (500, 2)
    assert found.dtype == np.float64
    assert np.array_equal(found[:, 0], np.arange(20, 520))
    assert np.array_equal(found[:, 1], trials(500, 20).seeds() % 1000)


def test_a_trial_is_the_same_alone_and_in_a_batch() -> None:
    worker = python_worker()
    assert np.array_equal(worker.run(PAIR[0], trials(20))[7:9], worker.run(PAIR[0], trials(2, 7)))


def test_a_program_is_run_once_a_trial_with_data_and_seed_as_words() -> None:
    code = "import sys; print([len(open(sys.argv[1]).readlines()), int(sys.argv[2]) % 1000])"
    found = once(code, form="csv").run(PAIR[1], trials(3))
    assert np.array_equal(found, np.stack([np.full(3, 9.0), trials(3).seeds() % 1000], axis=1))


def test_no_shell_reads_the_words() -> None:
    argv = (sys.executable, "-c", "import sys; print(len(sys.argv[1]))", "$HOME; {data} {seed} `id`")
    short = Command("x/y", argv, pair=PAIR, claim=claim(1.0)).run(PAIR[0], trials(1))
    assert short[0] > len("$HOME;   `id`")


def test_the_npz_holds_the_arrays_by_name() -> None:
    body = "import numpy; f = numpy.load(request['data']); answer = [float(f[k].sum()) for k in sorted(f.files)]"
    assert python_worker(body).run(PAIR[0], trials(1)).tolist() == [[10.0]]
    named = {"b": np.ones((2, 3)), "a": np.zeros(4)}
    assert python_worker(body).run(named, trials(1)).tolist() == [[0.0, 6.0]]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (np.array([0.1, 1 / 3]), "0.1\n0.3333333333333333\n"),
        (np.array([[1, 2], [3, 4]]), "1,2\n3,4\n"),
        ({"age": np.array([30, 40]), "pay": np.array([0.5, 1e300])}, "age,pay\n30,0.5\n40,1e+300\n"),
        (np.empty(0), ""),
        (["yes", "no, never", ""], 'yes\n"no, never"\n""\n'),
        ({"age, in years": [30], "name": ["Ann"]}, '"age, in years",name\n30,Ann\n'),
        (np.array([True, False]), "True\nFalse\n"),
    ],
)
def test_a_csv_has_one_line_a_record_and_every_digit(data: Any, text: str, tmp_path: Path) -> None:
    assert command.write(data, tmp_path, "csv").read_text(encoding="utf-8") == text


def test_texts_in_and_true_or_false_out(tmp_path: Path) -> None:
    body = "import numpy; answer = [one == 'yes' for one in numpy.load(request['data'])['data'].tolist()]"
    assert python_worker(body).run(["yes", "no"], trials(2)).tolist() == [[1, 0], [1, 0]]


def test_a_program_may_be_a_path() -> None:
    code = "import sys; print(len(open(sys.argv[1]).readlines()))"
    argv = (Path(sys.executable), "-c", code, "{data}", "{seed}")
    assert Command("x/once", argv, pair=PAIR, claim=claim(1.0), form="csv").run(PAIR[0], trials(1)).tolist() == [10]


@pytest.mark.parametrize(
    ("data", "form", "words"),
    [
        (np.array([b"a"]), "npz", "real numbers or of texts, got data: .S1"),
        ((np.zeros((2, 2)), np.zeros(2)), "npz", "must be an array, or names to arrays"),
        (np.zeros((2, 2, 2)), "csv", "at most two axes"),
        ({"a": np.zeros(2), "b": np.zeros(3)}, "csv", "one length"),
    ],
)
def test_data_that_cannot_be_written_is_refused(data: Any, form: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=words):
        command.write(data, tmp_path, form)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("answer = float('nan')", "trial 0 has NaN"),
        ("answer = [1.0, None]", "numbers alone"),
        ("answer = 'noise'", "numbers alone"),
        ("answer = {'n': 1.0}", "numbers alone, got .*; of a category print its number"),
        ("answer = [[1.0], 2.0]", "not a JSON array or number"),
        ("print('hello', flush=True); continue", "not a JSON array or number: 'hello'"),
        ("print('[' * 100_000, flush=True); continue", "not a JSON array or number"),
        ("answer = [0.0] * (1 + (request['trial'] == 3))", r"trial 3 released numbers of shape \(2,\)"),
        ("print(0); answer = 1", "out of step"),
        ("while True: print(0)", "out of step"),
        ("if request['trial'] == 3: sys.exit(7)\n    answer = 0", "exit code 7"),
        ("if request['trial'] == 3: import os; os.kill(os.getpid(), 9)\n    answer = 0", "signal 9"),
        ("if request['trial'] == 3: break\n    answer = 0", "ended after 3 of 6 answers"),
        ("if request['trial'] == 3: raise KeyError('secret')\n    answer = 0", "exit code 1.*KeyError: 'secret'"),
        ("answer = [0.0] * 1_000_000", "more than 1048576 bytes"),
        ("print('x' * 2_000_000, end='', flush=True); continue", "more than 1048576 bytes"),
    ],
)
def test_a_worker_that_breaks_the_protocol_is_named_with_the_trial(body: str, words: str) -> None:
    with pytest.raises(ContentError, match=f"(?s){words}"):
        python_worker(body).run(PAIR[0], trials(6))


def test_a_worker_may_write_to_its_errors_without_end_or_harm() -> None:
    found = python_worker("sys.stderr.write('x' * 100_000); answer = 1").run(PAIR[0], trials(20))
    assert np.array_equal(found, np.ones(20))


@pytest.mark.parametrize("body", ["import time; time.sleep(60)", "while True: sys.stderr.write('x' * 1000)"])
def test_silence_is_timed_out(body: str) -> None:
    with pytest.raises(ContentError, match=r"gave no answer within 1\.5 s"):
        python_worker(body, seconds=1.5).run(PAIR[0], trials(2))


def test_a_worker_that_goes_on_after_its_input_is_timed_out() -> None:
    after = "import os, time\nos.close(1); os.close(2); time.sleep(60)"
    with pytest.raises(ContentError, match="did not end"):
        python_worker("answer = 1", after, seconds=1.5).run(PAIR[0], trials(2))


@pytest.mark.parametrize(("promised", "outcome"), [(True, Outcome.ERROR), (False, Outcome.CONSISTENT)])
def test_noise_that_does_not_follow_the_seed_is_an_error_where_it_should(promised: bool, outcome: Outcome) -> None:
    plan = TrialPlan(400, 400, 400)
    worker = python_worker("import random; answer = random.random()", deterministic=promised, trials=plan)
    verdict = tiers.audit(audit_of(worker), Context(1, Level.SMOKE, ALPHA))
    assert verdict.outcome is outcome
    assert promised is False or "played again" in verdict.evidence[0].detail


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("pass", "printed nothing in trial 0"),
        ("print(1); print(2)", "more than one line in trial 0"),
        ("while True: print()", "more than one line"),
        ("import sys; sys.exit('no such file')", "exit code 1; its errors: no such file"),
        ("import time; time.sleep(60)", "no answer within 1 s"),
        ("print([1, 2)", "exit code 1"),
    ],
)
def test_a_program_that_breaks_the_protocol_is_named(code: str, words: str) -> None:
    with pytest.raises(ContentError, match=f"(?s){words}"):
        once(code, seconds=1.0 if "sleep" in code else 60.0).run(PAIR[0], trials(2))


def test_a_command_that_is_not_there_is_named() -> None:
    missing = Command("x/y", ("/no/such/program",), pair=PAIR, claim=claim(1.0), worker=True)
    with pytest.raises(ContentError, match="'/no/such/program' could not be started"):
        missing.run(PAIR[0], trials(1))


@pytest.mark.parametrize(
    ("argv", "options", "words"),
    [
        ("cat {data}", {}, "list of words"),
        ((), {}, "list of words"),
        (("cat", 1), {}, "list of words"),
        (("cat", "{data}"), {}, r"no \{seed\}.*worker=True"),
        (("cat",), {"worker": True, "form": "json"}, "npz, csv"),
        (("cat",), {"worker": True, "seconds": 0.0}, "above 0"),
        (("cat",), {"worker": True, "most_bytes": 0}, "above 0"),
        (("cat",), {"worker": True, "pair": [1, 2, 3]}, "pair must be"),
        (("cat",), {"worker": True, "batches": 3}, "batches"),
    ],
)
def test_arguments_that_cannot_be_are_refused(argv: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        Command("x/y", argv, **{"pair": PAIR, "claim": claim(1.0), **options})


def test_words_that_are_found_late_are_checked_too() -> None:
    with pytest.raises(ConfigurationError, match="list of words"):
        Command("x/y", lambda: "cat", pair=PAIR, claim=claim(1.0), worker=True).run(PAIR[0], trials(1))


BESIDE = """
import numpy as np
from dpaudit import Command, claim

AUDIT = Command("x/beside", {argv}, form="csv", worker=True, pair=(np.ones(10), np.ones(9)), claim=claim(epsilon=1.0))
"""


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize(
    "argv", ['("./worker.py",)', f'("{sys.executable}", "worker.py")', 'lambda: ("tools/worker.py",)']
)
def test_relative_paths_are_those_of_the_audit_file(
    argv: str, isolate: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    body = "answer = request['seed'] % 1000"
    for place in (tmp_path / "worker.py", tmp_path / "tools" / "worker.py"):
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"#!{sys.executable}\n{PLAIN.format(body=body, after='')}")
        place.chmod(0o755)
    file = tmp_path / "audit.py"
    file.write_text(BESIDE.format(argv=argv))
    with isolation.playing(file, "x/beside", Limits(60.0, 4.0), isolate) as item:
        assert item.carrier.run is not None
        assert np.array_equal(item.carrier.run(PAIR[0], trials(5)), trials(5).seeds() % 1000)


def test_a_program_that_is_not_beside_the_file_is_named_with_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "audit.py"
    file.write_text(BESIDE.format(argv='("./absent",)'))
    [item] = loading.load_targets([file])
    assert isinstance(item, items.Loaded)
    assert item.carrier.run is not None
    with pytest.raises(ContentError, match=f"the command '{tmp_path}/absent' could not be started"):
        item.carrier.run(PAIR[0], trials(1))


def test_the_whole_process_group_is_gone_after_success_error_and_time_out(tmp_path: Path) -> None:
    note = tmp_path / "groups"
    start = (
        "import os, subprocess\n"
        "    if request['trial'] == 0:\n"
        f"        open({str(note)!r}, 'a').write(f'{{os.getpgid(0)}}\\n')\n"
        "        subprocess.Popen(['sleep', '300'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
    )
    python_worker(f"{start}    answer = 1").run(PAIR[0], trials(2))
    held = []  # with their tracebacks, so that nothing is left to the garbage collector
    for end in ("    answer = 'no number'", "    os.kill(os.getpid(), 9)", "    import time; time.sleep(60)"):
        with pytest.raises(ContentError) as caught:
            python_worker(start + end, seconds=2.0).run(PAIR[0], trials(2))
        held.append(caught)
    groups = {int(line) for line in note.read_text(encoding="utf-8").split()}
    assert len(groups) == 4
    assert os.getpgid(0) not in groups
    assert all(map(gone, groups))


def test_the_group_test_sees_a_process_that_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The break: nothing is killed at the end."""
    note = tmp_path / "group"
    body = (
        f"import os, subprocess; open({str(note)!r}, 'w').write(str(os.getpgid(0)))\n"
        "    subprocess.Popen(['sleep', '300'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n    answer = 1"
    )
    with monkeypatch.context() as broken:
        broken.setattr(_processes.os, "killpg", lambda group, number: None)
        python_worker(body).run(PAIR[0], trials(1))
    group = int(note.read_text(encoding="utf-8"))
    assert not gone(group)
    os.killpg(group, 9)


def test_the_data_of_a_run_is_gone_after_it() -> None:
    body = "open(request['data'] + '.copy', 'w').write('x'); answer = [ord(c) for c in request['data']]"
    path = Path("".join(map(chr, python_worker(body).run(PAIR[0], trials(1))[0].astype(int))))
    assert not path.parent.exists()


def test_integers_beyond_64_bits_are_numbers() -> None:
    assert python_worker("answer = [2**70, 1]").run(PAIR[0], trials(1))[0, 0] == 2.0**70


def test_the_target_says_what_was_given() -> None:
    plan = TrialPlan(10, 20, 30)
    made = python_worker(title="A sum", trials=plan, optional=True, deterministic=False)
    target: Target = made.TARGET
    assert (target.name, target.title, target.trials) == ("x/worker", "A sum", plan)
    assert (target.optional, target.deterministic) == (True, False)
    assert target.claim.neighbours is Neighbours.ADD_OR_REMOVE
    assert made.neighbours(np.random.default_rng(0)) is PAIR
    own = python_worker(attacks={"mine": abs})
    assert {"mine": abs} == own.ATTACKS


def compiled(folder: Path) -> Path:
    """The worker of the documentation in C; every machine that runs the tests has a C compiler."""
    worker = folder / "worker"
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None, "the tests need a C compiler: gcc or cc"
    subprocess.run([compiler, "-O2", "-Wall", "-Werror", "-o", worker, EXAMPLES / "worker.c", "-lm"], check=True)
    return worker


def audited(audit: Command) -> Outcome:
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, ALPHA)).outcome


def test_the_worker_in_c_is_consistent_and_refuted_with_half_of_the_noise(tmp_path: Path) -> None:
    compiled(tmp_path)
    file = shutil.copy(EXAMPLES / "any_language.py", tmp_path)
    [item] = loading.load_targets([Path(file)])
    assert isinstance(item, items.Loaded)
    assert audited(item.carrier) is Outcome.CONSISTENT
    half = Path(file).read_text(encoding="utf-8").replace('SCALE = "1"', 'SCALE = "0.5"')
    Path(file).write_text(half, encoding="utf-8")
    [item] = loading.load_targets([Path(file)])
    assert isinstance(item, items.Loaded)
    assert audited(item.carrier) is Outcome.REFUTED


@pytest.mark.deep
@pytest.mark.parametrize(
    ("program", "argv", "options", "promise"),
    [
        ("node", ("worker.mjs",), {"worker": True}, claim(mu=1.0)),
        ("perl", ("laplace_sum.pl", "{data}", "{seed}"), {"trials": TrialPlan(120, 120, 120)}, claim(1.0)),
    ],
)
def test_the_examples_in_other_languages(
    program: str, argv: tuple[str, ...], options: dict[str, Any], promise: Any
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    options = {"trials": TrialPlan(2_000, 2_000, 2_000), **options}
    attack = {"value": lambda outputs, data, neighbour: outputs}
    for scale, outcome in (("1", Outcome.CONSISTENT), ("0.1", Outcome.REFUTED)):
        words = (program, str(EXAMPLES / argv[0]), scale, *argv[1:])
        audit = Command("x/y", words, pair=PAIR, claim=promise, form="csv", attacks=attack, **options)
        assert audited(audit) is outcome


def test_the_noise_of_the_worker_in_c_has_the_variance_of_its_law(tmp_path: Path) -> None:
    audit = Command("x/y", (str(compiled(tmp_path)),), pair=PAIR, claim=claim(1.0), form="csv", worker=True)
    noise = audit.run(PAIR[0], trials(20_000)) - 10
    # The variance is 2 and the fourth moment 24, so that the mean square has the deviation 0.032: five of them.
    assert abs((noise**2).mean() - 2) < 0.16
    assert json.loads(json.dumps(noise[0])) == noise[0]


def test_a_command_is_not_told_where_this_python_finds_its_own_modules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As in a sandbox: another Python would import the standard library of this one, and end."""
    library = os.path.dirname(os.__file__)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([library, str(tmp_path)]))
    told = [sys.executable, "-c", "import os; print([len(os.environ.get('PYTHONPATH', '').split(os.pathsep))])"]
    with _processes.Process(told, 20.0, 1 << 16) as process:
        assert list(process.lines(b"")) == [b"[1]"]
    assert _processes.environment()["PYTHONPATH"] == str(tmp_path)
    monkeypatch.setenv("PYTHONPATH", library)
    assert "PYTHONPATH" not in _processes.environment()
