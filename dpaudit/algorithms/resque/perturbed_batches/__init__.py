"""The form that two algorithms share: steps on batches of perturbed queries."""
