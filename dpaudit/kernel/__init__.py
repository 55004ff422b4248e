"""Certificates as Coq text, judged by Coq: a second opinion on what `recheck` accepts.

`judge` is where to begin; `text` and `domain` say how a statement reads in Coq, `lemmas` how a proof does.
"""
