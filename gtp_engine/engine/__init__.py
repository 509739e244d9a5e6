"""The engine at work: a game in progress, its settings, the choice of turns, and explanations."""
