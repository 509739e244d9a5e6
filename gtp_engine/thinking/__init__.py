"""What the engine makes of a session's position: the turns it chooses, analysis, explanation."""
