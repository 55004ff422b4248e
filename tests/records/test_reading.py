"""Conditions that no paper assumes say where they come from."""

import pytest

from dpaudit.records.errors import ContentError
from dpaudit.records.reading import Condition, Origin


@pytest.mark.parametrize(("origin", "of"), [(Origin.GIVEN, ""), (Origin.OURS, "a/B-1/s1")])
def test_only_what_is_given_names_the_step_that_it_comes_from(origin, of):
    with pytest.raises(ContentError, match="`of` is the id"):
        Condition("r <= 1/2", origin, of)


def test_what_is_built_in_has_no_text_and_what_is_assumed_has_one():
    assert Condition("", Origin.GIVEN, "a/B-1/s1").text == ""
    with pytest.raises(ContentError, match="has a text"):
        Condition("", Origin.ENOUGH)
