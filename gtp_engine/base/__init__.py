"""What knows no game: files, the log, platforms, options, numbers, SQLite, the cluster.

May import: no other room.
Begin with: `files.write`, `platforms`, `option.option`.
"""
