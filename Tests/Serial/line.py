"""A serial line between two pseudo-terminals.

Usage: line.py BYTES_PER_SECOND. It prints the two terminals' paths on one line, then carries bytes both ways at this
speed, and ends with its standard input. It has no buffer of its own: only those of the terminals wait.
"""

import os
import select
import sys
import time
import tty

SPEED = int(sys.argv[1])
STEP = 0.01

masters, slaves = zip(*(os.openpty() for _ in range(2)))
for slave in slaves:
    tty.setraw(slave)
print(*(os.ttyname(slave) for slave in slaves), flush=True)

credit = [0.0, 0.0]
last = time.monotonic()
while True:
    if select.select([0], [], [], STEP)[0] and not os.read(0, 1):
        break
    now = time.monotonic()
    for end in range(2):
        credit[end] = min(credit[end] + SPEED * (now - last), SPEED * 4 * STEP)
        if credit[end] >= 1 and select.select([masters[end]], [], [], 0)[0]:
            carried = os.read(masters[end], int(credit[end]))
            credit[end] -= len(carried)
            os.write(masters[1 - end], carried)
    last = now
