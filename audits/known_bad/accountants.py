"""Accountants with one bug at a time: each must be refuted by the first account that it states too small.

What: the accountants of `dpaudit.audit.planted.accountants`, whose sources are in `accountant_targets`.
Why: an epsilon that is stated too small is wrong on every run and shows in none of them; enclosures of the true one
find it in milliseconds.
The adversary sees every release that is accounted for.
"""

from __future__ import annotations

from types import SimpleNamespace

from dpaudit.audit.accounts import Account
from dpaudit.audit.planted.accountant_targets import CASES, Case


def _audit(case: Case) -> SimpleNamespace:
    return SimpleNamespace(
        TARGET=case.target(broken=True),
        __doc__=case.words,
        accounts=lambda: (Account(*stated) for stated in case.accountant(True)),
    )


AUDITS = tuple(map(_audit, CASES))
