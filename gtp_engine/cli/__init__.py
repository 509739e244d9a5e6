"""Entry points. They turn arguments into objects, and only they decide where log messages go."""
