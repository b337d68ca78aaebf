"""A second implementation of the Earshot protocol, written from PROTOCOL.md alone."""
