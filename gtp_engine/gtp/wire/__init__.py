"""The wire protocol, GTP version 2: lines, commands, responses. It knows no game and no engine.

The protocol is protocol_specs/clients/protocol.md.

May import: base.
Begin with: `loop.serve`, `dispatch.answer`, `registry.Registry`.
"""
