"""Reports on the games of a match: tables, charts, a page.

May import: setup, stats.
Begin with: `findings.Findings`, `sheets.sheets`, `page.page`.
"""
