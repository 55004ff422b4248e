"""What a statement means."""
