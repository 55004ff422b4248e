"""Losses, domains, oracles and data sets, in three forms."""

__all__ = [
    "constants",
    "datasets",
    "domains",
    "families",
    "interpolated",
    "losses",
    "modules",
    "prox",
]
