"""The other side of the wire: an engine as a child process, and what is said to it.

May import: base, rules/clock, gtp/wire.
Begin with: `blocking.Controller`, `process.EngineProcess`, `child.Child`.
"""
