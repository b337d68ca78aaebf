#!/usr/bin/env python3
"""A terminal for tests: runs a command in it and tells, line by line in JSON, what stands on its screen."""
import fcntl, json, os, pty, select, struct, sys, termios, time

import pyte

from sixel import Picture

# Pixels of one character.
CELL = (9, 18)


class Terminal:
    def __init__(self, width, height, command):
        self.screen = pyte.HistoryScreen(width, height, history=2000)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = bytearray()
        self.unread = b""
        self.pictures = []
        self.unsent = b""
        self.status = None
        self.stopped = False
        # Its other end stays open here, so that the modes can be looked at when the command has ended.
        self.master, self.kept = pty.openpty()
        self.size(width, height)
        self.before = self.modes()
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.kept, termios.TIOCSCTTY, 0)
            for descriptor in range(3):
                os.dup2(self.kept, descriptor)
            os.execvp(command[0], command)

    def size(self, width, height):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, width * CELL[0], height * CELL[1]))

    def resize(self, width, height):
        """As terminals do it: rows leave at the top only where the cursor would be lost, else at the bottom."""
        surplus = max(0, self.screen.cursor.y + 1 - height)
        rows = [self.screen.buffer[y] for y in range(self.screen.lines)]
        self.screen.history.top.extend(rows[:surplus])
        for y, row in enumerate(rows[surplus:surplus + height]):
            self.screen.buffer[y] = row
        for y in range(min(height, len(rows) - surplus), len(rows)):
            self.screen.buffer.pop(y, None)
        self.screen.cursor.y -= surplus
        self.screen.lines = height
        self.screen.resize(height, width)
        self.size(width, height)

    def modes(self):
        return termios.tcgetattr(self.kept)

    def read(self):
        output = os.read(self.master, 65536)
        self.raw += output
        self.unread += output
        # The emulator knows no pictures.
        while (start := self.unread.find(b"\x1bP")) >= 0 and (end := self.unread.find(b"\x1b\\", start)) >= 0:
            self.stream.feed(self.unread[:start])
            self.draw(self.unread[start + 2:end])
            self.unread = self.unread[end + 2:]
        if start < 0:
            start = len(self.unread) - self.unread.endswith(b"\x1b")
        self.stream.feed(self.unread[:start])
        self.unread = self.unread[start:]

    def draw(self, sequence):
        """As terminals do it that scroll with pictures: the cursor ends up in the last row that one takes."""
        picture = Picture(sequence[sequence.index(b"q") + 1:])
        self.pictures.append({
            "width": picture.width, "height": picture.height, "isFull": picture.is_full, "row": self.screen.cursor.y,
            "first": picture.pixels.get((0, 0)), "last": picture.pixels.get((picture.width - 1, picture.height - 1)),
        })
        self.stream.feed(b"\n" * ((picture.height - 1) // CELL[1]))

    def look(self):
        """Takes in what became of the command."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED | os.WCONTINUED)
            if pid and os.WIFSTOPPED(status):
                self.stopped = True
            elif pid and os.WIFCONTINUED(status):
                self.stopped = False
            elif pid:
                self.status = os.waitstatus_to_exitcode(status)

    def fits(self, wanted):
        self.look()
        # What it wrote before that may still be on its way.
        while select.select([self.master], [], [], 0)[0]:
            self.read()
        text = "\n".join(line.rstrip() for line in self.screen.display)
        return (all(part in text for part in wanted.get("shows", []))
                and not any(part in text for part in wanted.get("lacks", []))
                and len(self.pictures) >= wanted.get("pictures", 0)
                and (not wanted.get("stopped") or self.stopped)
                and (not wanted.get("ended") or self.status is not None))

    def facts(self):
        cells = [cell for row in self.screen.buffer.values() for cell in row.values()]
        return {
            "screen": [line.rstrip() for line in self.screen.display],
            "above": ["".join(cell.data for _, cell in sorted(row.items())).rstrip() for row in self.screen.history.top],
            "cursor": [self.screen.cursor.x, self.screen.cursor.y],
            "cursorShown": not self.screen.cursor.hidden,
            "coloured": any(cell.fg != "default" or cell.bold for cell in cells),
            "modesAsBefore": self.modes() == self.before,
            "marksPastes": self.raw.rfind(b"\x1b[?2004h") > self.raw.rfind(b"\x1b[?2004l"),
            "status": self.status,
            "pictures": self.pictures,
        }


def main():
    width, height = int(sys.argv[1]), int(sys.argv[2])
    terminal = Terminal(width, height, sys.argv[3:])
    pending, deadline, requests = None, 0.0, b""
    while True:
        if pending is not None:
            fits = terminal.fits(pending)
            if fits or time.monotonic() > deadline:
                print(json.dumps(terminal.facts() | {"fits": fits}), flush=True)
                pending = None
        writers = [terminal.master] if terminal.unsent else []
        readers, writers, _ = select.select([0, terminal.master], writers, [], 0.05)
        if terminal.master in readers:
            terminal.read()
            continue
        if writers:
            terminal.unsent = terminal.unsent[os.write(terminal.master, terminal.unsent[:1024]):]
        if 0 not in readers:
            continue
        received = os.read(0, 65536)
        if not received:
            return
        requests += received
        while b"\n" in requests and pending is None:
            line, requests = requests.split(b"\n", 1)
            request = json.loads(line)
            if "type" in request:
                terminal.unsent += request["type"].encode()
            elif "resize" in request:
                terminal.resize(*request["resize"])
            elif "signal" in request:
                os.kill(terminal.pid, request["signal"])
            elif "wait" in request:
                pending, deadline = request["wait"], time.monotonic() + request["limit"]


if __name__ == "__main__":
    main()
