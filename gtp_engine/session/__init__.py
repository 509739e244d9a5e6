"""One game in progress: history, settings, clocks, records. Knows no wire."""
