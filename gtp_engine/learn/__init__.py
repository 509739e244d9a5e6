"""Learns evaluations from self-play; see protocol_specs/engine/learning.md.

May import: board, rules, notation, kernel, search, cluster.
Begin with: `training.Training`, `selfplay.play_game`, `network`.
"""
