"""The connection to a Dask cluster, for matches and for self-play on other machines.

May import: no other room.
Begin with: `connection.Connection`.
"""
