"""The versions of this client and of the protocol that it speaks."""

VERSION = "0.1.0"
PROTOCOL_VERSION = "1.0"
