"""A join of a room by code or invite (PROTOCOL §17.3), as the joiner and as the host make its messages."""

from __future__ import annotations

from dataclasses import dataclass

from .cpace import lv_cat, multiply, shared_key
from .encoding import Invalid, label, require
from .identity import PublicIdentity
from .padding import pad, unpad
from .primitives import H, decapsulate, hkdf, hmac, same, seal, unseal

ZERO_NONCE = bytes(12)


def channel(host: PublicIdentity) -> bytes:
    return label("earshot/v1/room") + b"\x01" + host.id


@dataclass(frozen=True)
class JoinKeys:
    """The keys and proofs of one run."""

    to_host: bytes
    to_joiner: bytes
    joiner_tag: bytes
    host_tag: bytes


def join_keys(session: bytes, secret: bytes, kem_secret: bytes, ya: bytes, ad_a: bytes, yb: bytes,
              ad_b: bytes) -> tuple[bytes, JoinKeys]:
    """Returns ISK and the keys of both sides."""
    isk = shared_key(session, secret, ya, ad_a, yb, ad_b)
    out = hkdf(session, isk + kem_secret, "earshot/v1/join", 96)
    mac = out[64:]
    return isk, JoinKeys(out[:32], out[32:64], hmac(mac, lv_cat(ya, ad_a)), hmac(mac, lv_cat(yb, ad_b)))


def run_id(first: bytes) -> bytes:
    return H("earshot/v1/join/run", first)[:16]


class JoinRun:
    """A run of the joiner."""

    def __init__(self, room: bytes, lobby: bytes, host: PublicIdentity, me: PublicIdentity,
                 scalar: int, kem_seed: bytes, element: bytes, kem_public: bytes) -> None:
        self.host, self.scalar, self.kem_seed = host, scalar, kem_seed
        self.session = room + lobby
        self.ya = multiply(scalar, element)
        self.ad_a = me.ed + me.x + kem_public
        self.first = b"\x01" + lobby + self.ya + self.ad_a
        self.run = run_id(self.first)
        self.keys: JoinKeys | None = None

    def second(self, message: bytes) -> None:
        """Takes J2: the host's credential must be that of the beacon, and Tb must fit."""
        require(len(message) == 1233 and message[:17] == b"\x02" + self.run, "no J2 of this run")
        yb, ad_b, tag = message[17:49], message[49:1201], message[1201:]
        require(ad_b[:64] == self.host.ed + self.host.x, "J2 is of another host")
        secret = multiply(self.scalar, yb)
        kem_secret = decapsulate(self.kem_seed, ad_b[64:])
        _, keys = join_keys(self.session, secret, kem_secret, self.ya, self.ad_a, yb, ad_b)
        require(same(tag, keys.host_tag), "Tb does not fit")
        self.keys = keys

    def third(self, bundle: bytes) -> bytes:
        """Writes J3: the body is padded so that header and body are a bucket from 2,048 on."""
        assert self.keys is not None
        size = next(bucket for bucket in (2048, 4096) if 4 + 1 + 16 + 32 + 16 + 2 + len(bundle) <= bucket)
        sealed = seal(self.keys.to_host, ZERO_NONCE, b"", pad(bundle, size - 4 - 1 - 16 - 32 - 16))
        return b"\x03" + self.run + self.keys.joiner_tag + sealed

    def decision(self, message: bytes) -> bytes:
        """Opens J4."""
        if self.keys is None or message[:17] != b"\x04" + self.run:
            raise Invalid("no J4 of this run")
        return unpad(unseal(self.keys.to_joiner, ZERO_NONCE, b"", message[17:]))
