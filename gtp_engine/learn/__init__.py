"""Learning an evaluation from self-play; see protocol_specs/learning.md."""
