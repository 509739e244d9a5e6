"""The wire protocol, GTP version 2. It knows no game and no engine.

The protocol is protocol_specs/clients/protocol.md.

May import: no other room.
Begin with: `loop.serve`, `dispatch.answer`, `registry.Registry`.
"""
