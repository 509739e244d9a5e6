"""Reports on the games of a match: tables, charts, a page."""
