"""Targets of other people, in processes of their own."""
