"""The page of the usual run folder, made once a file."""

from __future__ import annotations

import pytest
from report_page import Page, page_of


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_of(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)
