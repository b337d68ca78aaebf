"""Known answers of the store, of paths, of blobs and of statements."""

from __future__ import annotations

from pathlib import Path

from .blob import Blob
from .encoding import u32
from .path import open_payload, path_keys, seal_payload
from .primitives import sign
from .session_checks import People
from .symbols import check_of, places, sums, symbols_message
from .vector_checks import check, equal
from .vectors import Case, read_vectors


@check("symbols")
def _symbols(case: Case) -> None:
    salt, ids = case.hex("salt"), case.hex("ids")
    short = [ids[at:at + 8] for at in range(0, len(ids), 8)]
    equal(check_of(salt, short[0]), case.hex("first hash"))
    equal(places(salt, short[0]), [int(place) for place in case["first places"].split()])
    equal(b"".join(u32(some) for some in sums(short)), case.hex("sums"))
    message = case.hex("message")
    count = next(count for count in range(1, 61) if len(symbols_message(salt, short, count)) >= len(message))
    equal(symbols_message(salt, short, count), message)


@check("path")
def _path(case: Case) -> None:
    keys = path_keys(case.hex("opener label"), case.hex("answerer label"), case.hex("secret"))
    equal(keys, (case.hex("opener key"), case.hex("answerer key")))
    number = case.number("number")
    for key, who in zip(keys, ("opener", "answerer"), strict=True):
        equal(seal_payload(key, number, case.hex(f"{who} content")), case.hex(f"{who} payload"))
        equal(open_payload(key, case.hex(f"{who} payload")), (number, case.hex(f"{who} content")))


@check("object")
def _blob(case: Case) -> None:
    size = case.number("plain size")
    blob = Blob.seal(case.hex("key"), (bytes(range(256)) * (size // 256 + 1))[:size])
    equal(sum(len(chunk) for chunk in blob.chunks), case.number("sealed size"))
    equal((blob.hashes[0], blob.hashes[-1]), (case.hex("first chunk hash"), case.hex("last chunk hash")))
    equal((blob.top, blob.root), (case.hex("top"), case.hex("root")))
    if "tag" in case:
        bodies = blob.fragments()
        equal((blob.tag, len(bodies) - 1), (case.hex("tag"), case.number("last piece")))
        equal((bodies[0][8:16], bodies[-1][8:16]), (case.hex("first proof"), case.hex("last proof")))


def check_statements(folder: Path) -> None:
    """Makes the rotation and the revocation of `statements.txt`."""
    people = People(folder)
    alice, bob = people.alice, people.bob
    both = {}
    for case in read_vectors(folder / "statements.txt"):
        both.update(case)
    case = Case(both)
    clear = (alice.public.id + bob.public.ed + bob.public.x + u32(case.number("time")) + u32(case.number("counter")))
    rotation = clear + sign(alice.ed_seed, "earshot/v1/rot/old", clear) + sign(bob.ed_seed, "earshot/v1/rot/new", clear)
    equal(rotation, case.hex("rotation"))
    keys = alice.public.ed + alice.public.x
    equal(keys + sign(alice.ed_seed, "earshot/v1/revoke", keys), case.hex("revocation"))
