"""The scene of somebody on the way who takes TLS away."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import time

import stage as stages
from stage import Stage

PORT = 4333
UNAVAILABLE = 69
INFO = {"server_id": "FAR", "version": "2.9.10", "proto": 1, "headers": True, "max_payload": 24_576,
        "auth_required": True}


def strip(stage: Stage) -> str:
    """A server without TLS gets nothing, and people are told why."""
    url = f"tls://club@{stages.HUB_A}:{PORT}"
    with stage.network.on("hub"):
        server = socket.create_server(("0.0.0.0", PORT))
    with server:
        command = [*stage.network.inside("alkmene"), stage.earshot, "--home", str(stage.folder / "nobody"),
                   "hub", "check", "--hub-ca", stage.authority, url]
        surroundings = os.environ | {"EARSHOT_HUB_PASSWORD": stages.CLUB}
        plain = Plain(server)
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=surroundings) as check:
            plain.serve(check)
            output = check.stdout.read().decode()
        heard, callers = plain.heard, plain.callers
        assert callers > 0, "the command did not call the server"
        _check_hearing(stage, plain)
    assert heard == b"", f"the server without TLS got {heard!r}"
    assert check.returncode == UNAVAILABLE, f"the exit status is {check.returncode}: {output}"
    assert "offers no TLS" in output, f"the finding is missing: {output}"
    return f"exit status {check.returncode}, `{' '.join(output.split())}`; {callers} calls, 0 bytes received"


def _check_hearing(stage: Stage, plain: Plain) -> None:
    """Checks that the server would have heard the command."""
    with stage.network.on("alkmene"):
        control = socket.create_connection((stages.HUB_A, PORT), 5)
    with control:
        control.sendall(b"CONNECT")
        while plain.step():
            pass
    assert plain.heard.endswith(b"CONNECT"), "the server without TLS is deaf"


class Plain:
    """A server that greets as a NATS server without TLS does, and notes all that it is told."""

    def __init__(self, server: socket.socket) -> None:
        self.server, self.links = server, []
        self.callers, self.heard = 0, b""

    def serve(self, check: subprocess.Popen) -> None:
        """Serves until the command has ended and nothing is left to read."""
        end = time.monotonic() + 60
        while self.step() or check.poll() is None:
            assert time.monotonic() < end, "the command did not end"

    def step(self) -> bool:
        """Does what is there to do; returns false if nothing comes for a moment."""
        ready, _, _ = select.select([self.server, *self.links], [], [], 0.1)
        for link in ready:
            if link is self.server:
                self._greet(link.accept()[0])
            elif not (piece := self._read(link)):
                self.links.remove(link)
                link.close()
            else:
                self.heard += piece
        return bool(ready)

    def _greet(self, link: socket.socket) -> None:
        self.callers += 1
        self.links.append(link)
        link.sendall(f"INFO {json.dumps(INFO)}\r\n".encode())

    def _read(self, link: socket.socket) -> bytes:
        try:
            return link.recv(65_536)
        except ConnectionError:
            return b""
