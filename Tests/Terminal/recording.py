#!/usr/bin/env python3
"""Records a session of the command in a terminal, and draws the last screen as SVG.

    python3 Tests/Terminal/recording.py COMMAND FILE.svg

Two nodes with temporary data directories find each other on the loopback interface, in a multicast group of their own.
Alice's commands are typed into a shell. The picture holds text alone: no script, no font, no address of another file.
"""
from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.sax.saxutils import escape

sys.dont_write_bytecode = True
from terminal import Terminal

WIDTH, HEIGHT = 110, 24
PATIENCE = 60.0
PROMPT = "alice$"
# The place of a character, and the edge around all of them, in pixels.
CELL_WIDTH, CELL_HEIGHT, EDGE = 8.4, 18, 14
COLOURS = {
    "default": "#d6dbe4", "black": "#5b6472", "red": "#ff8b8b", "green": "#8ede9e", "brown": "#f0d48a",
    "blue": "#8ab8ff", "magenta": "#dca6f5", "cyan": "#86dbe0", "white": "#ffffff",
}


class Stage:
    """The data directories and nodes of Alice and Bob; both nodes end with it."""

    def __init__(self, command: str, folder: Path) -> None:
        self.command, self.folder, self.nodes = command, folder, []
        self.group = f"239.255.{random.randint(100, 199)}.{random.randint(1, 254)}:{random.randint(20000, 29999)}"

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        for node in self.nodes:
            node.terminate()
        for node in self.nodes:
            node.wait(PATIENCE)

    def variables(self, name: str) -> dict[str, str]:
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        return os.environ | {"EARSHOT_HOME": str(self.folder / name), "EARSHOT_PASSPHRASE": "green tea house",
                             "PATH": path, "LC_ALL": "C.UTF-8", "TERM": "xterm", "PS1": PROMPT + " ", "HISTFILE": ""}

    def run(self, name: str, *words: str) -> str:
        """Runs a command as one of the two, and returns its output."""
        done = subprocess.run([self.command, *words], env=self.variables(name), text=True, timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == 0, f"{name}: {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def begin(self) -> None:
        """Starts both nodes, and has Bob accept Alice."""
        (self.folder / "bin").mkdir()
        (self.folder / "bin/earshot").symlink_to(self.command)
        for name in ("Alice", "Bob"):
            self.run(name, "init", "--name", name)
            words = [self.command, "node", "--interface", "lo", "--discovery", self.group]
            self.nodes.append(subprocess.Popen(words, env=self.variables(name), stdin=subprocess.DEVNULL,
                                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            until(lambda name=name: (self.folder / name / "rpc.sock").exists(), f"the start of {name}'s node")
        until(lambda: "Bob" in self.run("Alice", "peers"), "the discovery of Bob")
        self.run("Alice", "send", "Bob", "Hello, Bob")
        until(lambda: "Alice" in self.run("Bob", "history", "list"), "the request of Alice")
        self.run("Bob", "trust", "accept", "Alice")


def until(body, event: str) -> None:
    """Waits until a body is true."""
    start = time.monotonic()
    while not body():
        assert time.monotonic() < start + PATIENCE, f"{event} did not happen"
        time.sleep(0.05)


def is_idle(terminal: Terminal) -> bool:
    """Whether the shell waits for a command: the last line that is not empty has the prompt alone."""
    terminal.fits({})
    lines = [line.rstrip() for line in terminal.screen.display if line.strip()]
    return bool(lines) and lines[-1] == PROMPT


def type_in(terminal: Terminal, line: str) -> None:
    """Types a command, and waits until it has ended."""
    os.write(terminal.master, line.encode())
    until(lambda: not is_idle(terminal), f"the echo of {line}")
    os.write(terminal.master, b"\r")
    until(lambda: is_idle(terminal), f"the end of {line}")


def record(stage: Stage) -> Terminal:
    """Types Alice's part of a conversation."""
    environment = stage.variables("Alice")
    os.environ.clear()
    os.environ.update(environment)
    terminal = Terminal(WIDTH, HEIGHT, ["bash", "--norc", "--noprofile", "+o", "history"])
    until(lambda: is_idle(terminal), "the prompt")
    type_in(terminal, "earshot peers")
    type_in(terminal, 'earshot send Bob "Tea at four?" --wait delivered')
    stage.run("Bob", "send", "Alice", "Yes, at four")
    until(lambda: "Yes" in stage.run("Alice", "history", "show", "Bob"), "the answer of Bob")
    type_in(terminal, "earshot history show Bob")
    number = next(line for line in stage.run("Bob", "fingerprint", "Alice").splitlines() if "Safety number" in line)
    digits = number.removeprefix("Safety number").strip()
    type_in(terminal, f'earshot verify Bob --number "{digits}"')
    type_in(terminal, "earshot ping Bob --count 2")
    return terminal


def colour(cell) -> str:
    if cell.fg in COLOURS:
        return COLOURS[cell.fg]
    return "#" + cell.fg if len(cell.fg) == 6 else COLOURS["default"]


def rows(terminal: Terminal) -> list[list[tuple[int, str, str, bool]]]:
    """Returns the runs of equal style of each line: column, text, colour, and whether it is bold."""
    found = []
    for y in range(terminal.screen.lines):
        runs: list[tuple[int, str, str, bool]] = []
        for x in range(WIDTH):
            cell = terminal.screen.buffer[y][x]
            style = (colour(cell), cell.bold)
            if runs and runs[-1][2:] == style:
                runs[-1] = (runs[-1][0], runs[-1][1] + cell.data, *style)
            else:
                runs.append((x, cell.data, *style))
        found.append([run for run in runs if run[1].strip()])
    while found and not found[-1]:
        found.pop()
    return found


def drawn(lines: list[list[tuple[int, str, str, bool]]]) -> str:
    """Returns the lines as SVG."""
    width = round(WIDTH * CELL_WIDTH + 2 * EDGE)
    height = len(lines) * CELL_HEIGHT + 2 * EDGE
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" role="img" aria-label="A session of earshot in a terminal">',
             f'<rect width="{width}" height="{height}" rx="8" fill="#1a1e26"/>',
             '<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">']
    for y, runs in enumerate(lines):
        for x, text, fill, is_bold in runs:
            stripped = text.rstrip()
            lead = len(stripped) - len(stripped.lstrip())
            stripped = stripped.lstrip()
            weight = ' font-weight="bold"' if is_bold else ""
            place = f'x="{(x + lead) * CELL_WIDTH + EDGE:.1f}" y="{EDGE + (y + 1) * CELL_HEIGHT - 5}"'
            parts.append(f'<text {place} textLength="{len(stripped) * CELL_WIDTH:.1f}" xml:space="preserve" '
                         f'fill="{fill}"{weight}>{escape(stripped)}</text>')
    return "\n".join([*parts, "</g>", "</svg>", ""])


def main() -> None:
    command, file = os.path.realpath(sys.argv[1]), Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory(prefix="earshot-recording-") as folder, Stage(command, Path(folder)) as stage:
        stage.begin()
        terminal = record(stage)
        lines = rows(terminal)
        # The last prompt waits for nothing.
        if "".join(run[1] for run in lines[-1]).strip() == PROMPT:
            lines.pop()
        os.write(terminal.master, b"exit\r")
        os.waitpid(terminal.pid, 0)
    file.write_text(drawn(lines))


if __name__ == "__main__":
    main()
