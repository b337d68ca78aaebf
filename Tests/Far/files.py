"""The scene of files that cross: small ones by the hub, large ones not."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from node import Node, NodeError
from stage import Stage

SMALL, LARGE = 200 << 10, 1 << 20
SMALL_NAME, LARGE_NAME = "chart-of-the-strait.bin", "chart-of-all-seas.bin"
WORDS = (SMALL_NAME, LARGE_NAME)
AUTHOR, READER = "Arsinoe", "Briseis"
LIMIT = 120.0
NOT_IN_TIME = "75"


def cross(stage: Stage) -> str:
    """A file of 200 KiB arrives once and whole; a larger one waits until its people meet, and stops nothing else."""
    author, reader = stage.nodes[AUTHOR], stage.nodes[READER]
    told = _send_large(author, _make(stage, LARGE_NAME, LARGE))
    small = _make(stage, SMALL_NAME, SMALL)
    author.run("send", READER, "--file", str(small), "--wait", "sent")
    took = stage.until(lambda: arrived(stage, SMALL_NAME), "the arrival of the file", LIMIT)
    stage.arrived([stage.post.send(author, reader, "a letter behind a large file")])
    assert not arrived(stage, LARGE_NAME), "the large file crossed"
    return f"{SMALL >> 10} KiB in {took:.1f} s; of {LARGE >> 10} KiB the author reads: {told}"


def arrived(stage: Stage, name: str) -> bool:
    """Returns whether a file has arrived; checks that it came once, and with the content that was sent."""
    author, reader = stage.nodes[AUTHOR], stage.nodes[READER]
    found = [(one["id"], file) for one in reader.history(author.id) for file in one.get("files", [])]
    found = [(id, file) for id, file in found if file["name"] == name]
    assert len(found) <= 1, f"{reader.name} has {name} {len(found)} times"
    if not found or not found[0][1]["complete"]:
        return False
    folder = stage.folder / f"copy of {name}"
    folder.mkdir()
    reader.run("media", found[0][0], "--to", str(folder))
    sums = [hashlib.sha256(path.read_bytes()).hexdigest() for path in [stage.folder / name, *folder.iterdir()]]
    assert len(sums) == 2 and sums[0] == sums[1], f"{name} has other content: {sums}"
    return True


def _make(stage: Stage, name: str, size: int) -> Path:
    path = stage.folder / name
    path.write_bytes(os.urandom(size))
    return path


def _send_large(author: Node, path: Path) -> str:
    """Sends a file that does not arrive, and returns the words of the command."""
    try:
        author.run("send", READER, "--file", str(path), "--wait", "delivered", "--timeout", "3s")
    except NodeError as error:
        assert f": {NOT_IN_TIME}, " in str(error), f"the command fails otherwise: {error}"
        return str(error).split(f": {NOT_IN_TIME}, ", 1)[1]
    raise AssertionError("the large file counts as delivered")
