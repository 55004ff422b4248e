"""Losses convolved with a Gaussian: ridges with a closed form, in three forms, and where they are least."""
