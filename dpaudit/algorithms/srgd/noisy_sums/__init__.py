"""The form that four algorithms share: steps on noisy prefix sums."""
