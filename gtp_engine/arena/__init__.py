"""Matches between GTP engines: everything between their command lines and a table of results."""
