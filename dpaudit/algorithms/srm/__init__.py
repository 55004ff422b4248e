"""Private optimisation by recursive momentum (DP-SRM) and what it is compared with."""
