"""Losses, domains, oracles and data sets, in three forms."""
