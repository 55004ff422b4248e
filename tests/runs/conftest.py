"""Fixtures of the tests that stop runs and go on."""

from resumed_runs import content, whole

__all__ = ["content", "whole"]
