"""Playing a match: engines, openings, games, and machines that share the work.

May import: setup, storage, stats.
Begin with: `match.Runner`, `referee.play_game`, `pool.EnginePool`.
"""
