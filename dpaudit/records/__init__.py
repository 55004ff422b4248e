"""Frozen data and its one JSON form: claims, targets, algorithms, mechanisms, verdicts. Standard library only."""
