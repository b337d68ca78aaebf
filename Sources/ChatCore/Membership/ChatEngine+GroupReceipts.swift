package import ChatCrypto
import MeshCore
import SwiftProtobuf

/// How far a message to a group has come to one member; a higher one is never followed by a lower.
enum GroupReception: UInt8 {
    /// Nothing is known yet.
    case waiting
    /// The sender's user does not wait any more.
    case cancelled
    /// No receipt came within the time that messages are kept.
    case expired
    /// The member has left the group, or was put out, before a receipt came.
    case gone
    /// The member's node has it on disk.
    case delivered
    /// The member has seen it.
    case read

    /// The same in the words of messages.
    var status: DeliveryStatus {
        switch self {
        case .waiting: .sent
        case .cancelled: .failed(.cancelled)
        case .expired: .failed(.expired)
        case .gone: .failed(.notMember)
        case .delivered: .delivered
        case .read: .read
        }
    }
}

extension ProtoReceptionRecord {
    /// How far the message has come to the member; what cannot be read is waited for.
    fileprivate var reception: GroupReception { UInt8(exactly: status).flatMap(GroupReception.init) ?? .waiting }
}

/// Who has what was written to groups, and telling others so.
extension ChatEngine {
    // MARK: - Own messages

    /// Puts a sealed message into the outbox and submits its envelope.
    mutating func post(
        _ id: MessageID,
        _ body: [UInt8],
        in group: GroupID
    ) {
        var record = ProtoOutboxRecord()
        record.id = .bytes(id.bytes)
        record.group = .bytes(group.bytes)
        record.createdAt = step.time.wall
        record.sealedAt = step.time.wall
        record.kind = UInt32(EnvelopeKind.sealed.rawValue)
        record.body = .bytes(body)
        step.put(.outbox, id.bytes, record)
        groups.posts.add(
            GroupPosts.Post(
                id: id,
                group: group,
                envelope: Self.envelopeID(.sealed, body),
                createdAt: record.createdAt,
                spreadAt: record.sealedAt,
                tries: 0
            )
        )
        step.perform(.submit(kind: .sealed, body: body, life: ChatLimits.sealedLife))
    }

    /// Spreads an envelope once more: the same bytes, so the mesh spreads only what it has lost.
    mutating func spread(_ post: GroupPosts.Post) throws {
        guard var record = try step.message(.outbox, post.id.bytes, as: ProtoOutboxRecord.self) else { return }
        groups.posts.markSpread(post.id, at: step.time.wall)
        record.sealedAt = step.time.wall
        record.tries = record.tries.bounded + 1
        step.put(.outbox, post.id.bytes, record)
        step.perform(.submit(kind: .sealed, body: [UInt8](record.body), life: ChatLimits.sealedLife))
        // Later on they are spread when the mesh has forgotten them.
        if post.filesSpreadAt == 0 { spreadFiles(of: post.id) }
    }

    /// Notes how far the envelope of a message has come.
    mutating func advance(
        _ post: GroupPosts.Post,
        to status: DeliveryStatus
    ) throws {
        guard groups.posts.advance(post.id, to: status) else { return }
        try changePost(post.id) { _ in status }
    }

    /// Takes a receipt: the messages it names, if they went to its sender, have arrived there.
    mutating func confirmPosts(
        delivered: [MessageID],
        read: [MessageID],
        by peer: PeerID
    ) throws {
        for (ids, reception) in [(delivered, GroupReception.delivered), (read, .read)] {
            for id in ids where outbox[id] == nil {
                try note(reception, of: id, by: peer)
            }
        }
    }

    /// Expects no receipt any more from who is out of a group.
    mutating func forgetRecipient(
        _ peer: PeerID,
        of group: GroupID
    ) throws {
        for post in groups.posts.inOrder where post.group == group {
            try note(.gone, of: post.id, by: peer)
        }
    }

    /// Gives a message up for all who have not confirmed it.
    mutating func giveUp(
        _ post: GroupPosts.Post,
        _ reception: GroupReception
    ) throws {
        guard let record = try step.message(.messages, post.id.bytes, as: ProtoMessageRecord.self) else {
            return drop(post.id)
        }
        for peer in record.receptions.compactMap({ PeerID(bytes: $0.member) }) {
            try note(reception, of: post.id, by: peer)
        }
        drop(post.id)
    }

