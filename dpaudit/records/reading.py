"""How a record relates to what a paper prints: what is read, and where each condition comes from."""

from __future__ import annotations

from enum import StrEnum

from dpaudit.records.arguments import stated
from dpaudit.records.errors import ContentError


class Reads(StrEnum):
    """What of the paper a statement says. Only `PRINTED` that is refuted makes a printed display false."""

    PRINTED = "printed"
    """The display or sentence as it stands."""
    READING = "reading"
    """One reading of a line that can be read in more than one way."""
    REASON = "reason"
    """The reason that the paper states; the display that it is given for may hold without it."""
    GAP = "gap"
    """What the proof needs and does not show."""
    BOUNDARY = "boundary"
    """A printed line at the end of a range, or in a case that its author can be supposed to leave out."""
    OURS = "ours"
    """A statement of ours: a lemma on the way, a repair, a consequence."""


class Origin(StrEnum):
    """Where a condition of a statement comes from."""

    HYPOTHESIS = "hypothesis"
    """The paper assumes it for this claim, or defines it so."""
    GIVEN = "given"
    """The conclusion of another claim or step, printed or ours: the `reads` of that one says which."""
    ENOUGH = "large enough"
    """What "for a large enough constant" or "for large n" hides, made explicit."""
    OURS = "ours"
    """An assumption that the paper does not make."""


@stated
class Condition:
    """A condition that is no hypothesis of the paper.

    text: as it stands among the conditions of the statement; empty for a conclusion that the statement has built in.
    of: for `GIVEN`, the id of what concludes it.
    """

    text: str
    origin: Origin
    of: str = ""

    def __post_init__(self) -> None:
        if (self.origin is Origin.GIVEN) != bool(self.of):
            raise ContentError(f"the condition {self.text!r}: `of` is the id of what is given, and stands nowhere else")
        if not (self.text or self.of):
            raise ContentError(f"a condition of origin {self.origin} has a text")
