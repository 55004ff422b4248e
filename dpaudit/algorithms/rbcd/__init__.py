"""Randomised block coordinate descent under differential privacy (DP-SkGD) and what it is compared with."""
