package import ChatCrypto
import MeshCore

/// The progress and the end of own messages.
extension ChatEngine {
    /// Moves the statuses of the messages in an envelope forward, in outbox and history, and reports them.
    mutating func advance(
        _ envelope: EnvelopeID,
        to status: DeliveryStatus
    ) throws {
        for id in outbox.pack(of: envelope)?.contents ?? [] {
            guard outbox[id]?.isMessage == true, outbox.advance(id, to: status),
                let (place, record) = try ownMessage(id)
            else { continue }
            put(record, at: place, reaching: status)
        }
    }

    /// Applies a receipt: the messages it names, if they went to its sender, have arrived.
    mutating func confirm(_ receipt: MessageContent.Receipt, by sender: PeerID) throws {
        // The present identity of a contact also confirms messages to the earlier ones.
        let identities = [sender] + trust.predecessors(of: sender)
        // A direct message that was read has also arrived: clients receive both events.
        let packed = receipt.packs.flatMap { contents(ofPack: $0, to: identities) }
        let arrived = packed + receipt.delivered + receipt.read.filter { outbox[$0]?.peer != nil }
        for (ids, recipientStatus) in [(arrived, RecipientStatus.delivered), (receipt.read, .read)] {
            for id in ids { try confirm(id, recipientStatus, by: identities) }
        }
        for peer in identities { outbox.markDue(.direct(peer)) }
    }

    /// Returns the contents of an envelope that went to one of these identities; own receipts end with it.
    private mutating func contents(ofPack proofHash: [UInt8], to identities: [PeerID]) -> [MessageID] {
        guard let pack = outbox.pack(proofHash: proofHash) else { return [] }
        if case .direct(let peer) = pack.conversation, !identities.contains(peer) { return [] }
        endUnderWay(pack.id)
        return pack.contents
    }

    private mutating func confirm(_ id: MessageID, _ recipientStatus: RecipientStatus, by identities: [PeerID]) throws {
        if let entry = outbox[id], let peer = entry.peer, identities.contains(peer) {
            if let envelope = entry.envelope { endUnderWay(envelope) }
            try takeOutArrived(id)
        }
        guard let (place, record) = try ownMessage(id) else { return }
        guard case .direct(let peer)? = record.conversationID else {
            return try note(recipientStatus, of: id, by: identities[0])
        }
        if identities.contains(peer) { put(record, at: place, reaching: recipientStatus.status) }
    }

    /// Cancels an own message that is not confirmed: it is not sent again.
    package mutating func cancel(_ id: MessageID) throws {
        guard let entry = outbox[id], entry.isMessage else {
            throw ChatError(.notFound, "No message in the outbox has this id.")
        }
        try fail(entry, .cancelled)
        outbox.markDue(entry.conversation)
    }

    /// Ends an entry that will not be confirmed any more.
    mutating func fail(
        _ entry: OutboxEntry,
        _ reason: DeliveryFailure
    ) throws {
        takeOut(entry.id)
        guard entry.isMessage else { return }
        if entry.conversation.group != nil {
            try note(RecipientStatus(reason), of: entry.id)
        } else if let (place, record) = try ownMessage(entry.id) {
            put(record, at: place, reaching: .failed(reason))
        }
    }

    /// Removes an entry from the outbox, and the file that only it needed.
    mutating func takeOut(_ id: MessageID) {
        guard let entry = outbox[id] else { return }
        outbox.remove(id)
        carriedReceipts[id] = nil
        if let envelope = entry.envelope, outbox.pack(of: envelope) == nil { ways.forget(envelope) }
        forgetLongText(of: id)
    }

