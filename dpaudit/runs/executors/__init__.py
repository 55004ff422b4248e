"""The processes that work: on this machine, on a Dask cluster, on a Ray cluster."""
