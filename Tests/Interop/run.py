#!/usr/bin/env python3
"""Runs the second implementation against the vectors and against a running node."""

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

try:
    import cryptography  # noqa: F401
except ImportError:
    print("The package `cryptography` is missing: pip install -r Tests/Interop/requirements.txt", file=sys.stderr)
    sys.exit(2)

from interop import (group_checks, group_scenarios, group_vectors, mail_scenarios, mesh_checks, pack_scenarios,
                     refusal_scenarios, room_scenarios, scenarios, session_checks, storage_checks, vector_checks)
from interop.vectors import files_read, read_vectors

VECTORS = Path(__file__).resolve().parent.parent / "Vectors"
TIME_LIMIT = 600


def check_vectors(stage: scenarios.Stage) -> str:
    """Checks all published answers of the parts that the second implementation has."""
    count = 0
    for name, function in vector_checks.checks.items():
        for case in read_vectors(VECTORS / f"{name}.txt"):
            try:
                function(case)
            except Exception as error:
                raise AssertionError(f"{name}, {case.get('case', '')}: {error}") from error
            count += 1
    session_checks.check_people(VECTORS)
    session_checks.check_ratchet(VECTORS)
    session_checks.check_exchange()
    group_checks.check_groups()
    mesh_checks.check_statements(VECTORS)
    storage_checks.check_rows(VECTORS)
    storage_checks.check_backup(VECTORS)
    left = sorted({path.name for path in VECTORS.glob("*.txt")} - files_read)
    assert not left, f"nothing reads {', '.join(left)}"
    return f"{count} answers, the session of ratchet.txt, groups of this side"


ALL: list[tuple[str, Callable[[scenarios.Stage], str]]] = [
    ("vectors", check_vectors),
    ("beacons", scenarios.hear_beacons),
    ("write first", scenarios.write_first),
    ("read first", scenarios.read_first),
    ("key exchange", scenarios.exchange_keys),
    ("lossy link", mail_scenarios.lossy_link),
    ("cookie", mail_scenarios.asked_for_a_cookie),
    ("crossing", mail_scenarios.crossing),
    ("restart", mail_scenarios.restart),
    ("relay", mail_scenarios.relayed_mail),
    ("out of order", refusal_scenarios.out_of_order),
    ("refusals", refusal_scenarios.refusals),
    ("extension", refusal_scenarios.unknown_extension),
    ("several first", refusal_scenarios.several_first),
    ("packs out", pack_scenarios.packs_out),
    ("pack first", pack_scenarios.pack_first),
    ("packs in", pack_scenarios.packs_in),
    ("packs in a group", pack_scenarios.group_packs),
    ("releases", pack_scenarios.releases_together),
    ("end", refusal_scenarios.end_session),
    ("ping", mail_scenarios.pings),
    ("room", room_scenarios.join_room),
    ("room by approval", room_scenarios.be_approved),
    ("hosted room", room_scenarios.host_room),
    ("hosted by approval", room_scenarios.host_by_approval),
    ("room of three", room_scenarios.two_members),
    ("wrong code", room_scenarios.wrong_code),
    ("group", group_scenarios.join_group),
    ("group of three", group_scenarios.three_members),
    ("owned group", group_scenarios.own_group),
    ("owned group in parts", group_scenarios.own_group_in_parts),
    ("handover of a group", group_scenarios.hand_over),
    ("two histories", group_scenarios.two_histories),
    ("admin", group_scenarios.propose),
    ("proposals of the node", group_scenarios.take_proposals),
]


class TimeIsUp(BaseException):
    """The end of the whole run after `TIME_LIMIT` seconds."""


def _too_long(number: int, frame: object) -> None:
    raise TimeIsUp


def run(name: str, scenario: Callable[[scenarios.Stage], str], program: str) -> bool:
    """Runs one scenario, prints its line, and tells whether it went well."""
    started, good = time.monotonic(), True
    with tempfile.TemporaryDirectory(prefix="interop-") as folder:
        stage = scenarios.Stage(os.path.abspath(program), Path(folder))
        try:
            result = f"ok    {name}: {scenario(stage)}"
        except Exception as error:
            good, result = False, f"FAIL  {name}: {error}"
            traceback.print_exc()
        finally:
            late = stage.finish()
        if late:
            good, result = False, f"FAIL  {name}: {late}; before that: {result}"
    print(f"{result} ({time.monotonic() - started:.1f} s)", flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earshot", required=True, help="the command `earshot`")
    parser.add_argument("--only", help="runs the scenarios whose name has this text")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(TIME_LIMIT)
    chosen = [(name, scenario) for name, scenario in ALL if not options.only or options.only in name]
    try:
        results = [run(name, scenario, options.earshot) for name, scenario in chosen]
    except TimeIsUp:
        print(f"FAIL  the run took more than {TIME_LIMIT} s", flush=True)
        return 1
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
