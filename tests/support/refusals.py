"""Tests that say what is refused, and with which words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dpaudit.records.errors import ConfigurationError


def refused(call: Callable[..., Any], *rows: tuple[Any, str], error: Any = ConfigurationError) -> Callable[..., None]:
    """A test of every row (given, words): `call` raises `error` with these words. given: a dict of named arguments, a
    tuple of others, or anything else as the only one."""

    @pytest.mark.parametrize(("given", "words"), rows)
    def test(given: Any, words: str) -> None:
        named = given if isinstance(given, dict) else {}
        others = () if isinstance(given, dict) else given if isinstance(given, tuple) else (given,)
        with pytest.raises(error, match=words):
            call(*others, **named)

    return test
