"""The part of the line protocol that drivers in Python share; see README.md."""

import os
import sys
import time

# Libraries print to standard output; what they print belongs on standard error.
_output = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)

MESSAGE_WINDOW = 1024
EVERY = 32
CHUNK = 512 * 1024
CHUNK_WINDOW = 8


def reply(text):
    """Writes one line of JSON to the bench."""
    _output.write(text + "\n")


def arguments():
    """Returns the role (send, receive), the own address and the contacts; enters the folder for state."""
    role, address, folder, *contacts = sys.argv[1:]
    os.chdir(folder)
    return role, address, contacts


def wait_for_end():
    """Waits until the bench closes standard input."""
    while sys.stdin.readline():
        pass


def finish():
    """Ends the process at once, whatever threads a library has."""
    os._exit(0)


class Sender:
    """A sender that confirms by counting: each receiver answers some messages with the number of messages it has.

    A library's driver defines `put`, which sends bytes to all receivers, and `next_answer`, which waits for an answer
    and returns a receiver and its count.
    """

    message_window = MESSAGE_WINDOW
    every = EVERY

    def __init__(self, receivers):
        self.counts = dict.fromkeys(receivers, 0)
        self.sent = 0

    def serve(self, begin):
        """Sends the first message, then does as the bench commands until it has gone."""
        self.ask(100)
        self.wait_for(self.sent)
        reply('{"milliseconds": %.3f}' % ((time.monotonic() - begin) * 1e3))
        for line in sys.stdin:
            command, *numbers = line.split()
            getattr(self, command)(*map(int, numbers))
        finish()

    def ask(self, length):
        """Sends a message that receivers answer."""
        self.sent += 1
        self.put(b"?" + bytes(length - 1))

    def wait_for(self, count):
        """Waits until every receiver has so many messages."""
        while min(self.counts.values()) < count:
            receiver, number = self.next_answer()
            self.counts[receiver] = max(self.counts[receiver], number)

    def trip(self):
        self.ask(100)
        self.wait_for(self.sent)

    def trips(self, count):
        times = []
        for _ in range(count):
            begin = time.perf_counter()
            self.trip()
            times.append(time.perf_counter() - begin)
        times.sort()
        p50, p99 = times[(count - 1) // 2], times[(count * 99 + 99) // 100 - 1]
        reply('{"p50": %.4f, "p99": %.4f}' % (p50 * 1e3, p99 * 1e3))

    def messages(self, length, seconds):
        data = b"." + bytes(length - 1)
        before, begin = self.sent, time.monotonic()
        while time.monotonic() < begin + seconds:
            for _ in range(self.every - 1):
                self.put(data)
            self.sent += self.every - 1
            self.ask(length)
            self.wait_for(self.sent - self.message_window)
        self.wait_for(self.sent)
        reply('{"count": %d, "seconds": %.6f}' % (self.sent - before, time.monotonic() - begin))

    def file(self, length):
        """Sends a file in chunks, each confirmed; the receiver writes them to its disk."""
        begin = time.monotonic()
        for position in range(0, length, CHUNK):
            self.ask(min(CHUNK, length - position))
            self.wait_for(self.sent - CHUNK_WINDOW)
        self.wait_for(self.sent)
        reply('{"seconds": %.6f}' % (time.monotonic() - begin))


class Counter:
    """The receiver's part: it counts messages, writes chunks to a file and answers those that ask."""

    def __init__(self, answer):
        self.count = 0
        self.answer = answer
        self.output = None

    def take(self, data):
        self.count += 1
        if len(data) > 64 * 1024:
            self.output = self.output or open("received", "wb")
            self.output.write(data)
        if data[:1] == b"?":
            self.answer(str(self.count).encode().ljust(100))
