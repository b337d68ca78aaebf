"""The prekey message: X25519 with ML-KEM-768 in the shape of Noise XK (PROTOCOL §7)."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

from .prekey_bundle import PrekeyBundle, Prekey
from .encoding import label, require, u32
from .identity import Identity, PublicIdentity
from .noise import SymmetricState
from .primitives import H, decapsulate, dh, encapsulate, hkdf, x25519_public

NAME = "Earshot_PK1_25519+MLKEM768_AESGCM_SHA256"
SIZE = 1257


@dataclass(frozen=True)
class SessionKeys:
    """The keys that both sides of a session begin with."""

    ad: bytes
    session: bytes
    root: bytes
    initiator_header: bytes
    responder_next_header: bytes
    epoch_secret: bytes
    reserved: bytes
    chaining: bytes


def _keys(state: SymmetricState) -> SessionKeys:
    out = hkdf(state.h, state.ck, "earshot/v1/pk/split", 160)
    parts = [out[at:at + 32] for at in range(0, 160, 32)]
    return SessionKeys(state.h, H("earshot/v1/sid", state.h), *parts, state.ck)


def _begin(recipient: PublicIdentity) -> SymmetricState:
    state = SymmetricState(NAME)
    state.mix_hash(label("earshot/v1/pk") + recipient.id)
    state.mix_hash(recipient.x)
    return state


def write_prekey_message(sender: Identity, bundle: PrekeyBundle, now: int | None = None, seed: bytes | None = None,
                 capsule: tuple[bytes, bytes] | None = None) -> tuple[bytes, SessionKeys]:
    """Writes a prekey message; a test may give what is random otherwise."""
    seed = seed or secrets.token_bytes(32)
    ciphertext, secret = capsule or encapsulate(bundle.kpk)
    state, e = _begin(bundle.owner), x25519_public(seed)
    state.mix_hash(e)
    state.mix_key(dh(seed, bundle.owner.x))
    c1 = state.encrypt_and_hash(u32(bundle.sequence))
    state.mix_hash(bundle.data)
    state.mix_key(dh(seed, bundle.spk))
    c2 = state.encrypt_and_hash(ciphertext)
    state.mix_key(secret)
    c3 = state.encrypt_and_hash(sender.public.x)
    state.mix_key(dh(sender.x_seed, bundle.spk))
    c4 = state.encrypt_and_hash(sender.public.ed + u32(int(time.time()) if now is None else now) + b"\0")
    return e + c1 + c2 + c3 + c4, _keys(state)


@dataclass(frozen=True)
class OpenedPrekeyMessage:
    """A prekey message that opened."""

    sender: PublicIdentity
    time: int
    prekey: Prekey
    keys: SessionKeys


def open_prekey_message(recipient: Identity, prekeys: dict[int, Prekey], message: bytes) -> OpenedPrekeyMessage:
    """Opens a prekey message for one of the own prekeys, or raises `Invalid`."""
    require(len(message) == SIZE, "a prekey message has a wrong length")
    e, c1, c2, c3, c4 = message[:32], message[32:52], message[52:1156], message[1156:1204], message[1204:]
    state = _begin(recipient.public)
    state.mix_hash(e)
    state.mix_key(dh(recipient.x_seed, e))
    sequence = int.from_bytes(state.decrypt_and_hash(c1), "big")
    require(sequence in prekeys, "an unknown prekey")
    prekey = prekeys[sequence]
    state.mix_hash(prekey.bundle.data)
    state.mix_key(dh(prekey.spk_seed, e))
    state.mix_key(decapsulate(prekey.kpk_seed, state.decrypt_and_hash(c2)))
    x = state.decrypt_and_hash(c3)
    state.mix_key(dh(prekey.spk_seed, x))
    last = state.decrypt_and_hash(c4)
    sender = PublicIdentity(last[:32], x)
    require(last[36:] == b"\0" and sender.id != recipient.public.id, "a prekey message is malformed")
    return OpenedPrekeyMessage(sender, int.from_bytes(last[32:36], "big"), prekey, _keys(state))
