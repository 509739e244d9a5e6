"""Checks whether an engine follows the protocol."""
