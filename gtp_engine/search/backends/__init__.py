"""The two backends of the search, Python and the kernel, and the choice between them.

May import: no other folder.
Begin with: `choose.backend_for`, `protocol.Backend`, `kernel`.
"""
