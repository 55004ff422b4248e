"""Each module decides some statements; none imports another."""
