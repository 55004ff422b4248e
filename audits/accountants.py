"""The correct twins of the broken accountants: what they state must be covered by what is true.

What: the accountants of `dpaudit.audit.planted.accountants` as they must be.
Why: an audit that refutes these has a wrong enclosure.
The adversary sees every release that is accounted for.
"""

from types import SimpleNamespace

from dpaudit.audit.accounts import Account
from dpaudit.audit.planted.accountant_targets import CASES, Case


def _audit(case: Case) -> SimpleNamespace:
    return SimpleNamespace(
        TARGET=case.target(broken=False),
        __doc__=case.words,
        accounts=lambda: (Account(*stated) for stated in case.accountant(False)),
    )


AUDITS = tuple(map(_audit, CASES))
