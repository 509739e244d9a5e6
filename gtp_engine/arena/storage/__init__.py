"""The file that a match writes, and several of them joined."""
