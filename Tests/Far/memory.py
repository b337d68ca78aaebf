"""The memory of a process, as root reads it."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

PIECE = 1 << 16
MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+\s*(.*)")
# The system lets nobody read these.
UNREADABLE = ("[vvar]", "[vvar_vclock]", "[vsyscall]")


def contents(process: int) -> bytes:
    """Returns all that a process has in memory, except empty pieces; the process stands still meanwhile."""
    os.kill(process, signal.SIGSTOP)
    try:
        return b"".join(_pieces(process))
    finally:
        os.kill(process, signal.SIGCONT)


def resident(process: int) -> int:
    """Returns the number of bytes that a process has in memory."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1]) << 10


def _pieces(process: int) -> list[bytes]:
    found: list[bytes] = []
    with open(f"/proc/{process}/mem", "rb", buffering=0) as file:
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            mapping = MAPPING.fullmatch(line)
            assert mapping, f"a mapping that cannot be read: {line}"
            start, end = int(mapping[1], 16), int(mapping[2], 16)
            if mapping[3].startswith("r") and mapping[4] not in UNREADABLE:
                found += _mapped(file.fileno(), start, end)
    return found


def _mapped(file: int, start: int, end: int) -> list[bytes]:
    """Reads a mapping. A text that crosses the border of two pieces makes neither of them empty, so it stays whole."""
    found: list[bytes] = []
    for place in range(start, end, PIECE):
        size = min(PIECE, end - place)
        piece = os.pread(file, size, place)
        assert len(piece) == size, f"the memory at {place:x} ends after {len(piece)} of {size} bytes"
        if piece.count(0) < size:
            found.append(piece)
    return found
