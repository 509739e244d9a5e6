"""Other machines: a connection to a Dask cluster, for matches and for self-play."""
