"""What every algorithm file must be; files are found, nobody edits a list."""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
import re
from typing import Any

import numpy as np
import pytest
from three_forms import assert_forms_repeat

from dpaudit.agreement.cases import Case, Reduction, Trace
from dpaudit.algorithms import _template
from dpaudit.algorithms.srgd.noisy_sums import form as noisy_form
from dpaudit.algorithms.srgd.noisy_sums import tensors as noisy_tensors
from dpaudit.algorithms.srgd.noisy_sums.form import Paired
from dpaudit.algorithms.stepwise import Stepwise
from dpaudit.content.items import Loaded
from dpaudit.content.loading import forms_of, load_algorithms
from dpaudit.content.papers import load_paper
from dpaudit.content.places import PAPER_FILE, shipped_folder
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Promise
from dpaudit.records.privacy import View
from dpaudit.records.verdict import Outcome

FORMS = ("reference", "cpu", "gpu")
EXPORTS = (*FORMS, "ALGORITHM", "Params", "noise_shape", "promise", "calls")
FOUND = load_algorithms()
MODULES = {item.path.parent.name: item.carrier.code for item in FOUND if isinstance(item, Loaded)} | {
    "_template": _template
}
each = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)
STEPWISE = {name: module for name, module in MODULES.items() if hasattr(module, "STEPWISE")}
stepwise_each = pytest.mark.parametrize("module", STEPWISE.values(), ids=STEPWISE)


def cases() -> list[Any]:
    return [
        pytest.param(module, case, id=f"{name}-{case.name}")
        for name, module in MODULES.items()
        for case in forms_of(module).cases(4)
    ]


def test_every_file_loads() -> None:
    assert [item for item in FOUND if not isinstance(item, Loaded)] == []
    assert {"dp_skgd", "dp_srm", "resque_estimate"} <= set(MODULES)


@each
def test_it_exports_the_names(module: Any) -> None:
    assert [name for name in EXPORTS if not hasattr(module, name)] == []
    assert isinstance(module.ALGORITHM, Algorithm)
    assert all(getattr(module.ALGORITHM, name) for name in ("title", "source", "pseudo_code", "released", "cost"))


@each
def test_it_says_its_shapes_and_its_source(module: Any) -> None:
    assert "Shapes:" in module.__doc__
    assert "Source:" in module.__doc__
    documented = (*FORMS, "Params", "noise_shape", "promise", "calls")
    assert [name for name in documented if not getattr(module, name).__doc__] == []
    assert all("(" in inspect.getdoc(getattr(module, name)) for name in FORMS), "the docstring of a form gives shapes"


@stepwise_each
def test_the_shapes_of_shared_forms_are_in_the_docstring_of_the_folder(module: Any) -> None:
    shapes = " ".join(module.__doc__.partition("Shapes:")[2].split())
    state = r"State: .*\bd\b|A state has .*d.* numbers"
    for said in (r"transcript has shape \([^)]+\)", r"output\b.*? \([2 ]*d,\)", state):
        assert re.search(said, shapes), said
    if hasattr(module, "State"):
        assert re.search(r"\(d,\)", module.State.__doc__)


def reached(tree: ast.AST, start: str, every: bool = False) -> set[str]:
    """Every name of a definition of `tree` that its definition `start` mentions, directly or through others; `every`:
    names that are defined elsewhere, too."""
    defined = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for node in ast.walk(defined[waiting.pop()]):
            name = getattr(node, "id", getattr(node, "attr", ""))
            if isinstance(node, (ast.Name, ast.Attribute)) and (every or name in defined) and name not in seen:
                seen.add(name)
                waiting += [name] * (name in defined)
    return seen


def file_of(thing: Any) -> ast.Module:
    """The file in which a module, function or class is written."""
    return ast.parse(inspect.getsource(inspect.getmodule(thing)))


@each
@pytest.mark.parametrize("form", FORMS)
def test_no_form_calls_another(module: Any, form: str) -> None:
    if not (hasattr(module, "STEPWISE") and getattr(module, form) == getattr(module.STEPWISE, form)):
        assert reached(file_of(module), form) & (set(FORMS) - {form}) == set()


PARTS = {"reference": {"step", "counted", "kinds"}, "cpu": {"kernels", "packed", "choices"}, "gpu": {"machine"}}


