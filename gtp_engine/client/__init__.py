"""A client of GTP engines for front ends: one game at a board, in asyncio."""
