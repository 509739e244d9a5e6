"""The wire protocol, GTP version 2: protocol_specs/protocol.md. It knows no game and no engine."""
