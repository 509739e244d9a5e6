"""The first turns of a board, and which of them White should swap."""
