"""Reads a run and shows it; computes no outcome."""
