"""Known answers of groups and of mailboxes."""

from __future__ import annotations

from .encoding import u8, u16, u32
from .envelope import SEALED, Envelope
from .group import Welcome
from .group_log import GroupLog
from .group_message import (NOTICE_OVERHEAD, OVERHEAD, Chain, Epoch, Header, associated_data, contents_of, open_body,
                            open_header, open_signed, seal_message, seal_notice)
from .group_operation import LABEL, Add, Operation, changes_secrets, group_id
from .group_state import LABEL as TABLE_LABEL
from .group_state import State
from .group_tree import OwnerTree, check_of, next_secret, unwrap, up, wrap, wrap_key
from .mailbox import day_keys, group_keys, mail_proof, pad_piece, seal_mail
from .padding import bucket_for_all, item, pad
from .primitives import H, ed25519_public, hkdf, hmac, sign
from .vector_checks import check, equal
from .vectors import Case

SIZES = (256, 512, 1024)
DAY = 86_400


@check("group_node")
def _node(case: Case) -> None:
    secret, salt, ad = case.hex("secret"), case.hex("salt"), case.hex("associated data")
    equal((next_secret(secret), up(secret), check_of(secret)), (case.hex("next"), case.hex("up"), case.hex("check")))
    equal(wrap_key(secret, salt), (case.hex("wrap key"), case.hex("wrap nonce")))
    parent = case.number("parent level"), case.number("parent index")
    equal(wrap(secret, salt, ad, parent, case.hex("parent secret")), case.hex("wrap"))
    equal(unwrap(secret, salt, ad, parent, case.hex("wrap")), case.hex("parent secret"))


class _History:
    """The log and the tree of the file's group, whose cases follow each other."""

    log: GroupLog | None = None
    tree = OwnerTree()


def _table_root(state: State) -> bytes:
    level = [bytes(32)] * (1 << state.depth)
    for slot, member in state.members.items():
        level[slot] = H(TABLE_LABEL, b"\x00" + member.entry(slot))
    while len(level) > 1:
        level = [H(TABLE_LABEL, b"\x01" + level[at] + level[at + 1]) for at in range(0, len(level), 2)]
    return level[0]


@check("group_log")
def _log(case: Case) -> None:
    seed, data = case.hex("owner seed"), case.hex("operation")
    if _History.log is None:
        _History.log = GroupLog(ed25519_public(seed))
    log, tree, operation = _History.log, _History.tree, Operation.decode(data)
    equal((log.group, operation.hash), (case.hex("group"), case.hex("hash")))
    equal(sign(seed, LABEL, data[:-64]), data[-64:])

    before = associated_data(log.group, log.epoch, log.hash)
    prepared = log.prepare(operation)
    log.take(prepared)
    equal(_table_root(log.state), case.hex("table root"))
    rest = bytearray(case.hex("random"))

    def drawn(count: int) -> bytes:
        value = bytes(rest[:count])
        del rest[:count]
        return value

    tree.draw = drawn
    added = [edit.slot for edit in operation.edits if isinstance(edit, Add)]
    part, _ = tree.perform(log.state, added, prepared.renewed, prepared.steps, changes_secrets(operation.edits), before)
    equal((bytes(rest), part), (b"", operation.tree))
    nodes = b"".join(u8(level) + u16(index) + one.secret for (level, index), one in sorted(tree.nodes.items()))
    equal(nodes, case.hex("nodes"))

    epoch = Epoch(log.group, log.epoch, log.hash, tree.root, log.state.depth, None)
    equal((epoch.header_key, epoch.notice_key), (case.hex("header key"), case.hex("notice key")))
    equal(epoch.nodes[log.state.depth, 0], case.hex("chain root"))
    chains = b"".join(u16(slot) + u8(device) + epoch.runs_of(slot, device).find(0).key
                      for slot in sorted(log.state.members) for device in (0, 4))
    equal(chains, case.hex("chain keys"))


@check("group_message")
def _message(case: Case) -> None:
    key, message, nonce = case.hex("header key"), case.hex("message"), case.hex("header nonce")
    ad = associated_data(case.hex("group"), case.number("epoch"), case.hex("log hash"))
    content = case["content"].encode()
    items, is_notice = item(content), "notice key" in case
    overhead = (NOTICE_OVERHEAD if is_notice else OVERHEAD) + 4
    padded = pad(items, bucket_for_all(overhead, [len(items)], SIZES) - overhead)
    equal(Envelope.new(SEALED, 60, message).id, case.hex("envelope name"))
    if is_notice:
        notice_key = case.hex("notice key")
        equal(seal_notice(key, case.number("epoch"), notice_key, ad, nonce, padded), message)
        equal(contents_of(open_body(message, notice_key, ad)), [content])
        return
    header = Header(case.number("slot"), case.number("device"), case.number("epoch"), case.number("iteration"),
                    case.number("run"))
    seed, sender = case.hex("signing seed"), case.hex("sender")
    message_key = Chain(case.hex("chain key")).look_up(header.iteration)
    equal((open_header(key, message), message_key), (header, case.hex("message key")))
    equal(seal_message(key, header, message_key, seed, ad, sender, nonce, padded), message)
    equal(contents_of(open_signed(message, message_key, ad, sender, ed25519_public(seed))), [content])


@check("group_welcome")
def _welcome(case: Case) -> None:
    data, founding = case.hex("welcome"), case.hex("founding key")
    welcome = Welcome.decode(data)
    equal((group_id(founding), welcome.first_key), (case.hex("group"), founding))
    equal((welcome.epoch, welcome.slot, welcome.remaining), (case.number("epoch"), case.number("slot"), 3_600))
    equal((b"".join(welcome.path), [one.data for one in welcome.bundles]), (case.hex("path"), [case.hex("bundle")]))
    log = GroupLog.from_checkpoint(case.hex("checkpoint"), founding)
    equal((log.epoch, log.checkpoint()), (welcome.epoch, case.hex("checkpoint")))
    if welcome.digest is None:
        equal(welcome.checkpoint, case.hex("checkpoint"))
    equal(welcome.encoded(), data)


@check("mailbox_mail")
def _mailbox_mail(case: Case) -> None:
    proof = case.hex("proof") or None
    if case["of"] == "group":
        tag, key = group_keys(case.hex("group"), case.hex("key"), case.number("day"))
    else:
        tag, key = day_keys(case.hex("key"))
    equal((tag, key), (case.hex("tag"), case.hex("mail key")))
    kind, body = case.number("kind"), case.hex("body")
    equal(seal_mail(tag, key, kind, pad_piece(body) if kind == 3 else body, proof), case.hex("mail"))
    if proof:
        equal(mail_proof(proof, key), case.hex("mail proof"))


@check("mailbox")
def _mailbox(case: Case) -> None:
    both = hkdf(case.hex("initiator") + case.hex("responder"), case.hex("secret"), "earshot/v1/far", 64)
    key = both[:32] if case["direction"] == "ab" else both[32:]
    for _ in range(case.number("day") - case.number("time") // DAY):
        key = hmac(key, b"\x02")
    equal((key, hmac(key, b"\x01")[:16]), (case.hex("key"), case.hex("tag")))
