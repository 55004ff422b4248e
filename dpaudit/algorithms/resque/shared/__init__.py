"""What the ReSQue algorithms share: cases, counted oracles, draws, kernels."""