    private mutating func note(
        _ reception: GroupReception,
        of id: MessageID,
        by peer: PeerID
    ) throws {
        try changePost(id) { record in
            var receptions = record.receptions
            guard let index = receptions.firstIndex(where: { $0.member.elementsEqual(peer.bytes) }),
                receptions[index].status < reception.rawValue
            else { return nil }
            receptions[index].status = UInt32(reception.rawValue)
            record.receptions = receptions
            return Self.status(of: receptions.map(\.reception))
        } told: {
            .delivery(id, GroupDelivery(member: peer, status: reception.status))
        }
    }

    /// Changes the record of an own message to a group; its status never goes back.
    ///
    /// - Parameter change: Answers the status that follows; nil if nothing has changed.
    private mutating func changePost(
        _ id: MessageID,
        _ change: (inout ProtoMessageRecord) -> DeliveryStatus?,
        told event: (() -> ChatEvent)? = nil
    ) throws {
        guard let (sequence, plaintext) = try step.record(.messages, id.bytes),
            case var record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self), record.outgoing,
            let group = record.conversationID?.group, let status = change(&record)
        else { return }
        if let event { step.perform(.tell(event())) }
        if record.status < status.rank {
            record.status = UInt32(status.rank)
            if case .failed(let reason) = status { record.failure = reason.rawValue }
            step.perform(.tell(.status(id, status)))
        }
        let conversation = conversationID(of: group)
        step.put(.messages, id.bytes, conversation: conversation, sequence: sequence, record)
        let isWaiting = record.receptions.contains { $0.reception == .waiting }
        if !isWaiting, groups.posts[id] != nil { drop(id) }
    }

    private mutating func drop(_ id: MessageID) {
        groups.posts.remove(id)
        step.delete(.outbox, id.bytes)
        forgetLongText(of: id)
    }

    /// What receptions by all recipients amount to: delivered when nobody who is still in lacks it.
    private static func status(of receptions: [GroupReception]) -> DeliveryStatus {
        if receptions.contains(.waiting) { return .queued }
        if receptions.contains(.cancelled) { return .failed(.cancelled) }
        if receptions.contains(.expired) { return .failed(.expired) }
        let present = receptions.filter { $0 != .gone }
        if present.isEmpty { return .failed(.notMember) }
        return present.contains(.delivered) ? .delivered : .read
    }

    /// How far a message to a group has come to each of those it is for; nil for any other message.
    package func deliveries(of id: MessageID) throws -> [GroupDelivery]? {
        guard let record = try step.message(.messages, id.bytes, as: ProtoMessageRecord.self),
            record.outgoing, record.conversationID?.group != nil
        else { return nil }
        let present = DeliveryStatus(rank: min(Int(record.status), DeliveryStatus.carried.rank), failure: "")
        return record.receptions.compactMap { entry in
            let reception = entry.reception
            return PeerID(bytes: entry.member).map {
                GroupDelivery(member: $0, status: reception == .waiting ? present : reception.status)
            }
        }
    }

    // MARK: - Messages of others

    /// Notes durably that a message's sender is to be told that it is on disk.
    mutating func owe(
        _ id: MessageID,
        to peer: PeerID,
        in group: GroupID
    ) {
        guard !groups.owed.isOwed(id, to: peer) else { return }
        var record = ProtoOwedRecord()
        record.message = .bytes(id.bytes)
        record.peer = .bytes(peer.bytes)
        record.group = .bytes(group.bytes)
        step.put(.owed, id.bytes, record)
        groups.owed.owe(id, to: peer, at: step.time.monotonic, delay: ChatLimits.groupReceiptDelay)
    }

    /// Seals one receipt for all that is owed to a member.
    mutating func sendGroupReceipts(to peer: PeerID) throws {
        let ids = groups.owed.take(for: peer, at: step.time.monotonic)
        guard !ids.isEmpty else { return }
        let content = MessageContent.receipt(delivered: ids, salt: randomBytes(16), at: step.time)
        guard trust.maySend(to: peer), let recipient = identity(of: peer),
            try launchReceipt(content, to: recipient)
        else {
            let later = step.time.monotonic.advanced(by: ChatLimits.housekeeping)
            groups.owed.putBack(ids, for: peer, until: later)
            return
        }
        for id in ids { step.delete(.owed, id.bytes) }
    }

    /// Both keys of a contact, or of somebody whom only a group knows.
    func identity(of peer: PeerID) -> PublicIdentity? {
        if let known = trust[peer]?.identity { return known }
        return groups.table.groupIDs.lazy.compactMap { groups.table[$0]?.log.member(peer)?.identity }.first
    }
}
