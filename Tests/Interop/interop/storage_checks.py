"""Known answers of what lies on the disk (PROTOCOL §11), of Noise's own vectors, and of a request for history."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path

from .encoding import Reader, label, require, u8, u32, u64
from .identity import Identity
from .noise import SymmetricState
from .primitives import argon2id, dh, hkdf, hmac, number_nonce, same, seal, unseal, x25519_public
from .vector_checks import check, equal, refuses
from .vectors import Case, read_vectors
from .wire import field, present

PASSES, KIBIBYTES = range(3, 17), range(65_536, 1_048_577)
PIECE, VAULT_SIZE, BLOCK = 65_536, 125, 64


@functools.cache
def _stretched(passphrase: bytes, head: bytes, name: str) -> tuple[bytes, bytes]:
    """Returns key and commitment for a head of magic 8, algorithm, passes, memory and salt."""
    reader = Reader(head)
    reader.take(8)
    algorithm, passes, kibibytes, salt = reader.u8(), reader.u32(), reader.u32(), reader.take(16)
    reader.end()
    require(algorithm == 1 and passes in PASSES and kibibytes in KIBIBYTES, "a vault beyond its limits")
    out = hkdf(salt, argon2id(passphrase, salt, passes, kibibytes), name, 64)
    return out[:32], out[32:]


def _head(magic: bytes, case: Case, salt: bytes) -> bytes:
    return magic + u8(1) + u32(case.number("iterations")) + u32(case.number("kibibytes")) + salt


def _open_vault(data: bytes, passphrase: bytes) -> bytes:
    """Returns the master key."""
    require(len(data) == VAULT_SIZE and data[:8] == b"EARSHOTV", "no vault")
    key, commitment = _stretched(passphrase, data[:33], "earshot/v1/vault")
    require(same(commitment, data[45:77]), "another passphrase")
    return unseal(key, data[33:45], data[:77], data[77:])


def _write_vault(case: Case, nonce: bytes) -> bytes:
    head = _head(b"EARSHOTV", case, case.hex("salt"))
    key, commitment = _stretched(case.hex("passphrase"), head, "earshot/v1/vault")
    clear = head + nonce + commitment
    return clear + seal(key, nonce, clear, case.hex("master key"))


@check("vault")
def _vault(case: Case) -> None:
    equal(_write_vault(case, case.hex("nonce")), case.hex("vault"))
    equal(_open_vault(case.hex("vault"), case.hex("passphrase")), case.hex("master key"))
    refuses(lambda: _open_vault(case.hex("vault"), b"another"))
    equal(b"EARSHOTK" + case.hex("master key"), case.hex("key file"))


@check("export")
def _export(case: Case) -> None:
    lines = case.hex("lines") if "lines" in case else bytes(at % 256 for at in range(case.number("plain size")))
    equal(len(lines), case.number("plain size"))
    head = _head(b"EARSHOTX", case, case.hex("salt"))
    key, commitment = _stretched(case.hex("passphrase"), head, "earshot/v1/export")
    head += commitment
    equal(head, case.hex("header"))
    pieces = [lines[at:at + PIECE] for at in range(0, max(len(lines), 1), PIECE)]
    data = head + b"".join(seal(key, bytes(7) + u32(index) + u8(index == len(pieces) - 1), head, piece)
                           for index, piece in enumerate(pieces))
    equal(hashlib.sha256(data).hexdigest(), case["sha256"])
    if "export" in case:
        equal(data, case.hex("export"))


@dataclass(frozen=True)
class _Keys:
    """The keys of a data directory, by the master key and the id of the database."""

    database: bytes
    master: bytes

    def key(self, name: str) -> bytes:
        return hkdf(self.database, self.master, f"earshot/v1/db/{name}", 32)

    def mark(self, row: bytes) -> bytes:
        return hashlib.blake2b(row, key=self.key("sums"), digest_size=32).digest()

    def row(self, table: int, name: bytes) -> bytes:
        return hmac(self.key("names"), u8(table) + name)[:16]


@check("storage_keys")
def _storage_keys(case: Case) -> None:
    keys = _Keys(case.hex("database"), case.hex("master key"))
    for name in ("identity", "sessions", "deks", "names"):
        equal(keys.key(name), case.hex(name))
    for name in ("sum", "anchor"):
        code = keys.mark(case.hex("record")) if name == "sum" else hmac(keys.key(name), case.hex("record"))
        equal(code, case.hex(f"{name} code"))
    equal(keys.row(case.number("table"), case.hex("name")), case.hex("row"))
    ad = keys.database + case.hex("conversation") + u32(case.number("generation"))
    nonce, key = case.hex("nonce"), case.hex("conversation key")
    equal(nonce + seal(keys.key("deks"), nonce, ad, key), case.hex("wrapped"))
    nonce = case.hex("record nonce")
    equal(nonce + seal(key, nonce, case.hex("associated data"), case.hex("record")), case.hex("sealed"))


def check_rows(folder: Path) -> None:
    """Checks sealed rows with their marks, and the sum over them."""
    (case,) = read_vectors(folder / "storage_keys.txt")
    keys, key = _Keys(case.hex("database"), case.hex("master key")), case.hex("conversation key")
    _, bob = read_vectors(folder / "identity.txt")
    conversation = keys.row(9, bob.hex("peer id"))
    total = bytes(32)
    for count, case in enumerate(read_vectors(folder / "row.txt"), 1):
        row, record = keys.row(8, case.hex("name")), case.hex("record") + b"\x80"
        equal((row, conversation), (case.hex("row"), case.hex("conversation")))
        padded = record.ljust(-(-len(record) // BLOCK) * BLOCK, b"\0")
        place = (u8(8) + row + conversation + u64(case.number("sequence")) + u32(case.number("version")))
        ad = label("earshot/v1/rec") + keys.database + place
        equal((padded, ad), (case.hex("padded"), case.hex("associated data")))
        sealed = case.hex("nonce") + seal(key, case.hex("nonce"), ad, padded)
        equal(sealed, case.hex("sealed"))
        mark = keys.mark(place + sealed[-16:])
        total = bytes(one ^ other for one, other in zip(total, mark))
        equal((mark, u64(count) + total), (case.hex("mark"), case.hex("sum")))


def check_backup(folder: Path) -> None:
    """Writes the backup of the file, and opens it."""
    (case,) = read_vectors(folder / "backup.txt")
    alice, _ = read_vectors(folder / "identity.txt")
    identity = Identity(alice.hex("signing seed"), alice.hex("agreement seed"))
    vault, nonce, name = _write_vault(case, case.hex("vault nonce")), case.hex("nonce"), case["nickname"].encode()
    plain = b"\1\1" + identity.ed_seed + identity.x_seed + u8(len(name)) + name
    ad = label("earshot/v1/backup") + vault
    data = vault + nonce + seal(case.hex("master key"), nonce, ad, plain)
    equal(data, case.hex("backup"))
    master = _open_vault(data[:VAULT_SIZE], case.hex("passphrase"))
    equal(unseal(master, data[VAULT_SIZE:VAULT_SIZE + 12], ad, data[VAULT_SIZE + 12:]), plain)


@check("history_request")
def _history_request(case: Case) -> None:
    cursor = field(1, 2**64 - 1)
    equal(field(6, case.hex("group")) + present(90, cursor), case.hex("note"))


def _exchange(case: Case, patterns: list[list[str]], statics: dict[str, bytes]) -> None:
    """Runs a handshake of Noise from both sides at once, since both keep the same hash and chaining key."""
    seeds = {"e initiator": case.hex("initiator ephemeral"), "e responder": case.hex("responder ephemeral"),
             **{f"s {who}": seed for who, seed in statics.items()}}
    state = SymmetricState(case["case"])
    state.mix_hash(case.hex("prologue"))
    if "responder" in statics:
        state.mix_hash(x25519_public(statics["responder"]))
    for number, tokens in enumerate(patterns, 1):
        writer, message = ("responder", "initiator")[number % 2], b""
        for token in tokens:
            if token == "e":
                public = x25519_public(seeds[f"e {writer}"])
                message += public
                state.mix_hash(public)
            elif token == "s":
                message += state.encrypt_and_hash(x25519_public(seeds[f"s {writer}"]))
            else:
                mine, theirs = seeds[f"{token[0]} initiator"], seeds[f"{token[1]} responder"]
                state.mix_key(dh(mine, x25519_public(theirs)))
        message += state.encrypt_and_hash(case.hex(f"payload {number}"))
        equal(message, case.hex(f"message {number}"))
    equal(state.h, case.hex("handshake hash"))
    keys = dict(zip(("initiator", "responder"), state.split()))
    counts = dict.fromkeys(keys, 0)
    for number in range(len(patterns) + 1, 7):
        writer = ("responder", "initiator")[number % 2]
        sealed = seal(keys[writer], number_nonce(counts[writer]), b"", case.hex(f"payload {number}"))
        counts[writer] += 1
        equal(sealed, case.hex(f"message {number}"))


@check("noise_nn")
def _noise_nn(case: Case) -> None:
    _exchange(case, [["e"], ["e", "ee"]], {})


@check("noise_xk")
def _noise_xk(case: Case) -> None:
    _exchange(case, [["e", "es"], ["e", "ee"], ["s", "se"]],
              {who: case.hex(f"{who} static") for who in ("initiator", "responder")})
