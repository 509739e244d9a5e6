"""Learns evaluations from self-play; see protocol_specs/learning.md."""
