"""The wire, Go Text Protocol 2: protocol_specs/protocol.md. Knows no game and no engine."""
