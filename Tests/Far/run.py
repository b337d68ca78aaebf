#!/usr/bin/env python3
"""Two islands of three people each exchange mail by a hub, while hub and gateways crash, lose mail or are cut off."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import city
import leaks
import scenes
import stage as stages
import stripped
from network import Network
from stage import Stage

TIME_LIMIT, LONG_LIMIT = 900, 7200

ALL: list[tuple[str, Callable[[Stage], str | None]]] = [
    ("meeting", stages.meet),
    ("parting", stages.separate),
    ("TLS taken away", stripped.strip),
    ("first letters", scenes.begin),
    ("talk", scenes.talk),
    ("crashes", scenes.crashes),
    ("many crashes", scenes.many_crashes),
    ("crashed readers", scenes.crashed_readers),
    ("wiped hub", scenes.wiped),
    ("city", city.move),
    ("city cut off", city.cut),
    ("city disconnected", city.lost),
    ("leaks", leaks.search),
]
LONG_ONLY = ("many crashes", "crashed readers", "city disconnected")
BEGINNING = ("meeting", "parting", "first letters")


class TimeIsUp(BaseException):
    """The end of the whole run after its time limit, or by a signal."""


def _stop(number: int, frame: object) -> None:
    raise TimeIsUp("the run took too long" if number == signal.SIGALRM else f"signal {number}")


def play(stage: Stage, chosen: list[tuple[str, Callable[[Stage], str | None]]]) -> bool:
    """Plays the scenes in turn, prints a line for each, and tells whether all went well."""
    for name, scene in chosen:
        started = time.monotonic()
        try:
            result = scene(stage)
        except Exception as error:
            traceback.print_exc()
            print(stage.tails(), file=sys.stderr)
            print(f"FAIL  {name}: {error} ({time.monotonic() - started:.1f} s)", flush=True)
            return False
        print(f"ok    {name}{f': {result}' if result else ''} ({time.monotonic() - started:.1f} s)", flush=True)
    return True


def is_chosen(name: str, options: argparse.Namespace) -> bool:
    if name in BEGINNING:
        return True
    return (options.long or name not in LONG_ONLY) and (not options.only or options.only in name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earshot", required=True, help="the command `earshot`")
    parser.add_argument("--hub-server", required=True, help="the program `nats-server`")
    parser.add_argument("--long", action="store_true", help="10,000 messages, and 100 crashes of hub and gateways each")
    parser.add_argument("--only", help="plays the scenes whose name has this text, and the beginning that all need")
    options = parser.parse_args()
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    signal.alarm(LONG_LIMIT if options.long else TIME_LIMIT)
    started, late, good = time.monotonic(), [], False
    with tempfile.TemporaryDirectory(prefix="earshot-far-") as folder, Network() as network:
        stage = Stage(network, os.path.abspath(options.earshot), os.path.abspath(options.hub_server), Path(folder))
        try:
            stage.build()
            good = play(stage, [(name, scene) for name, scene in ALL if is_chosen(name, options)])
        except TimeIsUp as error:
            print(f"{stage.tails()}\nFAIL  {error}", flush=True)
        finally:
            late = stage.finish()
    for fault in late:
        print(f"FAIL  end: {fault}", flush=True)
    good = good and not late
    print(f"{'all scenes went well' if good else 'FAILED'} ({time.monotonic() - started:.0f} s)", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
