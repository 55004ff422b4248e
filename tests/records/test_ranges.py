"""Fields are refused by the ranges that they are declared with, each by its name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from refusals import refused

from dpaudit.records.ranges import Count, NotNegative, Numbers, OneOf, Positive, PositiveNumbers, Range, check_fields


@dataclass(frozen=True)
class Parent:
    start: Numbers
    steps: Count
    batch: Count = 1
    words: str = "free"

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Child(Parent):
    batch: int = 2
    noise: NotNegative = 0.0
    sizes: PositiveNumbers | None = None
    clip_norm: Positive | None = None
    share: Annotated[float, Range(above=0.0, most=1.0)] = 1.0
    records: Annotated[int, Range(least=2, most=9)] = 2
    output: Annotated[str, OneOf(("mean", "last"))] = "last"


CHILD = Child((0.0, -1.0), 3)


def test_what_is_inside_and_none_where_it_may_stand_is_taken() -> None:
    widest = {"share": 0.25, "records": 9, "output": "mean", "words": ""}
    for changes in ({}, {"sizes": (0.5,), "clip_norm": 2.0}, widest):
        assert replace(CHILD, **changes).start == (0.0, -1.0)


test_what_is_outside_is_refused = refused(
    partial(replace, CHILD),
    ({"start": ()}, "start must have one or more numbers"),
    ({"start": (float("nan"),)}, r"start\[0\] must be finite"),
    ({"steps": 0}, "steps must be at least 1, got 0"),
    ({"steps": 1.5}, "steps must be an integer"),
    ({"batch": 0}, "batch must be at least 1"),
    ({"steps": None}, "steps must be an integer, got None"),
    ({"noise": -0.5}, "noise must be at least 0"),
    ({"sizes": (0.5, 0.0)}, r"sizes\[1\] must be above 0"),
    ({"clip_norm": 0.0}, "clip_norm must be above 0"),
    ({"share": 1.5}, "share must be at most 1"),
    ({"records": 10}, "records must be from 2 to 9, got 10"),
    ({"output": "best"}, "output must be one of 'mean', 'last', got 'best'"),
)
