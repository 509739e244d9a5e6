"""Whether a program keeps to the protocol."""
