"""The file of a match, and several such files read as one.

May import: setup.
Begin with: `store.Store`, `joined.Joined`, `database.Database`.
"""
