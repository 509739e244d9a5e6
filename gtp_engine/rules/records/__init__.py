"""The one codec of game records: SGF as text, as a tree of nodes, and as turns.

sgf.py knows the grammar, record.py and marks.py what the properties mean. None knows the rules of a
game, so the engine and the board read every file alike. `read_record` and `plain_text` are the two
ways.

May import: points, base.
Begin with: `record`, `sgf`, `marks`.
"""
