"""The page: sections, figures and their limits."""
