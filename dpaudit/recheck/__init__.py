"""The independent checker of certificates: standard library only, nothing of the engines.

`python -m dpaudit.recheck FILE...` prints one JSON object a file. See `check` for what a
certificate must show, `interval` for the arithmetic.
"""
