"""What is run, in which order, with which share of the error budget."""
