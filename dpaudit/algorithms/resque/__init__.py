"""Private optimisation by resampled queries (ReSQue) and the methods that it is built of."""
