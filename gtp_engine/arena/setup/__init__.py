"""The configuration of a match, its clocks and its schedule.

May import: stats.
Begin with: `config.Match`, `tables.make_match`, `schedule.games_of`.
"""
