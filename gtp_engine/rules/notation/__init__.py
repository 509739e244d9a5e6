"""Texts for steps, turns, clicks and positions: protocol_specs/clients/notation.md.

May import: points.
Begin with: `turns.read_turn`, `turns.write_turn`, `position_text.read_position`.
"""
