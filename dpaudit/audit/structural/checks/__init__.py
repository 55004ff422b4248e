"""Structural checks: properties that a private training must have whatever its noise, one file each.

A check file has the names

    NAME         for tables and verdicts
    FALSE_ALARM  the probability that it refutes a correct training: "0", or "alpha" for the share that it is given
    PLACE        where its finding stands in a verdict: 1 is the control of all replays, which comes first
    REPLAYS      it reads replays, so it is not run where the control fails
    SPLIT        it rests on noise and statistics being told apart rightly
    EXCEPTION    how a user says that the check does not apply to a training
    examine(seen: Observed) -> Finding; `check(...)` is the same on given recordings, for tests

The docstring of a file asks the question of the check, then says what it does, and has the paragraphs "Sees: ...",
"Cannot see: ..." and "False alarms: ..." (how a correct training may be refuted). `dpaudit explain` prints it, and its
page of the documentation is made of it: docs/extensions/module_pages.py.

A new check is a new file: `dpaudit.audit.structural.examine` finds the folder's modules. A statistical one also has
`tests(mechanism, assumptions)`: how many shares of the error budget it takes at most.

Checks read recordings and refute by a witness. What they do not refute is CONSISTENT: on one path, for one pair of
data sets.
"""
