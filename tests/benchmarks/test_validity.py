"""The page on the validity of the estimators has the figures that were measured."""

from __future__ import annotations

import copy
import json

import validity


def test_the_page_is_the_one_that_the_measurements_give() -> None:
    data = json.loads(validity.JSON.read_text(encoding="utf-8"))
    page = validity.MARKDOWN.read_text(encoding="utf-8")
    assert validity.markdown(data) == page
    drifted = copy.deepcopy(data)
    drifted["rows"][0]["epsilon_exceeded"] += 1
    assert validity.markdown(drifted) != page
