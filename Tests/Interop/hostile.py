#!/usr/bin/env python3
"""Attacks real nodes of the command `earshot` in network namespaces, and checks what they bear."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

try:
    import cryptography  # noqa: F401
except ImportError:
    print("The package `cryptography` is missing: pip install -r Tests/Interop/requirements.txt", file=sys.stderr)
    sys.exit(2)

from hostile import program, scenes
from hostile.segment import Segment, namespaces_are_allowed

TIME_LIMIT = 600


class TimeIsUp(BaseException):
    """The end of the whole run after `TIME_LIMIT` seconds, or by a signal."""


def _stop(number: int, frame: object) -> None:
    raise TimeIsUp(f"the run took more than {TIME_LIMIT} s" if number == signal.SIGALRM else f"signal {number}")


def run(name: str, command: str) -> bool:
    """Runs one attack, prints its line, and tells whether the nodes bore it."""
    started, good, late = time.monotonic(), True, []
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder, Segment() as segment:
        stage = scenes.Stage(os.path.abspath(command), Path(folder), segment)
        try:
            result = scenes.ALL[name](stage)
        except Exception as error:
            good, result = False, str(error)
            traceback.print_exc()
        finally:
            late = stage.finish()
    if late:
        good, result = False, f"{'; '.join(late)}; before that: {result}"
    print(f"{'ok   ' if good else 'FAIL '} {name}: {result} ({time.monotonic() - started:.1f} s)", flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earshot", help="the command `earshot`")
    parser.add_argument("--only", help="runs the attacks whose name has this text")
    parser.add_argument("--required", action="store_true", help="fails where namespaces cannot be made")
    hostile = parser.add_argument_group("the hostile host itself, which the runner starts in its namespace")
    hostile.add_argument("--attack", choices=list(program.ATTACKS), help="the attack")
    hostile.add_argument("--addresses", nargs="+", help="the addresses of the host")
    hostile.add_argument("--targets", type=int, default=1, help="the number of honest nodes to wait for")
    hostile.add_argument("--rate", type=float, default=100, help="acts per second")
    options = parser.parse_args()
    if options.attack:
        return program.run(options.attack, options.addresses, options.targets, options.rate)
    if not options.earshot:
        parser.error("--earshot is missing")
    return run_all(options)


def run_all(options: argparse.Namespace) -> int:
    reason = namespaces_are_allowed()
    if reason:
        print(f"SKIPPED: network namespaces cannot be made here (needs root and iproute2): {reason}", flush=True)
        return 1 if options.required else 0
    print("network namespaces can be made here: all attacks run", flush=True)
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    signal.alarm(TIME_LIMIT)
    try:
        results = [run(name, options.earshot) for name in scenes.ALL if not options.only or options.only in name]
    except TimeIsUp as error:
        print(f"FAIL  {error}", flush=True)
        return 1
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
