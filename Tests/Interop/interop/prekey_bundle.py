"""Prekeys and signed prekey bundles (PROTOCOL §6.2)."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

from .encoding import Reader, require, u8, u16, u32
from .identity import Identity, PublicIdentity
from .names import name_is_good
from .primitives import KEM_KEY_SIZE, check_signature, kem_key_is_sound, kem_public, sign, x25519_public


@dataclass(frozen=True)
class PrekeyBundle:
    """A prekey bundle that was checked, with its bytes."""

    owner: PublicIdentity
    sequence: int
    spk: bytes
    kpk: bytes
    created: int
    not_after: int
    nickname: str
    data: bytes

    @staticmethod
    def decode(data: bytes) -> PrekeyBundle:
        """Refuses in the order of §6.2."""
        reader = Reader(data)
        require(reader.u8() == 1, "a bundle of another version")
        owner = PublicIdentity(reader.take(32), reader.take(32))
        sequence, spk, kpk = reader.u32(), reader.take(32), reader.take(KEM_KEY_SIZE)
        created, not_after = reader.u32(), reader.u32()
        extension = reader.take(reader.u16())
        nickname, signature = reader.take(reader.u8()), reader.take(64)
        reader.end()
        _check_extension(extension)
        require(kem_key_is_sound(kpk), "a KEM key breaks the rule")
        require(created < not_after <= created + 168, "a bundle lasts too long")
        check_signature(owner.ed, "earshot/v1/bundle", data[:-64], signature)
        require(nickname == b"" or name_is_good(nickname), "a bad nickname")
        return PrekeyBundle(owner, sequence, spk, kpk, created, not_after, nickname.decode(), data)

    def usable(self, hour: int) -> bool:
        return self.created - 24 <= hour <= self.not_after + 24


def _check_extension(extension: bytes) -> None:
    require(len(extension) <= 256, "an extension is too long")
    reader, last = Reader(extension), -1
    while reader.left:
        kind = reader.u8()
        require(kind > last, "an extension is out of order")
        reader.take(reader.u8())
        last = kind


@dataclass(frozen=True)
class Prekey:
    """The secrets of a prekey bundle, and the prekey bundle."""

    spk_seed: bytes
    kpk_seed: bytes
    bundle: PrekeyBundle

    @staticmethod
    def new(identity: Identity, nickname: str, extension: bytes = b"") -> Prekey:
        hour = int(time.time()) // 3600
        return Prekey.made(identity, nickname, hour, hour, secrets.token_bytes(32), secrets.token_bytes(64), extension)

    @staticmethod
    def made(identity: Identity, nickname: str, sequence: int, hour: int, spk_seed: bytes, kpk_seed: bytes,
             extension: bytes = b"") -> Prekey:
        name = nickname.encode()
        clear = (b"\x01" + identity.public.ed + identity.public.x + u32(sequence) + x25519_public(spk_seed)
                 + kem_public(kpk_seed) + u32(hour) + u32(hour + 168) + u16(len(extension)) + extension
                 + u8(len(name)) + name)
        data = clear + sign(identity.ed_seed, "earshot/v1/bundle", clear)
        return Prekey(spk_seed, kpk_seed, PrekeyBundle.decode(data))
