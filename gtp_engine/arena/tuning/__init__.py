"""The search for better settings of an engine."""
