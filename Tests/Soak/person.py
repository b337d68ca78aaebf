"""A person with a node: on a disk, with a clock and at devices that can go wrong."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from pathlib import Path

import beginning  # noqa: F401
import faketime
from land import Land
from node import Node, NodeError

LATER_PATIENCE = 150.0
BLOCK = b"\0" * 65_536


class Refusal(Exception):
    """The error of a node that says that it did not do something."""


class Silence(Exception):
    """The error of a node that gave no answer: it may have done something or not."""


class Disk:
    """A small disk in memory, which can be filled."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder, self.filler = folder, folder / "filler"
        folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "none", str(folder)], check=True,
                       capture_output=True, timeout=20)

    @property
    def is_full(self) -> bool:
        return self.filler.exists()

    def fill(self) -> None:
        with self.filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(BLOCK)
            except OSError:
                pass

    def clear(self) -> None:
        self.filler.unlink(missing_ok=True)

    def remove(self) -> None:
        subprocess.run(["umount", "-l", str(self.folder)], capture_output=True, timeout=20)


class Person(Node):
    """A person's node with its troubles."""

    def __init__(self, land: Land, program: str, folder: Path, name: str, *, has_clock: bool,
                 megabytes: int = 0) -> None:
        self.disk = Disk(folder / f"disk-{name.lower()}", megabytes) if megabytes else None
        self.clock_path = folder / f"{name.lower()}.clock" if has_clock else None
        self.ahead = self.highest = 0.0
        if self.clock_path:
            self.clock_path.write_text("+0.0\n")
        self.starts = 0
        super().__init__(land, program, self.disk.folder if self.disk else folder, name)
        self.land, self.devices = land, ["e0"]
        self.log_path = folder / f"{self.host}.log"
        self.cut: set[str] = set()
        self.lossy: set[str] = set()
        # Whether an earlier copy of the data directory took the place of the present one.
        self.was_restored = False

    def _command(self) -> list[str]:
        words = _clock_words(self.clock_path) if self.clock_path else []
        return [*self.network.inside(self.host), *words, self.program, "--home", str(self.home)]

    # Starting

    @property
    def is_running(self) -> bool:
        return self.process is not None

    def begin(self) -> None:
        """Starts the node on all devices of its host."""
        self.starts += 1
        self.start(*[word for device in self.devices[1:] for word in ("--interface", device)], "--no-hub")

    def alone(self) -> list[dict]:
        """Returns all messages of the stopped node, which hears nothing meanwhile."""
        command = [*self._command(), "node", "--interface", "lo", "--no-multicast", "--stdio", "--no-hub"]
        with self.log_path.open("ab") as log:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        assert process.stdin and process.stdout
        try:
            line = process.stdout.readline()
            assert b"ready" in line, f"{self.name} does not start alone: {line!r}"
            return self.messages()
        finally:
            self._hang_up()
            process.stdin.close()
            status = process.wait(60)
            process.stdout.close()
            assert status == 0, f"{self.name} ended with {status} when it was alone"

    def _hang_up(self) -> None:
        if self.client is not None:
            self.client.close()
            self.client = None

    # Clock

    def set_clock(self, ahead: float) -> None:
        """Moves the clock of this person's programs, also of those that run."""
        assert self.clock_path is not None
        self.ahead, self.highest = ahead, max(ahead, self.highest)
        self.clock_path.write_text(f"{ahead:+.1f}\n")

    # Asking

    def ask(self, method: str, **params: object):
        """Returns the result of a request, and tells a refusal from silence."""
        try:
            return self.call(method, **params)
        except NodeError as error:
            self._hang_up()
            if "does not answer" in str(error):
                raise Silence(str(error)) from error
            raise Refusal(str(error)) from error
        except OSError as error:
            self._hang_up()
            assert not isinstance(error, TimeoutError), f"{self.name} does not answer {method} in time"
            raise Silence(f"{self.name}, {method}: {error}") from error

    def ask_apart(self, method: str, **params: object):
        """The same on a connection of its own, so that a long wait holds up nothing."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(LATER_PATIENCE)
            try:
                client.connect(str(self.home / "rpc.sock"))
                client.sendall(_request(method, params))
                line = client.makefile("rb").readline()
            except OSError as error:
                assert not isinstance(error, TimeoutError), f"{self.name} does not answer {method} in time"
                raise Silence(str(error)) from error
        if not line:
            raise Silence(f"{self.name} ended meanwhile")
        answer = json.loads(line)
        if "error" in answer:
            raise Refusal(answer["error"]["message"])
        return answer["result"]

    def shout(self, method: str, **params: object) -> None:
        """Sends a request and does not wait for the answer."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(self.home / "rpc.sock"))
            client.sendall(_request(method, params))

    def messages(self) -> list[dict]:
        """Returns all messages of all conversations."""
        return [one for conversation in self.call("conversations") for one in self.history(conversation["id"])]

    # Copies

    def copy_home(self, place: Path) -> None:
        shutil.copytree(self.home, place, ignore=shutil.ignore_patterns("*.sock"))

    def restore_home(self, place: Path) -> None:
        """Puts an earlier copy of the data directory in the place of the present one."""
        shutil.rmtree(self.home)
        shutil.copytree(place, self.home)

    # Process

    def resident(self) -> int:
        """Returns the bytes in memory, and 0 without a process."""
        lines = self._proc("status").splitlines()
        return next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS:")), 0)

    def descriptors(self) -> int:
        folder = Path(f"/proc/{self.process.pid}/fd") if self.process else None
        return len(list(folder.iterdir())) if folder and folder.exists() else 0

    def _proc(self, file: str) -> str:
        return Path(f"/proc/{self.process.pid}/{file}").read_text() if self.process else ""


def _request(method: str, params: dict) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n"


def _clock_words(place: Path) -> list[str]:
    """Returns the words before a command that has it read its clock's error from a file, again each second."""
    words = [word for word in faketime.words(1) if not word.startswith("FAKETIME=")]
    at = words.index("FAKETIME_DONT_FAKE_MONOTONIC=1")
    return [*words[:at], f"FAKETIME_TIMESTAMP_FILE={place}", "FAKETIME_CACHE_DURATION=1", *words[at:]]
