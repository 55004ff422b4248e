"""What a torch training gives back, and how far its last parameters are along the directions of the record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit.adapters.projections import Directions
from dpaudit.adapters.torch_outputs import filters, final, final_projection
from dpaudit.adapters.torch_watch import Light
from dpaudit.records.errors import ContentError

torch = pytest.importorskip("torch")


def stepped(release: str = "update") -> tuple[Any, Light]:
    """A weight (2,) and a bias (1,) that start at 1, 2 and 3 and move by -1, -2 and -4."""
    weight, bias = (torch.nn.Parameter(torch.tensor(one)) for one in ([1.0, 2.0], [3.0]))
    optimizer, watch = torch.optim.SGD([weight, bias], lr=1.0), Light(lambda *_: None)
    watch(optimizer, release=release)
    weight.grad, bias.grad = torch.tensor([1.0, 2.0]), torch.tensor([4.0])
    optimizer.step()
    watch.close()
    return (weight, bias), watch


def directions() -> Any:
    """In two steps along the weight, in the second one along the bias."""
    steps = {
        ("gradient of parameter 0", 0): np.array([1.0, 0.0]),
        ("gradient of parameter 0", 1): np.array([0.0, 10.0]),
        ("gradient of parameter 1", 1): np.array([100.0]),
    }
    return filters(Directions(steps, 1.0))


def test_filters_are_found_by_step_and_parameter() -> None:
    assert {key: one.tolist() for key, one in directions().items()} == {
        (0, 0): [1.0, 0.0],
        (1, 0): [0.0, 10.0],
        (1, 1): [100.0],
    }


def test_nothing_returned_means_the_parameters() -> None:
    found = final(None, stepped()[1])
    assert {name: one.tolist() for name, one in found.items()} == {"parameter 0": [0.0, 0.0], "parameter 1": [-1.0]}


def test_a_model_gives_its_state_and_a_dict_its_tensors() -> None:
    _, watch = stepped()
    model = torch.nn.BatchNorm1d(2)
    assert set(final(model, watch)) == set(model.state_dict())
    assert set(final({"mean": torch.zeros(3), "epochs": 3}, watch)) == {"mean"}


def test_what_is_returned_is_a_copy() -> None:
    (weight, _), watch = stepped()
    found = final(None, watch)
    with torch.no_grad():
        weight.fill_(7.0)
    assert found["parameter 0"].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(("returned", "words"), [(3, "must return the model"), ({"epochs": 3}, "without a tensor")])
def test_what_has_no_tensors_is_said(returned: object, words: str) -> None:
    with pytest.raises(ContentError, match=words):
        final(returned, stepped()[1])


@pytest.mark.parametrize(("release", "sign"), [("update", 1.0), ("gradient", -1.0)])
def test_the_projection_is_of_the_move_from_the_start_and_against_gradients(release: str, sign: float) -> None:
    _, watch = stepped(release)
    assert final_projection(final(None, watch), watch, directions()) == sign * -(1.0 + 2.0 * 10 + 4.0 * 100)


def test_outputs_of_another_shape_have_no_projection() -> None:
    """A model that is given back in other shapes, of which nobody knows what belongs to which parameter."""
    _, watch = stepped()
    only_bias = {"other": np.zeros((2, 2)), "bias": np.array([-1.0])}
    assert final_projection(only_bias, watch, directions()) == -400.0
    assert final_projection({}, watch, directions()) == 0.0


def test_two_parameters_of_one_shape_are_taken_in_their_order() -> None:
    first, second = (torch.nn.Parameter(torch.zeros(1)) for _ in range(2))
    watch = Light(lambda *_: None)
    watch(torch.optim.SGD([first, second], lr=1.0))
    watch.close()
    along = filters(
        Directions(
            {("gradient of parameter 0", 0): np.array([1.0]), ("gradient of parameter 1", 0): np.array([10.0])}, 1.0
        )
    )
    assert final_projection({"a": np.array([1.0]), "b": np.array([2.0])}, watch, along) == 21.0


def test_outputs_are_no_finer_than_the_steps_and_types_that_numpy_lacks_are_no_error() -> None:
    given = {"fine": torch.tensor([0.1], dtype=torch.float64), "coarse": torch.tensor([0.1], dtype=torch.bfloat16),
             "count": torch.tensor([3])}  # fmt: skip
    found = final(given, stepped()[1])
    assert found["fine"].tolist() == [np.float32(0.1)]
    assert {name: one.dtype.name for name, one in found.items()} == {
        "fine": "float32",
        "coarse": "float32",
        "count": "int64",
    }
    given["count"] += 1
    assert found["count"].tolist() == [3]
