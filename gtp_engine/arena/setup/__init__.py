"""The configuration of a match, its clocks and its schedule."""
