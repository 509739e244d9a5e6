"""The wire protocol, GTP version 2: protocol_specs/protocol.md. It knows no game and no engine.

May import: no other room.
Begin with: `loop.serve`, `dispatch.answer`, `registry.Registry`.
"""
