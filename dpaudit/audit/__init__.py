"""From a target to a verdict."""
