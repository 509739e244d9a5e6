"""What a match is: its configuration, clocks and schedule."""
