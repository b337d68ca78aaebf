import ChatCrypto
import MeshCore

extension ChatEngine {
    /// Notes durably that a message's sender is to be told that it is on disk; a stranger is told once accepted.
    ///
    /// `preimage` releases the message's envelope then; it is empty where that has been done.
    mutating func owe(
        _ id: MessageID,
        _ preimage: [UInt8],
        to peer: PeerID
    ) throws {
        guard !owed.isOwed(id, to: peer) else { return }
        var record = ProtoOwedRecord()
        record.message = .bytes(id.bytes)
        record.peer = .bytes(peer.bytes)
        record.preimage = .bytes(preimage)
        step.put(.owed, id.bytes, record)
        if isAccepted(peer) {
            owed.owe(id, to: peer, at: step.time.monotonic)
        } else {
            owed.keep(id, to: peer)
        }
    }

    /// Seals the receipts that are due, in the step that made them due: one write makes message and receipt durable.
    package mutating func sendDueReceipts() throws {
        for peer in owed.duePeers(at: step.time.monotonic) where !step.isFull {
            try sendReceipts(to: peer)
        }
    }

    /// Seals one receipt for all that is owed to `peer`, kept in the outbox until its release comes back.
    mutating func sendReceipts(to peer: PeerID) throws {
        guard isAccepted(peer), let recipient = trust[peer]?.identity else {
            owed.pause(peer)
            return
        }
        let ids = owed.take(for: peer, at: step.time.monotonic)
        guard !ids.isEmpty else { return }
        let content = MessageContent.receipt(delivered: ids, salt: randomBytes(16), at: step.time)
        guard try launchReceipt(content, to: recipient) else {
            let later = step.time.monotonic.advanced(by: ChatLimits.housekeeping)
            owed.putBack(ids, for: peer, until: later)
            return
        }
        for id in ids {
            let record = try step.message(.owed, id.bytes, as: ProtoOwedRecord.self)
            if let preimage = record?.preimage, !preimage.isEmpty {
                let body = [UInt8](preimage)
                step.perform(.submit(kind: .release, body: body, life: ChatLimits.releaseLife))
            }
            step.delete(.owed, id.bytes)
        }
    }

    /// Seals a receipt and keeps it in the outbox until its release comes back; false while it cannot be sealed.
    mutating func launchReceipt(
        _ content: [UInt8],
        to recipient: PublicIdentity
    ) throws -> Bool {
        let content = withProfile(content)
        let generation = generation(knownTo: recipient.id)
        guard let sealed = seal(content, as: generation, to: recipient) else { return false }
        let receipt = MessageContent.id(of: content, from: ownID, to: recipient.id)
        var record = ProtoOutboxRecord()
        record.id = .bytes(receipt.bytes)
        record.peer = .bytes(recipient.id.bytes)
        record.createdAt = step.time.wall
        record.kind = UInt32(sealed.kind.rawValue)
        record.body = .bytes(sealed.body)
        record.sealedAt = step.time.wall
        record.receipt = true
        record.generation = generation
        record.number = outbox.nextNumber
        outbox.add(
            Outbox.Entry(
                id: receipt,
                peer: recipient.id,
                number: record.number,
                isReceipt: true,
                generation: generation,
                createdAt: step.time.wall
            )
        )
        try launch(record, receipt)
        return true
    }
}
