"""A node of the command `earshot` on a host of its own."""

from __future__ import annotations

import json
import select
import signal
import socket
import subprocess
from pathlib import Path

import faketime
from network import MESH, Network

PATIENCE = 30.0


class NodeError(Exception):
    """The error of a node that answers with one, or not at all."""


class Node:
    """A person's node: a data directory, and the process that runs in it now and then."""

    def __init__(self, network: Network, program: str, folder: Path, name: str, clock: float = 0.0) -> None:
        self.network, self.program, self.name = network, program, name
        # The seconds by which all processes of this person have the clock ahead.
        self.clock = clock
        self.host, self.home = name.lower(), folder / name.lower()
        self.log_path = folder / f"{self.host}.log"
        self.id: str = json.loads(self.run("--json", "init", "--name", name, "--no-passphrase"))["id"]
        self.options: list[str] = []
        self.process: subprocess.Popen | None = None
        self.client: socket.socket | None = None
        self.count = 0

    def start(self, *options: str) -> None:
        """Starts the process, and waits until it answers. Without options it has those of the last time."""
        self.options = list(options) or self.options
        command = [*self._command(), "node", "--interface", MESH, "--stdio", *self.options]
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if ready else b""
        if b"ready" not in line:
            raise NodeError(f"{self.name} is not ready: {line!r}")

    def is_crashed(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def kill(self) -> None:
        """Ends the process without a goodbye."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ends the process as its user does."""
        status = self._end(signal.SIGTERM)
        if status != 0:
            raise NodeError(f"{self.name} ended with {status}")

    def _end(self, number: signal.Signals) -> int:
        if self.process is None:
            return 0
        process, self.process = self.process, None
        if self.client is not None:
            self.client.close()
            self.client = None
        process.send_signal(number)
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()
        finally:
            process.stdin.close()
            process.stdout.close()

    # Asking

    def call(self, method: str, **params: object):
        """Returns the result of a request by JSON-RPC."""
        if self.client is None:
            self.client = socket.socket(socket.AF_UNIX)
            self.client.settimeout(PATIENCE)
            self.client.connect(str(self.home / "rpc.sock"))
            self.lines = self.client.makefile("rb")
        self.count += 1
        request = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}
        self.client.sendall(json.dumps(request).encode() + b"\n")
        line = self.lines.readline()
        if not line:
            raise NodeError(f"{self.name} does not answer {method}")
        answer = json.loads(line)
        if "error" in answer:
            raise NodeError(f"{self.name}, {method}: {answer['error']['message']}")
        return answer["result"]

    def run(self, *arguments: str, text: str | None = None) -> str:
        """Runs the command `earshot` on the data directory, and returns its output."""
        done = subprocess.run([*self._command(), *arguments], capture_output=True, text=True, timeout=60, input=text)
        if done.returncode != 0:
            raise NodeError(f"{self.name}, {' '.join(arguments)}: {done.returncode}, {done.stderr.strip()}")
        return done.stdout

    def _command(self) -> list[str]:
        # On its own host, so that a command which starts a node by itself reaches nobody else.
        clock = faketime.words(self.clock) if self.clock else []
        return [*self.network.inside(self.host), *clock, self.program, "--home", str(self.home)]

    def check_hub(self, url: str, authority: str) -> tuple[int, str]:
        """Returns the exit status of `hub check`, and all that it prints, in one line."""
        command = [*self._command(), "hub", "check", "--hub-ca", authority, url]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        return done.returncode, " ".join(done.stdout.split())

    def history(self, conversation: str) -> list[dict]:
        """Returns all messages of a conversation, the oldest first."""
        messages: list[dict] = []
        after = "2020-01-01T00:00:00.000Z"
        while page := self.call("history", conversation=conversation, limit=500, after=after):
            messages += page
            after = page[-1]["id"]
        return messages

    def hub(self) -> dict:
        """Returns the state of the node's only hub."""
        return self.call("status")["hubs"][0]

    def is_live(self) -> bool:
        return self.hub()["state"] == "live"

    def finding(self) -> str | None:
        """Returns what `earshot status` finds wrong with the only hub, as its code and its text."""
        hub = json.loads(self.run("--json", "status"))["hubs"][0]
        return f"{hub['problem']}: {hub['advice']}" if "problem" in hub else None
