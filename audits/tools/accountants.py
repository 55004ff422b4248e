"""Accountants with one bug at a time, each refuted by the first account that it states too small, and their twins.

What: the accountants of `dpaudit.audit.planted.accountants`, whose sources are in `accountant_targets`.
Why: an epsilon that is stated too small is wrong on every run and shows in none of them; enclosures of the true one
find it in milliseconds. An audit that refutes the accountants as they must be has a wrong enclosure.
The adversary sees every release that is accounted for.
"""

from dpaudit.audit.planted.accountant_targets import CASES

AUDITS = tuple(case.audit(broken) for broken in (False, True) for case in CASES)
