"""Box proofs as files."""
