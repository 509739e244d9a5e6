"""The other side of the wire: an engine as a child process, and what is said to it.

May import: base, rules/clock, wire.
Begin with: `blocking.BlockingEngine`, `process.EngineProcess`, `child.Child`.
"""
