"""Attacks: from released values to one score a trial, larger where they look more like the data set."""
