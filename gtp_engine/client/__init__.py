"""A client of GTP engines for people's front ends: one game at a board, in asyncio."""
