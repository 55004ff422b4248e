"""From a statement to a verdict."""
