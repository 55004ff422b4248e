"""How dpaudit and an archived run are cited: CITATION.cff, .zenodo.json and codemeta.json.

CITATION.cff and codemeta.json are of the software, .zenodo.json is of the run, which is a data set. A run records no
names, so that all three name the developers of dpaudit.
"""

from __future__ import annotations

import json
from html import escape
from importlib import metadata

from dpaudit import __version__
from dpaudit.content.places import PACKAGE
from dpaudit.records.documents import read_text
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import Json
from dpaudit.report.wording import clean

TITLE = "dpaudit: a referee and an auditor for differentially private optimisation"
AUTHORS = "The dpaudit developers"
LICENCE = "Apache-2.0"
KEYWORDS = ("differential privacy", "auditing", "optimisation", "verification")
LICENCE_FILE = "LICENSE"


def cff() -> str:
    """The software as a citation file (citation-file-format.github.io, 1.2.0)."""
    listed = "".join(f"  - {word}\n" for word in KEYWORDS)
    return (
        "cff-version: 1.2.0\n"
        "message: If you use dpaudit, please cite it as below.\n"
        "type: software\n"
        f'title: "{TITLE}"\n'
        f"version: {__version__}\n"
        f"license: {LICENCE}\n"
        f"authors:\n  - name: {AUTHORS}\n"
        f"keywords:\n{listed}"
    )


def codemeta() -> str:
    """The software in the terms of CodeMeta 3.0 (codemeta.github.io)."""
    data = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": "dpaudit",
        "description": TITLE,
        "version": __version__,
        "license": f"https://spdx.org/licenses/{LICENCE}",
        "author": [{"@type": "Organization", "name": AUTHORS}],
        "keywords": list(KEYWORDS),
        "programmingLanguage": "Python",
    }
    return _json(data)


def zenodo(header: Json, ours: bool) -> str:
    """The run of this run.json as the metadata of a deposit at Zenodo, by the fields of its REST API.

    ours: all content of the run came with dpaudit, so that its licence is known.
    """
    version = (header.get("versions") or {}).get("dpaudit")
    day = str(header["finished"])[:10]
    said = (
        f"A run of dpaudit {version}, which checks claims of papers on differentially private optimisation and audits "
        f"implementations: its records, its page, its certificates with their checker, and the files that it was made "
        f"of. README.md says how to check, recheck and repeat it. Command: {header['command']}"
    )
    data: Json = {
        "upload_type": "dataset",
        "title": clean(f"Run of dpaudit {version}: level {header['level']}, seed {header['seed']}, {day}"),
        "creators": [{"name": AUTHORS}],
        "description": f"<p>{escape(clean(said))}</p>",
        "access_right": "open",
        **({"license": LICENCE} if ours else {}),
        "keywords": list(KEYWORDS),
        "language": "eng",
        "notes": f"SHA-256 of records.jsonl: {header['records']}",
    }
    return _json(data)


def licence() -> str:
    """The text of the licence, beside the package in a checkout and in what pip keeps of an installed one."""
    beside = PACKAGE.parent / LICENCE_FILE
    if beside.is_file():
        return read_text(beside)
    try:
        found = metadata.distribution("dpaudit").read_text(f"licenses/{LICENCE_FILE}")
    except metadata.PackageNotFoundError:
        found = None
    if not found:
        raise ConfigurationError("this dpaudit came without its LICENSE, which goes with its checker; install it anew")
    return found


def _json(data: Json) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
