"""Structural checks: properties that a private training must have whatever its noise, one file each.

A check file has the names

    NAME         for tables and verdicts
    FALSE_ALARM  the probability that it refutes a correct training: "0", or "alpha" for the share that it is given
    check(...)   -> Finding

Checks read recordings and refute by a witness. What they do not refute is CONSISTENT: on one path, for one pair of
data sets.
"""
