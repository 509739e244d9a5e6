"""The engine's thinking about a session's position: choosing turns, analysis, explanation."""
