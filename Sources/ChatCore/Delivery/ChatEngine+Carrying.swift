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

    /// Handles an envelope that came along a way.
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
    /// A pack with a message stays in the outbox until its receipt comes. One of receipts alone ends here: nothing
    /// confirms it, and its recipient posts again what has no receipt.
    mutating func carry(_ pack: [MessageID], in envelope: SealedEnvelope, to peer: PeerID) -> Bool {
        let isConfirmed = pack.contains { outbox[$0]?.isMessage == true }
        guard carries(to: peer), envelope.kind == .sealed, pack.allSatisfy(mayBeCarried),
            isConfirmed || pack.allSatisfy(carriedReceipts.contains)
        else { return false }
        guard let message = ways.carry(envelope, to: peer, isConfirmed: isConfirmed, at: step.time.monotonic) else {
            return false
        }
        step.perform(.sendOnPath(message))
        if !isConfirmed { for id in pack { takeOut(id) } }
        return true
    }

    /// Releases and confirms a post that was carried to this node before; false if it is another one.
    ///
    /// It is not opened again, so it may be forged: nothing is believed of it, its trail neither.
    mutating func receivePostOfCarried(_ envelope: Envelope) -> Bool {
        guard envelope.kind == .sealed, carriedArrivals.count > 0,
            let arrival = carriedArrivals.take(Array(envelope.body.prefix(DeliveryProofHash.byteCount)))
        else { return false }
        release(arrival.deliveryProof, of: arrival.sender)
        // A receipt that waits, for example for files, stays as it is.
        for id in arrival.contents where receipts.recipient(of: id) == nil && !attachments.blobs.isIncomplete(id) {
            addPendingReceipt(id, to: arrival.sender, in: .direct(arrival.sender))
        }
        return true
    }

    /// Whether a receipt for a content is expected at once: no receipt names a control message, and that of a message
    /// with files waits for them.
    private func mayBeCarried(_ id: MessageID) -> Bool {
        outbox[id]?.isControl == false && attachments.blobs.entries(of: id).isEmpty
    }

    /// Ends an envelope under way whose receipt came; its own receipts have arrived too, and no release tells so.
    mutating func endUnderWay(_ envelope: EnvelopeID) {
        guard ways.confirm(envelope, at: step.time.monotonic) else { return }
        for id in outbox.pack(of: envelope)?.contents ?? [] where outbox[id]?.kind == .receipt { takeOut(id) }
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
