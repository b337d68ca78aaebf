"""Known answers of the links, the primitives and the rooms."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from . import frames, noise, ristretto
from .beacon import Beacon, beacon_key, network_tag
from .cpace import generator, multiply
from .datagrams import Init, Resp, Retry, init_header, third_datagram, third_message
from .edwards import signature_holds
from .encoding import Invalid, require
from .envelope import Envelope, preimage, release_hash
from .identity import Identity, safety_number
from .join import channel, join_keys
from .names import name_is_good
from .noise import LinkHandshake
from .packets import PacketSealer, next_phase_key
from .primitives import (H, argon2id, decapsulate, dh, ed25519_public, hkdf, hmac, kem_key_is_sound, kem_public,
                         number_nonce, seal, unseal, x25519_public)
from .room_beacon import RoomBeacon, door, invite, invite_lobby
from .vectors import Case

checks: dict[str, Callable[[Case], None]] = {}


def check(name: str) -> Callable[[Callable[[Case], None]], Callable[[Case], None]]:
    """Registers a function as the check of one file."""
    def register(function: Callable[[Case], None]) -> Callable[[Case], None]:
        checks[name] = function
        return function
    return register


def equal(got: object, wanted: object) -> None:
    """Fails unless both are the same."""
    shown = [value.hex()[:60] if isinstance(value, bytes) else value for value in (got, wanted)]
    assert got == wanted, f"{shown[0]} is not {shown[1]}"


def refuses(function: Callable[[], object]) -> None:
    try:
        function()
    except Invalid:
        return
    raise AssertionError("nothing was refused")


@check("aes_256_gcm")
def _aes(case: Case) -> None:
    key, nonce, ad = case.hex("key"), case.hex("nonce"), case.hex("associated data")
    equal(seal(key, nonce, ad, case.hex("plaintext")), case.hex("sealed"))
    equal(unseal(key, nonce, ad, case.hex("sealed")), case.hex("plaintext"))


@check("sha2")
def _sha2(case: Case) -> None:
    equal(hashlib.sha256(case.hex("message")).digest(), case.hex("sha256"))
    equal(hashlib.sha512(case.hex("message")).digest(), case.hex("sha512"))


@check("hmac_sha256")
def _hmac(case: Case) -> None:
    equal(hmac(case.hex("key"), case.hex("message")), case.hex("code"))


@check("hkdf_sha256")
def _hkdf(case: Case) -> None:
    equal(hkdf(case.hex("salt"), case.hex("ikm"), case.hex("info"), case.number("length")), case.hex("okm"))


@check("hkdf_label")
def _hkdf_label(case: Case) -> None:
    equal(hkdf(case.hex("salt"), case.hex("ikm"), case["info"], 96), case.hex("okm"))


@check("argon2id")
def _argon(case: Case) -> None:
    output = case.hex("output")
    equal(argon2id(case.hex("passphrase"), case.hex("salt"), case.number("iterations"), case.number("kibibytes"),
                   len(output)), output)


@check("x25519")
def _x25519(case: Case) -> None:
    equal(dh(case.hex("scalar"), case.hex("point")), case.hex("output"))
    if "public" in case:
        equal(x25519_public(case.hex("scalar")), case.hex("public"))


@check("x25519_low_order")
def _low_order(case: Case) -> None:
    refuses(lambda: dh(bytes(range(32)), case.hex("point")))


@check("x25519_iterated")
def _iterated(case: Case) -> None:
    k = u = (9).to_bytes(32, "little")
    for _ in range(case.number("rounds")):
        k, u = dh(k, u), k
    equal(k, case.hex("output"))


@check("ed25519")
def _ed25519(case: Case) -> None:
    equal(ed25519_public(case.hex("seed")), case.hex("public"))
    assert signature_holds(case.hex("public"), case.hex("message"), case.hex("signature"))


@check("ed25519_refused")
def _ed25519_refused(case: Case) -> None:
    assert not signature_holds(case.hex("public"), case.hex("message"), case.hex("signature"))


@check("ml_kem_768")
def _ml_kem(case: Case) -> None:
    seed, ciphertext = case.hex("seed"), case.hex("ciphertext")
    equal(kem_public(seed), case.hex("public key"))
    equal(decapsulate(seed, ciphertext), case.hex("secret"))
    changed = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
    equal(decapsulate(seed, changed), case.hex("secret of a changed ciphertext"))


@check("wycheproof_mlkem768")
def _wycheproof_ml_kem(case: Case) -> None:
    if "seed" not in case:
        assert not kem_key_is_sound(case.hex("public key")), "a coefficient is not reduced"
        return
    seed = case.hex("seed")
    if case["result"] == "valid":
        equal(kem_public(seed), case.hex("public key"))
        assert kem_key_is_sound(case.hex("public key"))
        equal(decapsulate(seed, case.hex("ciphertext")), case.hex("secret"))
    elif "ciphertext" in case:
        refuses(lambda: decapsulate(seed, case.hex("ciphertext")))
    else:
        refuses(lambda: kem_public(seed))


@check("ristretto255")
def _ristretto(case: Case) -> None:
    scalar = int.from_bytes(case.hex("scalar"), "little")
    equal(ristretto.product(scalar, case.hex("element")), case.hex("product") if case.get("product") else None)


@check("mesh_key")
def _mesh_key(case: Case) -> None:
    key = noise.closed_mesh_key(case.hex("passphrase").decode())
    equal(key, case.hex("key"))
    equal(network_tag(key, case.number("day")), case.hex("tag"))
    equal(beacon_key(key), case.hex("beacon key"))
    equal(noise.OPEN_MESH_KEY, case.hex("open mesh key"))


@check("noise_xx")
def _xx(case: Case) -> None:
    sides = [LinkHandshake(None, case.hex(f"{who} static"), b"", case.hex(f"{who} ephemeral"), case.hex("prologue"),
                           case["case"]) for who in ("initiator", "responder")]
    equal(sides[0].write_first(case.hex("payload 1")), case.hex("message 1"))
    equal(sides[1].read_first(case.hex("message 1")), case.hex("payload 1"))
    equal(sides[1].write_second(case.hex("payload 2")), case.hex("message 2"))
    equal(sides[0].read_second(case.hex("message 2")), case.hex("payload 2"))
    equal(sides[0].write_third(case.hex("payload 3")), case.hex("message 3"))
    equal(sides[1].read_third(case.hex("message 3")), case.hex("payload 3"))
    equal(sides[0].state.h, case.hex("handshake hash"))
    first, second = sides[1].state.split()
    equal(seal(second, number_nonce(0), b"", case.hex("payload 4")), case.hex("message 4"))
    equal(seal(first, number_nonce(0), b"", case.hex("payload 5")), case.hex("message 5"))


@check("noise_nnpsk0")
def _nnpsk0(case: Case) -> None:
    one, other = [LinkHandshake(case.hex("psk"), bytes(32), b"", case.hex(f"{who} ephemeral"), case.hex("prologue"),
                                case["case"]) for who in ("initiator", "responder")]
    equal(one.write_first(case.hex("payload 1")), case.hex("message 1"))
    equal(other.read_first(case.hex("message 1")), case.hex("payload 1"))
    other.state.mix_hash(other.public)
    other.state.mix_key(other.public)
    other.state.mix_key(dh(other.seed, other.remote))
    equal(other.public + other.state.encrypt_and_hash(case.hex("payload 2")), case.hex("message 2"))
    equal(other.state.h, case.hex("handshake hash"))


def _sides(case: Case, psk: bytes, header: bytes) -> list[LinkHandshake]:
    return [LinkHandshake(psk, case.hex(f"{who} node key"), header, case.hex(f"{who} ephemeral"))
            for who in ("initiator", "responder")]


@check("link")
def _link(case: Case) -> None:
    sides = _sides(case, case.hex("psk"), case.hex("init header"))
    equal(sides[0].write_first(), case.hex("message 1"))
    sides[1].read_first(case.hex("message 1"))
    equal(sides[1].write_second(), case.hex("message 2"))
    sides[0].read_second(case.hex("message 2"))
    equal(sides[0].write_third(), case.hex("message 3"))
    sides[1].read_third(case.hex("message 3"))
    for who, side in (("initiator", sides[1]), ("responder", sides[0])):
        equal(side.remote_key, case.hex(f"{who} public key"))
        equal(noise.node_id(side.remote_key), case.hex(f"{who} node id"))
    first, second = sides[1].state.split()
    equal(first, case.hex("initiator key"))
    equal(second, case.hex("responder key"))
    nonce = number_nonce(case.number("packet number"))
    for key, name in ((first, "initiator sealed phase 0"), (next_phase_key(first), "initiator sealed phase 1"),
                      (next_phase_key(next_phase_key(second)), "responder sealed phase 2")):
        equal(seal(key, nonce, case.hex("header"), case.hex("plaintext")), case.hex(name))


@check("datagrams")
def _datagrams(case: Case) -> None:
    header = init_header(case.hex("initiator cid"), case.hex("initiator node"))
    one, other = _sides(case, noise.OPEN_MESH_KEY, header)
    init = Init(case.hex("initiator cid"), case.hex("initiator node"), one.write_first())
    equal(init.encoded(), case.hex("init"))
    equal(Init.decode(case.hex("init")), init)
    equal(Retry(init.cid, case.hex("cookie")).encoded(), case.hex("retry"))
    equal(Init(init.cid, init.node, init.handshake, case.hex("cookie")).encoded(), case.hex("init with cookie"))
    other.read_first(init.handshake)
    resp = Resp(init.cid, case.hex("responder cid"), other.write_second())
    equal(resp.encoded(), case.hex("resp"))
    one.read_second(Resp.decode(case.hex("resp")).handshake)
    equal(third_datagram(resp.sender, one.write_third()), case.hex("message 3"))
    other.read_third(third_message(case.hex("message 3")))
    equal(noise.node_id(one.remote_key), case.hex("responder node"))
    equal(noise.node_id(other.remote_key), case.hex("initiator node"))
    equal(PacketSealer(other.state.split()[0], resp.sender, 1).seal(case.hex("frames"))[1], case.hex("data"))


@check("frames")
def _frames(case: Case) -> None:
    decoded = frames.decode_frames(case.hex("frame"))
    require(len(decoded) == 1, "one frame stands here")
    equal(decoded[0].encoded(), case.hex("frame"))


@check("beacon")
def _beacon(case: Case) -> None:
    tag = case.hex("tag")
    key = bytes.fromhex("178cb4c666b5f58cde31a1e3c28356b58c9a385af005815b77db0130a5475d39") if any(tag) else None
    made = Beacon(case.number("flags"), case.number("port"), case.hex("node"), case.number("interval"),
                  case.number("sequence"), int.from_bytes(case.hex("shelf")), case.number("depth"),
                  case.number("minutes"), tag)
    equal(made.encoded(case.hex("address"), key), case.hex("beacon"))
    if key is None:
        equal(Beacon.decode(case.hex("beacon"), case.hex("address")), made)


@check("envelope_name")
def _envelope_name(case: Case) -> None:
    envelope = Envelope(case.hex("first byte")[0] & 15, 0, case.hex("body"))
    equal(envelope.id, case.hex("name"))


@check("release")
def _release(case: Case) -> None:
    image = preimage(case.hex("message key"), case.hex("header nonce"))
    equal(image, case.hex("preimage"))
    equal(release_hash(image), case.hex("release hash"))
    envelope = Envelope(6, case.number("life"), image)
    equal(envelope.encoded(), case.hex("envelope"))
    equal(envelope.id, case.hex("envelope id"))


@check("identity")
def _identity(case: Case) -> None:
    public = Identity(case.hex("signing seed"), case.hex("agreement seed")).public
    equal((public.ed, public.x), (case.hex("signing key"), case.hex("agreement key")))
    equal(public.id, case.hex("peer id"))
    equal(public.fingerprint, case["fingerprint"])


@check("names")
def _names(case: Case) -> None:
    equal(name_is_good(case.hex("name")), case["verdict"] == "taken")
