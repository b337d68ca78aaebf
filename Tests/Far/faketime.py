"""Wrong clocks for single processes, by the library of Debian's package `faketime`."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import IO

NAME = "libfaketimeMT.so.1"
HOUR, DAY = 3_600.0, 86_400.0
# The library leaves files in /dev/shm. They are gone with the process if that folder is its own.
START = 'mount -t tmpfs none /dev/shm && exec env "$@"'
# The first process with the library changes its environment. A Swift program that does so does not find its arguments.
FIRST = "env"
# The library takes the timers of all clocks for those of the time of day. Nobody finds this function by another name.
TIMERS, HIDDEN = b"\0timerfd_settime\0", b"\0timerfd_settim_\0"


def library() -> Path | None:
    """Returns the place of the library."""
    return next(Path("/usr/lib").glob(f"*/faketime/{NAME}"), None)


def words(ahead: float) -> list[str]:
    """Returns the words before a command that has its clock so many seconds ahead.

    Only the time of day is another one: the clocks that count from the start of the system stay right.
    """
    surroundings = [f"LD_PRELOAD={_copy().name}", f"FAKETIME={ahead:+.3f}", "FAKETIME_DONT_FAKE_MONOTONIC=1"]
    return ["unshare", "--mount", "sh", "-c", START, "sh", *surroundings, FIRST]


@functools.cache
def _copy() -> IO[bytes]:
    """Makes a copy of the library that leaves timers alone, until the end of this process."""
    place = library()
    assert place is not None, f"there is no {NAME}"
    copy = tempfile.NamedTemporaryFile(prefix="earshot-far-", suffix=".so")
    copy.write(place.read_bytes().replace(TIMERS, HIDDEN))
    copy.flush()
    return copy
