"""A game in progress: state, history, settings, clocks. It does not search and knows no wire."""
