"""The board in the browser: a local server, its tables, and the journal of games.

The page itself is `engine/page`, because replays enclose it, too.

May import: base, rules/clock, rules/records, engine/pictures, engine/page, gtp/client, gtp/wire.
Begin with: `server.server.BoardServer`, `table.table.Table`, `journal.journal.Journal`.
"""
