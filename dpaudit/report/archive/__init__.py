"""The archive of a run: what it takes to read the run, recheck its certificates, repeat it and cite it."""
