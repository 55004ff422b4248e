"""Private optimisation with function values alone, and the hidden state of its iterates."""
