"""Walks the moves of an argument."""
