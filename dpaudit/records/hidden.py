"""Characters that show nothing, or turn what stands near them: in every file and on every screen they are escapes."""

from __future__ import annotations

import re

# Of those without width or which turn the direction of what follows, Unicode has a category: Cf.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for tabs and ends of lines
    "\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
    "\u115f\u1160\u3164\uffa0\u2800"  # letters that look like nothing
    "\ud800-\udfff\ufffe\uffff]"  # no characters
)


def visible(text: str) -> str:
    """`text` with an escape, `\\u202e`, in the place of each character that shows nothing or turns what stands near it:
    titles, names and messages come from files of other people, who might disguise them."""
    return _HIDDEN.sub(lambda found: escaped(found[0]), text)


def escaped(character: str) -> str:
    """The escape of a character, the same in Python and JSON; beyond the first 65,536 in two halves, as JSON has it."""
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    return "".join(f"\\u{half:04x}" for half in (0xD800 + ((code - 0x10000) >> 10), 0xDC00 + (code & 0x3FF)))
