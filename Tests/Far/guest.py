"""Somebody with a login of the hub who is no node: a guest of the club, or the admin."""

from __future__ import annotations

import json
import os
import socket
import ssl

import hub as servers
from network import Network

PATIENCE = 30.0


class Guest:
    """A client of NATS with one subscription at most, as small as the test needs it."""

    def __init__(self, network: Network, host: str, address: str, login: tuple[str, str], authority: str) -> None:
        context = ssl.create_default_context(cafile=authority)
        with network.on(host):
            plain = socket.create_connection((address, servers.PORT), PATIENCE)
        greeting = plain.recv(4096)
        assert greeting.startswith(b"INFO "), f"the hub is no NATS server: {greeting!r}"
        # The certificate is that of the name; this host knows the address only.
        self.link = context.wrap_socket(plain, server_hostname=servers.NAME)
        self.lines = self.link.makefile("rb")
        user, password = login
        connect = {"user": user, "pass": password, "verbose": False, "pedantic": False, "headers": True}
        self.link.sendall(f"CONNECT {json.dumps(connect)}\r\n".encode())
        self.flush()

    def __enter__(self) -> Guest:
        return self

    def __exit__(self, *_: object) -> None:
        self.lines.close()
        self.link.close()

    def publish(self, subject: str, *bodies: bytes, reply: str = "") -> None:
        """Publishes messages under a subject; does not wait for anything."""
        parts = (f"PUB {subject} {reply} {len(body)}\r\n".encode() + body + b"\r\n" for body in bodies)
        self.link.sendall(b"".join(parts))

    def flush(self) -> None:
        """Waits until the server has taken all of it."""
        self.link.sendall(b"PING\r\n")
        while (line := self._line()) != b"PONG":
            self._take(line)

    def request(self, subject: str, body: bytes = b"") -> dict:
        """Returns the answer to a question."""
        inbox = f"_INBOX.{os.urandom(8).hex()}.0"
        self.link.sendall(f"SUB {inbox} 1\r\nUNSUB 1 1\r\n".encode())
        self.publish(subject, body, reply=inbox)
        answer = json.loads(self.next()[1])
        assert "error" not in answer, f"{subject}: {answer['error']}"
        return answer

    def listen(self, subject: str) -> None:
        """Subscribes to a subject."""
        self.link.sendall(f"SUB {subject} 2\r\n".encode())
        self.flush()

    def next(self) -> tuple[str, bytes]:
        """Returns the subject and the body of the next message."""
        while not (message := self._take(self._line())):
            pass
        return message

    def _line(self) -> bytes:
        line = self.lines.readline()
        assert line, "the hub ended the connection"
        return line.rstrip()

    def _take(self, line: bytes) -> tuple[str, bytes] | None:
        """Reads the rest of what a line begins; returns it if it is a message."""
        assert not line.startswith(b"-ERR"), f"the hub refuses: {line.decode()}"
        if line == b"PING":
            self.link.sendall(b"PONG\r\n")
        if not line.startswith((b"MSG ", b"HMSG ")):
            return None
        words = line.decode().split()
        head = int(words[-2]) if words[0] == "HMSG" else 0
        content = self.lines.read(int(words[-1]) + 2)
        return words[1], content[head:-2]