    /// Returns an own message of the history and its position there.
    func ownMessage(_ id: MessageID) throws -> (place: UInt64, record: ProtoMessageRecord)? {
        guard let (place, plaintext) = try step.record(.messages, id.bytes),
            case let record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self), record.outgoing
        else { return nil }
        return (place, record)
    }

    /// Writes an own message to the history; its status never goes back, and is reported when it has advanced.
    ///
    /// - Parameter isChanged: Whether there is more to write than the status.
    mutating func put(
        _ changed: ProtoMessageRecord,
        at place: UInt64,
        reaching reported: DeliveryStatus,
        isChanged: Bool = false
    ) {
        var record = changed
        guard let id = MessageID(bytes: record.id), let conversation = record.conversationID else { return }
        let known = DeliveryStatus(rank: Int(record.status), failure: record.failure)
        var status = known
        status.merge(reported)
        guard isChanged || status != known else { return }
        record.status = UInt32(status.rank)
        if case .failed(let reason) = status { record.failure = reason.rawValue }
        step.put(.messages, id.bytes, conversation: conversation, sequence: place, record)
        if status != known { step.perform(.notify(.status(conversation, id, status))) }
    }

    // MARK: - Groups

    /// Notes the members who are to receive an own message to a group, if the group has changed since it was written.
    mutating func expectReceipts(in group: GroupID, sealedIn epoch: UInt32, for id: MessageID) throws {
        guard let (place, known) = try ownMessage(id), known.epoch != epoch, let conversation = known.conversationID
        else { return }
        var record = known
        expectReceipts(of: &record, id, sealedIn: epoch, in: group)
        step.put(.messages, id.bytes, conversation: conversation, sequence: place, record)
    }

    /// Lists the members whose receipts an own message to a group waits for.
    func expectReceipts(
        of record: inout ProtoMessageRecord,
        _ id: MessageID,
        sealedIn epoch: UInt32,
        in group: GroupID
    ) {
        let present = Set(groups.membership(group)?.recipients.map(\.identity.id) ?? [])
        let senders = groups.confirming(id, sealedIn: epoch, in: group).filter { present.contains($0) }
        record.expectReceipts(of: senders, isSampled: senders.count < present.count, in: epoch)
    }

    /// Notes the recipient status of an own message to a group, for one member or for all that lack it; ignores other
    /// messages.
    mutating func note(_ recipientStatus: RecipientStatus, of id: MessageID, by peer: PeerID? = nil) throws {
        guard let own = try ownMessage(id) else { return }
        var record = own.record
        let moved = record.note(recipientStatus, by: peer)
        guard !moved.isEmpty, let conversation = record.conversationID else { return }
        for member in moved {
            let delivery = RecipientDelivery(recipient: member, status: recipientStatus.status)
            step.perform(.notify(.delivery(conversation, id, delivery)))
        }
        let status = record.receivedStatus
        put(record, at: own.place, reaching: status, isChanged: true)
        if status != .queued { takeOut(id) }
    }

    /// Stops waiting for receipts from a peer that has left a group.
    mutating func forgetRecipient(
        _ peer: PeerID,
        of group: GroupID
    ) throws {
        for entry in outbox.entries(in: conversationID(of: group)) {
            try note(.notMember, of: entry.id, by: peer)
        }
    }

    /// Returns the delivery of an own message for each of its recipients; nil for any other message.
    package func deliveries(of id: MessageID) throws -> [RecipientDelivery]? {
        guard let record = try step.message(.messages, id.bytes, as: ProtoMessageRecord.self),
            record.outgoing, let conversation = record.conversationID
        else { return nil }
        let copies = outbox[id]?.envelope.flatMap(outbox.pack).map { far.copies(of: $0.proofHash) } ?? []
        if case .direct(let peer) = conversation {
            return [
                RecipientDelivery(
                    recipient: peer,
                    status: DeliveryStatus(rank: Int(record.status), failure: record.failure),
                    copies: copies
                )
            ]
        }
        let present = DeliveryStatus(rank: min(Int(record.status), DeliveryStatus.carried.rank), failure: "")
        return record.receptions.compactMap { entry in
            guard let recipient = PeerID(bytes: entry.member) else { return nil }
            return entry.recipientStatus == .waiting
                ? RecipientDelivery(recipient: recipient, status: present, copies: copies)
                : RecipientDelivery(recipient: recipient, status: entry.recipientStatus.status)
        }
    }
}
