"""Talks with a running node in packs, receipts that name them, and releases with several places (PROTOCOL §2, §8)."""

from __future__ import annotations

from .chat import Chat, Opened
from .content import RECEIPT, TEXT, Content, message_id, text_content
from .envelope import BUCKETS, PREKEY, RELEASE, SEALED, released_hashes
from .mail_scenarios import befriend, say
from .membership import Membership
from .mesh import Mesh
from .node import Node, request_line
from .padding import PACK_BUCKETS, item
from .ratchet import OVERHEAD
from .scenarios import Stage, status_of
from .wire import field, present

MANY, CLIENTS, FEW_ENVELOPES, TURNS = 200, 40, 40, 20


def _shown(node: Node, chat: Chat) -> list[str]:
    return [one["text"] for one in node.call("history", conversation=chat.id.hex(), limit=900)]


def _statuses(node: Node, chat: Chat) -> list[str]:
    return [one["status"] for one in node.call("history", conversation=chat.id.hex(), limit=900)]


def _named(chat: Chat) -> tuple[list[bytes], list[bytes]]:
    """Returns the ids and the packs that all receipts so far have named."""
    return ([one for receipt in chat.receipts for one in receipt.delivered],
            [one for receipt in chat.receipts for one in receipt.packs])


def packs_out(stage: Stage) -> str:
    """Sends packs: 200 texts, a malformed content, known texts, uneven texts, and a receipt before a text."""
    node, chat, peer = stage.acquainted("Alice", "Olga")
    befriend(stage, node, chat)
    before = len(chat.packs)
    words = [f"short {number}" for number in range(MANY)]
    identifiers = [chat.write(peer, text) for text in words]
    stage.until(lambda: set(identifiers) <= chat.delivered, "the receipt of the pack")
    assert len(chat.packs) == before + 1, "the texts went in several envelopes"
    assert [text for text in _shown(node, chat) if text in words] == words, "another order"
    pack = list(chat.packs)[-1][1]
    delivered, packs = _named(chat)
    assert packs == [pack] and not set(identifiers) & set(delivered), "the receipt does not name the pack alone"
    stage.until(lambda: pack in chat.released, "the release of the pack")

    good = [chat.text(peer, text) for text in ("sound, too", "and the last")]
    broken = chat.send_content(peer, good[0][0], field(1, 1) + field(3, 0) + present(TEXT, field(1, b"no order")),
                               good[1][0])
    stage.until(lambda: {one for _, one in good} <= chat.delivered, "the receipt of the others")
    delivered, packs = _named(chat)
    assert broken not in packs and {one for _, one in good} <= set(delivered), "a pack with a dropped content is named"

    again = chat.send_content(peer, good[0][0], good[1][0])
    stage.until(lambda: again in _named(chat)[1], "the receipt of known texts in another pack")
    shown = _shown(node, chat)
    assert shown.count("sound, too") == 1 and "no order" not in shown and shown[-2:] == ["sound, too", "and the last"]

    stands = [text_content(f"as it stands {number}", 1) for number in range(5)]
    last = message_id(chat.id, node.id, stands[-1])
    chat.send_content(peer, *stands)
    stage.until(lambda: last in chat.delivered, "the receipt of texts with one and the same order")
    assert _shown(node, chat)[-5:] == [f"as it stands {number}" for number in range(5)], "not the order of the pack"

    uneven = [chat.text(peer, text) for text in ("x" * 850, "and a short one")]
    chat.send_content(peer, *(content for content, _ in uneven))
    stage.until(lambda: {one for _, one in uneven} <= chat.delivered, "the receipt of an uneven pack")
    assert chat.sealed[-1].size == 2048, "not the exception of rule 13"

    sent = node.call("send", to=chat.id.hex(), text="a question")["message"]
    chat.holding = True
    stage.until(lambda: any(one.text == "a question" for one in chat.texts), "the question")
    answer = chat.write(peer, "an answer")
    chat.holding = False
    stage.until(lambda: answer in chat.delivered, "the receipt of a pack with a receipt")
    stage.until(lambda: status_of(node, chat, sent) == "delivered", "the receipt inside the pack")
    assert [Content.decode(one).kind for one in chat.sealed[-1].contents] == [RECEIPT, TEXT]
    for one in chat.sealed:
        _check_size(one)
    return f"{MANY} texts in one envelope, named as a pack; one by one beside a malformed one; a receipt beside a text"


