"""The search for plain text in data directories, copies of them, logs and recordings."""

from __future__ import annotations

import re
import socket
import time
from pathlib import Path

import beginning  # noqa: F401
from land import SEGMENTS
from network import MESH
from scene import Scene
from words import CONTROL

DISCARD_PORT = 9
# The recorders write what they see at once, but run beside everything else.
CONTROL_SECONDS = 30.0


class Search:
    """All places where plain text could be, and how much was read."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.bytes = {"data directories": 0, "recordings": 0}
        self.found: list[str] = []
        self.controls: set[str] = set()

    def plant(self) -> None:
        """Sends a known datagram on each segment, which the search must find."""
        if not self.scene.has_recording:
            return
        for segment in SEGMENTS:
            person = next(one for one, house in self.scene.houses() if house.split()[0] == segment)
            subnet = SEGMENTS.index(segment) + 1
            with self.scene.land.on(person.host), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
                out.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
                out.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, MESH.encode())
                out.sendto(CONTROL, (f"10.95.{subnet}.255", DISCARD_PORT))
        end = time.monotonic() + CONTROL_SECONDS
        while self.controls != set(SEGMENTS):
            self.recordings(False)
            assert time.monotonic() < end, f"only the recordings of {sorted(self.controls)} have a known datagram"
            time.sleep(0.2)

    def recordings(self, is_last: bool = True) -> None:
        """Reads the recordings; those that are complete are deleted."""
        for segment in SEGMENTS:
            paths = sorted(self.scene.folder.glob(f"{segment}.pcap*"), key=lambda path: (len(path.name), path.name))
            for path in paths:
                content = path.read_bytes()
                if CONTROL in content:
                    self.controls.add(segment)
                if is_last or path != paths[-1]:
                    self.bytes["recordings"] += len(content)
                    self._look(f"the recording of {segment}", content)
                    path.unlink()

    def homes(self) -> None:
        """Reads all files of data directories, of copies of them, and all logs."""
        # What a node says at its start is not secret, so logs are read for texts alone.
        for path in sorted(self.scene.folder.rglob("*")):
            if path.is_file() and not path.is_symlink() and ".pcap" not in path.name and path.name != "filler":
                content = path.read_bytes()
                self.bytes["data directories"] += len(content)
                self._look(str(path.relative_to(self.scene.folder)), content)

    def _look(self, place: str, content: bytes) -> None:
        secrets = self.scene.words.secrets()
        pattern = re.compile(b"|".join(re.escape(form) for form in {form for _, form in secrets}))
        names = dict((form, what) for what, form in secrets)
        hits = {names[hit] for hit in pattern.findall(content)}
        self.found += [f"{place} holds {what}" for what in sorted(hits)]
