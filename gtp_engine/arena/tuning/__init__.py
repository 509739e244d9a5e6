"""The search for better settings of an engine.

May import: setup, playing, storage, stats.
Begin with: `tune.Tuner`, `tune.propose`, `tune.ranked`.
"""
