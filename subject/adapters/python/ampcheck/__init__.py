"""Python subjects for ampcheck: a helper that needs the standard library only, and adapters.

`protocol` speaks the wire protocol, `numbers` turns patterns of bits into numbers and back,
`messages` finds what is wrong with a malformed case. Every other module adapts one library and
needs that library. The protocol itself is described in subject/PROTOCOL.md.
"""
