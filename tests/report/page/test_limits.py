"""A page of any run stays small, and gives away what matters least first."""

from __future__ import annotations

from dpaudit.report.page.limits import MOST_BYTES, Limits, fitted


def test_a_page_that_fits_is_drawn_once_under_the_widest_limits() -> None:
    seen: list[Limits] = []

    def draw(limits: Limits) -> str:
        seen.append(limits)
        return "x" * MOST_BYTES

    assert len(fitted(draw)) == MOST_BYTES
    assert seen == [Limits()]


def test_bytes_count_and_not_characters() -> None:
    assert len(fitted(lambda limits: "ä" * limits.entries, most=5_000)) <= 2_500


def test_limits_tighten_until_the_page_fits_and_end() -> None:
    assert len(fitted(lambda limits: "x" * limits.text * limits.entries, most=100_000)) <= 100_000
    limits = Limits()
    steps = 0
    while limits != limits.tighter():
        tighter = limits.tighter()
        assert tighter.text <= limits.text
        assert tighter.articles <= limits.articles
        limits, steps = tighter, steps + 1
    assert steps < 40
    assert (limits.entries, limits.articles, limits.targets) == (1, 6, 1)


def test_a_list_is_cut_to_the_limit() -> None:
    assert Limits(entries=2).cut("abc") == "ab"
    assert Limits(entries=2).cut("abc", 3) == "abc"
