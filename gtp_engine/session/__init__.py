"""One game in progress: state, history, settings, clocks. Searches nothing and knows no wire."""
