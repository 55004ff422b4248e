"""Engine `rigorous`: proofs over boxes and refutations at exact points, in ball arithmetic."""
