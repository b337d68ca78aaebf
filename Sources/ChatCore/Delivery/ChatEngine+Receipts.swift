import ChatCrypto
import MeshCore

extension ChatEngine {
    /// Adds a pending receipt for a message that is on disk; an unknown peer gets it once accepted.
    ///
    /// - Parameter deliveryProof: The delivery proof that ends the message's envelope; empty if it was sent already.
    mutating func addPendingReceipt(
        _ id: MessageID,
        _ deliveryProof: [UInt8] = [],
        to peer: PeerID,
        in conversation: ConversationID
    ) {
        let now = step.time.monotonic
        receipts.add(id, deliveryProof, to: peer, in: conversation, isAccepted: isAccepted(peer), at: now)
    }

    /// Schedules the receipt that has waited for a message's files.
    mutating func confirmComplete(_ message: MessageID) {
        guard let peer = receipts.recipient(of: message)?.peer else { return }
        receipts.schedule(message, isAccepted: isAccepted(peer), at: step.time.monotonic)
    }

    /// Seals the receipts that are due, in the step that made them due: one write makes message and receipt durable.
    package mutating func sendDueReceipts() throws {
        for recipient in receipts.dueRecipients(at: step.time.monotonic) where !isStepFull {
            try sendReceipts(to: recipient)
        }
    }

    /// Seals one receipt for all pending receipts of `recipient`, kept in the outbox until its release comes back.
    private mutating func sendReceipts(to recipient: PendingReceipts.Recipient) throws {
        guard recipient.isMember || isAccepted(recipient.peer) else { return receipts.release(recipient, at: nil) }
        let ids = receipts.take(for: recipient, at: step.time.monotonic)
        guard !ids.isEmpty else { return }
        let content = MessageContent.receipt(delivered: ids, salt: randomBytes(16), at: step.time)
        guard !recipient.isMember || trust.maySend(to: recipient.peer), let identity = identity(of: recipient.peer),
            try transmitReceipt(content, to: identity)
        else {
            let later = step.time.monotonic.advanced(by: ChatLimits.housekeeping)
            return receipts.putBack(ids, for: recipient, until: later)
        }
        for deliveryProof in receipts.finish(ids) {
            step.perform(.submit(kind: .release, body: deliveryProof, life: ChatLimits.releaseLife))
        }
    }

    /// Seals a receipt and keeps it in the outbox until its release comes back; false while it cannot be sealed.
    mutating func transmitReceipt(
        _ content: [UInt8],
        to recipient: PublicIdentity
    ) throws -> Bool {
        let content = contacts.withProfile(content)
        let generation = identityHistory.generation(knownTo: recipient.id)
        guard let sealed = seal(content, as: generation, to: recipient) else { return false }
        let conversation = ConversationID.direct(recipient.id)
        let receipt = MessageContent.id(of: content, from: ownID, to: conversation)
        outbox.transmit(receipt, sealed, in: conversation, as: .receipt, by: generation, at: step.time.wall)
        spread(receipt, withFiles: false)
        return true
    }

    /// Returns the public identity of a contact, or of a peer that only a group knows.
    func identity(of peer: PeerID) -> PublicIdentity? {
        trust[peer]?.identity ?? groups.identity(of: peer)
    }
}
