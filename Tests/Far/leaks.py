"""The search for what servers must not know: in the hub's store, and in the log and the memory of each server."""

from __future__ import annotations

import json
import re
import socket
import ssl
from pathlib import Path

import stage as stages
from hub import PORT, Server
from network import run
from post import GROUP
from scenes import WORDS
from stage import Stage

TAG = re.compile(rb"e\.[0-9a-f]\.[0-9a-f]{32}")
PIECE = 1 << 16
MARKER = "flotsam-with-a-known-name"


def search(stage: Stage) -> str:
    """Searches for all that people would keep from a server; what is known to be there shows that the search works."""
    publish(stage, MARKER)
    needles = secrets(stage)
    places = {f"the memory of {server.host}": _core(stage, server) for server in stage.servers}
    places |= {f"the log of {server.host}": server.log_path.read_bytes() for server in stage.servers}
    stored = b"".join(path.read_bytes() for path in sorted(stage.hub.store.rglob("*")) if path.is_file())
    places["the store of the hub"] = stored
    for place in ("the memory of hub", "the store of the hub"):
        assert MARKER.encode() in places[place] and TAG.search(places[place]), f"the search fails: no mail in {place}"
    assert stages.HUB_NAME.encode() in places["the log of hub"], "the search fails: the log does not name its server"
    for place, content in places.items():
        found = [name for name, needle in needles if needle in content]
        assert not found, f"{place} holds {found[:5]}"
        assert "log" not in place or not TAG.search(content), f"{place} holds tags"
    sizes = ", ".join(f"{place} {len(content) >> 10:,} KiB" for place, content in places.items())
    return f"{len(needles)} secrets in none of: {sizes}"


def secrets(stage: Stage) -> list[tuple[str, bytes]]:
    """Returns peer ids and the group's id in both forms, names, the title and all texts."""
    ids = {node.name: node.id for node in stage.nodes.values()}
    ids |= {GROUP: next(group["id"] for group in stage.alkmene.call("groups"))}
    found = [(f"the id of {name}", id.encode()) for name, id in ids.items()]
    found += [(f"the id of {name} in bytes", bytes.fromhex(id)) for name, id in ids.items()]
    texts = sorted({letter.text for letter in stage.post.letters})
    # Of many texts the same part differs in numbers only, and a core is large.
    stems = sorted({re.sub(r"\d.*", "", text).strip() for text in texts})
    return found + [(text, text.encode()) for text in [*ids, *WORDS, *stems]]


def _core(stage: Stage, server: Server) -> bytes:
    name = stage.folder / f"{server.host}.core"
    run("gcore", "-o", str(name), str(server.process.pid))
    path = Path(f"{name}.{server.process.pid}")
    # Most of a gigabyte was never used. A piece between two empty ones is whole.
    with path.open("rb") as file:
        content = b"".join(piece for piece in iter(lambda: file.read(PIECE), b"") if piece.count(0) < len(piece))
    path.unlink()
    return content


def publish(stage: Stage, text: str) -> None:
    """Publishes a text by the login of the club, as a client of NATS."""
    context = ssl.create_default_context(cafile=stage.authority)
    login = {"user": "club", "pass": stages.CLUB, "verbose": False, "pedantic": False}
    with stage.network.on("alkmene"):
        plain = socket.create_connection((stages.HUB_A, PORT), 5)
    with plain:
        assert plain.recv(4096).startswith(b"INFO "), "the hub is no NATS server"
        with context.wrap_socket(plain, server_hostname=stages.HUB_A) as link:
            body = text.encode()
            subject = f"e.0.{'0' * 32}"
            head = f"CONNECT {json.dumps(login)}\r\nPUB {subject} {len(body)}\r\n"
            link.sendall(head.encode() + body + b"\r\nPING\r\n")
            answer = b""
            while b"PONG" not in answer:
                piece = link.recv(4096)
                assert piece and b"-ERR" not in answer, f"the hub refused the marker: {answer!r}"
                answer += piece