def _check_size(opened: Opened, signature: int = 0) -> None:
    """Compares the size of a message with rule 13 of §8, written down once more."""
    overhead = 4 + (1257 if opened.kind == PREKEY else 0) + OVERHEAD + 2 + signature
    allowed = BUCKETS[3:] if opened.kind == PREKEY else BUCKETS

    def fit(size: int, buckets: tuple[int, ...]) -> int:
        return min(one for one in buckets if one >= overhead + size)

    sizes = [len(item(content)) for content in opened.contents]
    wanted = fit(sum(sizes), allowed)
    if len(sizes) > 1:
        coarse = fit(sum(sizes), tuple({256, 1024, 4096, 16384} & set(allowed)))
        wanted = coarse if coarse <= 2 * sum(fit(one, allowed) for one in sizes) else wanted
    assert opened.size == wanted, f"{len(sizes)} contents of {sum(sizes)} bytes took {opened.size}, not {wanted}"


def pack_first(stage: Stage) -> str:
    """Sends a pack behind a prekey message as an unknown peer, and is accepted after it."""
    node, chat, peer = stage.acquainted("Alice", "Quin")
    words = [f"first {number}" for number in range(9)]
    identifiers = [chat.write(peer, text) for text in words]
    stage.until(lambda: _shown(node, chat) == words, "the request with all texts")
    (sealed,) = chat.sealed
    assert sealed.kind == PREKEY and not chat.delivered and sealed.hash not in chat.released
    _check_size(sealed)
    node.call("trust", peer=chat.id.hex(), action="accept")
    stage.until(lambda: set(identifiers) <= chat.delivered and sealed.hash in chat.released, "receipt and release")
    named, packs = _named(chat)
    assert sorted(named) == sorted(identifiers) and not packs, "the receipt does not name each message of a request"
    return f"a request of {len(words)} texts in one envelope of {sealed.size} bytes, released and named one by one"


def packs_in(stage: Stage) -> str:
    """Lets 40 clients of the node send 5 texts each at once, and confirms all by one receipt that names packs."""
    node, chat, _ = stage.acquainted("Alice", "Pia")
    befriend(stage, node, chat)
    chat.opened.clear()
    chat.holding = True
    words = [f"text {number}" + "." * (number % 7 * 40) for number in range(MANY)]
    clients = [node.client() for _ in range(CLIENTS)]
    for number, text in enumerate(words):
        clients[number % CLIENTS].sendall(request_line(number, "send", to=chat.id.hex(), text=text))
    stage.until(lambda: len(chat.texts) == MANY + 1, "all texts", 20)
    for client in clients:
        client.close()
    assert sorted(one.text for one in chat.texts[1:]) == sorted(words), "other texts"
    assert [one.text for one in chat.texts] == _shown(node, chat), "another order than at the node"
    envelopes = [one for one in chat.opened if Content.decode(one.contents[-1]).kind == TEXT]
    assert len(envelopes) <= FEW_ENVELOPES, f"{MANY} texts came in {len(envelopes)} envelopes"
    assert max(len(one.contents) for one in envelopes) > 1
    for one in chat.opened:
        _check_size(one)
        kinds = [Content.decode(content).kind for content in one.contents]
        assert kinds == sorted(kinds, key=lambda kind: kind != RECEIPT), "a receipt is behind a text"
    owed = chat.owed[node.id]
    assert len(owed.packs) > 0 and len(owed.packs) + len(owed.delivered) == len(envelopes)
    before, packs = len(chat.packs), len(owed.packs)
    chat.holding = False
    stage.until(lambda: _statuses(node, chat) == ["delivered"] * (MANY + 1), "the status delivered of all")
    assert len(chat.packs) == before + 1, "more than one receipt"

    for turn in range(TURNS):
        if any(len(one.contents) > 1 and one.size not in PACK_BUCKETS for one in chat.opened):
            break
        clients, count = [node.client() for _ in range(3)], len(chat.texts)
        for client in clients:
            client.sendall(request_line(1, "send", to=chat.id.hex(), text="y" * 330))
        stage.until(lambda: len(chat.texts) == count + 3, "three longer texts")
        for client in clients:
            client.close()
    else:
        raise AssertionError(f"no pack with the exception of rule 13 in {TURNS} turns")
    for one in chat.opened:
        _check_size(one)
    return f"{MANY} texts in {len(envelopes)} envelopes of the right sizes, in order; one receipt named {packs} packs"


