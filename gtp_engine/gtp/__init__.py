"""The Go Text Protocol: the wire, our commands, the client of other engines, KataGo's analysis.

May import: base, rules, search, engine.
Begin with: `wire.loop.serve`, `commands.registry`, `client.process.EngineProcess`.
"""
