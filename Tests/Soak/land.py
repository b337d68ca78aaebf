"""Three segments in a line, in network namespaces of their own, with loss and a recording of all that is sent."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import beginning  # noqa: F401
from network import MESH, Network, NetworkError, run

SEGMENTS = ("west", "middle", "east")
SECOND = "e1"
SUBNET = "10.95.{}.{}"
# A recording goes on in a new file after so many million bytes, so that read ones can be deleted.
RECORDING_MEGABYTES = "20"
RULES = """
table netdev soak {{
    chain out {{
        type filter hook egress device "{device}" priority 0;
        numgen random mod 100 < {percent} drop
    }}
}}
"""


class Land(Network):
    """The namespaces of a run, with the number of this process in their names."""

    def __init__(self) -> None:
        super().__init__()
        self.prefix = f"earshot-soak-{os.getpid()}-"
        self.recorders: list[subprocess.Popen] = []
        self.count = 0
        self.has_netem = False

    def __exit__(self, *_: object) -> None:
        self.stop_recording()
        super().__exit__(*_)

    def build(self) -> None:
        """Makes the segments, and finds out how this system loses packets."""
        for segment in SEGMENTS:
            self.add_isle(segment)
        with contextlib.suppress(NetworkError):
            self._tc("replace", "west", "br0", "netem", "loss", "0%")
            self._tc("del", "west", "br0")
            self.has_netem = True

    def house(self, host: str, segment: str, second: str | None = None) -> list[str]:
        """Adds a host to a segment, and to another one with a second device; returns its devices."""
        self.count += 1
        self.settle(host, segment, SUBNET.format(SEGMENTS.index(segment) + 1, self.count))
        if second is None:
            return [MESH]
        self._plug(host, SECOND, second)
        self._address(host, SECOND, SUBNET.format(SEGMENTS.index(second) + 1, self.count))
        return [MESH, SECOND]

    # Loss

    def lose(self, host: str, device: str, percent: int) -> None:
        """Has a host lose a part of what it sends, and delays the rest where the system can."""
        if self.has_netem:
            self._tc("replace", host, device, "netem", "loss", f"{percent}%", "delay", "20ms", "10ms")
        else:
            self.keep(host, device)
            rules = RULES.format(device=device, percent=percent).replace("soak", f"soak-{device}")
            done = subprocess.run([*self.inside(host), "nft", "-f", "-"], input=rules.encode(), capture_output=True,
                                  timeout=20)
            if done.returncode != 0:
                raise NetworkError(f"nft: {done.stderr.decode(errors='replace').strip()}")

    def keep(self, host: str, device: str) -> None:
        """Ends what `lose` began."""
        with contextlib.suppress(NetworkError):
            if self.has_netem:
                self._tc("del", host, device)
            else:
                run(*self.inside(host), "nft", "delete", "table", "netdev", f"soak-{device}")

    def _tc(self, action: str, host: str, device: str, *how: str) -> None:
        run("tc", "-n", self.prefix + host, "qdisc", action, "dev", device, "root", *how)

    # Recording

    def record(self, folder: Path) -> bool:
        """Begins to record all that is sent on the segments, if there is a program for it."""
        if shutil.which("tcpdump") is None:
            return False
        for segment in SEGMENTS:
            command = [*self.inside(segment), "tcpdump", "-i", "br0", "-n", "-U", "-s", "0", "-Z", "root",
                       "-C", RECORDING_MEGABYTES, "-w", str(folder / f"{segment}.pcap")]
            recorder = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            # The program says that it listens.
            assert recorder.stderr is not None
            while b"listening" not in (line := recorder.stderr.readline()):
                assert line, f"tcpdump ended with {recorder.wait()}"
            self.recorders.append(recorder)
        return True

    def stop_recording(self) -> None:
        for recorder in self.recorders:
            recorder.terminate()
            recorder.wait()
            assert recorder.stderr is not None
            recorder.stderr.close()
        self.recorders = []

