"""Learns evaluations from self-play; see protocol_specs/engine/training.md.

May import: base, rules, kernel, search, engine/tasks.
Begin with: `training.Training`, `selfplay.play_game`, `network`.
"""
