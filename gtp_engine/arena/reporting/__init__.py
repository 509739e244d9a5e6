"""What the games of a match show: tables, charts, a page."""
