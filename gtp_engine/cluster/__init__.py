"""The connection to a Dask cluster, for matches and for self-play on other machines."""
