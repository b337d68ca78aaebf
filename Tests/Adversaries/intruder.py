"""A program that tries to get at another program's data, and prints what came of each try as JSON."""

from __future__ import annotations

import ctypes
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

PTRACE_ATTACH, PTRACE_DETACH = 16, 17


def _attempt(act: Callable[[], object]) -> str:
    try:
        return f"got {act()!r}"[:200]
    except OSError as error:
        return f"refused: {error.strerror}"


def _connect(path: Path) -> bytes:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(path))
        client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"status"}\n')
        data = client.recv(4096)
        if not data:
            raise ConnectionResetError(104, "closed without an answer")
        return data


def _memory(process: int) -> bytes:
    line = Path(f"/proc/{process}/maps").read_text().splitlines()[0]
    with open(f"/proc/{process}/mem", "rb", buffering=0) as file:
        return os.pread(file.fileno(), 16, int(line.split("-")[0], 16))


def _trace(process: int) -> str:
    system = ctypes.CDLL(None, use_errno=True)
    if system.ptrace(PTRACE_ATTACH, process, None, None) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    os.waitpid(process, 0)
    system.ptrace(PTRACE_DETACH, process, None, None)
    return "a trace"


def _write(path: Path) -> str:
    path.write_text("x")
    path.unlink()
    return "written"


def _signal(process: int) -> str:
    os.kill(process, 0)
    return "allowed"


def main() -> None:
    home, process = Path(sys.argv[1]), int(sys.argv[2])
    ways: dict[str, Callable[[], object]] = {
        "the list of files": lambda: sorted(os.listdir(home)),
        "the database": lambda: (home / "history.sqlite").read_bytes()[:16],
        "the key": lambda: (home / "key.bin").read_bytes()[:8],
        "the log": lambda: (home / "mesh.log").read_bytes()[:8],
        "a file of its own there": lambda: _write(home / "intruder"),
        "the socket": lambda: _connect(home / "rpc.sock"),
        "the memory": lambda: _memory(process),
        "a trace": lambda: _trace(process),
        "the environment": lambda: Path(f"/proc/{process}/environ").read_bytes()[:16],
        "the descriptors": lambda: os.listdir(f"/proc/{process}/fd"),
        "a signal": lambda: _signal(process),
    }
    print(json.dumps({what: _attempt(way) for what, way in ways.items()}))


if __name__ == "__main__":
    main()
