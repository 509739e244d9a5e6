"""A table in asyncio: a game with its variations, seats for engines, and an analyst.

May import: no other folder.
Begin with: `table.Table`, `players.Players`, `variations.GameTree`.
"""
