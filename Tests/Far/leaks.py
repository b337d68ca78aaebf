"""The search for what servers must not know: in the hub's store, and in the log and the memory of each server."""

from __future__ import annotations

import re

import files
import memory
from post import GROUP
from scenes import WORDS
from stage import CITY_NAME, HUB_NAME, Stage

TAG = re.compile(rb"e\.[0-9a-f]\.[0-9a-f]{32}")
NAMES = {"hub": HUB_NAME, "city": CITY_NAME}
MARKER, MAILBOX = "flotsam-with-a-known-name", f"e.0.{'0' * 32}"


def search(stage: Stage) -> str:
    """Searches for all that people would keep from a server; what is known to be there shows that the search works."""
    with stage.guest() as guest:
        guest.publish(MAILBOX, MARKER.encode())
        guest.flush()
    needles = secrets(stage)
    places = {f"the memory of {server.host}": memory.contents(server.process.pid) for server in stage.servers}
    places |= {f"the log of {server.host}": server.log_path.read_bytes() for server in stage.servers}
    stored = b"".join(path.read_bytes() for path in sorted(stage.hub.store.rglob("*")) if path.is_file())
    places["the store of the hub"] = stored
    for place in ("the memory of hub", "the store of the hub"):
        assert MARKER.encode() in places[place] and TAG.search(places[place]), f"the search fails: no mail in {place}"
    assert HUB_NAME.encode() in places["the log of hub"], "the search fails: the log does not name its server"
    for server in stage.servers:
        place = f"the memory of {server.host}"
        assert NAMES[server.host].encode() in places[place], f"the search fails: {place} does not hold its name"
    for place, content in places.items():
        found = [name for name, needle in needles if needle in content]
        assert not found, f"{place} holds {found[:5]}"
        assert "log" not in place or not TAG.search(content), f"{place} holds tags"
    sizes = ", ".join(f"{place} {len(content) >> 10:,} KiB" for place, content in places.items())
    return f"{len(needles)} secrets in none of: {sizes}"


def secrets(stage: Stage) -> list[tuple[str, bytes]]:
    """Returns peer ids and the group's id in both forms, names, the title and all texts."""
    ids = {node.name: node.id for node in stage.everybody}
    ids |= {GROUP: next(group["id"] for group in stage.alkmene.call("groups"))}
    found = [(f"the id of {name}", id.encode()) for name, id in ids.items()]
    found += [(f"the id of {name} in bytes", bytes.fromhex(id)) for name, id in ids.items()]
    texts = sorted({letter.text for letter in stage.post.letters})
    # Many texts differ in their numbers only, and a memory is large.
    stems = sorted({re.sub(r"\d.*", "", text).strip() for text in texts})
    return found + [(text, text.encode()) for text in [*ids, *WORDS, *files.WORDS, *stems]]
