"""A table in asyncio: a game with its variations, seats for engines, and an analyst.

May import: gtp, records.
Begin with: `table.Table`, `seats.Players`, `variations.GameTree`.
"""
