"""Texts for steps, turns, clicks and positions: protocol_specs/notation.md."""
