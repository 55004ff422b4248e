"""What lies where in the archive of a run."""

from __future__ import annotations

RUN, CONTENT, CHECKER = "run", "content", "checker"
"""Folders: the run; what it was made of; the checker of certificates."""
MANIFEST, README = "MANIFEST", "README.md"
CERTIFICATES = f"{RUN}/certificates"
