"""Reads the files of known answers (PROTOCOL §15)."""

from __future__ import annotations

from pathlib import Path


files_read: set[str] = set()


class Case(dict):
    """The values of a block by name."""

    def hex(self, name: str) -> bytes:
        return bytes.fromhex(self[name])

    def number(self, name: str) -> int:
        return int(self[name])


def read_vectors(path: Path) -> list[Case]:
    """Returns all blocks but the head."""
    files_read.add(path.name)
    blocks: list[Case] = []
    for text in path.read_text(encoding="utf-8").split("\n\n"):
        block, last = Case(), ""
        for line in text.splitlines():
            if line.startswith("  "):
                block[last] += line.strip()
            elif line:
                last, _, value = line.partition(":")
                block[last] = value.strip()
        if block:
            blocks.append(block)
    return blocks[1:]
