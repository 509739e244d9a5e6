"""The journal: every game at a board, kept from its first turn in one file of the user.

May import: table.
Begin with: `journal.Journal`, `keeper.Keeper`, `journal.JournalGames`, `ratings.py`.
"""
