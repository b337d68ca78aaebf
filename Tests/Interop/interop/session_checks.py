"""Known answers of prekey bundles, prekey messages, sessions and joins."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from .prekey_bundle import PrekeyBundle, Prekey
from .cpace import generator, multiply, shared_key
from .exchange import Exchange
from .prekey_message import open_prekey_message, write_prekey_message
from .identity import Identity, safety_number
from .join import join_keys, run_id
from .padding import item
from .ratchet import OVERHEAD, Randomness, Ratchet
from .room_beacon import RoomBeacon, door, invite, invite_lobby
from .vector_checks import check, equal
from .vectors import Case, read_vectors


class People:
    """The people, the prekey and the prekey message that several files share."""

    def __init__(self, folder: Path) -> None:
        alice, bob = read_vectors(folder / "identity.txt")
        self.alice = Identity(alice.hex("signing seed"), alice.hex("agreement seed"))
        self.bob = Identity(bob.hex("signing seed"), bob.hex("agreement seed"))
        case = read_vectors(folder / "bundle.txt")[0]
        self.prekey = Prekey.made(self.bob, case["nickname"], case.number("sequence"), case.number("created hour"),
                                  case.hex("prekey seed"), case.hex("KEM seed"))
        self.bundle = case
        self.prekey_message = read_vectors(folder / "first_flight.txt")[0]

    def write(self):
        """Writes the prekey message of the file."""
        case = self.prekey_message
        return write_prekey_message(self.alice, self.prekey.bundle, case.number("time"), case.hex("ephemeral seed"),
                            (case.hex("ciphertext"), case.hex("secret")))


def check_people(folder: Path) -> None:
    """Checks prekey bundle, prekey message and safety number."""
    people = People(folder)
    equal(people.prekey.bundle.data, people.bundle.hex("bundle"))
    equal(PrekeyBundle.decode(people.bundle.hex("bundle")).kpk, people.bundle.hex("KEM prekey"))
    message, keys = people.write()
    case = people.prekey_message
    equal(message, case.hex("flight"))
    opened = open_prekey_message(people.bob, {people.prekey.bundle.sequence: people.prekey}, message)
    equal((opened.sender, opened.time, opened.keys), (people.alice.public, case.number("time"), keys))
    for name, value in (("transcript hash", keys.ad), ("chaining key", keys.chaining), ("session id", keys.session),
                        ("root key", keys.root), ("initiator header key", keys.initiator_header),
                        ("responder next header key", keys.responder_next_header),
                        ("epoch secret", keys.epoch_secret), ("mailbox secret", keys.reserved)):
        equal(value, case.hex(name))
    number = read_vectors(folder / "safety_number.txt")[0]["number"]
    equal(safety_number(people.alice.public, people.bob.public), number)


def _randomness(case: Case, nonces: list[bytes], seeds: bytes) -> Randomness:
    pairs = iter([seeds[at:at + 32] for at in range(0, len(seeds), 32)])

    def capsule(number: int) -> tuple[bytes, bytes] | None:
        if f"ciphertext {number}" not in case:
            return None
        return case.hex(f"ciphertext {number}"), case.hex(f"secret {number}")

    return Randomness(lambda: next(pairs), lambda: nonces.pop(0),
                      lambda number: case.hex(f"KEM seed {number}") if f"KEM seed {number}" in case else None, capsule)


def check_ratchet(folder: Path) -> None:
    """Replays the session of `ratchet.txt` from both sides."""
    people = People(folder)
    _, keys = people.write()
    first, *messages = read_vectors(folder / "ratchet.txt")
    nonces: list[bytes] = []
    sides = {
        "alice": Ratchet.begun(keys, people.prekey.bundle.spk,
                               _randomness(first, nonces, first.hex("ratchet seeds of alice"))),
        "bob": Ratchet.taken(keys, people.prekey.spk_seed,
                             _randomness(first, nonces, first.hex("ratchet seeds of bob"))),
    }
    for case in messages:
        sender = sides[case["sender"]]
        reader = sides["bob" if case["sender"] == "alice" else "alice"]
        nonces.append(case.hex("header nonce"))
        content = case["content"].encode()
        overhead = case.number("overhead") - OVERHEAD
        bucket = case.number("bytes") + overhead
        message, image = sender.seal(item(content), bucket, overhead)
        where = case["case"]
        assert len(message) == case.number("bytes"), where
        assert hashlib.sha256(message).hexdigest() == case["digest"], where
        assert sender.sending_epoch == case.number("epoch of sender"), where
        opened = reader.open(message)
        assert (opened.contents, opened.preimage) == ([content], image), where
        assert reader.epoch == case.number("epoch of reader"), where
        assert reader.exchange.need == case.number("need of reader"), where
    equal(reader.epoch_secret, first.hex("secret of the last epoch"))


@check("cpace")
def _cpace(case: Case) -> None:
    session, a, b = case.hex("session"), case.hex("initiator data"), case.hex("responder data")
    element = generator(case.hex("password"), case.hex("channel"), session)
    equal(element, case.hex("generator"))
    one = int.from_bytes(case.hex("initiator scalar"), "little")
    other = int.from_bytes(case.hex("responder scalar"), "little")
    ya, yb = multiply(one, element), multiply(other, element)
    equal((ya, yb), (case.hex("initiator point"), case.hex("responder point")))
    secret = multiply(one, yb)
    equal(secret, multiply(other, ya))
    equal(shared_key(session, secret, ya, a, yb, b), case.hex("shared key"))
    if "KEM secret" not in case:
        return
    _, keys = join_keys(session, secret, case.hex("KEM secret"), ya, a, yb, b)
    equal((keys.to_host, keys.to_joiner), (case.hex("key to host"), case.hex("key to joiner")))
    equal((keys.joiner_tag, keys.host_tag), (case.hex("joiner tag"), case.hex("host tag")))
    first = b"\x01" + session[16:] + ya + a
    equal(first, case.hex("first message"))
    equal(b"\x02" + run_id(first) + yb + b + keys.host_tag, case.hex("second message"))


@check("room")
def _room(case: Case) -> None:
    group = case.hex("group")
    equal(door(group), case.number("door"))
    equal(invite(group, case.hex("invite key")), case["invite"])
    equal(invite_lobby(case.hex("invite key")), case.hex("invite lobby"))
    beacon = RoomBeacon.decode(case.hex("beacon"))
    equal((beacon.room, beacon.lobby), (group, case.hex("lobby")))


def check_exchange() -> None:
    """Runs an exchange with loss, and with a blob that a relay of the test spoils."""
    lost = random.Random(1)
    for spoil in (False, True):
        owner = Exchange(1, True, b"ad", bytes(32))
        other = Exchange(1, False, b"ad", bytes(32))
        for turn in range(200):
            section = owner.section(130)
            if lost.random() < 0.7:
                other.read(section, True)
            back = other.section(130)
            if spoil and other.stage == 3:
                back, spoil = back[:10] + bytes([back[10] ^ 1]) + back[11:], False
            if lost.random() < 0.7:
                owner.read(back, True)
        equal((owner.stage, other.stage), (1, 3))
        equal(owner.secret, other.secret)