def group_packs(stage: Stage) -> str:
    """Talks in packs in a group that the node owns."""
    node, chat, _ = stage.acquainted("Alice", "Sven")
    befriend(stage, node, chat)
    member = Membership(chat, room=False)
    made = node.call("group.create", title="Trees", members=[chat.id.hex()])
    stage.until(lambda: member.group is not None, "the welcome")
    clients = [node.client() for _ in range(CLIENTS)]
    for number, client in enumerate(clients):
        client.sendall(request_line(number, "send", to=made["id"], text=f"leaf {number}"))
    stage.until(lambda: len(member.texts) == CLIENTS, "all texts of the group")
    for client in clients:
        client.close()
    assert len(member.opened) <= FEW_ENVELOPES // 2, f"{CLIENTS} texts came in {len(member.opened)} envelopes"
    for size, contents in member.opened:
        _check_size(Opened(SEALED, size, b"", contents), 64)
    shown = [one for one in node.call("history", conversation=made["id"]) if one["kind"] == "text"]
    assert [one["id"] for one in shown] == [one.id.hex() for one in member.texts], "another order"
    for one in (member.texts[0], member.texts[-1]):
        stage.until(lambda: [to["status"] for to in node.call("deliveries", message=one.id.hex())] == ["delivered"],
                    "the status delivered")
    chat.receipts.clear()
    words = [f"root {number}" for number in range(9)]
    identifiers = member.send_all(words)
    stage.until(lambda: set(identifiers) <= chat.delivered, "the receipt of the own pack")
    assert not set(identifiers) & set(_named(chat)[0]), "the receipt does not name the pack"
    assert [one["text"] for one in node.call("history", conversation=made["id"], limit=9)] == words
    return f"{CLIENTS} texts in {len(member.opened)} envelopes, {len(words)} of the own in one, each pack named"


def _sealed(mesh: Mesh) -> set[bytes]:
    return {one.body[:16] for one in mesh.inbox if one.kind == SEALED}


def releases_together(stage: Stage) -> str:
    """Has five lone messages of one moment released by the node, and releases five of the node in one envelope."""
    node, chat, peer = stage.acquainted("Alice", "Rosa")
    befriend(stage, node, chat)
    say(stage, chat, peer, "before")
    chat.releases.clear()
    sent = [chat.send(peer, f"lone {number}") for number in range(5)]
    stage.until(lambda: {hashed for _, hashed in sent} <= chat.released, "all releases")
    stage.until(lambda: {identifier for identifier, _ in sent} <= chat.delivered, "all receipts")
    wanted = [[hashed for _, hashed in sent if hashed in released_hashes(body)] for body in chat.releases]
    lengths = [len(body) for body, hashes in zip(chat.releases, wanted) if hashes]
    assert sum(len(hashes) for hashes in wanted) == 5, "a preimage came twice"
    for body, hashes in zip(chat.releases, wanted):
        places = next((one for one in (1, 4, 16, 64) if one >= len(hashes)), 0)
        assert not hashes or len(body) == 16 * places, f"{len(hashes)} preimages in {len(body)} bytes"
        parts = [body[at:at + 16] for at in range(0, len(body), 16)]
        assert len(set(parts)) == len(parts) and bytes(16) not in parts, "unused places are not random"

    chat.opened.clear()
    chat.holding = True
    mine = [node.call("send", to=chat.id.hex(), text=f"one by one {number}")["message"] for number in range(5)]
    stage.until(lambda: {one.id.hex() for one in chat.texts} >= set(mine), "five texts of the node")
    came = [one.hash for one in chat.opened if Content.decode(one.contents[0]).kind == TEXT]
    own = [envelope for envelope in chat.mesh.own.values()
           if envelope.kind == RELEASE and set(came) & set(released_hashes(envelope.body))]
    assert len(came) == 5 and any(len(one.body) > 16 for one in own), "no own release has several places"
    late = stage.mesh()
    stage.link(late, chat.mesh.links[0].address[1])
    stage.until(lambda: {one.body for one in own} <= {one.body for one in late.inbox}, "the own releases at the node")
    node.call("send", to=chat.id.hex(), text="the end of what is offered")
    stage.until(lambda: len(chat.opened) > 5 and chat.opened[-1].hash in _sealed(late), "the last text")
    assert not _sealed(late) & set(came), "the node keeps what was released"
    chat.holding = False
    stage.until(lambda: all(status_of(node, chat, one) == "delivered" for one in mine), "the status delivered")
    return f"five released in envelopes of {lengths} bytes; five of the node in {[len(one.body) for one in own]}"
