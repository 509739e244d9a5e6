"""Matches between GTP engines, from the command line to the table of results."""
