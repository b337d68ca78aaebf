"""Known answers of groups."""

from __future__ import annotations

from pathlib import Path

from .group_log import GroupLog, Operation, header_key_hash
from .group_message import OVERHEAD, associated_data, open_body, open_header, seal_message
from .padding import item, pad
from .primitives import ed25519_public
from .sender_key import SenderKey, key_id
from .session_checks import People
from .vector_checks import equal
from .vectors import read_vectors


def check_log(folder: Path) -> None:
    """Applies the operations of `group_log.txt`."""
    cases = read_vectors(folder / "group_log.txt")
    log = GroupLog(ed25519_public(cases[0].hex("owner seed")))
    for case in cases:
        operation = Operation.decode(case.hex("operation"))
        log.apply(operation)
        equal((log.group, operation.hash), (case.hex("group"), case.hex("hash")))
        if "header key" in case:
            equal(operation.new_key_hash, header_key_hash(case.hex("header key")))
    people = People(folder)
    equal((log.owner, list(log.members)), (people.alice.public.id, [people.alice.public.id]))


def check_message(folder: Path) -> None:
    """Seals and opens the message of `group_message.txt`."""
    sender = People(folder).alice.public.id
    for case in read_vectors(folder / "group_message.txt"):
        group, epoch, ed = case.hex("group"), case.number("epoch"), case.hex("signing key")
        identifier = key_id(group, epoch, sender, ed)
        equal(identifier, case.hex("key id"))
        iteration = case.number("iteration")
        chain = SenderKey(group, epoch, identifier, ed, iteration, case.hex("chain key"), sender)
        message_key = chain.advance()
        ad = associated_data(group, epoch, case.hex("log hash"))
        content = case["content"].encode()
        message = seal_message(case.hex("header key"), identifier, epoch, iteration, message_key,
                               case.hex("signing seed"), ad, sender, case.hex("header nonce"),
                               pad(item(content), 256 - 4 - OVERHEAD))
        equal(message, case.hex("message"))
        equal(open_header(case.hex("header key"), message), (identifier, epoch, iteration))
        equal(open_body(message, message_key, ad, sender, ed), [content])