def parts_of(kind: type, form: str) -> set[str]:
    """The parts and forms that the entry points of `form` use."""
    classes = [node for node in file_of(kind).body if isinstance(node, ast.ClassDef)]
    (tree,) = [node for node in classes if node.name == kind.__name__]
    starts = {form, f"advance_{form}"} & {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return set().union(*(reached(tree, start, every=True) for start in starts)) - {form}


@pytest.mark.parametrize("form", FORMS)
def test_no_shared_form_uses_a_part_of_another(form: str) -> None:
    assert PARTS[form] <= parts_of(Stepwise, form)
    others = set().union(*({other} | parts for other, parts in PARTS.items() if other != form))
    assert parts_of(Stepwise, form) & others == set()


@stepwise_each
def test_no_part_of_a_form_calls_another_form(module: Any) -> None:
    """Neither the step nor the torch form mentions what kernels are handed, or one the other."""
    made = module.STEPWISE
    noisy = made.counted is Paired
    packed = noisy_form.packed if noisy else made.packed
    machine = noisy_tensors.Machine if noisy else made.machine
    names = {packed.__name__, "run", *FORMS, "STEPWISE"}
    of_step = reached(file_of(made.step), made.step.__name__, every=True)
    of_torch = reached(file_of(machine), machine.__name__, every=True)
    of_numba = reached(file_of(packed), packed.__name__, every=True)
    assert of_step & (names | {machine.__name__, "kernels", "torch"}) == set()
    assert of_torch & names == set()
    assert of_numba & {machine.__name__, "torch", made.step.__name__, *FORMS, "STEPWISE"} == set()
    called = [node.func for node in ast.walk(file_of(machine)) if isinstance(node, ast.Call)]
    assert [node for node in called if getattr(node, "id", getattr(node, "attr", "")) == "step"] == []


class Cheating(Stepwise[Any, Any]):
    """A torch form that is the numba form, and a numba form that is the step."""

    def gpu(self, *inputs: Any) -> Any:  # type: ignore[override]
        return self.cpu(*inputs)

    def cpu(self, *inputs: Any) -> Any:  # type: ignore[override]
        return self._taken(*inputs)

    def _taken(self, *inputs: Any) -> Any:
        return self.step(*inputs)


def test_the_check_of_calls_sees_a_call() -> None:
    assert "cpu" in parts_of(Cheating, "gpu")
    assert "step" in parts_of(Cheating, "cpu")
    assert "_checked" in reached(file_of(MODULES["resque_estimate"]), "gpu")
    assert "cpu" in reached(file_of(MODULES["resque_estimate"]), "batched")


@pytest.mark.parametrize(("module", "case"), cases())
def test_the_reference_is_pure_and_deterministic(module: Any, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    reference, changed = module.reference, []

    def watched(*arguments: Any) -> Any:
        before = copy.deepcopy(arguments)
        result = reference(*arguments)
        changed.extend(
            a for a, b in zip(before, arguments, strict=True) if isinstance(a, np.ndarray) and not np.array_equal(a, b)
        )
        return result

    monkeypatch.setattr(module, "reference", watched)
    state = np.random.get_state()[1].copy()
    first, second = case.reference(2), case.reference(2)
    assert changed == [], "the reference must not write into its arguments"
    assert (np.random.get_state()[1] == state).all(), "the reference must not touch the global random state"
    for field in dataclasses.fields(Trace):
        assert np.array_equal(getattr(first, field.name), getattr(second, field.name)), field.name


@pytest.mark.parametrize(("module", "case"), cases())
def test_a_case_describes_itself(module: Any, case: Case) -> None:
    trace = case.reference(3)
    assert isinstance(case.params, module.Params)
    assert trace.after.shape == trace.magnitude.shape
    assert len(trace.trials) == len(trace.steps) == len(trace.before) == len(trace.after) == len(trace.branches)
    assert trace.tie_distance.shape == trace.tie_magnitude.shape == trace.branches.shape
    assert (trace.magnitude >= np.abs(trace.after) * (1 - 1e-12)).all(), "terms in absolute value sum to no less"
    assert len(trace.final) == 3
    assert all(isinstance(size, int) and size > 0 for size in module.noise_shape(case.params))


def wrong_values(value: Any, name: str) -> list[Any]:
    """Values of the field that must be refused, whatever it means."""
    if isinstance(value, float):
        return [float("nan"), float("inf"), "1", *([-0.5] if "noise" in name else [])]
    if isinstance(value, int):
        return [0, -1, 1.5]
    if isinstance(value, str):
        return ["no such option"]
    if isinstance(value, tuple) and value and isinstance(value[0], float):
        scaled = [tuple(-abs(v) - 0.5 for v in value)] if "noise" in name else []
        return [(float("nan"), *value[1:]), (), list(value), *scaled]
    return []


@pytest.mark.parametrize(("module", "case"), cases())
def test_params_refuse_wrong_values_by_name(module: Any, case: Case) -> None:
    tried = 0
    for field in dataclasses.fields(case.params):
        for wrong in wrong_values(getattr(case.params, field.name), field.name):
            with pytest.raises(ConfigurationError, match=field.name):
                dataclasses.replace(case.params, **{field.name: wrong})
            tried += 1
    assert tried >= 5
    assert dataclasses.is_dataclass(case.params)
    assert case.params.__dataclass_params__.frozen


def problem_of(case: Case) -> Problem | None:
    """The problem of a case that goes step by step, None for data of another kind."""
    given = getattr(case.bulk, "args", ())
    return next((one for one in given if isinstance(one, Problem)), None)


WITH_PROBLEM = [pytest.param(*one.values, id=one.id) for one in cases() if problem_of(one.values[1]) is not None]


@pytest.mark.parametrize(("module", "case"), WITH_PROBLEM)
def test_data_of_other_sizes_or_with_nan_are_refused(module: Any, case: Case) -> None:
    problem, stream = problem_of(case), Stream(4, "tests/contract")
    draws, trials = module.draw_inputs(case.params, stream, 0), Trials(stream, np.arange(2))
    wide = np.hstack([problem.features, problem.features[:, :1]])
    other = losses.linear(wide[1:] if problem.records > 1 else wide)
    for run in (
        lambda: module.reference(case.params, other, draws),
        lambda: module.cpu(case.params, other, trials),
        lambda: module.gpu(case.params, other, trials),
    ):
        with pytest.raises(ConfigurationError, match="coordinates"):
            run()
    with pytest.raises(ConfigurationError, match="finite"):
        dataclasses.replace(problem, features=problem.features * np.nan)


def whole_instance(case: Case) -> tuple[Any, Any, Stream]:
    """Parameters, problem and stream of a case that goes step by step."""
    _, params, problem, stream = case.bulk.args
    return params, problem, stream


@pytest.mark.deep(keep=30)
@pytest.mark.parametrize(("module", "case"), [one for one in cases() if one.values[0] in STEPWISE.values()])
def test_numba_and_torch_repeat_every_trial_of_the_reference(module: Any, case: Case) -> None:
    """To 1e-12, whole runs, also of a trial whose number takes more than 32 bits."""
    assert_forms_repeat(module, *whole_instance(case))
    for run in (module.cpu, module.gpu):
        with pytest.raises(ConfigurationError, match="release must be one of"):
            run(*whole_instance(case)[:2], Trials(Stream(4, "tests/contract"), np.arange(2)), "everything")


@pytest.mark.parametrize(
    "reduction", [one for module in MODULES.values() for one in forms_of(module).reductions(7)], ids=lambda one: one.id
)
def test_what_it_becomes_for_some_parameters(reduction: Reduction) -> None:
    """Every pair is equal within its tolerance, or some pair is not where the paper is wrong and `finding` says how."""
    pairs = reduction.pairs()
    agree = [np.abs(p.left - p.right).max() <= p.tolerance * max(1.0, np.abs(p.right).max()) for p in pairs]
    assert pairs
    assert all(agree) == (reduction.expects is Outcome.CONSISTENT) == (not reduction.finding)
    assert any(np.ptp(p.left) > 1e-3 for p in pairs) or "ENERGY" in reduction.id, "equal numbers would show nothing"


def silenced(params: Any) -> dict[str, Any]:
    """The fields of the parameters that hold noise, all at 0."""
    held = {f.name: getattr(params, f.name) for f in dataclasses.fields(params) if "noise" in f.name}
    return {
        name: (0.0,) * len(value) if isinstance(value, tuple) else 0.0
        for name, value in held.items()
        if isinstance(value, float) or (isinstance(value, tuple) and value and isinstance(value[0], float))
    }


@pytest.mark.parametrize(("module", "case"), cases())
def test_no_noise_promises_nothing(module: Any, case: Case) -> None:
    silent = silenced(case.params)
    if silent:
        with pytest.raises(ConfigurationError, match="noise"):
            module.promise(dataclasses.replace(case.params, **silent))


@each
def test_an_algorithm_with_noise_says_what_it_promises(module: Any) -> None:
    """Of every instance, unless it is a printed form that promises nothing and says so; of one instance at least."""
    made, refused = [], []
    for case in forms_of(module).cases(4):
        try:
            made.append(module.promise(case.params))
        except ConfigurationError as error:
            refused.append(str(error))
    assert [text for text in refused if "promise" not in text and "noise" not in text] == []
    if any(silenced(case.params) for case in forms_of(module).cases(4)):
        assert [promise for promise in made if promise is not None], "no instance promises anything"
    for promise in made:
        assert promise is None or (isinstance(promise, Promise) and promise.view in View)


@pytest.mark.parametrize(("module", "case"), cases())
def test_the_calls_that_it_made_are_those_of_its_complexity_formula(module: Any, case: Case) -> None:
    for trial in (0, 1):
        counted, formula = case.calls(trial)
        assert counted == formula
        assert sum(counted.values()) > 0
        assert all(isinstance(number, int) for number in counted.values())


def test_every_algorithm_of_a_paper_is_in_one_folder() -> None:
    """`paper.toml` lists the ids of the paper, and says why one is no algorithm; what is new is welcome."""
    papers = [load_paper(file.parent) for file in shipped_folder("proofs").glob(f"*/{PAPER_FILE}")]
    wanted = {name for paper in papers if paper is not None for name in paper.algorithms}
    carried = [name for item in MODULES.values() for name in (item.ALGORITHM.name, *item.ALGORITHM.also)]
    assert sorted(set(carried)) == sorted(carried), "an id is carried by two files"
    assert len(papers) >= 5
    assert len(wanted) >= 59
    assert wanted - set(carried) == set()
