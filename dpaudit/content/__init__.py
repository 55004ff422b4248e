"""Finds and loads claims, targets and algorithms by path."""
