import ChatCrypto
import MeshCore

/// Carrying: direct messages and receipts that go along the way to their recipient instead of being posted.
///
/// Source: PROTOCOL §10 content and receipts.
extension ChatEngine {
    /// Whether direct messages and receipts are carried at present.
    package var carries: Bool {
        guard room == nil else { return false }
        return delivery == .fast || delivery == .auto && isMeshBusy
    }

    /// Whether the next message to a peer can be carried.
    func carries(to peer: PeerID) -> Bool { carries && ways.isOpen(to: peer, at: step.time.monotonic) }

    /// Handles an envelope that came along a way; it has no release to publish, because nobody keeps it.
    mutating func receiveCarried(_ message: PathMessage) throws {
        guard let envelope = Envelope(decoding: message.payload[...]), envelope.kind == .sealed else { return }
        try receiveSealed(envelope, along: .way(to: message.to, from: message.from))
    }

    /// Notes the way by which a message of a contact, or of a member of a common group, came.
    mutating func note(_ route: InboundRoute?, of peer: PeerID) {
        guard let route, mayOpenPath(to: peer) else { return }
        let now = step.time.monotonic
        switch route {
        case .trail(let label): ways.follow(label, to: peer, at: now)
        case .way(let own, let label): ways.note(label, of: peer, at: own, now: now)
        }
    }

    /// Sends a sealed pack along the way to a peer; false if it has to be posted.
    ///
    /// Nothing confirms the receipts in it: their recipient posts again what has no receipt. So they end here.
    mutating func carry(_ pack: [MessageID], in envelope: SealedEnvelope, to peer: PeerID) -> Bool {
        guard carries(to: peer), envelope.kind == .sealed, pack.allSatisfy(mayBeCarried) else { return false }
        let isConfirmed = pack.contains { outbox[$0]?.isMessage == true }
        guard let message = ways.carry(envelope, to: peer, isConfirmed: isConfirmed, at: step.time.monotonic) else {
            return false
        }
        step.perform(.sendOnPath(message))
        for id in pack where outbox[id]?.kind == .receipt { takeOut(id) }
        return true
    }

    /// Whether a receipt for a content is expected at once: no receipt names a control message, and that of a message
    /// with files waits for them.
    private func mayBeCarried(_ id: MessageID) -> Bool {
        outbox[id]?.isControl == false && attachments.blobs.entries(of: id).isEmpty
    }

    /// Seals again, to be posted, everything that is under way, because this node stops listening for receipts.
    package mutating func postUnderWay() {
        for ended in ways.takeAll() { postUnderWay(ended) }
    }

    /// Seals again, to be posted, what was under way when a way ended.
    mutating func postUnderWay(_ ended: (peer: PeerID, envelopes: [EnvelopeID])?) {
        guard let ended else { return }
        for envelope in ended.envelopes {
            if let pack = outbox.pack(of: envelope) { outbox.unseal(pack) }
        }
        outbox.markDue(.direct(ended.peer))
    }
}

/// The way by which a message came.
enum InboundRoute {
    /// A post, whose trail leads to its author.
    case trail(PathLabel)
    /// A way, with the label of this end, and that of the author if it is new.
    case way(to: PathLabel, from: PathLabel?)

    /// Whether it was carried.
    var isWay: Bool { if case .way = self { true } else { false } }
}
