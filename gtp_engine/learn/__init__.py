"""Learns evaluations from self-play; see protocol_specs/engine/training.md.

May import: board, rules, notation, kernel, search, cluster.
Begin with: `training.Training`, `selfplay.play_game`, `network`.
"""
