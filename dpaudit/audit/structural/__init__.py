"""One training, recorded and replayed on neighbouring data sets."""
