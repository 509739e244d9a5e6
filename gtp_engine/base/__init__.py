"""What knows no game: files, the log, platforms, options, shapes of JSON, SQLite, a cluster.

May import: no other room.
Begin with: `files.write_file`, `platforms`, `option.option`, `shapes.shape_of`.
"""
