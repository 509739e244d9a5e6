"""A table in asyncio: a game with its variations, seats for engines, and an analyst."""
