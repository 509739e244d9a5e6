"""The local web server of the board: who may come in, and what each page may do.

May import: table, journal.
Begin with: `server.BoardServer`, `play_desk.PlayDesk`, `socket.PageSocket`.
"""
