"""Runs a node of the command `earshot` and drives it by JSON-RPC on its standard streams."""

from __future__ import annotations

import json
import select
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path


class NodeError(Exception):
    """The error of a node that answers with one, or not at all."""


def request_line(number: int, method: str, **params: object) -> bytes:
    request: dict = {"jsonrpc": "2.0", "id": number, "method": method}
    if params:
        request["params"] = params
    return json.dumps(request).encode() + b"\n"


class Node:
    """One process with a data directory of its own, on one interface: loopback, unless it runs elsewhere."""

    def __init__(self, program: str, home: Path, name: str, *options: str, interface: str = "lo",
                 inside: Sequence[str] = ()) -> None:
        self.name, self.home = name, home
        init = [program, "--home", str(home), "--json", "init", "--name", name, "--no-passphrase"]
        made = json.loads(subprocess.run(init, check=True, capture_output=True, timeout=30).stdout)
        self.id = bytes.fromhex(made["id"])
        self.fingerprint: str = made["fingerprint"]
        self.command = [*inside, program, "node", "--home", str(home), "--stdio", "--interface", interface, *options]
        self.start()

    def start(self) -> None:
        """Starts the process, also again on the same data directory, and waits until it is ready."""
        self.log = (self.home / "interop.log").open("ab")
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)
        self.buffer = b""
        self.answers: dict[int, dict] = {}
        self.events: list[dict] = []
        self.count = 0
        try:
            self._wait(lambda: any(event.get("type") == "ready" for event in self.events), 20, "ready")
        except BaseException:
            self.finish()
            raise

    def _read(self, wait: float) -> None:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], wait)
        if not ready:
            return
        data = self.process.stdout.read1(1 << 16)
        if data == b"":
            raise NodeError(f"{self.name} ended with {self.process.wait()}")
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        for line in filter(None, lines):
            value = json.loads(line)
            if value.get("method") == "event":
                self.events.append(value["params"])
            else:
                self.answers[value["id"]] = value

    def _wait(self, done, seconds: float, what: str) -> None:
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise NodeError(f"{self.name}: {what} did not come")
            self._read(0.05)

    def begin(self, method: str, **params: object) -> int:
        """Sends a request and returns its number."""
        self.count += 1
        assert self.process.stdin is not None
        self.process.stdin.write(request_line(self.count, method, **params))
        self.process.stdin.flush()
        return self.count

    def call(self, method: str, **params: object):
        """Returns the result of a request."""
        number = self.begin(method, **params)
        self._wait(lambda: number in self.answers, 10, method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise NodeError(f"{method}: {answer['error']}")
        return answer["result"]

    def client(self) -> socket.socket:
        """Connects one more client, by the socket of the data directory."""
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(self.home / "rpc.sock"))
        return client

    def poll(self, number: int) -> dict | None:
        """Returns the whole answer to a request once it is there."""
        self._read(0)
        return self.answers.get(number)

    def finish(self) -> None:
        """Ends the process by closing its standard input."""
        if self.process.poll() is None and self.process.stdin is not None:
            self.process.stdin.close()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise NodeError(f"{self.name} did not end within 5 s of the end of its standard input") from None
        self.log.close()
