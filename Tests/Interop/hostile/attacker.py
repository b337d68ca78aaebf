"""The process of a hostile host, as the runner sees it."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import time
from pathlib import Path

from .segment import Segment

PATIENCE = 60.0


class Attacker:
    """One attack on the nodes of a segment, by the program on a host of its own."""

    def __init__(self, segment: Segment, name: str, targets: int, rate: float, count: int) -> None:
        host = f"{name}-host"
        segment.add(host, count)
        program = Path(__file__).resolve().parent.parent / "hostile.py"
        self.process = subprocess.Popen(
            [*segment.inside(host), sys.executable, "-B", str(program), "--attack", name,
             "--addresses", *segment.addresses[host], "--targets", str(targets), "--rate", str(rate)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.buffer = b""

    def ready(self) -> None:
        """Waits until the program could begin."""
        assert self._line()["ready"]

    def begin(self) -> None:
        self._write(b"begin\n")
        assert self._line()["begun"]

    def figures(self) -> dict[str, int]:
        """Returns what the attack has done so far."""
        self._write(b"tell\n")
        return self._line()

    def end(self) -> dict[str, int]:
        """Ends the attack, and returns what it did."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        figures = self._line()
        self.process.wait(20)
        assert self.process.returncode == 0, "the hostile program failed"
        return figures

    def _write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line)

    def _line(self) -> dict[str, int]:
        assert self.process.stdout is not None
        end = time.monotonic() + PATIENCE
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            data = self.process.stdout.read(65536) if ready else b""
            assert data, "the hostile program ended or said nothing"
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def finish(self) -> None:
        """Ends the process in any case."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
