"""The local web server of the board: who may come in, and what each page may do.

page_messages.py declares every message of a page once: its fields, its size, who may send it, and
what a table with guests does with it; guests.py does it. gate.py lets requests in by tokens.

May import: table, journal.
Begin with: `server.BoardServer`, `play_desk.PlayDesk`, `socket.PageSocket`.
"""
