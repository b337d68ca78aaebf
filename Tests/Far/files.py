"""The scene of files that cross: small ones by the hub, large ones not."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from node import Node, NodeError
from stage import Stage

SMALL, LARGE = 200 << 10, 1 << 20
SMALL_NAME, LARGE_NAME = "chart-of-the-strait.bin", "chart-of-all-seas.bin"
WORDS = (SMALL_NAME, LARGE_NAME)
LIMIT = 120.0
NOT_IN_TIME = "75"


def cross(stage: Stage) -> str:
    """A file of 200 KiB arrives once and whole; a larger one waits until its people meet, and stops nothing else."""
    author, reader = stage.nodes["Arsinoe"], stage.nodes["Briseis"]
    small, large = _make(stage, SMALL_NAME, SMALL), _make(stage, LARGE_NAME, LARGE)
    told = _send_large(author, reader, large)
    sent = json.loads(author.run("--json", "send", reader.name, "--file", str(small), "--wait", "sent"))["message"]
    took = stage.until(lambda: _is_whole(reader, author, SMALL_NAME), "the arrival of the file", LIMIT)
    names = [file["name"] for one in reader.history(author.id) for file in one.get("files", [])]
    assert names.count(SMALL_NAME) == 1, f"the reader has the files {names}"
    saved = stage.folder / "saved"
    saved.mkdir()
    reader.run("media", sent, "--to", str(saved))
    copies = [hashlib.sha256(path.read_bytes()).digest() for path in saved.iterdir()]
    assert copies == [hashlib.sha256(small.read_bytes()).digest()], "the file arrived with another content"
    stage.arrived([stage.post.send(author, reader, "a letter behind a large file")])
    assert not _is_whole(reader, author, LARGE_NAME), "the large file crossed"
    return f"{SMALL >> 10} KiB in {took:.1f} s; of {LARGE >> 10} KiB the author reads: {told}"


def _make(stage: Stage, name: str, size: int) -> Path:
    path = stage.folder / name
    path.write_bytes(os.urandom(size))
    return path


def _send_large(author: Node, reader: Node, path: Path) -> str:
    """Sends a file that does not arrive, and returns the words of the command."""
    try:
        author.run("send", reader.name, "--file", str(path), "--wait", "delivered", "--timeout", "3s")
    except NodeError as error:
        assert f": {NOT_IN_TIME}, " in str(error), f"the command fails otherwise: {error}"
        return str(error).split(f": {NOT_IN_TIME}, ", 1)[1]
    raise AssertionError("the large file counts as delivered")


def _is_whole(reader: Node, author: Node, name: str) -> bool:
    return any(file["name"] == name and file["complete"]
               for one in reader.history(author.id) for file in one.get("files", []))
