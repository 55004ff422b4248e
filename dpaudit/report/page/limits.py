"""How much of a run one page shows, so that a page of any run stays small; the records have all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

MOST_BYTES = 2_000_000
"""What a page may weigh: more is slow to open and to send."""


@dataclass(frozen=True)
class Limits:
    """Limits of a page.

    text: characters of one text; entries: of one list or table; parts: of a list inside an entry; articles: surprises
    that are shown in full; failed: of them on the first screen; targets: whose plots are inside the page; unfolded:
    rows of an expected table that is open; alike: verdicts with one reason whose ids are not folded.
    """

    text: int = 4_000
    entries: int = 4_000
    parts: int = 100
    articles: int = 40
    failed: int = 5
    targets: int = 12
    unfolded: int = 40
    alike: int = 6

    def tighter(self) -> Limits:
        """The next limits to try where a page is too large: plots give way last, surprises nearly last."""
        return Limits(
            text=max(self.text // 2, 60),
            entries=max(2 * self.entries // 3, 1),
            parts=max(self.parts // 2, 2),
            articles=max(3 * self.articles // 4, 6),
            targets=max(self.targets - 1, 1),
        )

    def cut(self, listed: Sequence[T], most: int | None = None) -> Sequence[T]:
        """The first entries of a list, at most `most`, else `entries`; the page says how many it leaves out."""
        return listed[: self.entries if most is None else most]


def fitted(draw: Callable[[Limits], str], most: int = MOST_BYTES) -> str:
    """The page that `draw` makes under the widest limits at which it is at most `most` bytes of UTF-8."""
    limits = Limits()
    page = draw(limits)
    while (size := len(page.encode())) > most and limits != limits.tighter():
        for _ in range(((size // most).bit_length() + 1) // 2):  # one step makes a page about four times smaller
            limits = limits.tighter()
        page = draw(limits)
    return page
