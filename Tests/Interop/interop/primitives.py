"""The primitives of PROTOCOL §1: hashes, HKDF, AES-256-GCM, X25519, Ed25519 and ML-KEM-768."""

from __future__ import annotations

import hashlib
import hmac as _hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey, MLKEM768PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .edwards import signature_holds
from .encoding import Invalid, label, require

KEM_SEED_SIZE, KEM_KEY_SIZE, KEM_CIPHERTEXT_SIZE = 64, 1184, 1088


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def H(name: str, data: bytes) -> bytes:
    """Hashes under a label: SHA-256(L(label) ‖ data)."""
    return sha256(label(name) + data)


def hmac(key: bytes, data: bytes) -> bytes:
    return _hmac.new(key, data, hashlib.sha256).digest()


def hkdf(salt: bytes, ikm: bytes, info: str | bytes, count: int) -> bytes:
    """Derives `count` bytes; a label as info stands without its length."""
    text = info.encode("ascii") if isinstance(info, str) else info
    return HKDF(algorithm=hashes.SHA256(), length=count, salt=salt, info=text).derive(ikm)


def same(one: bytes, other: bytes) -> bool:
    """Compares secrets in constant time."""
    return _hmac.compare_digest(one, other)


def seal(key: bytes, nonce: bytes, ad: bytes, plaintext: bytes) -> bytes:
    return AESGCM(key).encrypt(nonce, plaintext, ad)


def unseal(key: bytes, nonce: bytes, ad: bytes, sealed: bytes) -> bytes:
    """Opens what `seal` made, or raises `Invalid`."""
    try:
        return AESGCM(key).decrypt(nonce, sealed, ad)
    except InvalidTag as error:
        raise Invalid("a seal does not open") from error


def number_nonce(number: int) -> bytes:
    """Returns the nonce of a counter: 4 zero bytes ‖ u64."""
    return bytes(4) + number.to_bytes(8, "big")


def x25519_public(seed: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def dh(seed: bytes, point: bytes) -> bytes:
    """Multiplies, and refuses a result of zero."""
    try:
        return X25519PrivateKey.from_private_bytes(seed).exchange(X25519PublicKey.from_public_bytes(point))
    except ValueError as error:
        raise Invalid("a DH gives zero") from error


def ed25519_public(seed: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def sign(seed: bytes, name: str, data: bytes) -> bytes:
    """Signs L(label) ‖ data."""
    return Ed25519PrivateKey.from_private_bytes(seed).sign(label(name) + data)


def check_signature(key: bytes, name: str, data: bytes, signature: bytes) -> None:
    """Refuses a signature that breaks a condition of §1."""
    require(signature_holds(key, label(name) + data, signature), f"the signature {name} does not hold")


def kem_public(seed: bytes) -> bytes:
    require(len(seed) == KEM_SEED_SIZE, "a KEM seed has a wrong length")
    return MLKEM768PrivateKey.from_seed_bytes(seed).public_key().public_bytes_raw()


def kem_key_is_sound(key: bytes) -> bool:
    """Checks the length and that each of the 768 numbers of 12 bits is below 3,329 (§6.2)."""
    if len(key) != KEM_KEY_SIZE:
        return False
    for place in range(0, 1152, 3):
        three = int.from_bytes(key[place:place + 3], "little")
        if three & 0xFFF >= 3329 or three >> 12 >= 3329:
            return False
    return True


def encapsulate(key: bytes) -> tuple[bytes, bytes]:
    """Returns (ciphertext, secret)."""
    require(kem_key_is_sound(key), "a KEM key breaks the rule of §6.2")
    secret, ciphertext = MLKEM768PublicKey.from_public_bytes(key).encapsulate()
    return ciphertext, secret


def decapsulate(seed: bytes, ciphertext: bytes) -> bytes:
    require(len(seed) == KEM_SEED_SIZE, "a KEM seed has a wrong length")
    require(len(ciphertext) == KEM_CIPHERTEXT_SIZE, "a KEM ciphertext has a wrong length")
    return MLKEM768PrivateKey.from_seed_bytes(seed).decapsulate(ciphertext)


def argon2id(passphrase: bytes, salt: bytes, passes: int, kibibytes: int, count: int = 32) -> bytes:
    return Argon2id(salt=salt, length=count, iterations=passes, lanes=1, memory_cost=kibibytes).derive(passphrase)
