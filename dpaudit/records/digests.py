"""The digest that a JSON text carries of itself, so that a bit that changed is seen, as is an edit by hand.

The last key of the object is `digest`: the SHA-256, in hexadecimal, of all that stands before the comma in front of it.
It guards against damage and not against forgery: whoever can write the file can write its digest too.
"""

from __future__ import annotations

import hashlib
import re

WRONG = "its digest is not that of the text: it is damaged, was edited by hand, or an older dpaudit wrote it"
_END = re.compile(r',\s*"digest": "([0-9a-f]{64})"\s*}\s*')


def sha256(data: bytes | str) -> str:
    """The SHA-256 of bytes, or of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def with_digest(text: str) -> str:
    """The JSON of an object with at least one key, with its digest behind its last one."""
    body = text.rstrip().removesuffix("}").rstrip()
    space, end = ("\n  ", "\n}\n") if "\n" in body else (" ", "}")
    return f'{body},{space}"digest": "{sha256(body)}"{end}'


def without_digest(text: str) -> str | None:
    """The JSON as it was before its digest; None where it carries none, or another one."""
    comma = text.rfind(",")
    found = _END.fullmatch(text, comma) if comma >= 0 else None
    body = text[:comma]
    return f"{body}}}" if found and found[1] == sha256(body) else None


def digest_in(text: str) -> str:
    """The digest that a text carries; "" if it carries none."""
    found = _END.fullmatch(text, max(text.rfind(","), 0))
    return found[1] if found else ""
