"""The board in the browser: a small local web server, and its page.

May import: journal, look, page, gtp, table.
Begin with: `server.BoardServer`, `play_desk.PlayDesk`, `socket.PageSocket`.
"""
